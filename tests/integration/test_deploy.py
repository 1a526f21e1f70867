"""The files for running the bot for good are valid, and agree with the product."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from configparser import RawConfigParser
from pathlib import Path

import pytest
import yaml

from bot.serve import DatabaseAwayError
from bot.settings.names import leaves
from bot.settings.tree import Settings
from bot.telegram.startup import UnreachableError
from rag.errors import InputError, OperatorError

DEPLOY = Path(__file__).resolve().parents[2] / "deploy"
TOOLS = Path(sys.executable).parent


def test_dockerfile_has_no_lint() -> None:
    found = subprocess.run(
        [TOOLS / "hadolint", DEPLOY / "Dockerfile"], capture_output=True, text=True, check=False
    )
    assert found.stdout + found.stderr == ""


@pytest.mark.parametrize("name", ["compose.yaml", "compose.fleet.yaml"])
def test_compose_file_follows_the_compose_specification(name: str) -> None:
    found = subprocess.run(
        [
            TOOLS / "check-jsonschema",
            "--builtin-schema",
            "vendor.compose-spec",
            DEPLOY / name,
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    assert found.returncode == 0, found.stdout


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd-analyze is not installed")
def test_service_file_is_accepted_by_systemd(tmp_path: Path) -> None:
    unit = tmp_path / "thinktwice.service"
    text = (DEPLOY / "thinktwice.service").read_text(encoding="utf-8")
    # systemd wants the program to be there; where it lies is the installation's business.
    unit.write_text(text.replace("/opt/thinktwice/.venv/bin/thinktwice", sys.executable), encoding="utf-8")

    found = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", unit], capture_output=True, text=True, check=False
    )

    assert (found.returncode, found.stderr) == (0, "")


def test_service_stays_down_where_only_a_person_can_help() -> None:
    service = RawConfigParser(strict=False)
    service.read(DEPLOY / "thinktwice.service", encoding="utf-8")
    kept_down = set(service["Service"]["RestartPreventExitStatus"].split())

    assert kept_down == {str(InputError.exit_code), str(OperatorError.exit_code)}
    assert str(UnreachableError.exit_code) not in kept_down
    assert str(DatabaseAwayError.exit_code) not in kept_down


def test_container_and_service_wait_longer_than_answers_get_to_finish() -> None:
    grace = Settings.model_construct().grace_seconds
    service = RawConfigParser(strict=False)
    service.optionxform = str  # type: ignore[assignment,method-assign]  # systemd's names have capitals
    service.read(DEPLOY / "thinktwice.service", encoding="utf-8")
    compose = yaml.safe_load((DEPLOY / "compose.yaml").read_text(encoding="utf-8"))

    assert service.getint("Service", "TimeoutStopSec") > grace
    assert int(compose["services"]["bot"]["stop_grace_period"].rstrip("s")) > grace


@pytest.mark.parametrize(
    "name",
    ["thinktwice.env.example", "thinktwice.service", "Dockerfile", "compose.yaml", "compose.fleet.yaml"],
)
def test_deploy_files_name_only_settings_that_exist(name: str) -> None:
    known = {setting.variable for setting in leaves(Settings)} | {"THINKTWICE_MODEL"}
    named = set(re.findall(r"THINKTWICE_[A-Z_]+", (DEPLOY / name).read_text(encoding="utf-8")))
    assert named <= known


def test_machines_of_the_fleet_differ_in_their_data_folders_only() -> None:
    fleet = yaml.safe_load((DEPLOY / "compose.fleet.yaml").read_text(encoding="utf-8"))
    one = yaml.safe_load((DEPLOY / "compose.yaml").read_text(encoding="utf-8"))["services"]["bot"]
    machines = {name: fleet["services"][name] for name in ("machine1", "machine2", "machine3")}
    grace = Settings.model_construct().grace_seconds
    console = Settings.model_construct().console

    folders = [machine.pop("volumes") for machine in machines.values()]
    assert machines["machine1"] == machines["machine2"] == machines["machine3"]
    assert [own for own, _documents in folders] == [
        f"data{number}:/var/lib/thinktwice" for number in (1, 2, 3)
    ]
    assert {documents for _own, documents in folders} == {one["volumes"][1]}
    assert int(machines["machine1"]["stop_grace_period"].rstrip("s")) > grace
    for name in ("restart", "read_only", "cap_drop", "security_opt", "mem_limit", "env_file"):
        assert machines["machine1"][name] == one[name]
    for name in machines:
        assert f"--to {name}:{console.port}" in fleet["services"]["web"]["command"]


@pytest.mark.parametrize(("name", "bot"), [("compose.yaml", "bot"), ("compose.fleet.yaml", "machine1")])
def test_server_in_front_of_the_containers_is_trusted(name: str, bot: str) -> None:
    composed = yaml.safe_load((DEPLOY / name).read_text(encoding="utf-8"))
    (network,) = composed["networks"]["default"]["ipam"]["config"]
    trusted = composed["services"][bot]["environment"]["THINKTWICE_CONSOLE__TRUSTED_PROXIES"]
    assert trusted == network["subnet"]
    assert Settings.load(console={"trusted_proxies": trusted}).console.trusted_proxies == (trusted,)


def test_file_with_the_token_goes_neither_into_the_history_nor_into_the_image() -> None:
    ignored = (DEPLOY.parent / ".gitignore").read_text(encoding="utf-8").splitlines()
    assert {"deploy/thinktwice.env", ".env", "thinktwice.toml"} <= set(ignored)
    left_out = (DEPLOY / "Dockerfile.dockerignore").read_text(encoding="utf-8").splitlines()
    assert {"**/*.env", "**/.env", "thinktwice.toml"} <= set(left_out)


def test_the_installer_is_taken_by_its_content() -> None:
    pinned = (DEPLOY.parent / "scripts" / "uv.txt").read_text(encoding="utf-8")
    assert re.search(r"^uv==[\d.]+ .*--hash=sha256:", pinned, re.MULTILINE | re.DOTALL)
    for path in (DEPLOY / "Dockerfile", DEPLOY.parent / "scripts" / "install_uv.sh"):
        text = path.read_text(encoding="utf-8")
        assert "--require-hashes" in text
        assert "uv==0" not in text


def test_bill_of_materials_lists_every_package_of_the_lock_file(tmp_path: Path) -> None:
    uv = shutil.which("uv", path=f"{DEPLOY.parent / '.uv/bin'}{os.pathsep}{os.environ['PATH']}")
    if uv is None:
        pytest.skip("uv is not here: make test installs it")
    order = (
        (DEPLOY.parent / "Makefile").read_text(encoding="utf-8").partition("\nsbom:")[2].partition("\n\n")[0]
    )
    command = order[order.index(" export ") :].replace("\\\n", " ").partition(">")[0]
    written = tmp_path / "s.json"
    words = shlex.split(command.replace("dist/thinktwice.cdx.json", str(written)))
    subprocess.run([str(uv), *words, "--offline"], cwd=DEPLOY.parent, check=True)
    bill = json.loads(written.read_text(encoding="utf-8"))
    assert (bill["bomFormat"], bill["metadata"]["component"]["name"]) == ("CycloneDX", "thinktwice")
    listed = {component["name"]: component for component in bill["components"]}
    project = tomllib.loads((DEPLOY.parent / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    needed = {re.split(r"[\s\[<>=;]", one)[0] for one in project["dependencies"]}
    assert needed <= listed.keys()
    assert listed["pydantic"]["purl"].startswith("pkg:pypi/pydantic@")


def test_the_base_image_is_taken_by_its_content() -> None:
    lines = (DEPLOY / "Dockerfile").read_text(encoding="utf-8").splitlines()
    (base,) = (line for line in lines if line.startswith("ARG BASE="))
    assert re.search(r"=python:3\.11[\d.]*-slim-bookworm@sha256:[0-9a-f]{64}$", base)
    assert {line.split()[1] for line in lines if line.startswith("FROM")} == {"${BASE}"}


def test_change_of_the_source_downloads_no_library_again() -> None:
    lines = (DEPLOY / "Dockerfile").read_text(encoding="utf-8").splitlines()
    libraries = next(number for number, line in enumerate(lines) if "--no-install-project" in line)
    source = lines.index("COPY . .")
    # What is copied before a line is part of the key of its layer.
    copied = [line for line in lines[:libraries] if line.startswith("COPY")]
    assert libraries < source
    assert copied == ["COPY scripts/uv.txt /tmp/uv.txt", "COPY pyproject.toml uv.lock ./"]
