"""Runs the tests that attack the product, and prints how many attacks were tried and how many were won.

    python -m bench.attacks

An attack is won if it gets a label, an action or a text of another chat; one that is won fails its test and
this command. Texts of others lie outside the repository: kinds that need them are left out where they are
missing, and it is said why. A test that tries many attacks counts them by the fixture `attacked`, and what
fails in it besides fails this command, but is no attack that won; any other test is one attack.
"""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path
from typing import Final

import pytest

from tools.markdown import table

_REPOSITORY: Final = Path(__file__).resolve().parent.parent

ATTACKS: Final = """\
authorisation         integration/test_console_security.py::test_every_route_as
authorisation         integration/test_console_security.py::test_nobody_reaches_what
authorisation         integration/test_console_security.py::test_no_path_leads_out
authorisation         integration/telegram_commands/test_rights.py
forged requests       integration/test_console_security.py::test_nothing_is_changed_without
forged requests       integration/test_console_security.py::test_request_that_means_it_ill
forged requests       integration/test_faults_intake.py::test_stranger_at_the_webhook
guessing              integration/test_console_security.py::test_too_many_requests
guessing              integration/test_console_security.py::test_cookies_of_nobody
guessing              integration/test_console_security.py::test_headers_of_a_proxy
addresses             integration/test_pages.py::test_address_that_is_not
addresses             integration/test_pages.py::test_wrapped_address
addresses             integration/test_pages.py::test_redirect_to
addresses             integration/test_pages.py::test_host_with
addresses             integration/test_pages.py::test_name_is_resolved_once
addresses             integration/test_faults_fetching.py
addresses             unit/rag/test_addresses.py::test_hostile
bombs                 integration/test_hostile_files.py::test_bomb
bombs                 integration/test_loaders.py::test_document_that_breaks_its_limits
bombs                 integration/test_loaders.py::test_file_made_to_take_for_ever
bombs                 integration/test_pages.py::test_page_beyond_the_limits
bombs                 integration/test_pages.py::test_server_that_drips
bombs                 integration/test_endless_replies.py
bombs                 integration/test_backup.py::test_archive_that_is_no_backup
streams               integration/test_console_runs.py::test_streams_of_one_session
streams               integration/test_telegram_webhook.py::test_half_sent_heads
streams               integration/test_telegram_webhook.py::test_second_head_must_come
streams               integration/test_console_security.py::test_body
hidden text           unit/rag/knowledge/loaders/test_hidden.py::test_what_nobody_sees
orders                integration/test_attacks.py
texts in a chat       integration/test_attacks_texts.py
texts in the console  integration/test_console_attacks_api.py
texts in the console  integration/test_console_attacks_pages.py::test_attack
"""
"""Each kind, and how the names of its tests below ``tests`` begin."""

_TESTS: Final = {line[22:]: line[:22].strip() for line in ATTACKS.splitlines()}


class Tally:
    """This plugin of pytest counts, by their kind, the attacks that tests report."""

    def __init__(self) -> None:
        self.tried: Counter[str] = Counter()
        self.won: Counter[str] = Counter()
        self.left_out: dict[str, str] = {}

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Leave out the tests of a file that are no attacks."""
        items[:] = [item for item in items if kind_of(item.nodeid)]

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Count one test, or note why it was left out."""
        kind = str(kind_of(report.nodeid))
        if report.skipped:
            self.left_out[kind] = str(report.longrepr[2] if isinstance(report.longrepr, tuple) else "")
        elif report.failed or report.when == "call":
            counts: Counter[str] = Counter()
            for name, number in report.user_properties:
                counts[name] += int(str(number))
            self.tried[kind] += counts["tried"] or 1
            self.won[kind] += counts["won"] if counts["tried"] else int(report.failed)

    def table(self) -> str:
        """Return a row for each kind."""
        rows = [
            (kind, str(self.tried[kind]), str(self.won[kind]), self.left_out.get(kind, ""))
            for kind in dict.fromkeys(_TESTS.values())
        ]
        total = ("all", str(self.tried.total()), str(self.won.total()), "")
        return table(("attacks", "tried", "won", "left out"), (*rows, total))


def kind_of(nodeid: str) -> str | None:
    """Return the kind that a test belongs to; None: it plays no attack."""
    name = nodeid.removeprefix("tests/")
    return next((kind for test, kind in _TESTS.items() if name.startswith(test)), None)


def main() -> int:
    """Play all attacks; return 1 if one was won, or if a test could not be played."""
    files = sorted({f"{_REPOSITORY}/tests/{test.partition('::')[0]}" for test in _TESTS})
    tally = Tally()
    code = pytest.main(["-q", "--no-header", "--rootdir", str(_REPOSITORY), *files], plugins=[tally])
    print(tally.table())
    return 1 if code or tally.won.total() or not tally.tried else 0


if __name__ == "__main__":
    sys.exit(main())
