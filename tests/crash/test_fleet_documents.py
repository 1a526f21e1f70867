"""Machines of a fleet know the same documents, also when one of them is killed while it indexes."""

from __future__ import annotations

import json
import re
from contextlib import closing
from pathlib import Path

import pytest

from rag.knowledge.catalog import Catalog
from rag.knowledge.store import Store
from tests.crash.bots import Bot, living, until
from tests.crash.stage import Model
from tests.crash.test_fleet import Fleet, running_fleet
from tests.support.documents import write_documents
from tests.support.postgres import PostgresServer
from tests.support.servers import FakeOpenAI
from tests.telegram.server import FakeTelegram

pytestmark = pytest.mark.timeout(300)

EMBEDDED = "passages embedded"
WATCHES = re.compile(r"this machine leads +lease=documents")
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


def test_file_that_changes_in_the_folder_of_all_machines_is_read_by_one_of_them_also_after_its_death(
    tmp_path: Path, postgres: PostgresServer
) -> None:
    quickly = {"THINKTWICE_KNOWLEDGE__WATCH_SECONDS": "1"}
    with running_fleet(tmp_path, postgres.new_database(), own=(quickly,) * 3) as fleet:
        alive = list(fleet.machines)
        leaders = until(lambda: [one for one in alive if WATCHES.search(one.whole_log)], lambda: told(fleet))
        for name in ("tea.md", "coffee.md"):
            before = sum(one.passed().count(EMBEDDED) for one in fleet.machines)
            (tmp_path / "corpus" / name).write_bytes(TEA)
            until(lambda: all(name in known(one) for one in alive), lambda: told(fleet))  # noqa: B023
            after = sum(one.passed().count(EMBEDDED) for one in fleet.machines)
            assert after - before == (name == "tea.md")  # the text is embedded once
            if leaders[0] in alive:
                leaders[0].kill()
                alive.remove(leaders[0])
        assert sum(bool(WATCHES.search(one.whole_log)) for one in fleet.machines) == 2


def test_machine_that_is_killed_while_it_reads_a_changed_folder_reads_it_after_its_start(
    tmp_path: Path,
) -> None:
    corpus = tmp_path / "corpus"
    corpus.mkdir()
    write_documents(corpus)
    variables = {"THINKTWICE_KNOWLEDGE__WATCH_SECONDS": "1", "THINKTWICE_CONSOLE__ENABLED": "0"}
    with (
        FakeTelegram() as telegram,
        FakeOpenAI(Model()) as server,
        living(Bot(telegram, server, tmp_path, corpus, variables)) as bot,
    ):
        bot.kill_at(EMBEDDED)
        (corpus / "tea.md").write_bytes(TEA)
        until(bot.is_killed, lambda: bot.whole_log[-2000:])
        assert "tea.md" not in known(bot)
        bot.restart()
        until(lambda: "tea.md" in known(bot), lambda: bot.whole_log[-2000:])


def told(fleet: Fleet) -> str:
    logs = "\n".join(machine.whole_log[-2000:] for machine in fleet.machines)
    return json.dumps(fleet.chats[0].texts[-3:], ensure_ascii=False) + "\n" + logs
