"""The sections of the settings that only the bot has; those of the engine are in `rag.settings`."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BeforeValidator, Field, SecretStr
from pydantic_settings import NoDecode

from bot.settings.reading import read_experts, read_hosts, read_networks, read_origin, read_paths
from rag.settings import Council, ExpandedPath, Section


class Telegram(Section):
    """How the bot talks to Telegram, and what it does with what came in."""

    token: SecretStr = Field(SecretStr(""), description="The bot's token, from @BotFather.")
    api_url: str = Field(
        "https://api.telegram.org",
        description="Address of the Bot API server; a server of your own works too.",
    )
    mode: Literal["polling", "webhook"] = Field(
        "polling",
        description="How updates come in: `polling` asks Telegram for them and needs no open port; with `webhook` Telegram sends them.",
    )
    webhook_url: str = Field(
        "", description="Public HTTPS address that Telegram sends updates to (mode `webhook`)."
    )
    webhook_listen: str = Field(
        "",
        description="Address and port to listen on for them alone, such as `127.0.0.1:8443`, behind the server that holds the certificate; empty: the address of the console takes them, at the path of `telegram.webhook_url`.",
    )
    webhook_secret: SecretStr = Field(
        SecretStr(""),
        description="Secret that Telegram's requests must contain, 1 to 256 letters, digits, `_` and `-`; empty: made from the token.",
    )
    webhook_connections: int = Field(
        100,
        ge=1,
        description="Connections to the webhook at a time, at the most, where it has an address of its own; Telegram opens up to 40, further ones are closed.",
    )
    profile: bool = Field(
        True,
        description="Write the texts of the bot's empty chat and profile in each of its languages; without it, those that you gave @BotFather stay.",
    )
    messages_per_second: int = Field(
        30,
        ge=1,
        description="Maximum number of calls that the bot makes per second, in all chats together; Telegram accepts 30, or more if it is paid for.",
    )
    max_age_minutes: float = Field(
        60.0,
        gt=0,
        description="A question that waited longer while the bot was down gets a short notice instead of an answer.",
    )
    link_hosts: Annotated[tuple[str, ...], NoDecode, BeforeValidator(read_hosts)] = Field(
        (),
        description="Hosts whose addresses readers may open from the text of an answer, in every channel and over HTTP in `/v1`, separated by commas; `.example.org` stands for every host under it. All other addresses are shown as plain text.",
    )


class Matrix(Section):
    """The bot on Matrix, beside Telegram or without it."""

    homeserver: Annotated[str, BeforeValidator(read_origin)] = Field(
        "",
        description="Address of the homeserver of the bot's account, such as `https://matrix.example.org`; empty: the bot is not on Matrix. It needs the extra `matrix`.",
    )
    token: SecretStr = Field(SecretStr(""), description="Access token of the bot's account.")
    max_age_minutes: float = Field(
        60.0,
        gt=0,
        description="A question that waited longer while the bot was down gets a short notice instead of an answer.",
    )


class Access(Section):
    """Who may ask, beyond the people and groups that administrators allowed."""

    mode: Literal["private", "open", "groups"] = Field(
        "private",
        description="Who may ask without having been allowed: `private` nobody, `open` everybody, `groups` the groups that have the bot (whoever adds it to one lets that group read the documents), and nobody in private chats.",
    )
    answer_plain_questions: bool = Field(
        False,
        description="In groups, also answer questions that do not address the bot, when the documents clearly cover them.",
    )
    anonymous_admins: bool = Field(
        False,
        description="Let anonymous administrators of an allowed group ask, and use the commands that destroy nothing; nobody can tell who they are.",
    )
    channels: bool = Field(
        False, description="Answer those who write in a group under the name of a channel."
    )
    notice_minutes: float = Field(
        60.0, gt=0, description="Minutes in which a refusal is told once, and not again."
    )
    experts: Annotated[tuple[str, ...], NoDecode, BeforeValidator(read_experts)] = Field(
        (),
        description="Who is asked when the documents do not answer: numbers of people or groups on Telegram, separated by commas; `hr=-100123` for questions about the document set `hr` alone. Empty: nobody is.",
    )
    experts_are_named: bool = Field(
        True, description="Whether whoever asked sees who answered, if that person chooses nothing else."
    )
    request_days: float = Field(
        7.0,
        ge=0,
        description="The request for access that a stranger's `/start` sends to the administrators is sent once within so many days; 0: no requests are sent.",
    )


class Rates(Section):
    """How much may be asked before the bot asks for patience."""

    user_per_minute: int = Field(6, ge=1, description="Questions of one person within a minute.")
    user_per_hour: int = Field(60, ge=1, description="Questions of one person within an hour.")
    chat_per_minute: int = Field(20, ge=1, description="Questions of one chat within a minute.")
    user_commands_per_minute: int = Field(
        10,
        ge=1,
        description="Commands and pressed buttons of one person within a minute; stopping and administrators are not counted.",
    )
    chat_commands_per_minute: int = Field(
        20, ge=1, description="Commands and pressed buttons of one chat within a minute."
    )
    answers_at_work: int = Field(
        200,
        ge=1,
        description="Questions of all chats that are answered at the same time, at the most; the others wait for their turn.",
    )
    bot_tokens_per_day: int = Field(
        0,
        ge=0,
        description="Tokens that models read and write for the whole bot in a day; 0: no limit. Like the two below, it counts stopped and failed answers, summaries and embeddings by a server as well.",
    )
    chat_tokens_per_day: int = Field(
        2_000_000, ge=0, description="Tokens for one chat in a day; 0: no limit."
    )
    user_tokens_per_day: int = Field(
        0, ge=0, description="Tokens for one person in all chats in a day; 0: no limit."
    )
    quotes_when_spent: bool = Field(
        True,
        description="When the tokens of a day are used up, quote the passages of the documents that come closest, without a model; otherwise only say so.",
    )
    queue_length: int = Field(20, ge=1, description="Maximum number of waiting questions per chat and topic.")


class ChatCouncil(Council):
    """The council, and who may ask it in a chat."""

    audience: Literal["everyone", "admins"] = Field(
        "everyone",
        description="Who may ask the council in Telegram: `everyone` who may ask, or `admins` of the bot; `/council off` switches it off in one chat.",
    )
    chat_per_day: int = Field(20, ge=0, description="Questions of one chat to the council in a day; 0: none.")


Weekday = Literal["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]


class Digest(Section):
    """The weekly digest of questions that were not answered or wrongly."""

    enabled: bool = Field(
        True,
        description="Send administrators a list of the week's questions that were not answered or that readers marked as wrong; nothing is sent when there are none.",
    )
    weekday: Weekday = Field("monday", description="Day on which it is sent.")
    hour: int = Field(9, ge=0, le=23, description="Full hour at which it is sent, in `time_zone`.")


class Web(Section):
    """How pages of the web become documents (`/add ADDRESS`, `thinktwice index ADDRESS`)."""

    max_bytes: int = Field(5_000_000, ge=1, description="A larger page is refused.")
    max_pages: int = Field(50, ge=1, le=1000, description="Maximum number of pages taken from one sitemap.")
    seconds: float = Field(20.0, gt=0, description="Time to fetch one page, with its redirects.")


class Voice(Section):
    """Voice messages: whether they are questions, and who turns them into text."""

    base_url: str = Field(
        "",
        description="Server that turns voice messages into text, with OpenAI's `/audio/transcriptions`, such as `https://api.openai.com/v1`; empty: voice messages are not understood.",
    )
    model: str = Field("whisper-1", min_length=1, description="Name of the model on that server.")
    api_key: SecretStr = Field(SecretStr(""), description="Key for that server; empty: it needs none.")
    max_seconds: int = Field(120, ge=1, description="A longer voice message is not listened to.")
    timeout_seconds: float = Field(60.0, gt=0, description="Longest time for turning one into text.")


class Interviews(Section):
    """Guided interviews: which there are, and how far they may go."""

    packs: Annotated[tuple[ExpandedPath, ...], NoDecode, BeforeValidator(read_paths)] = Field(
        (),
        description="Folders with mission packs of your own, each pack a folder in one of them; a pack replaces the shipped one of its name. In the variable: separated like `PATH`, or a JSON list.",
    )
    sessions_per_day: int = Field(20, ge=1, description="Interviews that one person can begin in a day.")
    messages_per_session: int = Field(
        100, ge=1, description="Messages of the person in one interview; the pack limits the bot's questions."
    )
    tokens_per_session: int = Field(300_000, ge=1, description="Tokens for one interview.")
    tokens_per_day: int = Field(
        1_000_000, ge=1, description="Tokens for the interviews of one person in a day."
    )
    single_steps: bool = Field(
        False,
        description="Let a program carry out single steps of an interview, for debugging; each of them can cost a model call.",
    )


class Console(Section):
    """The web console and HTTP."""

    enabled: bool = Field(True, description="Serve the web console.")
    host: str = Field(
        "127.0.0.1",
        min_length=1,
        description="Address to listen on. `127.0.0.1` is for this machine alone; before you open another one to a network, put a server with a certificate in front and set `console.public_url`.",
    )
    port: int = Field(8322, ge=0, le=65535, description="Port to listen on; 0 takes any that is free.")
    public_url: str = Field(
        "",
        pattern=r"^(https?://[^/?#]+)?$",
        description="Address at which people open the console, such as `https://console.example.org`; empty: the address it listens on. With `https`, its cookies are sent over encrypted connections only.",
    )
    session_hours: float = Field(
        168.0, gt=0, description="Hours after which somebody who has logged in must do so again."
    )
    requests_per_minute: int = Field(
        600, ge=1, description="Requests to the console within a minute, of one session or one address."
    )
    connections: int = Field(
        1000,
        ge=1,
        description="Connections to the console at a time, at the most, and a quarter of them from one address that is no trusted proxy; further ones are closed, except those that ask for its health or metrics.",
    )
    trusted_proxies: Annotated[tuple[str, ...], NoDecode, BeforeValidator(read_networks)] = Field(
        (),
        description="Addresses and networks of servers in front, such as `127.0.0.1, 10.0.0.0/8`, whose headers `X-Forwarded-For` and `X-Forwarded-Proto` are believed; empty: nobody's.",
    )
