"""One tree of settings for the whole program, from arguments, variables, files and defaults.

The first place that names a setting wins: explicit arguments, the environment (`THINKTWICE_…`, with
`__` between section and name), `.env`, `thinktwice.toml`, and the defaults. `bot.settings.files` says which
files are read. A name that no setting has is an error, because a misspelt setting that is silently ignored
looks like a broken product; so is a key beside an address from another place, which might be somebody else's.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from operator import attrgetter
from pathlib import Path
from typing import Annotated, Literal
from zoneinfo import ZoneInfo

import structlog
from pydantic import AfterValidator, BeforeValidator, Field, SecretStr, ValidationError
from pydantic_settings import (
    BaseSettings,
    EnvSettingsSource,
    InitSettingsSource,
    NoDecode,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    SettingsError,
)

from bot.clock import use_zone
from bot.logs.redaction import SECRETS
from bot.settings import faults, files, sources
from bot.settings.faults import BadSettingError
from bot.settings.names import PREFIX, leaves
from bot.settings.reading import check_zone, read_ids, read_paths
from bot.settings.sections import (
    Access,
    ChatCouncil,
    Console,
    Digest,
    Interviews,
    Matrix,
    Rates,
    Telegram,
    Voice,
    Web,
)
from rag.settings import (
    Budget,
    Critique,
    ExpandedPath,
    Knowledge,
    Models,
    Prices,
    Prompts,
    Review,
    SelfCorrection,
)

_log = structlog.get_logger(__name__)

SHIPPED_CORPUS = Path(__file__).resolve().parents[2] / "docs_corpus"

PersonId = Annotated[int, Field(gt=0)]
"""A person on Telegram; ids of groups and channels are below zero."""

# Defaults that differ from machine to machine, as the handbook shows them.
_DEFAULTS = {"data_dir": "`~/.local/share/thinktwice`", "corpus": "the product's own handbook"}


class Settings(BaseSettings):
    """Everything that can be set."""

    model_config = SettingsConfigDict(
        env_prefix=PREFIX, env_nested_delimiter="__", extra="ignore", frozen=True, validate_default=True
    )

    data_dir: ExpandedPath = Field(
        default_factory=files.default_data_dir,
        description="Folder of everything that is kept: database, indexes, the embedded model. `XDG_DATA_HOME` moves the default.",
    )
    corpus: Annotated[tuple[ExpandedPath, ...], NoDecode, BeforeValidator(read_paths)] = Field(
        (SHIPPED_CORPUS,),
        description="Files and folders that are searched for answers. In the variable: separated like `PATH`, or a JSON list.",
    )
    database_url: SecretStr = Field(
        SecretStr(""),
        description="PostgreSQL for conversations, documents and work in progress, `postgresql://user:password@host/name`; empty: SQLite in the data folder.",
    )
    admins: Annotated[tuple[PersonId, ...], NoDecode, BeforeValidator(read_ids)] = Field(
        (),
        description="Telegram ids of the owners of the bot, separated by commas; empty: the log shows a code with which the first owner claims the bot.",
    )
    instance: str = Field(
        "",
        max_length=100,
        description="Name of this machine when several share a PostgreSQL database; empty: it gives itself a name and keeps that in its data folder.",
    )
    log_format: Literal["text", "json"] = Field(
        "text",
        description="How `thinktwice run` writes its log to standard error: `text`, or `json` with one object a line.",
    )
    keep_conversations_days: float = Field(
        0.0,
        ge=0.0,
        description="Days after which the messages of conversations and what was made of them are deleted; 0: they are kept until somebody deletes them.",
    )
    keep_work_days: float = Field(
        7.0,
        ge=2.0,
        description="Days after which the record of finished work is deleted; conversations stay. An update that comes twice is known by that record.",
    )
    grace_seconds: float = Field(
        20.0,
        ge=0.0,
        description="Seconds that answers in work get to finish when the bot is told to stop; the others go on after the next start.",
    )
    time_zone: Annotated[str, AfterValidator(check_zone)] = Field(
        "UTC",
        description="Time zone of the team, an IANA name such as `Europe/Madrid` or `Asia/Seoul`: times are shown in it, and a day of a limit begins at its midnight.",
    )
    telegram: Telegram = Field(default_factory=Telegram)
    matrix: Matrix = Field(default_factory=Matrix)
    console: Console = Field(default_factory=Console)
    access: Access = Field(default_factory=Access)
    digest: Digest = Field(default_factory=Digest)
    limits: Rates = Field(default_factory=Rates)
    interviews: Interviews = Field(default_factory=Interviews)
    self_correction: SelfCorrection = Field(default_factory=SelfCorrection)
    review: Review = Field(default_factory=Review)
    critique: Critique = Field(default_factory=Critique)
    budget: Budget = Field(default_factory=Budget)
    prices: Prices = Field(default_factory=Prices)
    models: Models = Field(default_factory=Models)
    council: ChatCouncil = Field(default_factory=ChatCouncil)
    knowledge: Knowledge = Field(default_factory=Knowledge)
    prompts: Prompts = Field(default_factory=Prompts)
    web: Web = Field(default_factory=Web)
    voice: Voice = Field(default_factory=Voice)

    @property
    def zone(self) -> ZoneInfo:
        """The time zone of the team."""
        return ZoneInfo(self.time_zone)

    @property
    def has_bot(self) -> bool:
        """Whether a channel for chats is set up; otherwise there are the terminal and the console alone."""
        return bool(self.telegram.token.get_secret_value() or self.matrix.homeserver)

    @classmethod
    def load(cls, **explicit: object) -> Settings:
        """Read the settings.

        Args:
            explicit: Values that win over all others, by name; None means "not given".

        Raises:
            BadSettingError: a name that no setting has, or a value that a setting does not take.
        """
        given = {name: value for name, value in explicit.items() if value is not None}
        faults.raise_if_faulty(faults.describe_unknown_name(cls, given, "the argument"))
        try:
            settings = cls(**given)  # type: ignore[arg-type]  # pydantic checks the values
        except ValidationError as exc:
            raise BadSettingError(faults.describe_bad_value(cls, exc)) from exc
        except SettingsError as exc:
            raise BadSettingError(
                f"a variable of an entry of a table cannot be read ({exc}); write the whole table as JSON"
            ) from exc
        for secret in settings.secrets():
            SECRETS.add(secret)
        use_zone(settings.zone)
        found = files.find(os.environ)
        for path in (found.table, found.variables):
            if path is not None:
                _log.info("settings are read from a file", file=str(path))
        for path in found.ignored:
            _log.warning(
                "a settings file is not read, because nobody trusted its folder; if it is yours, run "
                "`thinktwice trust` there",
                file=str(path),
            )
        return settings

    def secrets(self) -> Iterator[str]:
        """Every secret that is set: nobody may see it in a log."""
        for setting in leaves(type(self)):
            if setting.is_secret and (secret := attrgetter(setting.name)(self).get_secret_value()):
                yield secret
        for seat in self.council.seats.values():
            if secret := seat.api_key.get_secret_value():
                yield secret

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,  # noqa: ARG003 - pydantic-settings' signature
        dotenv_settings: PydanticBaseSettingsSource,  # noqa: ARG003 - pydantic-settings' signature
        file_secret_settings: PydanticBaseSettingsSource,  # noqa: ARG003 - pydantic-settings' signature
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Arguments, variables (environment before `.env`), the file, and the variables of OpenAI's client."""
        given = sources.read(settings_cls)
        named = EnvSettingsSource(settings_cls)
        named.env_vars = {name.lower(): value for name, value in given.variables.items()}
        return (
            init_settings,
            named,
            InitSettingsSource(settings_cls, given.table),
            InitSettingsSource(settings_cls, given.openai),
        )


def settings_table() -> str:
    """A Markdown table of every setting; the handbook shows it."""
    lines = ["| setting | variable | takes | default | what it does |", "| --- | --- | --- | --- | --- |"]
    for setting in leaves(Settings):
        description = (setting.field.description or "").replace("|", "\\|")
        lines.append(
            f"| `{setting.name}` | `{setting.variable}` | {setting.takes} "
            f"| {_DEFAULTS.get(setting.name, setting.default)} | {description} |"
        )
    return "\n".join(lines)
