"""A self-RAG as LangGraph's tutorial draws it: retrieve, grade, generate, check; a SQLite checkpoint a node.

    python -m bench.self_rag TELEGRAM TOKEN MODEL DOCUMENTS FOLDER

It answers over python-telegram-bot, from the same documents, embedding, Chroma and model as Think Twice. The
model grades all passages in one call and checks the answer in another, so an answer takes three. Needs the
dependency group `bench`.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypedDict

import chromadb
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver
from langgraph.graph import END, START, StateGraph

from bench.plain_bot import open_model, serve
from rag.knowledge.embeddings import open_embedder
from rag.settings import Models

_PASSAGES = 5


class _State(TypedDict, total=False):
    question: str
    passages: list[str]
    answer: str
    verdict: str


def main(telegram: str, token: str, model: str, documents: str, folder: str) -> None:
    ask = open_model(model)
    search = _index(Path(documents), Path(folder))
    graph = StateGraph(_State)

    async def retrieve(state: _State) -> _State:
        return {"passages": await asyncio.to_thread(search, state["question"])}

    async def grade(state: _State) -> _State:
        shown = "\n\n".join(state["passages"])
        return {"verdict": await ask(f"Do these answer the question?\n\n{shown}\n\n{state['question']}")}

    async def generate(state: _State) -> _State:
        shown = "\n\n".join(f"<passage>{text}</passage>" for text in state["passages"])
        return {"answer": await ask(f"Answer from the passages.\n\n{shown}\n\n{state['question']}")}

    async def check(state: _State) -> _State:
        shown = "\n\n".join((*state["passages"], state["answer"]))
        return {"verdict": await ask(f"Is the answer supported?\n\n{shown}\n\n{state['question']}")}

    for step in (retrieve, grade, generate, check):
        graph.add_node(step.__name__, step)
    graph.add_edge(START, "retrieve")
    graph.add_edge("retrieve", "grade")
    graph.add_conditional_edges("grade", lambda state: END if state["verdict"] == "no" else "generate")
    graph.add_edge("generate", "check")
    graph.add_conditional_edges("check", lambda state: "generate" if state["verdict"] == "no" else END)
    compiled: list[Any] = []
    saver = AsyncSqliteSaver.from_conn_string(str(Path(folder, "checkpoints.sqlite3")))

    async def start(_application: object) -> None:
        compiled.append(graph.compile(checkpointer=await saver.__aenter__()))

    async def answer(text: str, chat: int) -> str:
        config = {"configurable": {"thread_id": str(chat)}}
        state = await compiled[0].ainvoke({"question": text, "answer": ""}, config)
        return str(state["answer"])

    serve(telegram, token, answer, start)


def _index(documents: Path, folder: Path) -> Callable[[str], list[str]]:
    embedder = open_embedder("minilm", Models())
    texts = [file.read_text(encoding="utf-8") for file in sorted(documents.glob("*.md"))]
    passages = chromadb.PersistentClient(str(folder / "chroma")).create_collection("passages")
    numbers = [str(number) for number in range(len(texts))]
    passages.add(ids=numbers, documents=texts, embeddings=embedder.embed_passages(texts))

    def search(question: str) -> list[str]:
        found = passages.query(query_embeddings=embedder.embed_queries([question]), n_results=_PASSAGES)
        return found["documents"][0] if found["documents"] else []

    return search


if __name__ == "__main__":
    main(*sys.argv[1:])
