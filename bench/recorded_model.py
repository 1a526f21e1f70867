"""A chat model that replays the recorded replies of a real model to exactly the same requests.

A request is identified by everything that a model sees, so a changed prompt, passage or limit makes it
another request. Replies are never made up: an unknown request goes to the model behind the record, if there
is one, and is an error otherwise.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict

from rag.errors import ModelReplyError
from rag.models import typed_reply
from rag.models.chat import ChatModel, ChatRequest, Completion
from rag.models.typed_reply import UnusableReplyError
from rag.values import FinishReason

_KEY_CHARACTERS = 20
_NOT_BINDING = {"title", "description"}


class NotRecordedError(Exception):
    """A request that no model has answered yet; measurements leave its row out and report that."""


class Record(BaseModel):
    """One request and its reply.

    Args:
        key: Key of the request.
        role: Which job the call does.
        purpose: The step that asked.
        reply: The text; empty when the reply could not be read.
        finish_reason: Why the model stopped.
        model: Its name.
        input_tokens: Input tokens, as counted by the server.
        output_tokens: Output tokens, as counted by the server.
        seconds: Wall time on the machine that recorded.
        calls: Requests made, the repair request included.
        unreadable: Why the reply could not be read; empty if it could.
    """

    model_config = ConfigDict(frozen=True)

    key: str
    role: str
    purpose: str
    reply: str = ""
    finish_reason: FinishReason = "stop"
    model: str = ""
    input_tokens: int
    output_tokens: int
    seconds: float = 0.0
    calls: int = 1
    unreadable: str = ""


def key_of(request: ChatRequest) -> str:
    """The name of a request: a hash of everything that a model sees of it."""
    schema = None if request.output is None else _bare(request.output.model_json_schema())
    seen = [
        request.instructions,
        [(message.role, message.text) for message in request.messages],
        request.max_tokens,
        request.temperature,
        schema,
    ]
    return hashlib.sha256(json.dumps(seen, ensure_ascii=False).encode()).hexdigest()[:_KEY_CHARACTERS]


def _bare(schema: Any) -> Any:  # noqa: ANN401 - JSON
    """A schema without its descriptions, which do not constrain the reply."""
    if isinstance(schema, dict):
        return {
            name: _bare(value)
            for name, value in schema.items()
            if name not in _NOT_BINDING or isinstance(value, dict)
        }
    return [_bare(value) for value in schema] if isinstance(schema, list) else schema


class Records:
    """Replies by request, in a file of JSON Lines that is only added to.

    Args:
        path: The file, which need not exist yet. None means that nothing is known and nothing is stored.
    """

    def __init__(self, path: Path | None = None) -> None:
        self._path = path
        self._known: dict[str, Record] = {}
        if path is not None and path.exists():
            lines = path.read_text(encoding="utf-8").split("\n")
            found = [Record.model_validate_json(line) for line in lines if line.strip()]
            self._known = {record.key: record for record in found}

    def __len__(self) -> int:
        return len(self._known)

    def get(self, key: str) -> Record | None:
        """The reply to the request with this key."""
        return self._known.get(key)

    def add(self, record: Record) -> None:
        """Store a reply at once, so that an interruption loses at most one call."""
        self._known[record.key] = record
        if self._path is None:
            return
        with self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(record.model_dump(exclude_defaults=True), ensure_ascii=False) + "\n")


class RecordedModel:
    """Answers from records; implements `ChatModel`.

    Args:
        records: What is known.
        beyond: The model that is asked for unknown requests, and whose replies are stored.

    Attributes:
        completions: The replies so far, with the purpose of each request.
    """

    def __init__(self, records: Records, beyond: ChatModel | None = None) -> None:
        self.completions: list[tuple[str, Completion]] = []
        self._records = records
        self._beyond = beyond

    async def complete(
        self, request: ChatRequest, on_text: Callable[[str], None] | None = None
    ) -> Completion:
        """Reply as the recorded model did.

        Raises:
            NotRecordedError: the request is not in the record, and there is no model behind it.
            ModelError: the model's reply could not be read; or the model behind did not answer.
        """
        key = key_of(request)
        record = self._records.get(key)
        if record is None:
            if self._beyond is None:
                raise NotRecordedError(f"{request.purpose} {key} is not in the record")
            record = await self._recorded(self._beyond, key, request)
        completion = completion_of(record, request)
        if on_text is not None and completion.parsed is None:
            on_text(completion.text)
        self.completions.append((request.purpose, completion))
        return completion

    async def _recorded(self, model: ChatModel, key: str, request: ChatRequest) -> Record:
        facts = {"key": key, "role": request.role, "purpose": request.purpose}
        try:
            said = await model.complete(request)
        except ModelReplyError as error:
            # An unreadable reply is a reply too; a server that is down says nothing about the model.
            tokens = {"input_tokens": error.input_tokens, "output_tokens": error.output_tokens}
            record = Record(**facts, **tokens, calls=max(error.calls, 1), unreadable=str(error))
        else:
            record = Record(
                **facts,
                reply=said.text,
                finish_reason=said.finish_reason,
                model=said.model,
                input_tokens=said.input_tokens,
                output_tokens=said.output_tokens,
                seconds=round(said.seconds, 2),
                calls=said.calls,
            )
        self._records.add(record)
        return record


def completion_of(record: Record, request: ChatRequest) -> Completion:
    """A recorded reply, read as a reply to `request` is read today.

    Raises:
        ModelReplyError: it cannot be read.
    """
    parsed: BaseModel | None = None
    if record.unreadable:
        raise _unread(record, record.unreadable)
    if request.output is not None:
        try:
            parsed = typed_reply.parse(record.reply, request.output, request.validate)
        except UnusableReplyError as problem:
            raise _unread(record, str(problem)) from None
    return Completion(
        text=record.reply,
        finish_reason=record.finish_reason,
        input_tokens=record.input_tokens,
        output_tokens=record.output_tokens,
        model=record.model,
        seconds=record.seconds,
        calls=record.calls,
        parsed=parsed,
    )


def _unread(record: Record, problem: str) -> ModelReplyError:
    error = ModelReplyError(f"the recorded reply cannot be read: {problem}")
    error.calls, error.input_tokens, error.output_tokens = (
        record.calls,
        record.input_tokens,
        record.output_tokens,
    )
    return error
