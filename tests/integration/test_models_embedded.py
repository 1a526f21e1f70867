"""The embedded model's child process: started when needed, again when it died, gone when we are."""

from __future__ import annotations

import asyncio
import hashlib
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from rag.errors import ModelUnavailableError
from rag.models.chat import ChatRequest, Message
from rag.models.embedded import EmbeddedModel
from rag.models.weights import ModelFile, Weights
from rag.settings import Models

CONTENT = b"weights"
FILE = ModelFile("small.gguf", len(CONTENT), hashlib.sha256(CONTENT).hexdigest())
REQUEST = ChatRequest(role="draft", instructions="Answer.", messages=(Message("user", "Hi"),), max_tokens=50)
SETTINGS = Models(embedded_threads=3, embedded_context=2048, timeout_seconds=30)


def until(condition: Callable[[], object], seconds: float = 30.0) -> None:
    deadline = time.monotonic() + seconds
    pause = threading.Event()
    while not condition():
        assert time.monotonic() < deadline, "it did not happen in time"
        pause.wait(0.01)


def alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text("utf-8").rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


def pids(folder: Path, kind: str = "start") -> list[int]:
    return [int(path.name.removeprefix(f"{kind}-")) for path in folder.glob(f"{kind}-*")]


@pytest.fixture
def models(tmp_path: Path) -> Path:
    """A data folder's model folder with a verified file in it."""
    folder = tmp_path / "models"
    folder.mkdir()
    (folder / FILE.name).write_bytes(CONTENT)
    return folder


@asynccontextmanager
async def embedded(
    mode: str, models: Path, available: Callable[[], int | None] = lambda: None
) -> AsyncIterator[EmbeddedModel]:
    model = EmbeddedModel(
        Weights(models, FILE),
        SETTINGS,
        models.parent / "logs" / "embedded-model.log",
        command=(sys.executable, "-m", "tests.support.embedded_child", mode, str(models.parent)),
        available=available,
    )
    try:
        yield model
    finally:
        await model.aclose()


async def test_child_starts_with_the_first_question_and_serves_the_next(models: Path) -> None:
    async with embedded("answer", models) as model:
        assert model.pid is None
        replies = [await model.complete(REQUEST), await model.complete(REQUEST)]
        assert pids(models.parent) == [model.pid]
    assert [reply.text for reply in replies] == ["small.gguf 2048 3"] * 2
    assert replies[0].model == "embedded"


async def test_calls_at_the_same_time_share_one_child(models: Path) -> None:
    async with embedded("answer", models) as model:
        await asyncio.gather(*(model.complete(REQUEST) for _ in range(5)))
        assert len(pids(models.parent)) == 1


async def test_reply_is_streamed(models: Path) -> None:
    pieces: list[str] = []
    async with embedded("answer", models) as model:
        completion = await model.complete(REQUEST, pieces.append)
    assert len(pieces) > 1
    assert "".join(pieces) == completion.text


async def test_request_with_a_limit_of_its_own_ends_alone(models: Path) -> None:
    async with embedded("dawdle", models) as model:
        await model.start()
        with pytest.raises(ModelUnavailableError, match=r"did not answer in 0\.5 s") as caught:
            await model.complete(replace(REQUEST, timeout_seconds=0.5))
        assert caught.value.timed_out
        assert (await model.complete(REQUEST)).text == "small.gguf 2048 3"
        assert len(pids(models.parent)) == 1


async def test_child_that_dies_over_a_question_is_started_again(models: Path) -> None:
    async with embedded("die_once", models) as model:
        completion = await model.complete(REQUEST)
    assert completion.text == "small.gguf 2048 3"
    assert len(pids(models.parent)) == 2


async def test_child_that_died_between_questions_is_started_again(models: Path) -> None:
    async with embedded("answer", models) as model:
        await model.complete(REQUEST)
        assert model.pid is not None
        os.kill(model.pid, signal.SIGKILL)
        assert (await model.complete(REQUEST)).text
    assert len(pids(models.parent)) == 2


async def test_child_that_always_dies_is_given_up_after_the_second_time(models: Path) -> None:
    async with embedded("die", models) as model:
        with pytest.raises(ModelUnavailableError, match="the embedded model"):
            await model.complete(REQUEST)
    assert len(pids(models.parent)) == 2


@pytest.mark.parametrize("mode", ["refuse", "babble"])
async def test_child_that_does_not_start_names_its_log(mode: str, models: Path) -> None:
    log = models.parent / "logs" / "embedded-model.log"
    async with embedded(mode, models) as model:
        with pytest.raises(ModelUnavailableError, match=r"did not start: see .*embedded-model.log"):
            await model.start()
    if mode == "refuse":
        assert "not enough memory" in log.read_text("utf-8")
    assert not any(alive(pid) for pid in pids(models.parent))


async def test_command_that_does_not_exist_is_one_sentence(models: Path) -> None:
    model = EmbeddedModel(Weights(models, FILE), SETTINGS, models / "log", command=("/no/such/program",))
    with pytest.raises(ModelUnavailableError, match="cannot be started: No such file"):
        await model.start()


async def test_cancelled_start_leaves_no_child(models: Path) -> None:
    async with embedded("hang", models) as model:
        start = asyncio.create_task(model.start())
        await asyncio.to_thread(until, lambda: pids(models.parent))
        start.cancel()
        with pytest.raises(asyncio.CancelledError):
            await start
        assert not alive(pids(models.parent)[0])


async def test_closing_stops_the_child(models: Path) -> None:
    async with embedded("answer", models) as model:
        await model.start()
        pid = model.pid
    assert pid is not None
    assert not alive(pid)
    assert model.pid is None


PARENT = """
import asyncio, sys
from pathlib import Path
from rag.models.embedded import EmbeddedModel
from rag.models.weights import ModelFile, Weights
from rag.settings import Models

async def main(folder: Path, sha256: str) -> None:
    weights = Weights(folder / "models", ModelFile("small.gguf", 7, sha256))
    command = (sys.executable, "-m", "tests.support.embedded_child", "answer", str(folder))
    await EmbeddedModel(weights, Models(), folder / "log", command=command, available=lambda: None).start()
    print("up", flush=True)
    await asyncio.Event().wait()

asyncio.run(main(Path(sys.argv[1]), sys.argv[2]))
"""


def test_child_does_not_outlive_a_parent_that_was_killed(models: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", PARENT, str(models.parent), FILE.sha256], stdout=subprocess.PIPE
    ) as parent:
        assert parent.stdout is not None
        assert parent.stdout.readline() == b"up\n"
        (child,) = pids(models.parent)
        assert alive(child)
        parent.kill()
    until(lambda: not alive(child))


async def test_missing_model_says_how_to_get_it(tmp_path: Path) -> None:
    async with embedded("answer", tmp_path / "models") as model:
        assert "RoleModels.pull()" in str(model.problem())
        with pytest.raises(ModelUnavailableError, match=r"RoleModels\.pull\(\)"):
            await model.complete(REQUEST)


async def test_model_with_a_wrong_hash_is_not_started(models: Path) -> None:
    (models / FILE.name).write_bytes(b"weightz")
    async with embedded("answer", models) as model:
        with pytest.raises(ModelUnavailableError, match="hash"):
            await model.complete(REQUEST)
    assert pids(models.parent) == []


async def test_too_little_memory_is_said_before_starting(models: Path) -> None:
    async with embedded("answer", models, available=lambda: 10_000_000) as model:
        with pytest.raises(ModelUnavailableError, match=r"needs 0.1 GB of memory and 0 GB are free"):
            await model.complete(REQUEST)
    assert pids(models.parent) == []
