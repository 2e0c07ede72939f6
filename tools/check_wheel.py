"""Build the sdist and the wheel, and prove that the wheel is what we promise.

One command, ``python tools/check_wheel.py``, from an environment with the ``dev`` extra:

1. ``python -m build``: sdist, and the wheel *from the sdist* (so the sdist builds);
2. metadata and contents (twine, check-wheel-contents), stable ABI (abi3audit), and the platform
   tag (auditwheel: ``manylinux_2_17``), with the repaired wheel left in ``dist/``;
3. in a fresh environment whose PATH holds no compiler: install the wheel, leave the source tree,
   and run the whole test suite against the installed package;
4. the same with a compiler: another package's Cython code cimports the core;
5. the tests that need an optional library, with those libraries;
6. the project of ``docs/examples/downstream``: its tests find its own bug, and nothing else.

Other interpreters named with ``--python`` install and test the same wheel.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PLATFORM = "manylinux_2_17"
# They are skipped, in whole or in part, where the optional libraries are not installed.
NEED_EXTRAS = [
    "tests/audit/test_dp_accounting.py",
    "tests/claims/test_claims_cluster.py",
    "tests/notions/test_perfect_generalization.py",
    "tests/package/test_doctests.py",
    "tests/papers/bun_livni_moran/test_blm_cluster.py",
    "tests/papers/dagan_feldman/test_df_breast_cancer.py",
    "tests/plots",
    "tests/zoo/test_pages_about_the_zoo.py",
]
EXTRAS = ["distributed", "dp-accounting", "milp", "plots", "sklearn"]
# What the tests read besides the package itself.
TESTED = ["tests", "docs", "tools", "README.md", "CONTRIBUTING.md", "pyproject.toml"]


def run(*command: str | Path, cwd: Path = ROOT, environment: dict[str, str] | None = None) -> None:
    """Echo and run a command; stop at the first failure."""
    print("$", *command, flush=True)
    subprocess.run([str(word) for word in command], cwd=cwd, env=environment, check=True)


def build(dist: Path) -> Path:
    """Build both distributions into ``dist`` and return the wheel."""
    run(sys.executable, "-m", "build", "--outdir", dist, ROOT)
    (wheel,) = dist.glob("*.whl")
    return wheel


def audit(wheel: Path) -> Path:
    """Check metadata, contents, stable ABI and platform; return the repaired wheel."""
    run(sys.executable, "-m", "twine", "check", "--strict", *wheel.parent.iterdir())
    run(sys.executable, "-m", "check_wheel_contents", wheel)
    run(sys.executable, "-m", "abi3audit", "--strict", "--summary", wheel)
    repaired = wheel.parent / "repaired"
    scripts = Path(sys.executable).parent
    path = f"{scripts}{os.pathsep}{os.environ.get('PATH', '')}"
    run(
        *(sys.executable, "-m", "auditwheel", "repair", "--plat", f"{PLATFORM}_x86_64"),
        *("--wheel-dir", repaired, wheel),
        environment={**os.environ, "PATH": path},
    )
    (result,) = repaired.glob("*.whl")
    if "cp311-abi3" not in result.name or PLATFORM not in result.name:
        raise SystemExit(f"{result.name}: want a cp311-abi3 wheel for {PLATFORM}")
    return result


def fresh_environment(place: Path, interpreter: str, *requirements: str | Path) -> Path:
    """Make an environment at ``place`` and return its interpreter."""
    run(interpreter, "-m", "venv", place)
    python = place / "bin" / "python"
    run(python, "-m", "pip", "install", "--quiet", *requirements)
    return python


def leave_the_source_tree(place: Path) -> Path:
    """Copy what the tests read, and nothing of the package, to a new folder."""
    work = place / "work"
    work.mkdir(parents=True)
    for name in TESTED:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, work / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy2(source, work / name)
    return work


def run_tests(python: Path, work: Path, path: str, *tests: str) -> None:
    """Run tests against the installed package."""
    command: list[str | Path] = [python, "-m", "pytest", "-q", "-p", "no:cacheprovider", *tests]
    run(
        *command,
        cwd=work,
        environment={
            **os.environ,
            "PATH": path,
            "PYTHONSAFEPATH": "1",
            "PAC_STABILITY_EXPECT_INSTALLED": "1",
        },
    )


def test_installed(wheel: Path, interpreter: str, place: Path) -> None:
    """Run all tests against the wheel, far from the source tree and from any compiler."""
    python = fresh_environment(place / "env", interpreter, f"{wheel}[rich,test]")
    # Transcripts of one page build on each other, so a file stays on one worker.
    parallel = ("-n", "auto", "--dist", "loadfile")
    run_tests(python, leave_the_source_tree(place), str(python.parent), *parallel)


def test_extras(wheel: Path, place: Path) -> None:
    """Run the tests that need optional libraries."""
    extras = ",".join(["test", *EXTRAS])
    python = fresh_environment(place / "env", sys.executable, f"{wheel}[{extras}]")
    work = leave_the_source_tree(place)
    run_tests(python, work, str(python.parent), *NEED_EXTRAS)


def test_cimport(wheel: Path, place: Path) -> None:
    """Compile another package's Cython code against the installed wheel."""
    requirements = (f"{wheel}[test]", "cython>=3.1,<3.4", "setuptools>=77")
    python = fresh_environment(place / "env", sys.executable, *requirements)
    path = f"{python.parent}{os.pathsep}{os.environ['PATH']}"
    run_tests(python, leave_the_source_tree(place), path, "tests/core/test_cimport.py")


def test_downstream(wheel: Path, place: Path) -> None:
    """Install the example of another project beside the wheel; one of its tests is to fail."""
    project = place / "project"
    shutil.copytree(ROOT / "docs" / "examples" / "downstream", project)
    python = fresh_environment(place / "env", sys.executable, f"{wheel}[testing]")
    run(python, "-m", "pip", "install", "--quiet", project)
    done = subprocess.run(
        [str(python), "-m", "pytest", "-q", "-p", "no:cacheprovider"],
        cwd=project,
        env={**os.environ, "PYTHONSAFEPATH": "1"},
        check=False,
        capture_output=True,
        text=True,
    )
    page = (ROOT / "docs" / "how-to" / "test-your-own-learner.md").read_text(encoding="utf-8")
    message = page.partition("```text\n")[2].partition("```")[0].splitlines()
    said = [line.lstrip("E ") for line in done.stdout.splitlines()]
    missing = [line for line in message if not any(s.endswith(line.strip()) for s in said)]
    if missing or done.returncode != 1 or "1 failed, 5 passed" not in done.stdout:
        print(done.stdout, done.stderr, sep="\n")
        raise SystemExit(
            "the example of another project: want one failure, with the documented message"
        )


def main() -> None:
    """Run every step; the first failure ends the run with a non-zero exit code."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--python", action="append", default=[], help="test the wheel on this interpreter too"
    )
    parser.add_argument("--dist", type=Path, default=ROOT / "dist", help="where the files go")
    arguments = parser.parse_args()
    dist: Path = arguments.dist.resolve()
    shutil.rmtree(dist, ignore_errors=True)
    wheel = audit(build(dist))
    with tempfile.TemporaryDirectory(prefix="pac-stability-wheel-") as name:
        place = Path(name)
        for index, interpreter in enumerate([sys.executable, *arguments.python]):
            test_installed(wheel, interpreter, place / f"installed-{index}")
        test_cimport(wheel, place / "consumer")
        test_extras(wheel, place / "extras")
        test_downstream(wheel, place / "downstream")
    print(f"{wheel.name}: built, audited, installed, tested and cimported")


if __name__ == "__main__":
    main()
