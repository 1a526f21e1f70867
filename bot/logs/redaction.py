"""Takes secrets out of everything that is logged or printed, and makes one line of what would be many.

Secrets are known in two ways: the settings register the ones that are set, and tokens of bots, keys of model
servers and passwords in addresses are known by their form, also when nobody has registered them.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterable
from urllib.parse import quote, quote_plus, unquote, urlsplit

HIDDEN = "[hidden]"
LONGEST_FIELD = 2_000
"""Characters of one field of a log line at the most."""

# A shorter one cannot be told from ordinary text, and hides nothing that could not be guessed.
_SHORTEST_SECRET = 6

_FORMS = re.compile(
    r"(?<!\d)\d{6,12}(?::|%3A)[A-Za-z0-9_-]{20,}"
    r"|\b(?:sk|gsk|pk|rk|xai|hf)[-_][A-Za-z0-9_-]{16,}"
    r"|(?<=[Bb]earer )[A-Za-z0-9._~+/=-]{8,}"
)
# The words of an example in a message are nobody's password.
_ADDRESS = re.compile(r"(?<=://)(?!user:password@)[^\s/@'\"]*:[^\s/'\"]*@")

_INVISIBLE = {"Cc", "Cf", "Cs", "Zl", "Zp"}


class Redactor:
    """Knows secrets and replaces them. `add` them as early as they are known."""

    def __init__(self) -> None:
        self._spellings: dict[str, None] = {}
        self._pattern: re.Pattern[str] | None = None

    def add(self, secret: str) -> None:
        """Hide `secret` from now on, however it is written; a password inside an address as well."""
        for part in (secret, *_passwords(secret)):
            if len(part.strip()) >= _SHORTEST_SECRET:
                self._spellings |= dict.fromkeys(_spellings(part))
        # The longest first: one secret may be the beginning of another.
        known = sorted(self._spellings, key=len, reverse=True)
        self._pattern = re.compile("|".join(map(re.escape, known))) if known else None

    def clean(self, text: str) -> str:
        """Return the text without secrets."""
        if self._pattern is not None:
            text = self._pattern.sub(HIDDEN, text)
        text = _ADDRESS.sub(f"{HIDDEN}@", text)
        return _FORMS.sub(HIDDEN, text)

    def field(self, value: object) -> object:
        """Return a field of a log line: numbers as they are, all else as one short line without secrets."""
        if value is None or isinstance(value, (bool, int, float)):
            return value
        # Secrets go first: cut in two, a secret would not be known any more.
        return one_line(self.clean(value if isinstance(value, str) else repr(value)))


def one_line(text: str, longest: int = LONGEST_FIELD) -> str:
    """Return a text as a line on which nothing is invisible and nothing moves the cursor.

    Args:
        longest: Characters at the most; how many were left out is said.
    """
    left_out = len(text) - longest
    kept = "".join(map(_visible, text[:longest]))
    return f"{kept}… ({left_out:,} more characters)" if left_out > 0 else kept


def lines(text: str) -> str:
    """Return a text of several lines, each indented, so that none can be taken for a line of the log."""
    return "\n".join(f"    {one_line(line)}" for line in text.splitlines())


def _visible(character: str) -> str:
    if unicodedata.category(character) not in _INVISIBLE:
        return character
    return character.encode("unicode_escape").decode("ascii")


def _spellings(secret: str) -> Iterable[str]:
    """A secret as it looks in text, in an address, in JSON and in the repr of a value."""
    yield secret
    yield quote(secret, safe="", errors="surrogatepass")
    yield quote(secret, errors="surrogatepass")
    yield quote_plus(secret, errors="surrogatepass")
    yield json.dumps(secret)[1:-1]
    yield json.dumps(secret, ensure_ascii=False)[1:-1]
    yield repr(secret)[1:-1]
    yield ascii(secret)[1:-1]
    yield repr(repr(secret))[2:-2]
    yield "".join(map(_visible, secret))


def _passwords(secret: str) -> Iterable[str]:
    """The password in an address, as it is written and as it is meant."""
    try:
        password = urlsplit(secret).password
    except ValueError:
        return
    if password:
        yield password
        yield unquote(password)


SECRETS = Redactor()
