"""The player's own plugin files, and which of them are trusted."""

from __future__ import annotations

import os
from hashlib import sha256
from pathlib import Path

import pytest

from rummy_p2p.store import MAX_PLUGIN, Paths, Store, StoreError

posix = pytest.mark.skipif(os.name != "posix", reason="rights of files as on POSIX")


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(Paths.of(tmp_path / "home"))


def plugin(store: Store, content: bytes = b"x = 1\n", name: str = "x.py") -> Path:
    store.variants_folder.mkdir(parents=True, exist_ok=True)
    path = store.variants_folder / name
    path.write_bytes(content)
    return path


def test_nothing_is_trusted_in_the_beginning(store: Store) -> None:
    assert store.trusted() == (frozenset(), None)
    assert store.variants() == ()


def test_the_files_of_the_folder_come_by_name(store: Store) -> None:
    paths = [plugin(store, name=name) for name in ("b.py", "a.toml", "c.txt")]
    (store.variants_folder / "scenarios").mkdir()
    assert store.variants() == (paths[1], paths[0], paths[2])


def test_trust_is_in_exactly_this_content(store: Store) -> None:
    path = plugin(store)
    digest = store.trust(path)
    assert digest == sha256(b"x = 1\n").hexdigest()
    other = store.trust(plugin(store, b"x = 2\n"))
    assert store.trusted() == (frozenset({digest, other}), None)
    assert Store(store.paths).trusted() == store.trusted()


@posix
def test_the_list_is_for_its_owner_alone(store: Store) -> None:
    store.trust(plugin(store))
    (file,) = store.paths.state.iterdir()
    assert file.stat().st_mode & 0o777 == 0o600


@posix
@pytest.mark.parametrize("mode", [0o620, 0o602, 0o666])
def test_a_list_that_others_may_change_is_not_believed(store: Store, mode: int) -> None:
    store.trust(plugin(store))
    (file,) = store.paths.state.iterdir()
    file.chmod(mode)
    trusted, notice = store.trusted()
    assert trusted == frozenset()
    assert notice
    assert (notice.code, "no plugin file is trusted" in notice.sentence) == ("trust-exposed", True)


@pytest.mark.parametrize("content", [b"", b"[]", b'{"not a hash": "x.py"}', b"\xff", b'{"%s": 1}' % (b"0" * 64)])
def test_a_damaged_list_is_set_aside_and_told(store: Store, content: bytes) -> None:
    store.trust(plugin(store))
    (file,) = store.paths.state.iterdir()
    file.write_bytes(content)
    trusted, notice = store.trusted()
    assert trusted == frozenset()
    assert notice
    assert (notice.code, "trusted.broken.json" in notice.sentence) == ("trust-set-aside", True)
    assert store.trusted() == (frozenset(), None)
    assert store.trust(plugin(store)) in store.trusted()[0]


def test_a_plugin_that_cannot_be_read_is_not_trusted(store: Store) -> None:
    with pytest.raises(StoreError) as missing:
        store.trust(store.variants_folder / "x.py")
    assert missing.value.code == "store-failed"
    with pytest.raises(StoreError) as large:
        store.trust(plugin(store, b"#" * (MAX_PLUGIN + 1)))
    assert large.value.code == "file-too-large"
    assert store.trusted() == (frozenset(), None)


def test_files_and_trust_can_be_lent_to_another_installation(store: Store, tmp_path: Path) -> None:
    digest = store.trust(plugin(store))
    plugin(store, b"title = 'x'", "evening.toml")
    other = Store(Paths.of(tmp_path / "other"))
    store.lend_variants(other)
    assert [path.read_bytes() for path in other.variants()] == [b"title = 'x'", b"x = 1\n"]
    assert other.trusted() == (frozenset({digest}), None)


def test_where_there_is_nothing_to_lend_nothing_is_made(store: Store, tmp_path: Path) -> None:
    store.lend_variants(Store(Paths.of(tmp_path / "other")))
    assert not (tmp_path / "other").exists()
