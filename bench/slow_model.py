"""A chat server with a fixed delay for every reply: ``python -m bench.slow_model SECONDS``.

It speaks the part of OpenAI's API that the bot needs and prints its port.
"""

from __future__ import annotations

import asyncio
import json
import re
import sys
from typing import Any

from tornado.httpserver import HTTPServer
from tornado.netutil import bind_sockets
from tornado.web import Application, RequestHandler

from bench.chats import WELL, fact

_USAGE = {"prompt_tokens": 500, "completion_tokens": 30, "total_tokens": 530}
_TYPED = {"reason": "fine", "confidence": 0.9, "status": "ok", "query": "port"}
_WRONG = "80"
_PIECE = 40
_NUMBER = re.compile(r"\d+")


def reply(message: str) -> str:
    if not (right := fact(message)):
        return WELL
    return f"{right[:-1]} [1]." if "<passage>" in message else _NUMBER.sub(_WRONG, right)


def judge(message: str) -> str:
    is_wrong = re.search(rf"\b{_WRONG}\b", message)
    return json.dumps({**_TYPED, "answer_quality": "hallucination" if is_wrong else "adequate"})


class _Chat(RequestHandler):
    asked = 0

    def initialize(self, seconds: float) -> None:
        self._seconds = seconds

    def get(self) -> None:
        self.finish(str(_Chat.asked))

    async def post(self) -> None:
        _Chat.asked += 1
        body: dict[str, Any] = json.loads(self.request.body)
        asked = str(body["messages"][-1]["content"])
        await asyncio.sleep(self._seconds)
        said = reply(asked)
        if body.get("response_format"):
            said = judge(asked)
        if not body.get("stream"):
            message = {"role": "assistant", "content": said}
            choice = {"index": 0, "message": message, "finish_reason": "stop"}
            self.finish(_completion("chat.completion", choice, usage=_USAGE))
            return
        self.set_header("Content-Type", "text/event-stream")
        for start in range(0, len(said), _PIECE):
            self._event({"index": 0, "delta": {"content": said[start : start + _PIECE]}})
        self._event({"index": 0, "delta": {}, "finish_reason": "stop"})
        counted = {**_completion("chat.completion.chunk"), "usage": _USAGE}
        self.write(f"data: {json.dumps(counted)}\n\ndata: [DONE]\n\n")

    def _event(self, choice: dict[str, Any]) -> None:
        self.write(f"data: {json.dumps(_completion('chat.completion.chunk', choice))}\n\n")


def _completion(kind: str, *choices: dict[str, Any], **more: Any) -> dict[str, Any]:  # noqa: ANN401 - JSON
    return {"id": "1", "object": kind, "created": 1, "model": "slow", "choices": list(choices), **more}


async def serve(seconds: float) -> None:
    (socket,) = bind_sockets(0, "127.0.0.1")
    pages = [(r"/v1/chat/completions", _Chat, {"seconds": seconds})]
    HTTPServer(Application(pages, log_function=lambda _handler: None)).add_socket(socket)
    print(socket.getsockname()[1], flush=True)
    await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(serve(float(sys.argv[1])))
