"""What eight guests by ssh cost the program that has them: one line."""

import asyncio
import os
import socket
import sys
import time
from contextlib import AsyncExitStack, suppress
from pathlib import Path
from tempfile import TemporaryDirectory

import asyncssh

GUESTS = 8
SECONDS = 20


async def pass_time(seconds: float) -> None:
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await asyncio.Event().wait()


def memory(pid: int) -> float:
    """Megabytes of a process that are in memory."""
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def seconds(pid: int) -> float:
    """The time that a process has worked."""
    words = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")


async def work(pid: int, pause: float) -> float:
    """How much of a core a process uses, in percent."""
    before, began = seconds(pid), time.perf_counter()
    await pass_time(pause)
    return 100 * (seconds(pid) - before) / (time.perf_counter() - began)


async def come(port: int, number: int) -> asyncssh.SSHClientConnection:
    deadline = time.monotonic() + 30
    while True:
        try:
            return await asyncssh.connect(
                "127.0.0.1", port, username=f"guest{number}", known_hosts=None, client_keys=None, config=None
            )
        except OSError:
            if time.monotonic() > deadline:
                raise
            await pass_time(0.2)


async def measure(folder: str) -> str:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    words = [
        "--seats",
        "6",
        "--ssh",
        str(port),
        "--interface",
        "lo",
        "--nick",
        "Ada",
        "--data",
        folder,
        "--title",
        "Bench",
    ]
    program = [sys.executable, "-m", "rummy_p2p", "host", "rummy-no", *words, "--plain"]
    host = await asyncio.create_subprocess_exec(
        *program, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.DEVNULL
    )
    try:
        async with AsyncExitStack() as stack:
            first = await come(port, 0)
            first.close()
            await pass_time(2)
            alone = memory(host.pid)
            shells = []
            for number in range(GUESTS):
                connection = await stack.enter_async_context(await come(port, number))
                shell = await connection.create_process(term_type="xterm-256color", term_size=(80, 24))
                asyncio.get_running_loop().create_task(drain(shell))
                shells.append(shell)
                await pass_time(0.2)
            await pass_time(2)
            idle = await work(host.pid, SECONDS)
            shells[0].stdin.write(":")
            talking = asyncio.get_running_loop().create_task(talk(shells[0]))
            busy = await work(host.pid, SECONDS)
            talking.cancel()
            full = memory(host.pid)
            for shell in shells:
                shell.channel.get_connection().abort()
        await pass_time(3)
        after = await work(host.pid, 5)
    finally:
        host.kill()
        await host.wait()
    return (
        f"guests by ssh: {GUESTS} guests +{full - alone:.0f} MB ({alone:.0f} -> {full:.0f}), CPU idle {idle:.1f} %, "
        f"with one line of chat a second {busy:.1f} %, after all were cut off {after:.1f} %"
    )


async def drain(shell: asyncssh.SSHClientProcess[str]) -> None:
    while await shell.stdout.read(65536):
        pass


async def talk(shell: asyncssh.SSHClientProcess[str]) -> None:
    number = 0
    while True:
        number += 1
        shell.stdin.write(f"chat line {number}\r")
        await pass_time(1)


if __name__ == "__main__":
    with TemporaryDirectory() as name:
        print(asyncio.run(measure(name)))
