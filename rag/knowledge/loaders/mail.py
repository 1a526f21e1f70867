"""Reads mails, as mail programs (EML) and Outlook (MSG) save them, with what is attached to them."""

from __future__ import annotations

import email
import io
from collections.abc import Iterator
from email.headerregistry import HeaderRegistry, UnstructuredHeader
from email.message import EmailMessage, Message
from email.policy import default
from pathlib import PurePath

import regex

from rag.errors import DocumentError
from rag.knowledge.documents import Section
from rag.knowledge.loaders import loader_of
from rag.knowledge.loaders.content import HEADING_SEPARATOR, Content, Outline, TextLimit
from rag.knowledge.loaders.html import load_html
from rag.knowledge.sources import KINDS
from rag.language.visible import one_line, visible
from rag.reasons import Reason

_DEPTH = 3  # mails within mails
_NO_SPACES = r"\p{Han}\p{Hiragana}\p{Katakana}\p{Hangul}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}"
_WORD = regex.compile(rf"[{_NO_SPACES}]|(?:(?![{_NO_SPACES}])\p{{L}}){{3,}}+")
"""Letters where words have no spaces between them, since lines may end in any place."""
_ADDRESS = regex.compile(r"(?<!\S)\S*?(?://|@|www\.)\S++|\[[^\[\]\n]*+\]")
_HEADERS = ("From", "To", "Cc", "Date")
_POLICY = default.clone(header_factory=(_REGISTRY := HeaderRegistry()))
for _name in _HEADERS:  # the library fails on some addresses and years when it takes them apart
    _REGISTRY.map_to_type(_name, UnstructuredHeader)  # type: ignore[arg-type]  # works like a base


def load_eml(content: bytes, limit: TextLimit) -> Content:
    """Read a mail as it was sent."""
    return _load(email.message_from_bytes(content, policy=_POLICY), limit, depth=0)


def load_msg(content: bytes, limit: TextLimit) -> Content:
    """Read a mail that Outlook saved, as if it had been sent."""
    from oxmsg import Message as OutlookMessage

    message = EmailMessage()
    try:
        saved = OutlookMessage.load(io.BytesIO(content))
        message["Subject"] = one_line(saved.subject or "")
        message["From"] = one_line(saved.sender or "")
        message["To"] = ", ".join(one_line(f"{one.name} <{one.email_address}>") for one in saved.recipients)
        message["Date"] = saved.sent_date or ""
        body = visible(saved.body or "")
        message.set_content(body)
        if saved.html_body:
            message.add_alternative(visible(saved.html_body), subtype="html")
        for one in saved.attachments:
            message.add_attachment(
                one.file_bytes or b"", maintype="application", subtype="octet-stream", filename=one.file_name
            )
    except (OSError, ValueError, LookupError, TypeError, AttributeError) as error:
        raise DocumentError(Reason("mail-damaged")) from error
    return _load(message, limit, depth=0)


def _load(mail: Message, limit: TextLimit, depth: int) -> Content:
    outline = Outline()
    subject = one_line(str(mail["Subject"] or ""))
    outline.heading(1, subject)
    for name in _HEADERS:
        if mail[name]:
            outline.line(one_line(f"{name}: {mail[name]}"))
    outline.blank()
    plain, rich = (
        mail.get_body((kind,)) if isinstance(mail, EmailMessage) else None for kind in ("plain", "html")
    )
    text = visible(_text(plain)).strip()
    limit.count(text)
    source = _payload(rich) if rich is not None else b""
    body = load_html(source, limit) if rich is not None else Content("", ())
    # A mail program shows the rich part; the plain one is easier to read, but may say what nobody sees.
    shown = set(_WORD.findall(" ".join(f"{one.heading} {one.text}" for one in body.sections).casefold()))
    said = set(_WORD.findall(_ADDRESS.sub(" ", text.casefold())))
    is_picture = b"<img" in source.lower() and 2 * len(shown) < len(said)  # which may say all of it
    unseen = bool(shown) and not is_picture and not shown.issuperset(said)
    is_rich = unseen or not text
    outline.line("" if is_rich else text)
    sections, notes = list(outline.sections()), list[Reason]()
    if is_rich:
        sections += _below(subject, body.sections)
        notes += body.notes or ([Reason("html-hidden", {"count": 1})] if unseen else [])
    for part in mail.iter_attachments() if isinstance(mail, EmailMessage) else ():
        name, content = _attached(part)
        try:
            found = _attachment(name, content, limit, depth)
        except DocumentError as error:
            notes.append(Reason("part-not-read", {"name": name, "reason": error.reason}))
            continue
        sections += _below(HEADING_SEPARATOR.join(filter(None, (subject, name))), found.sections)
        notes += (Reason("part-of", {"name": name, "reason": note}) for note in found.notes)
    return Content(subject, tuple(sections), tuple(notes))


def _text(part: Message | None) -> str:
    try:
        return str(part.get_content()) if isinstance(part, EmailMessage) else ""
    except (LookupError, ValueError):  # an encoding that nobody knows
        return _payload(part).decode("utf-8", "replace") if part else ""


def _payload(part: Message) -> bytes:
    payload = part.get_payload(decode=True)
    return payload if isinstance(payload, bytes) else b""


def _attached(part: Message) -> tuple[str, bytes]:
    if isinstance(part, EmailMessage) and part.get_content_type() == "message/rfc822":
        inner = part.get_content()
        return f"{one_line(str(inner['Subject'] or '')) or 'mail'}.eml", inner.as_bytes()
    return one_line(part.get_filename() or ""), _payload(part)


def _attachment(name: str, content: bytes, limit: TextLimit, depth: int) -> Content:
    ending = PurePath(name).suffix.lower()
    kind = KINDS.get(ending)
    if kind is None or kind == "jsonl" or depth >= _DEPTH:
        raise DocumentError(Reason("skipped-kind", {"ending": ending or "?"}))
    if kind == "eml":
        return _load(email.message_from_bytes(content, policy=_POLICY), limit, depth + 1)
    return loader_of(kind)(content, limit)


def _below(heading: str, sections: tuple[Section, ...]) -> Iterator[Section]:
    for section in sections:
        yield Section(HEADING_SEPARATOR.join(filter(None, (heading, section.heading))), section.text)
