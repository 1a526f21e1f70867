from __future__ import annotations

import sqlite3
from contextlib import closing

import pytest

from rag.knowledge import scope
from rag.knowledge.scope import RecentScopes, Scope
from rag.values import DocumentSet


def test_latest_document_sets_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[DocumentSet] = []

    def read_scope(connection: object, documents: DocumentSet) -> Scope:
        read.append(documents)
        return Scope(frozenset(), b"")

    monkeypatch.setattr(scope.Scope, "read", read_scope)
    scopes = RecentScopes()
    sets = [DocumentSet((f"{number}.md",)) for number in range(17)]
    with closing(sqlite3.connect(":memory:")) as connection:
        for documents in (*sets[:16], sets[0], sets[16], sets[0]):
            scopes.find(connection, 1, documents)
        assert read == sets  # the first one was asked for again, so that the second one had to go
        scopes.find(connection, 1, sets[1])
        scopes.find(connection, 2, sets[0])
        assert read == [*sets, sets[1], sets[0]]
