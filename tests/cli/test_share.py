"""share: where the packages are, on which interface, and what is told."""

import subprocess
import sys
import urllib.request
from argparse import Namespace
from pathlib import Path

import pytest

from rummy_p2p.cli import OK, CommandError
from rummy_p2p.cli import share as module
from rummy_p2p.cli.share import open_share, share, wait
from rummy_p2p.node.sharing import Sharing
from rummy_p2p.store import Paths, Store


def options(folder: Path, **changes: object) -> Namespace:
    given = {"wheelhouse": str(folder / "house"), "interface": ["lo"], "port": 0, "data": str(folder / "data")}
    return Namespace(**(given | {"log_level": None} | changes))


def house(folder: Path, *names: str) -> Path:
    made = folder / "house"
    made.mkdir(parents=True, exist_ok=True)
    for name in names:
        (made / name).write_bytes(b"wheel")
    return made


def opened(folder: Path, **changes: object) -> Sharing:
    return open_share(options(folder, **changes), Store(Paths.of(folder / "data")))


def test_what_is_shared_is_told_with_two_lines(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    house(tmp_path, "rummy_p2p-1-py3-none-any.whl")
    sharing = opened(tmp_path)
    sharing.start()
    try:
        told = capsys.readouterr().out
        address = f"http://127.0.0.1:{sharing.port}/"
        assert address in told
        assert f"pip install --no-index --trusted-host 127.0.0.1 --find-links {address} 'rummy-p2p[ssh,qr]'" in told
        page = urllib.request.urlopen(address).read().decode()
        assert page.count("<pre>") == 3
        assert "Python 3.11 or newer" in page
    finally:
        sharing.stop()


def test_pip_installs_from_it(tmp_path: Path) -> None:
    """A package of our name, so that nothing has to be built here; pip finds and takes it as it would the real one."""
    source = tmp_path / "source"
    (source / "tiny").mkdir(parents=True)
    (source / "tiny" / "__init__.py").write_text("")
    made = house(tmp_path)
    import zipfile

    name = "rummy_p2p-9.9-py3-none-any.whl"
    with zipfile.ZipFile(made / name, "w") as wheel:
        wheel.writestr("tiny_rummy.py", "")
        wheel.writestr("rummy_p2p-9.9.dist-info/METADATA", "Metadata-Version: 2.1\nName: rummy-p2p\nVersion: 9.9\n")
        wheel.writestr(
            "rummy_p2p-9.9.dist-info/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        )
        wheel.writestr("rummy_p2p-9.9.dist-info/RECORD", "")
    sharing = opened(tmp_path)
    sharing.start()
    try:
        place = ["--trusted-host", "127.0.0.1", "--find-links", f"http://127.0.0.1:{sharing.port}/"]
        command = [
            sys.executable,
            "-m",
            "pip",
            "download",
            "-q",
            "--no-index",
            *place,
            "--dest",
            str(tmp_path),
            "rummy-p2p",
        ]
        subprocess.run(command, check=True, timeout=50)
    finally:
        sharing.stop()
    assert (tmp_path / name).exists()


@pytest.mark.parametrize(
    ("names", "changes", "sentence"),
    [
        ([], {}, "There is nothing to share in .*house"),
        (["other-1.whl"], {}, "There is no wheel of this program"),
        (["rummy_p2p-1.whl"], {"interface": ["no-such"]}, "There is no network to share on"),
    ],
)
def test_what_cannot_be_shared_is_told(
    tmp_path: Path, names: list[str], changes: dict[str, object], sentence: str
) -> None:
    if names:
        house(tmp_path, *names)
    with pytest.raises(CommandError, match=sentence):
        opened(tmp_path, **changes)


def test_a_folder_that_cannot_be_read_and_a_port_that_is_taken_are_told(tmp_path: Path) -> None:
    (tmp_path / "house").write_text("no folder")
    with pytest.raises(CommandError, match="cannot be read"):
        opened(tmp_path)
    (tmp_path / "house").unlink()
    house(tmp_path, "rummy_p2p-1.whl")
    sharing = opened(tmp_path)
    with pytest.raises(CommandError, match=f"Port {sharing.port} is not free"):
        opened(tmp_path, port=sharing.port)
    sharing.stop()


def test_without_a_folder_it_is_the_one_here_or_that_of_the_installation(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    store = Store(Paths.of(tmp_path / "data"))
    given = options(tmp_path, wheelhouse=None)
    assert module._folder(given, store) == tmp_path / "data" / "data" / "wheelhouse"
    (tmp_path / "wheelhouse").mkdir()
    assert module._folder(given, store) == Path("wheelhouse")


def test_it_serves_until_the_player_has_had_enough(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    house(tmp_path, "rummy_p2p-1.whl")

    def interrupt() -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(module, "wait", lambda _until: wait(interrupt))
    assert share(options(tmp_path)) == OK
    assert "No longer shared." in capsys.readouterr().out
