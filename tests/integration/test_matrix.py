"""The bot on Matrix: a real homeserver, a real process, and a model server on loopback."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.support.matrix import QUESTION, Stage, Synapse, staged, synapse


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Synapse]:
    with synapse(tmp_path_factory.mktemp("synapse")) as opened:
        yield opened


@pytest.fixture(scope="module")
def stage(server: Synapse, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    with staged(server, tmp_path_factory.mktemp("bot")) as opened:
        yield opened


def test_private_message_is_answered_by_a_reply_with_label_and_sources(stage: Stage) -> None:
    ann, room = stage.person()
    asked = ann.says(room, QUESTION)
    found = stage.reply(room, asked)["content"]
    assert "Java 17" in found["body"]
    assert "Java 17" in found["formatted_body"]
    assert "<strong>" in found["formatted_body"]
    assert "FxStore" in found["body"].splitlines()[-1]
