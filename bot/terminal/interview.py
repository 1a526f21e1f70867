"""``thinktwice interview``: a guided interview in the terminal."""

from __future__ import annotations

import asyncio
import json
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from uuid import uuid4

from rich.console import Console
from rich.text import Text

from bot.app import interview_engine, opened_database, stored_interviews
from bot.service.interview_reports import describe, export_json, export_page, list_lines
from bot.service.interview_values import Party, View
from bot.service.interview_why import Explanation, explain_turn, find_turn
from bot.service.interviews import Interviews
from bot.settings.tree import Settings
from bot.terminal.lines import Lines
from bot.texts import TEXTS
from rag.errors import InputError, OperatorError, ThinkTwiceError
from rag.interview.documents import AskUser
from rag.interview.missions import Mission

PARTY = Party("terminal", "terminal")
"""Whoever sits at the terminal."""


def interview(overrides: dict[str, object], pack: str, session: str, *, as_json: bool) -> int:
    """Hold an interview until it is finished or the person leaves.

    Args:
        overrides: Settings that were given as options.
        pack: Name of the mission pack; empty: that of the session.
        session: The interview to continue; empty: a new one.
        as_json: Print one JSON object for each turn, and nothing else.

    Returns:
        0.

    Raises:
        ThinkTwiceError: a setting, the pack, the session or the database cannot be used.
    """
    asyncio.run(_interview(Settings.load(**overrides), pack, session, as_json=as_json))
    return 0


async def _interview(settings: Settings, pack: str, session: str, *, as_json: bool) -> None:
    async with interview_engine(settings) as engine, opened_database(settings) as database:
        interviews = await stored_interviews(settings, engine, database)
        if session:
            view = await interviews.get(PARTY, session)
        elif pack:
            view = await interviews.create(PARTY, pack, key=str(uuid4()))
        else:
            raise InputError(
                f"name a mission pack ({', '.join(interviews.packs.names)}), or an interview with --session"
            )
        talk: _Talk = _JsonTalk(interviews, view) if as_json else _Talk(interviews, view)
        await talk.run()


class _Talk:
    """An interview with a person who reads.

    Args:
        interviews: Holds it.
        view: How it stands.
    """

    def __init__(self, interviews: Interviews, view: View) -> None:
        self._interviews = interviews
        self._view = view
        self._mission: Mission = interviews.packs.find(view.session.pack)
        self._language = self._mission.locale.language
        self._console = Console()
        self._lines = Lines()
        self._prompt = f"\n{TEXTS.text('you', self._language)}> "

    async def run(self) -> None:
        """Talk until the interview is finished or the person leaves."""
        self._begin()
        while self._view.session.is_open:
            line = await self._lines.read(self._prompt)
            if line is None or line.strip() in {"/quit", "/exit"}:
                break
            try:
                await self._take(line.strip())
            except ThinkTwiceError as exc:
                self._object(exc)

    def _begin(self) -> None:
        self._say(self._text("interview-session", id=self._view.session.id), "dim")
        self._say(self._text("interview-terminal"), "dim")
        self._show()

    async def _take(self, line: str) -> None:
        name, _, rest = line.partition(" ")
        interviews, session_id = self._interviews, self._view.session.id
        match name:
            case "/status":
                self._report(self._view)
            case "/why":
                self._explain()
            case "/undo":
                self._view = await interviews.undo(PARTY, session_id)
                self._show()
            case "/finish":
                self._view = await interviews.check(PARTY, session_id)
                if self._view.state.meta.status == "ready":
                    self._view = await interviews.close(PARTY, session_id)
                    self._close()
                else:
                    self._name_missing()
            case "/export":
                await self._export(rest.strip())
            case _:
                self._view = await interviews.post(PARTY, session_id, line)
                self._show()

    def _show(self) -> None:
        """Show what comes next."""
        view, action = self._view, self._view.next_action
        if action.error is not None:
            self._say(self._text("interview-halted", code=action.error.code), "yellow")
        question = action.ask_user or (view.state.next_action.ask_user if view.state.next_action else None)
        if question is not None:
            self._ask(question)
        elif view.state.meta.status == "ready":
            self._say(self._text("interview-complete"), "green")
        elif view.state.meta.status == "gating":
            self._say(self._text("interview-unchecked"), "yellow")
        else:
            self._say(self._text("interview-blocked"), "yellow")

    def _ask(self, question: AskUser) -> None:
        self._say(question.question_text, "bold")
        if question.why_this_question:
            self._say(self._text("interview-why", why=question.why_this_question), "dim")
        for number, choice in enumerate(question.choices or (), 1):
            self._say(f"  {number}. {choice.label}")

    def _report(self, view: View) -> None:
        for line in list_lines(describe(view, self._mission, self._language), self._language):
            self._say(line)

    def _explain(self) -> None:
        events = self._view.events
        position = find_turn(events)
        if position is None:
            self._tell(Explanation(self._view.session.id, "", ()))
        else:
            self._tell(explain_turn(events, position, self._mission, self._language))

    def _tell(self, explanation: Explanation) -> None:
        lines = explanation.lines() if explanation.said else (self._text("interview-why-no-turn"),)
        for line in lines:
            self._say(line)

    def _close(self) -> None:
        self._report(self._view)
        self._say(self._text("interview-finished"), "green")

    def _name_missing(self) -> None:
        missing = describe(self._view, self._mission, self._language).missing
        if missing:
            self._say(self._text("interview-missing"), "yellow")
            for each in missing:
                self._say(f"  {each}")
        self._show()

    async def _export(self, folder: str) -> None:
        paths = await asyncio.to_thread(_write, folder or ".", self._view, self._mission)
        for path in paths:
            self._say(str(path))

    def _object(self, error: ThinkTwiceError) -> None:
        self._say(TEXTS.reason(error.reason, self._language), "yellow")

    def _text(self, message: str, **values: str) -> str:
        return TEXTS.text(message, self._language, **values)

    def _say(self, text: str, style: str = "") -> None:
        with suppress(BrokenPipeError):
            self._console.print(Text(text, style=style), soft_wrap=True)


class _JsonTalk(_Talk):
    """An interview with a program: a line in is a message, a line out is a JSON object."""

    def __init__(self, interviews: Interviews, view: View) -> None:
        super().__init__(interviews, view)
        self._prompt = ""

    def _begin(self) -> None:
        self._print(self._view.to_json_of_new())

    def _show(self) -> None:
        self._print(self._view.to_json())

    def _report(self, view: View) -> None:
        self._print(view.to_json())

    def _tell(self, explanation: Explanation) -> None:
        self._print(asdict(explanation))

    def _close(self) -> None:
        self._print(self._view.to_json())

    def _name_missing(self) -> None:
        self._print(self._view.to_json())

    async def _export(self, folder: str) -> None:
        if folder:
            paths = await asyncio.to_thread(_write, folder, self._view, self._mission)
            self._print({"files": [str(path) for path in paths]})
        else:
            self._print(json.loads(export_json(self._view)))

    def _object(self, error: ThinkTwiceError) -> None:
        self._print({"error": {"code": error.reason.code, "message": str(error)}})

    def _print(self, value: object) -> None:
        with suppress(BrokenPipeError):
            print(json.dumps(value, ensure_ascii=False), flush=True)  # noqa: T201 - the output


def _write(folder: str, view: View, mission: Mission) -> tuple[Path, Path]:
    """Write the interview into a folder, as data and as a page."""
    base = Path(folder).expanduser() / f"{view.session.pack}-{view.session.id[:8]}"
    data, page = base.with_suffix(".json"), base.with_suffix(".html")
    try:
        data.write_text(export_json(view), encoding="utf-8")
        page.write_text(export_page(view, mission, mission.locale.language), encoding="utf-8")
    except OSError as exc:
        raise OperatorError(f"{folder} cannot be written ({exc.strerror}); name another folder") from exc
    return data, page
