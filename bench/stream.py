"""Measures the processor time of a streamed reply of 200 pieces, against a plain HTTP client.

    python bench/stream.py

Both read the same replies of one server on loopback, in turns, so that the ratio holds on a busy machine.
"""

from __future__ import annotations

import asyncio
import json
import statistics
import subprocess
import sys
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import httpx2

from rag.models.chat import ChatRequest, Message
from rag.models.client import ServerModel
from rag.models.endpoint import Endpoint

PIECES = 200
REPLIES = 20
PAUSE_SECONDS = 0.001


class _Streaming(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.end_headers()
        last = {"choices": [{"delta": {}, "finish_reason": "stop"}]}
        for n in range(PIECES):
            piece = {"id": "c", "choices": [{"index": 0, "delta": {"content": f"word{n} "}}]}
            self.wfile.write(f"data: {json.dumps(piece)}\n\n".encode())
            if self.path.startswith("/alone/"):
                time.sleep(PAUSE_SECONDS)
        self.wfile.write(f"data: {json.dumps(last)}\n\ndata: [DONE]\n\n".encode())

    def log_message(self, *_: object) -> None:
        pass


def serve() -> None:
    """Serve in a process of its own, whose time does not count; print the port."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Streaming)
    print(server.server_address[1], flush=True)
    server.serve_forever()


async def measure(server: str, pieces: str) -> None:
    """Print the median time of both clients, and their ratio, for pieces that come together or alone."""
    address = f"{server}/{pieces}/v1"
    model = ServerModel(Endpoint("openai:m", "m", address))
    request = ChatRequest("draft", "", (Message("user", "Hi"),), 500)
    asked = {"model": "m", "stream": True, "messages": [{"role": "user", "content": "Hi"}]}
    shown: list[str] = []
    ours, plain = [], []
    async with httpx2.AsyncClient() as client:
        for _ in range(REPLIES):
            started = time.process_time()
            await model.complete(request, shown.append)
            ours.append(time.process_time() - started)
            started = time.process_time()
            async with client.stream("POST", f"{address}/chat/completions", json=asked) as response:
                async for line in response.aiter_lines():
                    if line.startswith("data: {"):
                        choice = json.loads(line[6:])["choices"][0]
                        shown.append(choice["delta"].get("content", ""))
            plain.append(time.process_time() - started)
    await model.aclose()
    mine, bare = statistics.median(ours) * 1000, statistics.median(plain) * 1000
    print(f"{PIECES} pieces {pieces:8} {mine:6.1f} ms, plainly {bare:6.1f} ms, {mine / bare:.2f} x plain")


def main() -> None:
    """Start the server and measure."""
    command = [sys.executable, "-c", "from bench.stream import serve; serve()"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        try:
            address = f"http://127.0.0.1:{int(server.stdout.readline())}"
            for pieces in ("together", "alone"):
                asyncio.run(measure(address, pieces))
        finally:
            server.kill()


if __name__ == "__main__":
    main()
