"""``thinktwice interview``: a guided interview in the terminal."""

from __future__ import annotations

import asyncio
import json
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from uuid import uuid4

from rich.console import Console

from bot.app import interview_engine, opened_database, stored_interviews
from bot.service.interview_values import Party, View
from bot.service.interviews import Interviews
from bot.settings.tree import Settings
from bot.terminal.drawing import show
from bot.terminal.lines import Lines
from bot.texts import TEXTS
from bot.views import interviews as views
from bot.views import papers
from bot.views.blocks import Blocks, Note, Tone, line
from rag.errors import InputError, OperatorError, ThinkTwiceError
from rag.interview.missions import Mission
from rag.interview.papers import Paper
from rag.reasons import Reason

PARTY = Party("terminal", "terminal")
"""Whoever sits at the terminal."""


def interview(overrides: dict[str, object], pack: str, session: str, *, as_json: bool) -> int:
    """Hold an interview until it is finished or the person leaves.

    An empty `session` begins a new one; an empty `pack` is that of the session.
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
    def __init__(self, interviews: Interviews, view: View) -> None:
        self._interviews = interviews
        self._view = view
        self._mission: Mission = interviews.packs.find(view.session.pack)
        self._language = self._mission.locale.language
        self._console = Console()
        self._lines = Lines()
        self._prompt = f"\n{TEXTS.text('you', self._language)}> "

    async def run(self) -> None:
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
        self._say(self._text("interview-session", id=self._view.session.id), "hint")
        self._say(self._text("interview-terminal"), "hint")
        self._show()

    async def _take(self, line: str) -> None:
        name, _, rest = line.partition(" ")
        interviews, session_id = self._interviews, self._view.session.id
        match name:
            case "/status":
                self._report()
            case "/why":
                self._explain()
            case "/undo":
                self._view = await interviews.undo(PARTY, session_id)
                self._show()
            case "/document":
                self._view = await interviews.word(PARTY, session_id)
                self._show_document()
            case "/finish":
                self._view = await interviews.check(PARTY, session_id)
                if self._view.state.meta.status == "ready":
                    await interviews.close(PARTY, session_id)
                    self._view = await interviews.word(PARTY, session_id)
                    self._close()
                else:
                    self._name_missing()
            case "/export":
                await self._export(rest.strip())
            case _:
                self._view = await interviews.post(PARTY, session_id, line)
                self._show()

    def _show(self) -> None:
        self._told(views.coming(self._view, self._mission))

    def _report(self) -> None:
        self._told(views.state(self._view, self._mission, self._language))

    def _tell(self, explanation: views.Explanation) -> None:
        self._told(views.explanation(explanation, self._language))

    def _explain(self) -> None:
        position = views.find_turn(self._view.events)
        self._tell(views.explain_turn(self._view, position, self._mission, self._language))

    def _show_document(self) -> None:
        paper = self._interviews.draw_up(self._view)
        if paper is None:
            raise InputError(Reason("interview-no-document"))
        self._tell_document(paper)

    def _tell_document(self, paper: Paper) -> None:
        self._told(papers.blocks(paper, self._mission, self._language))

    def _close(self) -> None:
        finished = Note(line(self._text("interview-finished")), "good")
        paper = self._interviews.draw_up(self._view)
        shown = papers.blocks(paper, self._mission, self._language) if paper else ()
        self._told((*views.state(self._view, self._mission, self._language), *shown, finished))

    def _name_missing(self) -> None:
        missing = views.missing(self._view, self._mission, self._language)
        coming = views.coming(self._view, self._mission)
        self._told(coming if set(missing) <= set(coming) else (*missing, *coming))

    async def _export(self, folder: str) -> None:
        for path in await self._write(folder or "."):
            self._say(str(path))

    async def _write(self, folder: str) -> tuple[Path, ...]:
        self._view = await self._interviews.word(PARTY, self._view.session.id)
        paper = self._interviews.draw_up(self._view)
        return await asyncio.to_thread(_write, folder, self._view, self._mission, paper)

    def _object(self, error: ThinkTwiceError) -> None:
        self._say(TEXTS.reason(error.reason, self._language), "warning")

    def _text(self, message: str, **values: str) -> str:
        return TEXTS.text(message, self._language, **values)

    def _say(self, text: str, tone: Tone = "plain") -> None:
        self._told((Note(line(text), tone),))

    def _told(self, found: Blocks) -> None:
        with suppress(BrokenPipeError):
            show(self._console, found)


class _JsonTalk(_Talk):
    """An interview with a program: a line in is a message, a line out is a JSON object."""

    def __init__(self, interviews: Interviews, view: View) -> None:
        super().__init__(interviews, view)
        self._prompt = ""

    def _begin(self) -> None:
        self._print(self._view.to_json_of_new())

    def _told(self, _found: Blocks) -> None:
        self._print(self._view.to_json())

    def _tell(self, explanation: views.Explanation) -> None:
        self._print(asdict(explanation))

    def _tell_document(self, paper: Paper) -> None:
        self._print(papers.to_json(paper))

    async def _export(self, folder: str) -> None:
        if folder:
            self._print({"files": [str(path) for path in await self._write(folder)]})
        else:
            self._print(json.loads(views.export_json(self._view)))

    def _object(self, error: ThinkTwiceError) -> None:
        self._print({"error": {"code": error.reason.code, "message": str(error)}})

    def _print(self, value: object) -> None:
        with suppress(BrokenPipeError):
            print(json.dumps(value, ensure_ascii=False), flush=True)  # noqa: T201 - the output


def _write(folder: str, view: View, mission: Mission, paper: Paper | None) -> tuple[Path, ...]:
    base = Path(folder).expanduser() / f"{view.session.pack}-{view.session.id[:8]}"
    written = []
    try:
        for file in views.export_files(view, mission, paper):
            path = base.with_suffix(f".{file.ending}")
            path.write_bytes(file.content)
            written.append(path)
    except OSError as exc:
        raise OperatorError(f"{folder} cannot be written ({exc.strerror}); name another folder") from exc
    return tuple(written)
