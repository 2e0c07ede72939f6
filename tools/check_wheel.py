"""Prove that the wheel is what we promise.

``python tools/check_wheel.py``, from an environment with the ``dev`` extra, takes the wheel that
``python tools/dev.py wheel`` builds from the sdist, and that ``python tools/dev.py test`` tests:

1. metadata and contents (twine, check-wheel-contents), stable ABI (abi3audit), and the platform
   tag (auditwheel: ``manylinux_2_17``), with the repaired wheel left in ``dist/``;
2. the project of ``docs/examples/downstream``, installed beside the wheel and nothing but what both
   ask for: its tests find its own bug, and nothing else;
3. the tour, in a fresh clone and elsewhere, after each of the two ways to install: only in a clone
   that was not built it stops, and says what to type.

With ``--bare`` it also runs the whole test suite in a fresh environment without compiler and
without optional libraries; other interpreters named with ``--python`` do the same.
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
# What the tests read besides the package itself.
TESTED = ["tests", "docs", "tools", "README.md", "CONTRIBUTING.md", "pyproject.toml"]


def run(*command: str | Path, cwd: Path = ROOT, environment: dict[str, str] | None = None) -> None:
    """Echo and run a command; stop at the first failure."""
    print("$", *command, flush=True)
    subprocess.run([str(word) for word in command], cwd=cwd, env=environment, check=True)


def build(dist: Path) -> Path:
    """Copy both distributions of the sources as they are to ``dist``; return the wheel."""
    run(sys.executable, "tools/dev.py", "wheel")
    (wheel,) = (ROOT / "build" / "wheel").glob("*/*.whl")
    shutil.copytree(wheel.parent, dist)
    return dist / wheel.name


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


def test_bare(wheel: Path, interpreter: str, place: Path) -> None:
    """Run all tests against the wheel, far from the source tree and from any compiler."""
    python = fresh_environment(place / "env", interpreter, f"{wheel}[rich,test]")
    # Transcripts of one page build on each other, so a file stays on one worker.
    parallel = ("-n", "auto", "--dist", "loadfile")
    run(
        *(python, "-m", "pytest", "-q", "-p", "no:cacheprovider", *parallel),
        cwd=leave_the_source_tree(place),
        environment={
            **os.environ,
            "PATH": str(python.parent),
            "PYTHONSAFEPATH": "1",
            "PAC_STABILITY_EXPECT_INSTALLED": "1",
        },
    )


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


def test_tour(wheel: Path, place: Path) -> None:
    """Go through the tour where a newcomer does."""
    place.mkdir()
    clone, elsewhere = place / "clone", place / "elsewhere"
    elsewhere.mkdir()
    run("git", "clone", "--quiet", ROOT, clone)
    tour = clone / "docs" / "tutorials" / "tour.md"
    for name, how in (("wheel", (wheel,)), ("editable", ("-e", clone))):
        python = fresh_environment(place / name, sys.executable, *how)
        for folder in (clone, elsewhere):
            command = [str(python), "-m", "doctest", "-o", "NORMALIZE_WHITESPACE", str(tour)]
            print("$", *command, f"# in {folder.name}, after pip install of {name}", flush=True)
            done = subprocess.run(command, cwd=folder, check=False, capture_output=True, text=True)
            unbuilt = name == "wheel" and folder == clone
            if unbuilt and "type `pip install -e .` there" in done.stdout + done.stderr:
                continue
            if done.returncode or unbuilt:
                print(done.stdout, done.stderr, sep="\n")
                raise SystemExit(f"the tour fails in {folder.name} after pip install of {name}")


def main() -> None:
    """Run every step; the first failure ends the run with a non-zero exit code."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--python", action="append", default=[], help="test the wheel on this interpreter too"
    )
    parser.add_argument("--bare", action="store_true", help="run all tests with the wheel alone")
    parser.add_argument("--dist", type=Path, default=ROOT / "dist", help="where the files go")
    arguments = parser.parse_args()
    dist: Path = arguments.dist.resolve()
    shutil.rmtree(dist, ignore_errors=True)
    wheel = audit(build(dist))
    with tempfile.TemporaryDirectory(prefix="pac-stability-wheel-") as name:
        place = Path(name)
        test_downstream(wheel, place / "downstream")
        test_tour(wheel, place / "tour")
        interpreters = [*([sys.executable] if arguments.bare else []), *arguments.python]
        for index, interpreter in enumerate(interpreters):
            test_bare(wheel, interpreter, place / f"bare-{index}")
    print(f"{wheel.name}: built, audited, and installed by another project")


if __name__ == "__main__":
    main()
