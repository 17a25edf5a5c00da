"""The files of one installation: secrets, config, known peers, saved matches, log."""

import errno
import logging
import os
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rummy_p2p import store as module
from rummy_p2p.store import (
    Config,
    Paths,
    RememberedPeer,
    Store,
    StoreError,
    close_log,
    set_up_log,
)

posix = pytest.mark.skipif(os.name != "posix", reason="rights of files as on POSIX")


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(Paths.of(tmp_path / "home"))


def peer(number: int, nick: str = "Ada") -> RememberedPeer:
    return RememberedPeer(f"{number:064x}", nick, "10.0.0.7", 40000, "ab" * 32, number)


def files_below(path: Path) -> list[str]:
    return sorted(str(found.relative_to(path)) for found in path.rglob("*") if found.is_file())


# ---------------------------------------------------------------- paths


def test_with_a_root_everything_lies_below_it(tmp_path: Path) -> None:
    paths = Paths.of(tmp_path)
    assert {folder.parent for folder in (paths.config, paths.data, paths.state, paths.log)} == {tmp_path}


def test_without_a_root_the_system_says_where(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    paths = Paths.of()
    assert all(module.APP in str(folder) for folder in (paths.config, paths.data, paths.state, paths.log))


def test_nothing_is_made_before_it_is_needed(tmp_path: Path) -> None:
    Store(Paths.of(tmp_path / "home"))
    assert not (tmp_path / "home").exists()


# ---------------------------------------------------------------- secrets


def test_the_identity_is_made_once_and_stays(store: Store) -> None:
    first = store.identity()
    assert len(first) == 32
    assert Store(store.paths).identity() == first
    assert files_below(store.paths.data) == ["identity"]


@posix
def test_secrets_are_for_their_owner_alone(store: Store) -> None:
    store.identity()
    store.save_certificate(b"pem")
    for name in ("identity", "tls.pem"):
        assert (store.paths.data / name).stat().st_mode & 0o777 == 0o600
    assert store.paths.data.stat().st_mode & 0o777 == 0o700


@posix
@pytest.mark.parametrize("name", ["identity", "tls.pem"])
def test_a_secret_that_others_can_read_is_refused_with_the_cure(store: Store, name: str) -> None:
    store.identity()
    store.save_certificate(b"pem")
    path = store.paths.data / name
    path.chmod(0o640)
    with pytest.raises(StoreError, match="chmod 600") as error:
        store.identity() if name == "identity" else store.certificate()
    assert error.value.code == "secret-exposed"
    path.chmod(0o600)
    assert store.identity()
    assert store.certificate() == b"pem"


def test_a_damaged_identity_is_refused_and_left_alone(store: Store) -> None:
    store.identity()
    path = store.paths.data / "identity"
    path.write_bytes(b"short")
    with pytest.raises(StoreError, match="5 bytes instead of 32") as error:
        store.identity()
    assert error.value.code == "identity-damaged"
    assert path.read_bytes() == b"short"


def test_many_starts_at_once_agree_on_one_identity(store: Store) -> None:
    barrier = threading.Barrier(8)
    found: list[bytes] = []

    def start() -> None:
        barrier.wait()
        found.append(Store(store.paths).identity())

    threads = [threading.Thread(target=start) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 8
    assert len(set(found)) == 1
    assert files_below(store.paths.data) == ["identity"]


def test_the_identity_needs_no_links(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise OSError(errno.EPERM, "no links here")

    monkeypatch.setattr(Path, "hardlink_to", refuse)
    assert store.identity() == store.identity()


def test_the_certificate_comes_back_as_saved(store: Store) -> None:
    assert store.certificate() is None
    store.save_certificate(b"one")
    store.save_certificate(b"two\r\n")
    assert store.certificate() == b"two\r\n"


# ---------------------------------------------------------------- config


def write_config(store: Store, text: str) -> None:
    store.paths.config.mkdir(parents=True)
    store.config_file.write_text(text, encoding="utf-8")


def test_no_config_says_nothing(store: Store) -> None:
    assert store.config() == Config()


def test_a_config_is_read(store: Store) -> None:
    write_config(store, '# mine\nnick = "Bea"\nlang = "sv"\nport = 4711\nascii = true\n')
    assert store.config() == Config(nick="Bea", lang="sv", port=4711, ascii=True)


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("nick = \n", "line 1"),
        ("nick = 7", "nick"),
        ('nik = "Ada"', "nik"),
        ('lang = "xx"', "lang"),
        ("port = -1", "port"),
    ],
)
def test_a_config_that_is_not_understood_is_named_and_kept(store: Store, text: str, named: str) -> None:
    write_config(store, text)
    with pytest.raises(StoreError, match=named) as error:
        store.config()
    assert error.value.code == "config-broken"
    with pytest.raises(StoreError):
        store.set_option("nick", "Ada")
    assert store.config_file.read_text(encoding="utf-8") == text


def test_bytes_that_are_no_text_are_a_broken_config(store: Store) -> None:
    store.paths.config.mkdir(parents=True)
    store.config_file.write_bytes(b'nick = "\xff"')
    with pytest.raises(StoreError) as error:
        store.config()
    assert error.value.code == "config-broken"


def test_setting_an_option_keeps_the_rest(store: Store) -> None:
    write_config(store, '# mine\nnick = "Bea"  # short\nport = 4711')
    store.set_option("nick", "Cem")
    store.set_option("plain", value=True)
    assert store.config_file.read_text(encoding="utf-8") == '# mine\nnick = "Cem"  # short\nport = 4711\nplain = true\n'


def test_an_option_is_taken_out_of_the_file(store: Store) -> None:
    write_config(store, '# mine\nnick = "Bea"\nport = 4711  # ours\n')
    store.set_option("nick", None)
    store.set_option("deck", None)
    assert store.config_file.read_text(encoding="utf-8") == "# mine\nport = 4711  # ours\n"


@pytest.mark.parametrize(("key", "value"), [("nik", "Ada"), ("lang", "xx"), ("port", 70000), ("nick", "\ud800")])
def test_an_option_that_does_not_fit_is_refused(store: Store, key: str, value: str | int) -> None:
    with pytest.raises(StoreError) as error:
        store.set_option(key, value)
    assert error.value.code == "config-bad-option"
    assert not store.config_file.exists()


@settings(max_examples=25, deadline=None)
@given(nick=st.text(st.characters(codec="utf-8"), max_size=30))
def test_any_nick_comes_back_from_the_config(tmp_path_factory: pytest.TempPathFactory, nick: str) -> None:
    store = Store(Paths.of(tmp_path_factory.mktemp("home")))
    store.set_option("nick", nick)
    assert store.config().nick == nick


# ---------------------------------------------------------------- peers


def test_peers_are_remembered_latest_first_and_once(store: Store) -> None:
    assert store.peers() == ((), None)
    for number in (1, 2, 1):
        store.remember(peer(number))
    assert store.peers() == ((peer(1), peer(2)), None)


def test_the_list_of_peers_does_not_grow_without_end(store: Store) -> None:
    for number in range(module.MAX_PEERS + 3):
        store.remember(peer(number))
    known, _ = store.peers()
    assert len(known) == module.MAX_PEERS
    assert known[0] == peer(module.MAX_PEERS + 2)


@pytest.mark.parametrize("damage", [b"", b"{", b"[{}]", b'[{"id":"../x"}]', b"\xff\xfe"])
def test_a_damaged_list_of_peers_is_set_aside_and_said(store: Store, damage: bytes) -> None:
    store.remember(peer(1))
    path = store.paths.state / "peers.json"
    path.write_bytes(damage)
    known, notice = store.peers()
    assert known == ()
    assert notice is not None
    assert notice.code == "peers-set-aside"
    assert (store.paths.state / "peers.broken.json").read_bytes() == damage
    store.remember(peer(2))
    assert store.peers() == ((peer(2),), None)


# ---------------------------------------------------------------- matches


def test_a_ledger_is_named_by_its_match_alone(store: Store) -> None:
    path = store.save_ledger(b"../../etc", b"records")
    assert path.name == b"../../etc".hex() + ".ledger"
    assert store.load_ledger(b"../../etc") == b"records"
    assert store.ledgers() == (path,)


def test_saved_matches_come_latest_first(store: Store) -> None:
    assert store.ledgers() == ()
    paths = [store.save_ledger(bytes([number]) * 16, b"") for number in range(3)]
    for number, path in enumerate(paths):
        os.utime(path, (number, number))
    assert store.ledgers() == tuple(reversed(paths))


@pytest.mark.parametrize("size", [0, 7, 65])
def test_a_match_id_of_another_size_is_refused(store: Store, size: int) -> None:
    with pytest.raises(StoreError) as error:
        store.save_ledger(bytes(size), b"")
    assert error.value.code == "bad-match-id"


def test_a_missing_ledger_is_said(store: Store) -> None:
    with pytest.raises(StoreError) as error:
        store.load_ledger(bytes(16))
    assert error.value.code == "file-missing"


def test_a_file_of_absurd_size_is_not_read(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    store.save_ledger(bytes(16), b"12345")
    monkeypatch.setattr(module, "MAX_FILE", 4)
    with pytest.raises(StoreError) as error:
        store.load_ledger(bytes(16))
    assert error.value.code == "file-too-large"


# ---------------------------------------------------------------- when the disk says no


@pytest.mark.parametrize(
    ("number", "code"),
    [
        (errno.ENOSPC, "disk-full"),
        (errno.EDQUOT, "disk-full"),
        (errno.EROFS, "no-permission"),
        (errno.EACCES, "no-permission"),
        (errno.EIO, "store-failed"),
    ],
)
def test_a_failed_write_is_a_sentence_and_leaves_the_old_file(
    store: Store, monkeypatch: pytest.MonkeyPatch, number: int, code: str
) -> None:
    path = store.save_ledger(bytes(16), b"old")

    def fail(_: int) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(StoreError) as error:
        store.save_ledger(bytes(16), b"new")
    assert error.value.code == code
    assert str(path) in str(error.value)
    monkeypatch.undo()
    assert store.load_ledger(bytes(16)) == b"old"
    assert files_below(path.parent) == [path.name]


def test_a_file_where_a_folder_should_be_is_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "home").write_bytes(b"")
    store = Store(Paths.of(tmp_path / "home"))
    assert store.config() == Config()
    assert store.peers() == ((), None)
    with pytest.raises(StoreError, match="--data"):
        store.identity()
    with pytest.raises(StoreError, match="--data"):
        store.save_certificate(b"")


def test_the_history_has_a_folder_and_the_variants_a_place(store: Store) -> None:
    assert store.history_file.parent.is_dir()
    assert store.variants_folder.parent == store.paths.config


def test_a_left_over_temporary_file_is_no_hindrance(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_temporary", iter([7, 7]))
    path = store.save_ledger(bytes(16), b"one")
    path.with_name(f".{path.name}.{os.getpid()}.7").write_bytes(b"left over")
    store.save_ledger(bytes(16), b"two")
    assert store.load_ledger(bytes(16)) == b"two"
    assert files_below(path.parent) == [path.name]


# ---------------------------------------------------------------- log


@pytest.fixture
def quiet_root() -> Iterator[None]:
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    yield
    root.handlers[:] = handlers
    root.setLevel(level)


def log_text(store: Store) -> str:
    return (store.paths.log / "rummy-p2p.log").read_text(encoding="utf-8")


@pytest.mark.usefixtures("quiet_root")
def test_warnings_go_to_the_file_and_not_to_the_terminal(store: Store, capfd: pytest.CaptureFixture[str]) -> None:
    logging.getLogger().handlers.clear()
    handler = set_up_log(store.paths)
    logging.getLogger("rummy_p2p.test").warning("seen %s", "\x1b[31m\x9b")
    logging.getLogger("rummy_p2p.test").info("not seen")
    close_log(handler)
    assert "seen \ufffd[31m\ufffd\n" in log_text(store)
    assert "not seen" not in log_text(store)
    assert capfd.readouterr() == ("", "")


@pytest.mark.usefixtures("quiet_root")
def test_the_log_turns_over(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LOG_SIZE", 200)
    handler = set_up_log(store.paths, "INFO")
    for number in range(50):
        logging.getLogger("rummy_p2p.test").info("line %s", number)
    close_log(handler)
    assert len(files_below(store.paths.log)) == 1 + module.LOG_COPIES


@pytest.mark.usefixtures("quiet_root")
def test_a_log_that_cannot_be_opened_is_a_sentence_and_silence(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    logging.getLogger().handlers.clear()
    (tmp_path / "log").write_bytes(b"")
    with pytest.raises(StoreError):
        set_up_log(Paths.of(tmp_path))
    logging.getLogger("rummy_p2p.test").warning("unheard")
    assert capfd.readouterr() == ("", "")


@pytest.mark.usefixtures("quiet_root")
def test_a_log_that_cannot_be_written_stays_silent(store: Store, capfd: pytest.CaptureFixture[str]) -> None:
    logging.getLogger().handlers.clear()
    handler = set_up_log(store.paths)
    logging.getLogger("rummy_p2p.test").warning("%d", "no number")
    close_log(handler)
    assert capfd.readouterr() == ("", "")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device that is always full is Linux's")
@pytest.mark.usefixtures("quiet_root")
def test_a_log_on_a_full_disk_ends_as_silently_as_it_was(store: Store, capfd: pytest.CaptureFixture[str]) -> None:
    logging.getLogger().handlers.clear()
    store.paths.log.mkdir(parents=True)
    (store.paths.log / "rummy-p2p.log").symlink_to("/dev/full")
    handler = set_up_log(store.paths)
    logging.getLogger("rummy_p2p.test").warning("lost")
    close_log(handler)
    assert capfd.readouterr() == ("", "")
