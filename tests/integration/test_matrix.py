"""The bot on Matrix: a real homeserver, a real process, and a model server on loopback."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support import programs
from tests.support.bot_process import environment, recorded, refused
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


def test_group_is_answered_only_where_the_bot_is_meant(stage: Stage) -> None:
    ann, bob = stage.server.account("Ann"), stage.server.account("Bob")
    room = stage.group(ann, bob)
    overheard = bob.says(room, "Which Java do we need, Ann?")
    bob.edits(room, overheard, "Which Kotlin do we need, Ann?")
    named = ann.says(room, f"Think Twice: {QUESTION}")
    assert "Java 17" in stage.told(room, named)
    mentioned = bob.says(room, f"{QUESTION} Thanks.", **{"m.mentions": {"user_ids": [stage.me.id]}})
    first = stage.reply(room, mentioned)["event_id"]
    reply = {"m.in_reply_to": {"event_id": first}}
    assert stage.reply(room, bob.says(room, "And how many days of leave?", **{"m.relates_to": reply}))
    assert stage.replies(room, overheard) == []
    # What members say to each other is not even recorded.
    kept = recorded(stage.bot.folder / "data")
    assert (b"do we need, Ann" in kept, b"how many days of leave" in kept) == (False, True)


def test_message_of_another_person_is_what_a_bare_mention_below_it_asks(stage: Stage) -> None:
    ann, bob = stage.server.account("Ann"), stage.server.account("Bob")
    room = stage.group(ann, bob)
    reply = {"m.in_reply_to": {"event_id": bob.says(room, QUESTION)}}
    assert "Java 17" in stage.told(room, ann.says(room, "Think Twice", **{"m.relates_to": reply}))


def test_thread_is_answered_in_the_thread_and_is_a_conversation_of_its_own(stage: Stage) -> None:
    ann, room = stage.person()
    root = ann.says(room, QUESTION)
    stage.reply(room, root)
    thread = {"rel_type": "m.thread", "event_id": root, "is_falling_back": True}
    asked = ann.says(room, "/why", **{"m.relates_to": thread})
    found = stage.reply(room, asked)["content"]
    assert found["m.relates_to"]["event_id"] == root
    # Nothing was answered in the thread yet, though the room has an answer.
    assert found["body"] == "There is no answer yet."
    assert "Java 17" not in stage.told(room, ann.says(room, "!why"))
    question = ann.says(room, QUESTION, **{"m.relates_to": thread})
    found = stage.reply(room, question)["content"]
    assert ("Java 17" in found["body"], found["m.relates_to"]["event_id"]) == (True, root)


def test_slow_question_does_not_keep_another_room_waiting(stage: Stage) -> None:
    (ann, one), (bob, other) = stage.person(), stage.person("Bob")
    stage.gate.clear()
    slow = ann.says(one, f"{QUESTION} Tell me slowly.")
    path = f'sync?filter={{"room":{{"rooms":["{one.id}"]}}}}'

    def is_typing() -> bool:
        rooms = ann.call("GET", path)["rooms"]["join"][one.id]["ephemeral"]["events"]
        return any(stage.me.id in each["content"].get("user_ids", ()) for each in rooms)

    stage.until(is_typing)
    assert "Java 17" in stage.told(other, bob.says(other, QUESTION))
    assert stage.replies(one, slow) == []
    stage.gate.set()
    assert "Java 17" in stage.told(one, slow)


def test_edited_question_is_answered_anew_in_the_same_message(stage: Stage) -> None:
    ann, room = stage.person()
    asked = ann.says(room, "How many days of leave does everybody have?")
    first = stage.reply(room, asked)["event_id"]
    ann.edits(room, asked, QUESTION)
    stage.until(lambda: any("Java 17" in text for text in stage.edits(room, first)))
    ann.edits(room, asked, "What does FxStore need, which Java?")
    stage.until(lambda: len(stage.edits(room, first)) == 2)
    assert len(stage.replies(room, asked)) == 1


def test_question_that_is_edited_at_work_is_answered_once(stage: Stage) -> None:
    ann, room = stage.person()
    stage.gate.clear()
    asked = ann.says(room, "Tell me slowly how many days of leave there are.")
    stage.bot_is_at_work(room)
    ann.edits(room, asked, QUESTION)
    assert "Java 17" in stage.told(room, asked)
    stage.gate.set()
    other = ann.says(room, QUESTION)
    assert stage.reply(room, other)
    assert len(stage.replies(room, asked)) == 1


def test_question_that_is_taken_back_at_work_gets_no_answer(stage: Stage) -> None:
    ann, room = stage.person()
    stage.gate.clear()
    asked = ann.says(room, f"{QUESTION} Tell me slowly.")
    stage.bot_is_at_work(room)
    ann.redacts(room, asked)
    # Of a room one question is answered at a time: this one would wait for the other.
    assert "Java 17" in stage.told(room, ann.says(room, QUESTION))
    stage.gate.set()
    assert stage.replies(room, asked) == []


def test_thumb_of_the_asker_rates_an_answer(stage: Stage) -> None:
    ann, bob = stage.server.account("Ann"), stage.server.account("Bob")
    room = stage.group(ann, bob)
    found = stage.reply(room, ann.says(room, f"Think Twice, {QUESTION}"))["event_id"]

    def ratings() -> list[str]:
        return stage.rows(
            "SELECT feedback FROM answered WHERE id = (SELECT answered_id FROM asks WHERE user_id = ?)", ann
        )

    ann.reacts(room, found, "👍")
    stage.until(lambda: ratings() == ["useful"])
    ann.reacts(room, found, "👎🏽")
    stage.until(lambda: ratings() == ["wrong"])
    bob.reacts(room, found, "👍")
    assert stage.reply(room, bob.says(room, "Think Twice, /help"))
    assert ratings() == ["wrong"]


def test_encrypted_room_gets_one_sentence_that_says_what_to_do(stage: Stage) -> None:
    ann = stage.server.account("Ann")
    room = ann.opens(stage.me, sealed=True)
    stage.until(lambda: room.has(stage.me))
    sealed = {"algorithm": "m.megolm.v1.aes-sha2", "ciphertext": "AwgA", "session_id": "s"}
    more = {"sender_key": "k", "device_id": "D"}
    first, second = (ann.sends(room, "m.room.encrypted", sealed | more) for _ in range(2))
    assert "without end-to-end encryption" in stage.told(room, first)
    assert stage.reply(room, ann.says(room, QUESTION))
    assert stage.replies(room, second) == []


def test_first_owner_claims_the_bot_and_lets_others_in(server: Synapse, tmp_path: Path) -> None:
    with staged(server, tmp_path, THINKTWICE_ACCESS__MODE="private") as stage:
        ann, bob = stage.server.account("Ann"), stage.server.account("Bob")
        room = ann.opens(stage.me)
        stage.until(lambda: room.by(stage.me))
        assert room.by(stage.me)[0]["content"]["body"].startswith("This bot has no owner yet.")
        code = re.findall(r"/claim (\w+)", stage.bot.whole_log)[-1]
        assert "You are now the owner" in stage.told(room, ann.says(room, f"/claim {code}"))
        assert "Java 17" in stage.told(room, ann.says(room, QUESTION))
        # Whoever is not let in is told so once, and the bot leaves again.
        others = bob.opens(stage.me)
        stage.until(lambda: others.by(stage.me) and not others.has(stage.me))
        (told,) = others.by(stage.me)
        assert told["content"]["body"] == (
            "You do not have access to this bot yet. An administrator can give you access: send them your id, "
            f"{bob.id}."
        )
        assert f"Access granted to {bob.id}." in stage.told(room, ann.says(room, f"/allow {bob.id}"))
        others = bob.opens(stage.me)
        stage.until(lambda: others.has(stage.me))
        assert "Java 17" in stage.told(others, bob.says(others, QUESTION))
        # A file of somebody else is refused, one of an administrator becomes a document.
        refused = bob.sends_file(others, "kettle.md", b"# Kettle\n\nThe kettle holds 3 litres.\n")
        assert stage.told(others, refused) == "Only administrators of this bot can do that."
        added = ann.sends_file(room, "kettle.md", b"# Kettle\n\nThe kettle holds 3 litres.\n")
        assert stage.told(room, added) == "✔ Added kettle.md. Passages: 1"
        again = ann.sends_file(room, "kettle.md", b"# Kettle\n\nThe kettle holds 4 litres.\n", "/add")
        assert stage.told(room, again) == "✔ Replaced kettle.md. Passages: 1"
        assert "kettle.md" in stage.told(room, ann.says(room, "/documents"))
        assert "Documents: 4" in stage.told(room, ann.says(room, "/reindex"))
        assert "/reindex" in stage.told(room, ann.says(room, "/help"))
        assert "/reindex" not in stage.told(others, bob.says(others, "/help"))
        assert stage.told(room, ann.says(room, "!new")).startswith("Forgotten.")
        assert (
            stage.told(others, bob.says(others, "/deny me")) == "Only administrators of this bot can do that."
        )
        # A group that an administrator adds the bot to is allowed.
        group = stage.group(ann, bob)
        assert "Java 17" in stage.told(group, bob.says(group, f"Think Twice: {QUESTION}"))


def test_person_is_erased_from_everything(stage: Stage) -> None:
    (ann, room), (bob, other) = stage.person(), stage.person("Bob")
    for somebody, there in ((ann, room), (bob, other)):
        assert stage.reply(there, somebody.says(there, f"{QUESTION} asks {somebody.id}"))
    told = stage.told(room, ann.says(room, "/privacy"))
    assert "messages of our conversations: 2" in told
    stage.told(room, ann.says(room, "/privacy delete"))
    stage.until(lambda: stage.rows("SELECT id FROM runs WHERE person = ? AND state != 'done'", ann) == [])
    kept = recorded(stage.bot.folder / "data")
    assert f"asks {ann.id}".encode() not in kept
    assert f"asks {bob.id}".encode() in kept
    assert stage.rows("SELECT count(*) FROM asks WHERE user_id = ?", ann) == [0]


def test_limits_of_a_person_hold(server: Synapse, tmp_path: Path) -> None:
    with staged(server, tmp_path, THINKTWICE_LIMITS__USER_PER_MINUTE="1") as stage:
        ann, room = stage.person()
        assert "Java 17" in stage.told(room, ann.says(room, QUESTION))
        assert "limit of questions per minute (1)" in stage.told(room, ann.says(room, QUESTION))


def test_bot_that_was_away_answers_what_waits_and_only_that(stage: Stage) -> None:
    ann, room = stage.person()
    before = ann.says(room, QUESTION)
    stage.reply(room, before)
    assert stage.bot.stop() == 0
    asked = ann.says(room, QUESTION)
    # As if this machine had never been the one that reads: then the latest messages come again.
    (stage.bot.folder / "data" / "matrix-position").unlink()
    stage.bot.start()
    assert "Java 17" in stage.told(room, asked)
    assert len(stage.replies(room, before)) == 1


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"THINKTWICE_MATRIX__TOKEN": ""}, "set THINKTWICE_MATRIX__TOKEN"),
        ({"THINKTWICE_MATRIX__TOKEN": "of-nobody"}, "does not know this access token"),
        ({"THINKTWICE_MATRIX__HOMESERVER": "http://127.0.0.1:9"}, "cannot be reached"),
    ],
    ids=["no token", "wrong token", "wrong address"],
)
def test_bot_that_cannot_log_in_says_why(
    server: Synapse, corpus: Path, tmp_path: Path, changed: dict[str, str], sentence: str
) -> None:
    given = {"THINKTWICE_MATRIX__HOMESERVER": server.url, "THINKTWICE_MATRIX__TOKEN": "t"} | changed
    _, said = refused(tmp_path, corpus, environment(None, None, **given))
    assert sentence in said


def test_doctor_says_whose_token_it_is(stage: Stage, tmp_path: Path) -> None:
    given = {"THINKTWICE_MATRIX__HOMESERVER": stage.server.url, "THINKTWICE_MATRIX__TOKEN": stage.me.token}
    for token, told in ((stage.me.token, stage.me.id), ("of-nobody", "make another one")):
        variables = environment(None, None, **given | {"THINKTWICE_MATRIX__TOKEN": token})
        assert told in programs.run("doctor", "--data-dir", str(tmp_path), variables=variables).stdout
