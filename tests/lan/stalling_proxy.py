"""A TCP proxy in user space that is told, line by line, how badly to do its work.

    python stalling_proxy.py PORT HOST PORT

Listens on the first port and passes every connection on to the other. On stdin: ``delay S`` holds each piece back for S
seconds, ``trickle`` passes on a few bytes at a time, ``stall`` takes everything in and passes nothing on, ``flow`` ends
all that; what was held back then comes. Says ``ready`` on stdout, and answers every line with itself.
"""

from __future__ import annotations

import asyncio
import sys

CHUNK = 64 * 1024
TRICKLE = 300


class Manners:
    """How the proxy does its work now; all connections share it."""

    def __init__(self) -> None:
        self.delay = 0.0
        self.chunk = CHUNK
        self.flows = asyncio.Event()
        self.flows.set()

    def obey(self, order: str) -> None:
        word, _, number = order.partition(" ")
        if word == "stall":
            self.flows.clear()
            return
        self.delay = float(number or 0)
        self.chunk = TRICKLE if word == "trickle" else CHUNK
        self.flows.set()

    async def pass_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One direction of one connection."""
        try:
            while piece := await reader.read(self.chunk):
                await asyncio.sleep(self.delay)
                await self.flows.wait()
                writer.write(piece)
                await writer.drain()
        except OSError:
            pass
        finally:
            writer.close()


async def serve(port: int, target: tuple[str, int]) -> None:
    manners = Manners()

    async def connect(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            onward = await asyncio.open_connection(*target)
        except OSError:
            writer.close()
            return
        await asyncio.gather(manners.pass_on(reader, onward[1]), manners.pass_on(onward[0], writer))

    async with await asyncio.start_server(connect, "0.0.0.0", port):  # noqa: S104 - a namespace of its own
        print("ready", flush=True)
        while order := await asyncio.to_thread(sys.stdin.readline):
            manners.obey(order.strip())
            print(order.strip(), flush=True)


if __name__ == "__main__":
    asyncio.run(serve(int(sys.argv[1]), (sys.argv[2], int(sys.argv[3]))))
