"""The packages over HTTP: what is listed is given, and nothing else."""

import http.client
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from rummy_p2p.node import sharing as module
from rummy_p2p.node.sharing import Sharing, packages

HERE = "127.0.0.1"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    house = tmp_path / "wheelhouse"
    house.mkdir()
    (house / "rummy_p2p-1-py3-none-any.whl").write_bytes(b"wheel" * 50_000)
    (house / "notes.txt").write_text("nobody's business")
    (house / "folder.whl").mkdir()
    (tmp_path / "secret.whl").write_text("secret")
    return house


@contextmanager
def shared(folder: Path) -> Iterator[Sharing]:
    sharing = Sharing(packages(folder), {HERE: ("type <this> at {port}",)}, 0)
    sharing.start()
    try:
        yield sharing
    finally:
        sharing.stop()


def ask(sharing: Sharing, path: str, method: str = "GET") -> tuple[int, bytes]:
    connection = http.client.HTTPConnection(HERE, sharing.port, timeout=10)
    connection.putrequest(method, path, skip_host=True)
    connection.endheaders()
    response = connection.getresponse()
    content = response.read()
    connection.close()
    return response.status, content


def test_the_page_tells_how_and_links_what_there_is(folder: Path) -> None:
    with shared(folder) as sharing:
        status, page = ask(sharing, "/")
        assert status == 200
        assert f"type &lt;this&gt; at {sharing.port}".encode() in page
        assert b'href="rummy_p2p-1-py3-none-any.whl"' in page
        assert b"notes" not in page
        assert ask(sharing, "/", "HEAD") == (200, b"")
        status, wheel = ask(sharing, "/rummy_p2p-1-py3-none-any.whl?x=1")
        assert (status, wheel) == (200, b"wheel" * 50_000)
        assert ask(sharing, "/rummy_p2p-1-py3-none-any.whl", "HEAD") == (200, b"")


@pytest.mark.parametrize(
    "path",
    ["/notes.txt", "/folder.whl", "/../secret.whl", "/%2e%2e/secret.whl", "//etc/passwd", "/..%5csecret.whl", "/\x00"],
)
def test_nothing_else_is_given(folder: Path, path: str) -> None:
    with shared(folder) as sharing:
        connection = socket.create_connection((HERE, sharing.port), 10)
        connection.sendall(f"GET {path} HTTP/1.0\r\n\r\n".encode())
        answer = connection.makefile("rb").read()
        connection.close()
        assert answer.split()[1] in (b"404", b"400")
        assert b"secret" not in answer


@pytest.mark.parametrize("method", ["PUT", "POST", "DELETE", "OPTIONS"])
def test_nothing_can_be_written(folder: Path, method: str) -> None:
    with shared(folder) as sharing:
        assert ask(sharing, "/rummy_p2p-1-py3-none-any.whl", method)[0] == 501
        assert (folder / "rummy_p2p-1-py3-none-any.whl").exists()


def test_only_so_many_are_answered_at_once(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_AT_ONCE", 1)
    with shared(folder) as sharing:
        places = sharing._servers[0].places
        places.acquire()
        assert ask(sharing, "/")[0] == 503
        places.release()
        assert ask(sharing, "/")[0] == 200


def test_a_port_that_is_taken_leaves_nothing_open(folder: Path) -> None:
    with shared(folder) as sharing, pytest.raises(OSError, match="in use"):
        Sharing({}, {HERE: ()}, sharing.port)


def test_a_file_that_has_gone_is_logged_and_ends_one_answer(folder: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO")
    with shared(folder) as sharing:
        (folder / "rummy_p2p-1-py3-none-any.whl").unlink()
        with pytest.raises((http.client.HTTPException, ConnectionError)):
            ask(sharing, "/rummy_p2p-1-py3-none-any.whl")
        assert ask(sharing, "/")[0] == 200
    assert "could not be answered" in caplog.text
