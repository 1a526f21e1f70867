from __future__ import annotations

import contextlib
import io
import json
import logging
import logging.handlers
import sys
import threading
import unicodedata
from collections.abc import Callable, Iterator
from urllib.parse import quote

import pytest
import structlog
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from pydantic import SecretStr

from bot.exit_codes import reported
from bot.logs import setup
from bot.logs.redaction import HIDDEN, LONGEST_FIELD, SECRETS, Redactor, lines, one_line
from bot.settings.faults import BadSettingError
from bot.settings.tree import Settings
from rag.errors import OperatorError

TOKEN = "7000000001:AAF-fake-token-for-the-tests-0123456789"

# With the characters that addresses, JSON and reprs write in another way.
secrets = st.one_of(
    st.text(min_size=8, max_size=60).filter(lambda text: len(text.strip()) >= 8),
    st.text("aB3:/@%&=?#'\"\\ \n\x1bжß한🙂", min_size=8, max_size=40).filter(
        lambda text: len(text.strip()) >= 8
    ),
    st.from_regex(r"[0-9]{8,10}:[A-Za-z0-9_-]{35}", fullmatch=True),
)


@pytest.fixture(autouse=True)
def _own_logging(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    root, factory, hook = logging.getLogger(), logging.getLogRecordFactory(), threading.excepthook
    handlers = list(root.handlers)
    monkeypatch.setenv("THINKTWICE_TRACEBACK", "1")
    yield
    root.handlers[:] = handlers
    logging.setLogRecordFactory(factory)
    threading.excepthook = hook
    structlog.reset_defaults()


def through_structlog(secret: str) -> None:
    log = structlog.get_logger("anything").bind(bound=secret)
    event = f"before {secret} after"
    log.info(event, field=secret, nested={"key": [secret]}, n=3)
    log.warning("a value", secret=SecretStr(secret), pair=(secret, 1), error=ValueError(secret))


def through_an_exception(secret: str) -> None:
    try:
        try:
            int(secret + "x")
        except ValueError as exc:
            raise RuntimeError(f"https://host/bot{secret}/getMe") from exc
    except RuntimeError:
        structlog.get_logger().exception("it failed")
        logging.getLogger("a.library").exception("it failed with %s", secret)


def through_a_library(secret: str) -> None:
    log = logging.getLogger("httpx")
    log.setLevel(logging.INFO)
    log.info(
        'HTTP Request: %s %s "%s %d %s"', "POST", f"https://h/bot{secret}/getUpdates", "HTTP/1.1", 200, "OK"
    )
    log.warning("%r %s", {"token": secret}, [secret])
    log.error("wrongly formatted %d", secret)
    log.warning("with a stack %s", secret, stack_info=True)


def through_a_command(secret: str) -> None:
    def expected() -> None:
        raise OperatorError(f"the server at {secret} refused")

    def unexpected() -> None:
        raise ZeroDivisionError(secret)

    assert reported(expected) == 3
    assert reported(unexpected) == 70


def through_a_thread(secret: str) -> None:
    def fail() -> None:
        raise LookupError(secret)

    thread = threading.Thread(target=fail, name=f"thread {secret}")
    thread.start()
    thread.join()


PATHS = [through_structlog, through_an_exception, through_a_library, through_a_command, through_a_thread]


def printed(path: Callable[[str], None], secret: str) -> str:
    """What comes out when everything is logged, also by a handler that a library has brought."""
    redirected, brought = io.StringIO(), io.StringIO()
    foreign = logging.StreamHandler(brought)
    with contextlib.redirect_stderr(redirected), contextlib.redirect_stdout(redirected):
        setup.configure(logging.DEBUG)
        root = logging.getLogger()
        root.addHandler(foreign)
        try:
            path(secret)
        finally:
            root.removeHandler(foreign)
    return redirected.getvalue() + brought.getvalue()


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.__name__)
@given(secret=secrets)
@example(secret=TOKEN)
@example(secret='it\'s "quoted" \\ here\n')
@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_no_secret_comes_out_of_any_path(path: Callable[[str], None], secret: str) -> None:
    if any(len(set(part)) <= 2 for part in (secret, secret.strip())):
        return  # "00000000" stands in every second line by itself
    SECRETS.__init__()  # type: ignore[misc]  # without the ones of the examples before
    # By its setting, as in the program.
    for known in Settings(telegram={"token": secret}).secrets():
        SECRETS.add(known)
    out = printed(path, secret)
    assert HIDDEN in out
    for spelling in {secret, quote(secret, safe=""), json.dumps(secret)[1:-1], repr(secret)[1:-1]}:
        assert spelling not in out


def _shown(secret: str) -> str:
    """Every way in which settings with a secret are shown."""
    made = Settings(telegram={"token": secret}, models={"openai_api_key": secret}, database_url=secret)
    return repr(made) + str(made) + made.model_dump_json() + repr(made.telegram)


@given(secret=secrets)
@example(secret="self_cor")
def test_settings_do_not_show_their_secrets(secret: str) -> None:
    marker = secret.strip()
    # What stands there anyway, such as a part of a setting's name, gives nothing away.
    assert _shown(secret).count(marker) == _shown("another secret").count(marker)


def test_mistake_beside_a_secret_does_not_repeat_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("THINKTWICE_TELEGRAM__TOKEN", TOKEN)
    monkeypatch.setenv("THINKTWICE_TELEGRAM__MODE", "smoke signals")
    with pytest.raises(BadSettingError) as caught:
        Settings.load()
    assert TOKEN not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"GET https://api.telegram.org/bot{TOKEN}/getMe", f"GET https://api.telegram.org/bot{HIDDEN}/getMe"),
        (f"bot{TOKEN.replace(':', '%3A')}/x", f"bot{HIDDEN}/x"),
        ("key sk-proj-abcdefghijklmnop1234", f"key {HIDDEN}"),
        ("Authorization: Bearer abc.def-1234567", f"Authorization: Bearer {HIDDEN}"),
        ("postgresql://me:hush@db.local/name", f"postgresql://{HIDDEN}@db.local/name"),
        ("write postgresql://user:password@host/name", "write postgresql://user:password@host/name"),
        ("a ratio of 10:20 at 12:30:45 for 123456789", "a ratio of 10:20 at 12:30:45 for 123456789"),
        (
            "chat -100123456789:12 and workflow tg:7000000001:42",
            "chat -100123456789:12 and workflow tg:7000000001:42",
        ),
    ],
    ids=["token", "token in an address", "key", "bearer", "address", "example", "numbers", "ids"],
)
def test_secrets_are_known_by_their_form(text: str, expected: str) -> None:
    assert Redactor().clean(text) == expected


def test_password_of_an_address_is_hidden_by_itself_as_well() -> None:
    redactor = Redactor()
    redactor.add("postgresql://me:s%40cret-word@db/name")
    assert (
        redactor.clean("FATAL: s@cret-word refused, s%40cret-word too")
        == f"FATAL: {HIDDEN} refused, {HIDDEN} too"
    )


@given(st.text(max_size=300))
def test_line_stays_one_line_and_nothing_in_it_is_invisible(text: str) -> None:
    line = one_line(text)
    assert len(line.splitlines()) <= 1
    # Controls, format characters (joiners, marks of direction), halves of pairs, breaks of lines.
    assert not {unicodedata.category(character) for character in line} & {"Cc", "Cf", "Cs", "Zl", "Zp"}
    line.encode("utf-8")


def test_forged_line_and_colours_are_written_out() -> None:
    assert one_line("ok\n[error] all is lost\x1b[31m\u202e") == r"ok\n[error] all is lost\x1b[31m\u202e"


def test_field_of_a_megabyte_is_cut_and_says_so() -> None:
    line = one_line("x" * 1_000_000)
    assert line == "x" * LONGEST_FIELD + "… (998,000 more characters)"


def test_secret_at_the_place_of_the_cut_is_gone_before() -> None:
    redactor = Redactor()
    redactor.add("swordfish-and-more")
    field = str(redactor.field("x" * (LONGEST_FIELD - 5) + "swordfish-and-more"))
    assert "sword" not in field


def test_lines_of_a_traceback_cannot_be_taken_for_lines_of_the_log() -> None:
    assert (
        lines("Traceback\n[error] forged\r[error] too")
        == "    Traceback\n    [error] forged\n    [error] too"
    )


def test_log_line_of_anything_is_one_line(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("THINKTWICE_TRACEBACK")
    setup.configure()
    structlog.get_logger().warning("a\nb", text="x\r\n[error] y" * 1000, n=3)
    logging.getLogger("library").error("a\nb \x1b[2J %s", "c\nd")
    out, err = capsys.readouterr()
    assert out == ""
    assert len(err.splitlines()) == 2
    assert "\x1b" not in err
    assert err.startswith("[warning] a\\nb n=3 text=")
    assert "[error] a\\nb \\x1b[2J c\\nd [library]" in err
    assert sys.stderr is not None
