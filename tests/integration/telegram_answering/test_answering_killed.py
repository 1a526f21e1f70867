"""A process is killed at each step of an answer, which appears once all the same."""

from __future__ import annotations

import pytest

from bot.service import answering
from tests.support.asking import LONG, QUESTION, STORY, Opened, answered, group, private
from tests.support.loop import purposes
from tests.support.recorded_steps import KilledError, Recording


class TestKills:
    """A kill at any step, before or after its outcome is kept; then the same work once more."""

    @pytest.mark.parametrize("has_recorded", [False, True], ids=["effect only", "recorded"])
    @pytest.mark.parametrize("kind", ["private", "group"])
    @pytest.mark.parametrize("script", ["FxStore needs Java 17.", LONG], ids=["short", "long"])
    async def test_answer_appears_exactly_once_wherever_the_process_is_killed(
        self, opened: Opened, script: str, kind: str, has_recorded: bool
    ) -> None:
        question = QUESTION if script != LONG else STORY
        async with opened(script, is_checked=script != LONG) as c:
            whole = Recording()
            ann, chat = private(c, "Whole") if kind == "private" else (c.telegram.user("Whole"), group(c)[0])
            text = question if kind == "private" else f"@thinktwice_bot {question}"
            await answered(c, ann.says(chat, text), whole)
            expected = chat.texts
            assert sum(len(part.encode("utf-16-le")) // 2 for part in expected) > (
                9000 if script == LONG else 50
            )
            assert len(expected) == (3 if script == LONG else 1)

            for kill_at in range(1, len(whole.order) + 1):
                person = c.telegram.user(f"Ann {kill_at}", language_code="en")
                chat = c.telegram.private(person) if kind == "private" else c.telegram.group("Team", [person])
                asked = c.asked(person.says(chat, text))
                recording = Recording(kill_at, has_recorded)
                with pytest.raises(KilledError):
                    await c.answering(asked, recording)
                drafts = purposes(c.model).count("draft")
                recording.restart()
                await c.answering(asked, recording)

                where = f"killed at {whole.order[kill_at - 1]}"
                rests = [t for t in chat.texts if t not in expected]
                assert [t for t in chat.texts if t in expected] == expected, where
                is_sending = whole.order[kill_at - 1].startswith(("placeholder", "send"))
                assert len(rests) <= (is_sending and not has_recorded), where
                if has_recorded and "draft" in recording.order[:kill_at]:
                    assert purposes(c.model).count("draft") == drafts, f"{where}: nothing is paid twice"
                assert len(await c.history(asked.message.place)) == 2, where
                # Once more, as if only the end of the work had not been recorded.
                recording.restart()
                await c.answering(asked, recording)
                assert [t for t in chat.texts if t in expected] == expected, where

    async def test_step_names_are_the_ones_that_are_declared(self, opened: Opened) -> None:

        async with opened(LONG, is_checked=False) as c:
            ann, chat = private(c)
            recording = Recording()
            await answered(c, ann.says(chat, STORY), recording)
            ours = {name.rstrip(" 0123456789") for name in recording.order} - {
                "classify", "draft", "probe", "evaluate", "judge", "retrieve", "regenerate", "rewrite", "cover"
            }  # fmt: skip
            assert ours <= {*answering.STEPS, "send", "deliver", "resend", "tidy"}
