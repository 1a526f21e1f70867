from __future__ import annotations

import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from rag.knowledge.exclusions import Exclusions, is_usable
from rag.knowledge.sources import discover, grouped
from rag.reasons import Reason
from rag.settings import Knowledge
from tests.unit.rag.knowledge.test_sources import keys, write

DEFAULT = Knowledge().exclude


def test_folders_of_programs_are_left_out_and_counted_by_pattern(tmp_path: Path) -> None:
    write(
        tmp_path, "guide.md", "node_modules/a/readme.md", "node_modules/b/b.js", "web/dist/x.md", "build.md"
    )
    found = discover([tmp_path], exclude=DEFAULT)
    assert keys(found) == ["build.md", "guide.md"]
    first, second = grouped(found.skipped)
    assert (first.reason, first.paths, first.files) == (
        Reason("excluded", {"pattern": "node_modules"}),
        ("node_modules/",),
        2,
    )
    assert (second.reason.values["pattern"], second.paths, second.files) == ("dist", ("web/dist/",), 1)


def test_folder_and_file_that_are_named_are_read_whatever_they_are_called(tmp_path: Path) -> None:
    write(tmp_path, "build/a.md", "build/build/b.md", "dist/c.md")
    found = discover([tmp_path / "build", tmp_path / "dist/c.md"], exclude=DEFAULT)
    assert keys(found) == ["a.md", "c.md"]


def test_gitignore_counts_in_its_folder_and_below_and_the_nearest_one_decides(tmp_path: Path) -> None:
    write(
        tmp_path, "a.md", "draft-1.md", "sub/draft-2.md", "sub/keep/draft-3.md", "private/b.md", "sub/c.txt"
    )
    (tmp_path / ".gitignore").write_text("# ours\ndraft-*\n/private/\n")
    (tmp_path / "sub/.gitignore").write_text("*.txt\n")
    (tmp_path / "sub/keep/.gitignore").write_text("!draft-*\n")
    found = discover([tmp_path], exclude=DEFAULT)
    assert keys(found) == ["a.md", "sub/keep/draft-3.md"]
    (group,) = grouped(found.skipped)
    assert group.reason == Reason("git-ignored")
    assert group.paths == ("draft-1.md", "private/", "sub/c.txt", "sub/draft-2.md")


def test_gitignore_above_the_folder_counts_in_a_checkout_unless_it_names_the_folder(tmp_path: Path) -> None:
    write(tmp_path, ".git/HEAD", "docs/a.md", "docs/made/b.md", "out/docs/made/c.md")
    (tmp_path / ".gitignore").write_text("made\nout\n")
    assert keys(discover([tmp_path / "docs"])) == ["a.md"]
    assert keys(discover([tmp_path / "out/docs"])) == ["made/c.md"]
    (tmp_path / ".git/HEAD").unlink()
    (tmp_path / ".git").rmdir()
    assert keys(discover([tmp_path / "docs"])) == ["a.md", "made/b.md"]


def test_link_with_an_excluded_name_is_left_out(tmp_path: Path) -> None:
    write(tmp_path, "packages/a.md")
    (tmp_path / "vendor").symlink_to(tmp_path / "packages")
    found = discover([tmp_path], exclude=DEFAULT)
    assert keys(found) == ["packages/a.md"]
    assert [(skipped.path, skipped.files) for skipped in found.skipped] == [("vendor/", 1)]


@pytest.mark.parametrize("lines", ["!\n\\\n[z-a]\n", "\udcff\n", "[\n", "\0\n", "*" * 1000 + "\n"])
def test_faulty_lines_of_a_gitignore_hide_nothing_and_do_not_stop_the_others(
    tmp_path: Path, lines: str
) -> None:
    write(tmp_path, "a.md", "b.md")
    (tmp_path / ".gitignore").write_bytes(lines.encode("utf-8", "surrogateescape") + b"b.md\n")
    assert keys(discover([tmp_path])) == ["a.md"]


@pytest.mark.parametrize(
    "pattern", ["a*a*a*b", "**/a*/**/b*/**/*c", "*" * 9, "?" * 200 + "*b", "a/**/" * 3 + "*b"]
)
@pytest.mark.timeout(30)  # what grows without bound takes years
def test_hostile_pattern_is_compared_quickly_or_not_at_all(pattern: str) -> None:
    for many in (pattern, pattern * 20, f"*{pattern}" * 9):
        if is_usable(many):
            Exclusions("/r", (many,)).find("/r/" + "/".join(["a" * 250] * 15), is_folder=False)


@pytest.mark.parametrize("pattern", ["!keep", "# comment", "", " ", "a\\b", "[z-a]", "a\nb"])
def test_setting_takes_only_plain_patterns(pattern: str) -> None:
    with pytest.raises(ValidationError):
        Knowledge(exclude=(pattern,))


NAMES = st.sampled_from(["a", "b", "ab", "aa"])
LINES = st.lists(
    st.tuples(st.sampled_from(["", "!"]), st.sampled_from(["", "/", "**/", "a/"]), st.sampled_from(
        ["a", "b", "*", "a*", "*.md", "?b", "a/*", "a/**", "[ab]", "ab"]), st.sampled_from(["", "/"])
    ).map("".join).filter(lambda line: not line.rstrip("/").endswith("/**")), max_size=4,  # "a/**" is read as "a/"
)  # fmt: skip


@pytest.mark.skipif(shutil.which("git") is None, reason="compares with git")
@settings(max_examples=25)
@given(
    tree=st.lists(st.lists(NAMES, min_size=1, max_size=3).map("/".join), min_size=1, max_size=6),
    top=LINES,
    below=LINES,
)
def test_what_is_read_is_what_git_would_track(tree: list[str], top: list[str], below: list[str]) -> None:
    with tempfile.TemporaryDirectory() as name:
        root = Path(name).resolve()
        for path in tree:
            file = root / f"{path}.md"
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text("text")
        (root / ".gitignore").write_text("\n".join(top))
        if (root / "a").is_dir():
            (root / "a/.gitignore").write_text("\n".join(below))
        git = ["git", "-C", name]
        subprocess.run([*git, "init", "-q"], check=True)
        listed = subprocess.run(
            [*git, "ls-files", "--others", "--exclude-standard", "-z"],
            check=True,
            capture_output=True,
            text=True,
        ).stdout.split("\0")
        tracked = sorted(path for path in listed if path.endswith(".md"))
        assert keys(discover([root])) == tracked
