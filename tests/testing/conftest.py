"""Other programs, run as where the package is installed: they find its entry points."""

import os
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

import pac_stability

PROJECT = Path(__file__).parents[2] / "pyproject.toml"
Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Run Python in a folder of its own, with the entry points that pyproject.toml declares."""
    site = tmp_path / "site"
    metadata = site / f"pac_stability-{pac_stability.__version__}.dist-info"
    metadata.mkdir(parents=True)
    (metadata / "METADATA").write_text(
        f"Metadata-Version: 2.1\nName: pac_stability\nVersion: {pac_stability.__version__}\n"
    )
    # pytest rewrites the assertions of packages that have plugins: it loads these modules itself.
    (metadata / "RECORD").write_text("pac_stability/__init__.py,,\n")
    lines = []
    for group, entries in tomllib.loads(PROJECT.read_text())["project"]["entry-points"].items():
        lines += [f"[{group}]", *(f"{name} = {value}" for name, value in entries.items())]
    (metadata / "entry_points.txt").write_text("\n".join(lines))
    package = Path(pac_stability.__file__).parents[1]
    environment = {
        name: value
        for name, value in os.environ.items()
        if name not in {"PYTEST_ADDOPTS", "PYTEST_DISABLE_PLUGIN_AUTOLOAD", "PYTHONSAFEPATH"}
    }
    environment["PYTHONPATH"] = os.pathsep.join([str(site), str(package)])
    work = tmp_path / "work"
    work.mkdir()

    def started(*arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, *arguments],
            cwd=work,
            env=environment,
            check=False,
            capture_output=True,
            text=True,
        )

    return started
