"""``thinktwice chat``: a conversation in the terminal that is remembered."""

from __future__ import annotations

import asyncio
import signal
from contextlib import suppress

from rich.console import Console
from rich.text import Text

from bot.app import App, conversation_memory, opened_database, running, write_down
from bot.conversations.memory import ConversationMemory
from bot.service.history import problem, remembered
from bot.service.modes import find_mode
from bot.settings.tree import Settings
from bot.statistics.values import Circumstances
from bot.storage.answered import StoredAnswers
from bot.terminal.drawing import Ticker, show, show_answer
from bot.terminal.index import Bars
from bot.terminal.lines import Lines
from bot.texts import TEXTS
from bot.views import answers
from rag.errors import InputError, ThinkTwiceError
from rag.events import Answered
from rag.values import MODES, Answer, Mode, Question


def chat(overrides: dict[str, object], conversation: str, mode: Mode | None = None) -> int:
    """Talk until the user leaves, with the mode of the settings unless one is given."""
    settings = Settings.load(**overrides)
    console = Console()
    asyncio.run(_chat(settings, conversation, console, mode))
    return 0


async def _chat(settings: Settings, conversation: str, console: Console, mode: Mode | None) -> None:
    with Bars(console) as bars:
        async with (
            running(settings, bars) as app,
            opened_database(settings) as database,
            conversation_memory(app, database) as memory,
        ):
            bars.stop()
            watching = asyncio.create_task(app.watch())
            try:
                await _Chat(app, memory, StoredAnswers(database), conversation, console, mode).run()
            finally:
                watching.cancel()
                await asyncio.wait({watching})


class _Chat:
    def __init__(
        self,
        app: App,
        memory: ConversationMemory,
        answers: StoredAnswers,
        conversation: str,
        console: Console,
        mode: Mode | None,
    ) -> None:
        self._app = app
        self._memory = memory
        self._answers = answers
        self._conversation = conversation
        self._console = console
        self._lines = Lines()
        self._mode: Mode = mode or app.settings.self_correction.mode
        self._documents_only = app.settings.self_correction.documents_only
        self._language = "en"
        # The answer on the screen, which need not be the stored one.
        self._shown: Answer | None = None

    async def run(self) -> None:
        self._say("chat-welcome")
        said = await remembered(self._conversation, self._memory)
        if said.history:
            self._say("chat-resumed", messages=len(said.history))
        while True:
            line = await self._lines.read(f"\n{TEXTS.text('you', self._language)}> ")
            if line is None or (line := line.strip()) in {"/quit", "/exit"}:
                break
            try:
                if line.startswith("/"):
                    await self._command(line)
                elif line:
                    await self._answer(line)
            except InputError:
                limit = self._app.settings.budget.question_characters
                self._warn(problem(line, limit).text(self._language))
            except ThinkTwiceError as exc:
                # A question that cannot be taken, or a database that is busy: the next one may work.
                self._warn(TEXTS.reason(exc.reason, self._language))
        self._say("chat-bye")

    async def _command(self, line: str) -> None:
        if line == "/help":
            self._say("chat-help")
        elif line == "/reset":
            await self._memory.reset(self._conversation)
            self._shown = None
            self._say("chat-reset")
        elif line.split()[0] == "/mode":
            self._choose_mode(line.removeprefix("/mode").strip())
        elif line.split()[0] == "/settings":
            self._choose_sources(line.removeprefix("/settings").strip())
        elif line in {"/why", "/sources"}:
            answer = self._shown or await self._memory.last_answer(self._conversation)
            if answer is None:
                self._say("chat-nothing-yet")
            elif line == "/why":
                currency = self._app.settings.prices.currency
                show(self._console, answers.why(answer, answer.language, currency))
            else:
                show(self._console, answers.sources(answer, answer.language))
        else:
            self._say("chat-unknown-command", command=line.split()[0])

    def _choose_mode(self, name: str) -> None:
        found = find_mode(name)
        self._mode = found or self._mode
        if found is None:
            if name:
                self._say("chat-mode-unknown", mode=name)
            for mode in MODES:
                self._say(f"mode-{mode}")
        if found or not name:
            self._say("chat-mode", description=TEXTS.text(f"mode-{self._mode}", self._language))

    def _choose_sources(self, name: str) -> None:
        """Change whether documents alone may answer the questions to come, or say what holds."""
        if name in {"documents", "all"}:
            self._documents_only = name == "documents"
        self._say("documents-only-on" if self._documents_only else "documents-only-off")
        if name not in {"documents", "all"}:
            self._say("settings-choose")

    async def _answer(self, text: str) -> None:
        """Answer one message; Ctrl-C stops this answer and keeps the conversation."""
        work = asyncio.create_task(self._answered(text))
        loop = asyncio.get_running_loop()
        loop.add_signal_handler(signal.SIGINT, work.cancel)
        try:
            await work
        except asyncio.CancelledError:
            self._say("chat-stopped")
        finally:
            loop.remove_signal_handler(signal.SIGINT)

    async def _answered(self, text: str) -> None:
        """Show the answer, then store it whatever stops this: a database that fails must not cost it."""
        answer = await self._found(text)
        self._shown = answer
        self._language = answer.language
        show_answer(self._console, answer)
        try:
            await asyncio.shield(self._memory.remember(self._conversation, text, answer))
        except ThinkTwiceError as exc:
            self._warn(TEXTS.text("chat-not-stored", self._language, reason=exc.reason))
            return
        await write_down(self._answers, answer, Circumstances("terminal", self._conversation))

    async def _found(self, text: str) -> Answer:
        answer: Answer | None = None
        with Ticker(self._console, language=self._language, first="recall") as ticker:
            said = await remembered(self._conversation, self._memory)
            question = Question(
                text,
                said.history,
                said.summary,
                mode=self._mode,
                documents_only=self._documents_only,
            )
            async for event in self._app.engine.stream(question):
                ticker(event)
                if isinstance(event, Answered):
                    answer = event.answer
        assert answer is not None  # the last event holds it
        return answer

    def _warn(self, sentence: str) -> None:
        self._console.print(Text(f"  {sentence}", style="yellow"))

    def _say(self, message: str, **values: str | float) -> None:
        with suppress(BrokenPipeError):
            self._console.print(Text(TEXTS.text(message, self._language, **values), style="dim"))
