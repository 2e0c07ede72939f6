"""Where a Rocq is needed, and what it is when there is none."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from pac_stability.rocq.checking import NOT_INSTALLED, command

REQUIRED = os.environ.get("PAC_STABILITY_ROCQ") == "required"
"""At night: nothing here is skipped."""


@pytest.fixture
def coqc() -> tuple[str, ...]:
    """How Rocq is called; without it a test is skipped, or fails where it is required."""
    found = command()
    if found is None:
        (pytest.fail if REQUIRED else pytest.skip)(NOT_INSTALLED)
    return found


@pytest.fixture
def at_night(coqc: tuple[str, ...]) -> tuple[str, ...]:
    """The same, for what takes more than a few seconds."""
    if not REQUIRED:
        pytest.skip("takes Rocq more than a few seconds; PAC_STABILITY_ROCQ=required runs it")
    return coqc


@pytest.fixture
def no_coqc(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A machine without Rocq."""
    monkeypatch.setenv("PATH", str(tmp_path))


@pytest.fixture
def actor(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[[str], None]:
    """Put a program of these lines of shell in the place of Rocq."""

    def plays(lines: str) -> None:
        folder = tmp_path / "bin"
        folder.mkdir(exist_ok=True)
        (folder / "coqc").write_text(f"#!/bin/sh\n{lines}\n")
        (folder / "coqc").chmod(0o755)
        monkeypatch.setenv("PATH", f"{folder}{os.pathsep}/usr/bin{os.pathsep}/bin")

    return plays
