"""No pattern of the product takes super-linear time, whatever text a model, a stranger or a document holds."""

from __future__ import annotations

import subprocess
import sys

import pytest
import regex

from tests.support.patterns import ROOT, Found, slow_text


@pytest.mark.timeout(900)
def test_no_pattern_of_the_product_takes_super_linear_time() -> None:
    # A process of its own: patterns are found as they are compiled, and here they are compiled already.
    tried = subprocess.run(
        [sys.executable, "-m", "tests.support.patterns"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    *slow, counted = tried.stdout.splitlines()
    assert slow == []
    assert int(counted.split()[0]) > 400


@pytest.mark.parametrize(
    "pattern",
    [
        r"(?:\s*(?:\[\d{1,3}\](?:[ \t]*\[\d{1,3}\])*))+$",
        r"<!--(?:(?!-->).)*+-->",
        r"[ \t]+$",
        r"(\*\*|`+)(.+?)\1",
        r"(?:a+)+b",
        r"a.*b.*c",
    ],
)
def test_a_pattern_that_takes_super_linear_time_is_found(pattern: str) -> None:
    assert slow_text(Found("here", regex.compile(pattern, regex.DOTALL), ("finditer",)))
