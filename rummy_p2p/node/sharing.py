"""An installation for those without internet: the files of one folder over HTTP on the LAN, to be read and no more.

The law of this file
    What is served was listed when the server was made: a page and the packages of one folder. A request is looked up in
    that list; nothing of it is ever part of a path. Few at a time are answered, and slow ones are let go.
"""

import html
import logging
import socket
import threading
from collections.abc import Mapping, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Final
from urllib.parse import unquote

_log = logging.getLogger(__name__)

KINDS: Final = (".whl", ".tar.gz")
MOST_AT_ONCE: Final = 16
PATIENCE: Final = 30.0  # seconds for a request, and for a piece of an answer to be taken
_PIECE: Final = 64 * 1024


def packages(folder: Path) -> dict[str, Path]:
    """Return the packages in a folder by name; OSError when it cannot be read."""
    return {path.name: path for path in sorted(folder.iterdir()) if path.name.endswith(KINDS) and path.is_file()}


class Sharing:
    """The servers on some addresses of this machine, all on one port."""

    def __init__(self, files: Mapping[str, Path], page: Mapping[str, tuple[str, ...]], port: int) -> None:
        """``page``: the lines to be shown, by the address on which they are asked for. OSError: a port is taken."""
        self.port = port
        self._servers: list[_Server] = []
        try:
            for address, lines in page.items():
                server = _Server(address, self.port, files)
                self._servers.append(server)
                self.port = server.server_address[1]
                server.lines = tuple(line.replace("{port}", str(self.port)) for line in lines)
        except OSError:
            self.stop()
            raise

    def start(self) -> None:
        """Answer from now on, in threads of its own."""
        for server in self._servers:
            threading.Thread(target=server.serve_forever, name="rummy-share", daemon=True).start()
            server.runs = True

    def stop(self) -> None:
        """Answer no more."""
        for server in self._servers:
            if server.runs:
                server.shutdown()
            server.server_close()


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False

    def __init__(self, address: str, port: int, files: Mapping[str, Path]) -> None:
        self.address_family = socket.AF_INET6 if ":" in address else socket.AF_INET
        self.files = files
        self.lines: Sequence[str] = ()
        self.runs = False
        self.places = threading.BoundedSemaphore(MOST_AT_ONCE)
        super().__init__((address, port), _Answer)

    def handle_error(self, _request: object, client_address: object) -> None:
        _log.info("%s could not be answered", client_address, exc_info=True)

    def page(self) -> bytes:
        """The page: how to install, and links that pip follows."""
        lines = "".join(f"<pre>{html.escape(line)}</pre>\n" for line in self.lines)
        links = "".join(f'<a href="{html.escape(name)}">{html.escape(name)}</a><br>\n' for name in self.files)
        return f"<!DOCTYPE html>\n<title>rummy-p2p</title>\n{lines}<hr>\n{links}".encode()


class _Answer(BaseHTTPRequestHandler):
    server: _Server
    timeout = PATIENCE
    server_version = "rummy-p2p"
    sys_version = ""
    protocol_version = "HTTP/1.0"  # one request for each connection

    def do_GET(self) -> None:
        """Answer with the page or a package."""
        self._answer(body=True)

    def do_HEAD(self) -> None:
        """Answer without it."""
        self._answer(body=False)

    def _answer(self, *, body: bool) -> None:
        if not self.server.places.acquire(blocking=False):
            self.send_error(503)
            return
        try:
            self._send(unquote(self.path.partition("?")[0]).removeprefix("/"), body=body)
        finally:
            self.server.places.release()

    def _send(self, wanted: str, *, body: bool) -> None:
        if not wanted:
            page = self.server.page()
            self._head("text/html; charset=utf-8", len(page))
            self.wfile.write(page if body else b"")
            return
        path = self.server.files.get(wanted)
        if path is None:
            self.send_error(404)
            return
        with path.open("rb") as file:
            self._head("application/octet-stream", path.stat().st_size)
            while body and (piece := file.read(_PIECE)):
                self.wfile.write(piece)

    def _head(self, kind: str, size: int) -> None:
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(size))
        self.send_header("X-Content-Type-Options", "nosniff")
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 -- the library's own word
        """Into the log, and not on the terminal."""
        _log.info("%s " + format, self.client_address[0], *args)
