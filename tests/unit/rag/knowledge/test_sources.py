from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from rag.errors import InputError
from rag.knowledge.sources import Discovery, Skipped, discover, grouped
from rag.reasons import Reason


def write(folder: Path, *names: str) -> None:
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("text", encoding="utf-8")


def keys(discovery: Discovery) -> list[str]:
    return [source.key for source in discovery.sources]


def test_folder_is_read_with_its_subfolders_in_the_order_of_keys(tmp_path: Path) -> None:
    write(tmp_path, "b.md", "a/z.txt", "a/b/c.PDF", "x.docx", "y.htm", "rows.jsonl")
    discovery = discover([tmp_path])
    assert [(source.key, source.kind) for source in discovery.sources] == [
        ("a/b/c.PDF", "pdf"),
        ("a/z.txt", "text"),
        ("b.md", "markdown"),
        ("rows.jsonl", "jsonl"),
        ("x.docx", "docx"),
        ("y.htm", "html"),
    ]


def test_source_carries_size_and_time_of_its_file(tmp_path: Path) -> None:
    write(tmp_path, "a.md")
    os.utime(tmp_path / "a.md", ns=(5, 1_234_567_890))
    (source,) = discover([tmp_path]).sources
    assert (source.size, source.mtime_ns, source.path) == (4, 1_234_567_890, tmp_path / "a.md")


def test_discovery_opens_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, "a.md", "b/c.txt")

    def refuse(*args: object, **kwargs: object) -> None:
        raise AssertionError("a file was opened")

    monkeypatch.setattr("builtins.open", refuse)
    monkeypatch.setattr("io.open", refuse)
    monkeypatch.setattr(os, "open", refuse)
    assert keys(discover([tmp_path])) == ["a.md", "b/c.txt"]


def test_hidden_files_and_locks_are_counted_but_not_the_programs_own(tmp_path: Path) -> None:
    hidden = (".b.md", ".git/c.md", ".git/d/e", "f/.g/h.md", "~$i.docx")
    write(tmp_path, "a.md", ".partial-1-j.md", ".answers.json", *hidden)
    discovery = discover([tmp_path])
    assert keys(discovery) == ["a.md"]
    (group,) = grouped(discovery.skipped)
    assert (group.files, group.paths) == (4, (".b.md", ".git/", "f/.g/", "~$i.docx"))
    assert group.reason == Reason("hidden")


def test_hidden_folder_that_is_named_is_read(tmp_path: Path) -> None:
    write(tmp_path, ".notes/a.md")
    assert keys(discover([tmp_path / ".notes"])) == ["a.md"]


def test_every_file_of_an_unknown_kind_is_listed_with_its_reason_and_is_no_failure(tmp_path: Path) -> None:
    write(tmp_path, "a.md", "b.png", "c/d.PNG", "Makefile")
    discovery = discover([tmp_path])
    assert (keys(discovery), discovery.failed) == (["a.md"], ())
    png, none = Reason("skipped-kind", {"ending": ".png"}), Reason("no-ending")
    assert discovery.skipped == (Skipped("Makefile", none), Skipped("b.png", png), Skipped("c/d.PNG", png))


def test_skipped_files_are_grouped_by_reason_the_largest_group_first(tmp_path: Path) -> None:
    write(tmp_path, "Makefile", *(f"{number}.png" for number in range(4)))
    pictures, others = grouped(discover([tmp_path]).skipped)
    assert pictures.paths == ("0.png", "1.png", "2.png", "3.png")
    assert (pictures.named(3), pictures.named(4)) == ("0.png, 1.png, 2.png, …", "0.png, 1.png, 2.png, 3.png")
    assert others.paths == ("Makefile",)


def test_named_file_of_an_unknown_kind_is_a_failure(tmp_path: Path) -> None:
    write(tmp_path, "photo.png")
    (failure,) = discover([tmp_path / "photo.png"]).failed
    assert failure.path == "photo.png"
    assert "known endings: .adoc" in str(failure.reason)


def test_ending_with_a_langchain_loader_becomes_known_and_wins(tmp_path: Path) -> None:
    write(tmp_path, "a.csv", "b.CSV", "c.pdf")
    found = discover([tmp_path], langchain_endings=[".csv", ".PDF"]).sources
    assert [source.kind for source in found] == ["langchain"] * 3


@pytest.mark.parametrize(
    "name", ["with space.md", "Отпуск.md", "🙂.md", "line\nbreak.md", "年假.md", "100%'\";.md", "휴가.md"]
)
def test_any_file_name_works(tmp_path: Path, name: str) -> None:
    write(tmp_path, f"{name}.d/{name}")
    (source,) = discover([tmp_path]).sources
    assert source.key == f"{name}.d/{name}"
    assert source.path.read_text(encoding="utf-8") == "text"


@pytest.mark.skipif(sys.platform != "linux", reason="other systems refuse such names")
def test_file_name_that_is_not_utf8_gets_a_key_that_can_be_stored(tmp_path: Path) -> None:
    for raw in (b"caf\xe9.md", b"caf\xea.md"):
        Path(os.fsdecode(os.fsencode(tmp_path) + b"/" + raw)).write_text("text")
    found = discover([tmp_path]).sources
    assert len({source.key.encode("utf-8") for source in found}) == 2
    assert [source.path.read_text() for source in found] == ["text", "text"]


def test_path_that_does_not_exist_is_an_input_error_that_names_it(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"nowhere does not exist: check its spelling$"):
        discover([tmp_path / "nowhere"])


def test_pipe_among_the_files_does_not_block(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.md")
    assert discover([tmp_path]) == Discovery((), skipped=(Skipped("pipe.md", Reason("not-a-file")),))
    with pytest.raises(InputError, match="neither a file nor a folder"):
        discover([tmp_path / "pipe.md"])


def test_empty_folder_has_no_sources(tmp_path: Path) -> None:
    assert discover([tmp_path]) == Discovery(())


@pytest.mark.skipif(os.geteuid() == 0, reason="root may open every folder")
def test_folder_that_cannot_be_opened_is_a_failure_and_the_rest_is_read(tmp_path: Path) -> None:
    write(tmp_path, "a.md", "locked/b.md")
    (tmp_path / "locked").chmod(0)
    try:
        discovery = discover([tmp_path])
    finally:
        (tmp_path / "locked").chmod(0o700)
    assert keys(discovery) == ["a.md"]
    assert [failure.path for failure in discovery.failed] == ["locked"]


def test_loop_of_links_ends(tmp_path: Path) -> None:
    write(tmp_path, "a/b.md")
    (tmp_path / "a" / "up").symlink_to(tmp_path)
    (tmp_path / "a" / "same").symlink_to(tmp_path / "a")
    (tmp_path / "itself.md").symlink_to(tmp_path / "itself.md")
    discovery = discover([tmp_path])
    assert keys(discovery) == ["a/b.md"]
    assert discovery.skipped == (Skipped("itself.md", Reason("link-broken")),)


def test_link_that_leaves_the_root_is_not_followed(tmp_path: Path) -> None:
    write(tmp_path, "secret/passwords.md", "docs/a.md")
    write(tmp_path, "docs-secret/b.md")
    (tmp_path / "docs" / "out").symlink_to(tmp_path / "secret")
    (tmp_path / "docs" / "out.md").symlink_to(tmp_path / "secret" / "passwords.md")
    (tmp_path / "docs" / "next").symlink_to(tmp_path / "docs-secret")
    discovery = discover([tmp_path / "docs"])
    assert keys(discovery) == ["a.md"]
    outside = Reason("link-outside")
    assert discovery.skipped == tuple(Skipped(name, outside) for name in ("next", "out", "out.md"))


def test_link_to_a_visible_file_is_no_second_document(tmp_path: Path) -> None:
    write(tmp_path, "z.md")
    (tmp_path / "a.md").symlink_to(tmp_path / "z.md")
    assert keys(discover([tmp_path])) == ["z.md"]


def test_link_to_a_hidden_copy_inside_the_root_is_followed(tmp_path: Path) -> None:
    # The way a mounted Kubernetes volume looks.
    write(tmp_path, "..2026/guide.md")
    (tmp_path / "..data").symlink_to(tmp_path / "..2026")
    (tmp_path / "guide.md").symlink_to(tmp_path / "..data" / "guide.md")
    assert keys(discover([tmp_path])) == ["guide.md"]


def test_root_may_itself_be_a_link(tmp_path: Path) -> None:
    write(tmp_path, "real/a.md")
    (tmp_path / "link").symlink_to(tmp_path / "real")
    assert keys(discover([tmp_path / "link"])) == ["a.md"]


def test_keys_are_unique_across_roots(tmp_path: Path) -> None:
    write(tmp_path, "one/docs/a.md", "two/docs/a.md", "two/docs/b.md", "three/docs/a.md")
    found = discover([tmp_path / name / "docs" for name in ("one", "two", "three")]).sources
    assert {source.key: source.path.parent.parent.name for source in found} == {
        "a.md": "one",
        "docs/a.md": "two",
        "b.md": "two",
        "docs-2/a.md": "three",
    }


@pytest.mark.parametrize(
    "order", [("docs", "docs/sub", "docs/sub/a.md"), ("docs/sub/a.md", "docs/sub", "docs")]
)
def test_file_that_is_reached_twice_is_listed_once(tmp_path: Path, order: tuple[str, ...]) -> None:
    write(tmp_path, "docs/sub/a.md", "docs/b.md")
    assert len(discover([tmp_path / name for name in order]).sources) == 2


def test_rows_of_a_named_jsonl_file_keep_their_ids_and_others_say_their_file(tmp_path: Path) -> None:
    write(tmp_path, "corpus.jsonl", "docs/faq.jsonl")
    found = discover([tmp_path / "corpus.jsonl", tmp_path / "docs"]).sources
    assert {source.key: source.row_prefix for source in found} == {
        "corpus.jsonl": "",
        "faq.jsonl": "faq.jsonl#",
    }
