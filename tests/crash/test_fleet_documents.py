"""Machines of a fleet know the same documents, also when one of them is killed while it indexes."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path

import pytest

from rag.knowledge.catalog import Catalog
from rag.knowledge.store import Store
from tests.crash.bots import Bot, until
from tests.crash.test_fleet import Fleet, running_fleet
from tests.support.postgres import PostgresServer

pytestmark = pytest.mark.timeout(300)

EMBEDDED = "passages embedded"
TEA = b"# Tea\n\nTea is served at four. Coffee is served all day.\n"


def known(machine: Bot) -> set[str]:
    """The documents that a machine would find."""
    folder = machine.folder / "data"
    with closing(Store(folder)) as store, store.reading() as connection:
        return set(Catalog.read(connection, folder).documents)


def newest_text(fleet: Fleet) -> str:
    return fleet.chats[0].texts[-1] if fleet.chats[0].texts else ""


def test_document_whose_indexing_was_killed_is_known_to_every_machine(
    tmp_path: Path, postgres: PostgresServer
) -> None:
    with running_fleet(tmp_path, postgres.new_database()) as fleet:
        # The first machine has embedded the documents, and nobody else.
        assert [EMBEDDED in machine.passed() for machine in fleet.machines] == [True, False, False]
        assert [len(known(machine)) for machine in fleet.machines] == [3, 3, 3]

        for machine in fleet.machines:
            machine.kill_at(EMBEDDED)
        fleet.people[0].sends_file(fleet.chats[0], "tea.md", TEA, caption="/add")
        until(lambda: [one for one in fleet.machines if one.is_killed()], lambda: fleet.chats[0].texts)
        (killed,) = (one for one in fleet.machines if one.is_killed())
        alive = [one for one in fleet.machines if one is not killed]
        for machine in alive:
            machine.kill_at("")
        assert not any("tea.md" in known(machine) for machine in alive)

        until(lambda: "Added tea.md. Passages: 1" in newest_text(fleet), lambda: told(fleet))
        until(lambda: all("tea.md" in known(machine) for machine in alive), lambda: told(fleet))
        for machine in alive:
            assert (machine.folder / "data/documents/tea.md").read_bytes() == TEA
        assert sum(EMBEDDED in machine.passed() for machine in alive) == 1

        # The killed machine comes back, and has not been told of anything.
        before = killed.passed().count(EMBEDDED)
        killed.restart()
        until(lambda: "tea.md" in known(killed), lambda: killed.log)
        assert killed.passed().count(EMBEDDED) == before


def told(fleet: Fleet) -> str:
    logs = "\n".join(machine.whole_log[-2000:] for machine in fleet.machines)
    return json.dumps(fleet.chats[0].texts[-3:], ensure_ascii=False) + "\n" + logs
