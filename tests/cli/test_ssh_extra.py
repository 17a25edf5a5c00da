"""Whether guests by ssh can be let in is known without loading anything for it."""

from __future__ import annotations

import sys

import pytest

from rummy_p2p.cli.ssh_extra import why_no_ssh


def test_where_it_is_installed_nothing_speaks_against_it() -> None:
    pytest.importorskip("asyncssh")
    assert why_no_ssh() == ""


def test_where_it_is_not_installed_what_installs_it_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "asyncssh", None)
    assert "pip install 'rummy-p2p[ssh]'" in why_no_ssh()
