"""Pages of the web from a site on this machine, with redirects to where nobody may go."""

from __future__ import annotations

import ipaddress
import json
import socket
import threading
from collections.abc import Iterator, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.documents import corpus, fetching
from bot.documents.fetching import Fetcher, PageError, is_public
from bot.documents.pages import Pages
from bot.settings.tree import Settings
from rag.knowledge.catalog import Catalog
from rag.knowledge.store import Store
from tests.support.knowledge import make_workshop
from tests.support.sites import Reply, Site, only_this_site

PAGE = b"<title>FxStore</title><h1 id=java>Java</h1><p>FxStore needs Java 17.</p>"


@pytest.fixture
def site() -> Iterator[Site]:
    with Site(page=Reply(PAGE)) as opened:
        yield opened


def fetcher(max_bytes: int = 100_000, seconds: float = 10.0) -> Fetcher:
    return Fetcher(max_bytes, seconds, only_this_site)


def pages(folder: Path, most: int = 50) -> Pages:
    return Pages(folder / "documents", fetcher(), most)


def refused(url: str, **options: Any) -> str:
    with pytest.raises(PageError) as caught:
        fetcher(**options).fetch(url)
    return caught.value.reason.code


def test_page_is_fetched_by_the_name_of_the_program(site: Site) -> None:
    page = fetcher().fetch(f"{site.url}/page")
    assert (page.url, page.kind, page.content) == (f"{site.url}/page", "text/html", PAGE)
    assert [headers["user-agent"] for _, headers in site.asked] == ["ThinkTwice", "ThinkTwice"]
    assert site.paths() == ["/robots.txt", "/page"]


def test_without_the_switch_of_the_tests_this_machine_is_never_asked(site: Site) -> None:
    for url in (f"{site.url}/page", site.url.replace("127.0.0.1", "localhost")):
        with pytest.raises(PageError) as caught:
            Fetcher(1000, 5.0).fetch(url)
        assert caught.value.reason.code == "page-private"
    assert site.asked == []


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1", "127.9.9.9", "10.0.0.1", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1", "0.0.0.0",
        "224.0.0.1", "255.255.255.255", "::1", "::", "fe80::1", "fc00::1", "::ffff:127.0.0.1", "::ffff:10.0.0.1",
        "64:ff9b::7f00:1", "2002:7f00:1::", "ff02::1", "192.0.2.1", "198.18.0.1", "fec0::1", "192.0.0.192",
        "::ffff:192.0.0.192", "168.63.129.16", "3fff::1",
    ],
)  # fmt: skip
def test_address_that_is_not_of_the_public_internet_is_none(address: str) -> None:
    assert not is_public(ipaddress.ip_address(address))


@given(st.ip_addresses(v=4))
def test_wrapped_address_is_as_public_as_what_it_wraps(address: ipaddress.IPv4Address) -> None:
    for wrapped in (f"::ffff:{address}", f"64:ff9b::{int(address) >> 16:x}:{int(address) & 0xFFFF:x}"):
        assert is_public(ipaddress.ip_address(wrapped)) == is_public(address)


@pytest.mark.parametrize("address", ["8.8.8.8", "2606:4700::1111", "::ffff:8.8.8.8"])
def test_address_of_the_public_internet_is_one(address: str) -> None:
    assert is_public(ipaddress.ip_address(address))


@pytest.mark.parametrize(
    ("location", "code"),
    [
        ("http://127.0.0.2/secret", "page-elsewhere"),
        ("http://169.254.169.254/latest/meta-data", "page-elsewhere"),
        ("http://localhost/secret", "page-elsewhere"),
        ("file:///etc/passwd", "page-redirects"),
        ("gopher://127.0.0.1/", "page-redirects"),
        ("http://user@127.0.0.1/", "page-redirects"),
        ("", "page-redirects"),
        ("/from", "page-redirects"),  # round and round
    ],
)
def test_redirect_to_a_forbidden_place_is_not_followed(site: Site, location: str, code: str) -> None:
    site.pages["/from"] = Reply(status=302, headers={"Location": location})
    assert refused(f"{site.url}/from") == code
    assert set(site.paths()) <= {"/robots.txt", "/from"}


def test_redirect_within_the_site_is_followed(site: Site) -> None:
    site.pages["/from"] = Reply(status=301, headers={"Location": "/page"})
    assert fetcher().fetch(f"{site.url}/from").url == f"{site.url}/page"


def test_name_is_resolved_once_and_the_checked_address_is_used(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A name that means the site when it is checked and the machine's secrets when it is connected to."""
    port = int(site.url.rpartition(":")[2])
    answers = iter(["127.0.0.1", "127.0.0.2"] * 3)
    asked: list[str] = []
    connected: list[str] = []
    connect = socket.socket.connect

    def resolve(host: str, *_args: object, **_named: object) -> list[Any]:
        asked.append(host)
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (next(answers), port))]

    def record(opened: socket.socket, address: Any) -> None:
        connected.append(address[0])
        connect(opened, address)

    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    monkeypatch.setattr(socket.socket, "connect", record)
    # The first look-up is for robots.txt; the second, for the page, meets the other address and is refused.
    assert refused(f"http://rebinding.example:{port}/page") == "page-private"
    assert asked == ["rebinding.example", "rebinding.example"]
    assert connected == ["127.0.0.1"]


def test_host_in_punycode_is_looked_up_and_called_as_it_is_written(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By the rule of `socket` the decoded name, straße.example, is the site strasse.example."""
    port = site.url.rpartition(":")[2]
    looked_up = []

    def resolve(host: str | bytes, *_args: object, **_named: object) -> list[Any]:
        looked_up.append(host.encode("idna") if isinstance(host, str) else host)
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("127.0.0.1", int(port)))]

    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    assert fetcher().fetch(f"http://xn--strae-oqa.example:{port}/page").content == PAGE
    assert set(looked_up) == {b"xn--strae-oqa.example"}
    assert {headers["host"] for _, headers in site.asked} == {f"xn--strae-oqa.example:{port}"}


def test_host_with_one_forbidden_address_among_others_is_refused(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    both = [(2, 1, 6, "", ("127.0.0.1", 80)), (2, 1, 6, "", ("10.0.0.1", 80))]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_args, **_named: both)
    assert refused("http://both.example/page") == "page-private"
    assert site.asked == []


def test_robots_txt_is_obeyed_also_behind_a_redirect(site: Site) -> None:
    site.pages["/robots.txt"] = Reply(b"User-agent: *\nDisallow: /private\n", kind="text/plain")
    site.pages["/private"] = Reply(PAGE)
    site.pages["/from"] = Reply(status=302, headers={"Location": "/private"})
    assert refused(f"{site.url}/private") == "page-robots"
    assert refused(f"{site.url}/from") == "page-robots"
    assert fetcher().fetch(f"{site.url}/page").content == PAGE
    assert "/private" not in site.paths()


def test_site_whose_robots_txt_fails_is_left_alone(site: Site) -> None:
    site.pages["/robots.txt"] = Reply(status=503)
    assert refused(f"{site.url}/page") == "page-robots"


@pytest.mark.parametrize(
    ("reply", "code"),
    [
        (Reply(b"x" * 2000), "page-too-large"),
        (Reply(PAGE, headers={"Content-Encoding": "gzip"}), "page-packed"),
        (Reply(status=404), "page-status"),
        (Reply(status=500), "page-status"),
    ],
)
def test_page_beyond_the_limits_is_refused(site: Site, reply: Reply, code: str) -> None:
    site.pages["/other"] = reply
    assert refused(f"{site.url}/other", max_bytes=1000) == code


def test_server_that_never_answers_costs_the_time_that_is_allowed(site: Site) -> None:
    is_over = threading.Event()

    def never(_headers: Mapping[str, str]) -> Reply:
        is_over.wait(30)
        return Reply(PAGE)

    site.pages["/slow"] = never
    try:
        assert refused(f"{site.url}/slow", seconds=0.5) == "page-too-slow"
    finally:
        is_over.set()


@pytest.mark.parametrize("path", ["/page", "/robots.txt"])
def test_server_that_drips_without_a_length_costs_the_time_that_is_allowed(path: str) -> None:
    is_over = threading.Event()

    class Dripping(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200 if self.path == path else 404)
            self.end_headers()
            while self.path == path and not is_over.wait(0.05):
                self.wfile.write(b"x")

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - theirs
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Dripping) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        failed: list[str] = []
        url = f"http://127.0.0.1:{server.server_address[1]}/page"
        asking = threading.Thread(target=lambda: failed.append(refused(url, seconds=0.5)), daemon=True)
        asking.start()
        asking.join(20)
        is_over.set()
        server.shutdown()
        thread.join()
        asking.join()
    assert failed == ["page-too-slow"]


def test_page_that_is_cut_off_is_not_taken_for_the_whole(site: Site) -> None:
    site.pages["/cut"] = Reply(PAGE, headers={"Content-Length": "999999"})
    assert refused(f"{site.url}/cut") == "page-not-reached"


@pytest.mark.parametrize(
    "url", ["", "ftp://example.org/", "file:///etc/passwd", "http://a@127.0.0.1/", "wiki"]
)
def test_what_is_no_address_is_refused(url: str) -> None:
    assert refused(url) == "page-address"


def test_sitemap_is_its_pages_of_the_same_host_up_to_the_limit(site: Site, tmp_path: Path) -> None:
    for number in range(4):
        site.pages[f"/p{number}"] = Reply(b"<h1>Page</h1><p>Number %d.</p>" % number)
    locations = [f"{site.url}/p{n}" for n in range(4)]
    listed = [locations[0], "http://evil.example/x", *locations[1:], f"{site.url}/gone"]
    body = "".join(f"<url><loc>{url}</loc></url>" for url in listed)
    site.pages["/sitemap.xml"] = Reply(f"<urlset>{body}</urlset>".encode(), kind="application/xml")
    added = pages(tmp_path).add(f"{site.url}/sitemap.xml")
    assert len(added.names) == 4
    assert [(failure.path, failure.reason.code) for failure in added.failed] == [
        (f"{site.url}/gone", "page-status")
    ]
    few = pages(tmp_path / "few", most=2).add(f"{site.url}/sitemap.xml")
    assert len(few.names) == 2
    assert [failure.reason.code for failure in few.failed] == ["sitemap-long"]


def test_page_is_read_again_only_when_it_has_changed(site: Site, tmp_path: Path) -> None:
    version = ["1"]

    def page(headers: Mapping[str, str]) -> Reply:
        if headers.get("if-none-match") == f'"{version[0]}"':
            return Reply(status=304)
        return Reply(f"<p>Version {version[0]}.</p>".encode(), headers={"ETag": f'"{version[0]}"'})

    site.pages["/page"] = page
    kept = pages(tmp_path)
    (name,) = kept.add(f"{site.url}/page").names
    file = tmp_path / "documents" / name
    before = file.stat().st_mtime_ns
    assert kept.refresh() == ()
    assert file.stat().st_mtime_ns == before
    version[0] = "2"
    assert pages(tmp_path).refresh() == ()
    assert b"Version 2" in file.read_bytes()
    site.pages["/page"] = Reply(status=500)
    assert [failure.reason.code for failure in pages(tmp_path).refresh()] == ["page-status"]
    assert b"Version 2" in file.read_bytes(), "what was read stays"
    file.unlink()
    asked = len(site.asked)
    assert pages(tmp_path).refresh() == ()
    assert len(site.asked) == asked, "a page that was removed is fetched no more"


def test_list_of_pages_that_was_tampered_with_leads_nowhere_else(site: Site, tmp_path: Path) -> None:
    kept = pages(tmp_path)
    kept.add(f"{site.url}/page")
    (tmp_path / "secret").write_text("s")
    evil = {"../secret": {"url": f"{site.url}/page", "etag": "", "modified": ""}, "x": {"url": "file:///x"}}
    (tmp_path / "documents" / ".pages.json").write_text(json.dumps(evil))
    assert kept.refresh() == ()
    assert kept.addresses() == {}
    assert (tmp_path / "secret").read_text() == "s"


def test_page_is_a_document_with_its_address(
    site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    workshop = make_workshop(tmp_path, monkeypatch)
    workshop.write(own="# Own\n\nText.\n")
    monkeypatch.setattr(fetching, "is_public", only_this_site)
    settings = Settings.load(data_dir=workshop.data, corpus=(workshop.corpus,))
    corpus.web_pages(settings).add(f"{site.url}/page")
    report = corpus.update(settings, workshop.data)
    assert (report.added, report.failed, report.skipped) == (2, (), ())
    store = Store(workshop.data)
    with store.reading() as connection:
        documents = Catalog.read(connection, workshop.data).documents
        urls = {document.title: document.url for document in documents.values()}
    store.close()
    assert urls == {"Own": "", "FxStore": f"{site.url}/page"}
    assert corpus.update(settings, workshop.data, refreshes=True).unchanged == 2
