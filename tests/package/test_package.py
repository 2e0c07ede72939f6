"""What the installed package promises to those who import it."""

import importlib.metadata
import importlib.resources
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import pac_stability

EXTRAS = ["flint", "hypothesis", "matplotlib", "pytest", "rich", "scipy", "sklearn", "dask"]


def loaded_by(statement: str) -> set[str]:
    """Top-level modules that a fresh interpreter has loaded after a statement."""
    program = f"{statement}\nimport sys\nprint(*{{name.partition('.')[0] for name in sys.modules}})"
    done = subprocess.run(
        [sys.executable, "-P", "-c", program], check=True, capture_output=True, text=True
    )
    return set(done.stdout.split())


def test_import_pulls_in_no_extra_and_no_interval_library() -> None:
    assert loaded_by("import pac_stability").isdisjoint(EXTRAS)


def test_types_stubs_and_declarations_are_shipped() -> None:
    package = importlib.resources.files("pac_stability")
    assert (package / "py.typed").is_file()
    core = package / "_core"
    compiled = {item.name.partition(".")[0] for item in core.iterdir() if item.name.endswith(".so")}
    assert {"half_graph", "littlestone", "soa", "vc"} <= compiled
    for name in compiled - {"_cyutility"}:  # what Cython adds to every module
        assert (core / f"{name}.pyi").is_file(), name
    for name in ("bitset", "entry", "littlestone"):
        assert (core / f"{name}.pxd").is_file(), name


def test_version_is_the_one_of_the_metadata() -> None:
    assert pac_stability.__version__ == importlib.metadata.version("pac_stability")


@pytest.mark.skipif(
    "PAC_STABILITY_EXPECT_INSTALLED" not in os.environ,
    reason="only meaningful when tools/dev.py tests the wheel",
)
def test_it_is_the_installed_package_that_is_tested() -> None:
    assert "site-packages" in Path(pac_stability.__file__).parts


@pytest.mark.parametrize(
    "words",
    [
        ("-c", "import pac_stability as ps; ps.vc_dimension(ps.classes.thresholds(2))"),
        ("-m", "pac_stability", "dims", "--family", "thresholds:2"),
    ],
    ids=["python", "command"],
)
def test_sources_that_were_not_built_say_what_to_type(
    tmp_path: Path, words: tuple[str, ...]
) -> None:
    # As in a clone after ``pip install .``: the sources hide what was installed.
    package = Path(pac_stability.__file__).parent
    shutil.copytree(
        package, tmp_path / package.name, ignore=shutil.ignore_patterns("*.so", "__pycache__")
    )
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONSAFEPATH"}
    done = subprocess.run(
        [sys.executable, *words],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    last = done.stderr.splitlines()[-1]
    assert f"the sources in {tmp_path} were not built: type `pip install -e .` there" in last
    if words[0] == "-m":
        assert (done.returncode, done.stderr.count("\n")) == (2, 1)
