"""The page of conversations: figures of all, words of groups alone."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator

import httpx
import pytest
from structlog.testing import CapturingLogger

from bot.service import keys
from bot.service.incoming import Place, Sender
from bot.storage.privacy import Privacy
from bot.telegram.ids import to_peer
from bot.web.pages import conversations
from tests.support.console import ADMIN, MEMBER, OWNER, Serve, Served, talked

GROUP = Place(to_peer(-500), "group", 7, "The team")
PRIVATE = keys.conversation_key(to_peer(MEMBER), None)
IN_CONSOLE = keys.web_conversation_key(to_peer(MEMBER), 1)
BY_LABEL = re.compile(r'<td class="figure">(\d+)</td>')


@pytest.fixture
async def console(serve: Serve) -> AsyncIterator[Served]:
    async with serve() as running:
        await running.parts.chats.seen(GROUP)
        await running.parts.users.seen(Sender(to_peer(MEMBER), "person", "Mia"))
        yield running


def row_of(page: str, name: str, kind: str) -> str:
    """The row of a conversation."""
    found = re.search(rf"<tr>\s*<th(?:(?!</tr>).)*>{name}<(?:(?!</tr>).)*{kind}.*?</tr>", page, re.DOTALL)
    assert found, (name, kind)
    return found[0]


def figures(page: str, name: str, kind: str) -> str:
    """The figures of a conversation, each of one digit."""
    return "".join(BY_LABEL.findall(row_of(page, name, kind)))


async def test_list_has_figures_of_all_and_words_of_nobody(console: Served) -> None:
    await talked(console, PRIVATE, MEMBER, "my secret alpha", "told beta", "general")
    await talked(console, IN_CONSOLE, MEMBER, "my secret gamma", "told delta", "unverified")
    await talked(console, GROUP.conversation_id, MEMBER, "asked epsilon", "told zeta")
    await talked(console, GROUP.conversation_id, ADMIN, "asked eta", "told theta", "not_in_documents")
    await talked(console, "terminal", 0, "typed iota", "told kappa")
    async with console.browser(ADMIN) as browser:
        page = (await browser.get("/conversations")).text
    for word in ["alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota", "kappa"]:
        assert word not in page.split()
    # Questions, people, and answers by label: verified, partly, unverified, conversation, general, none.
    assert figures(page, "The team", "group · topic 7") == "22100001"
    assert figures(page, "Mia", "with the bot alone") == "11000010"
    assert figures(page, "Mia", "in the console") == "11001000"
    assert figures(page, "–", "in a terminal") == "11100000"
    # The latest comes first, and the group's alone leads on.
    assert page.index("in a terminal") < page.index("The team") < page.index("in the console")
    assert re.findall(r'href="/conversations/([^"]+)"', page) == ["telegram%3A-500%3A7"]


@pytest.mark.parametrize("reader", [OWNER, ADMIN])
async def test_what_is_said_to_the_bot_alone_is_for_nobody_else(console: Served, reader: int) -> None:
    for conversation_id in (PRIVATE, IN_CONSOLE, "terminal"):
        await talked(console, conversation_id, MEMBER, "my secret alpha", "told beta")
    own = keys.conversation_key(to_peer(reader), None)
    await talked(console, own, reader, "my own words", "told so")
    async with console.browser(reader) as browser:
        for conversation_id in (PRIVATE, IN_CONSOLE, "terminal", "telegram:44:0"):
            reply = await browser.get(f"/conversations/{conversation_id}")
            assert reply.status_code == 403
            assert "for the person who held it alone" in reply.text
            assert "alpha" not in reply.text
        assert "my own words" in (await browser.get(f"/conversations/{own}")).text
    async with console.browser(MEMBER) as browser:
        assert (await browser.get(f"/conversations/{PRIVATE}")).status_code == 403


async def test_group_is_read_with_labels_and_as_text_and_the_log_says_by_whom(
    console: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = CapturingLogger()
    monkeypatch.setattr(conversations, "_log", log)
    told = "**Java** <img src=x onerror=alert(1)> ![x](https://example.org/x.png)"
    await talked(console, GROUP.conversation_id, MEMBER, "Which <b>Java</b>?", told, "unverified")
    async with console.browser(ADMIN) as browser:
        page = (await browser.get(f"/conversations/{GROUP.conversation_id}")).text
        assert (await browser.get("/conversations/telegram:-501:0")).status_code == 404
    assert '<h1 dir="auto">The team</h1>' in page
    assert f'<strong dir="auto">person {MEMBER}</strong>' in page
    assert "Which &lt;b&gt;Java&lt;/b&gt;?" in page
    assert "<strong>Java</strong>" in page
    assert "<img" not in page
    assert 'class="label label-unverified"' in page
    (line,) = log.calls
    assert line.kwargs == {"by": to_peer(ADMIN), "conversation": GROUP.conversation_id}


def earlier_in(page: str) -> str:
    found = re.search(r'href="(/conversations[^"]*before=\d+)"', page)
    return found[1] if found else ""


async def pages_from(client: httpx.AsyncClient, path: str) -> list[str]:
    """The page at a path and all earlier ones."""
    pages = []
    while path:
        pages.append((await client.get(path)).text)
        path = earlier_in(pages[-1])
    return pages


@pytest.mark.parametrize("count", [25, 50, 60])
async def test_pages_have_every_message_once_in_order(console: Served, count: int) -> None:
    for number in range(count):
        await talked(console, GROUP.conversation_id, MEMBER, f"asked {number}.", f"told {number}.")
    async with console.browser(ADMIN) as browser:
        pages = await pages_from(browser.client, f"/conversations/{GROUP.conversation_id}")
    assert len(pages) == -(-count // 25)
    told = [found for page in reversed(pages) for found in re.findall(r"(?:asked|told) (\d+)\.", page)]
    assert told == [str(number) for number in range(count) for _ in range(2)]
    assert all("Latest" in page for page in pages[1:])


async def test_pages_of_the_list_have_every_conversation_once(console: Served) -> None:
    for number in range(1, 121):
        await talked(console, keys.web_conversation_key(to_peer(MEMBER), number), MEMBER, "a", "b")
    async with console.browser(ADMIN) as browser:
        pages = await pages_from(browser.client, "/conversations")
        assert (await browser.get("/conversations?before=x")).status_code == 404
    assert [page.count("in the console") for page in pages] == [50, 50, 20]


async def test_words_that_were_erased_are_on_no_page(console: Served) -> None:
    await talked(console, PRIVATE, MEMBER, "alpha", "beta")
    await talked(console, GROUP.conversation_id, MEMBER, "gamma", "delta")
    await talked(console, GROUP.conversation_id, ADMIN, "my question", "the reply")
    async with console.browser(ADMIN) as browser:
        assert "gamma" in (await browser.get(f"/conversations/{GROUP.conversation_id}")).text
        await Privacy(console.parts.database).erase(to_peer(MEMBER))
        page = (await browser.get(f"/conversations/{GROUP.conversation_id}")).text
        assert "my question" in page
        for word in ("gamma", "delta", f"person {MEMBER}"):
            assert word not in page
        listed = (await browser.get("/conversations")).text
        assert "Mia" not in listed
        assert "with the bot alone" not in listed
        assert BY_LABEL.findall(row_of(listed, "The team", "group"))[:2] == ["1", "1"]
        # What the group itself forgets is gone as well.
        await console.parts.memory.reset(GROUP.conversation_id)
        assert (await browser.get(f"/conversations/{GROUP.conversation_id}")).status_code == 404
        assert "The team" not in (await browser.get("/conversations")).text


async def test_only_addresses_of_allowed_hosts_are_links(serve: Serve) -> None:
    text = (
        "[Guide](https://docs.example.org/a), [prize](https://evil.example/?q=secret) "
        "and [it](https://x.wiki.test/) [trick](https://evil.example&bsol;@docs.example.org/)."
    )
    given = {"link_hosts": ("docs.example.org", ".wiki.test")}
    async with serve(telegram=given) as console:
        await console.parts.chats.seen(GROUP)
        await talked(console, "telegram:-500:7", MEMBER, "Where?", text)
        async with console.browser(OWNER) as owner:
            page = (await owner.get("/conversations/telegram%3A-500%3A7")).text
    assert 'href="https://docs.example.org/a"' in page
    assert 'href="https://x.wiki.test/"' in page
    assert 'href="https://evil.example' not in page
    assert "<code>https://evil.example/?q=secret</code>" in page
