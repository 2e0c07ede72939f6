"""Commands for a machine that has Python >= 3.11 and a C compiler; the README names the first two.

``python3 tools/dev.py verify``  settles every statement of the three papers; further arguments go
                                 to ``pac-stability verify``
``python3 tools/dev.py test``    runs all tests, with every optional library; further arguments go
                                 to pytest
``python3 tools/dev.py docs``    builds the site into ``build/site``; any warning is an error, a
                                 link that leads nowhere, and a page above 250 kB
``python3 tools/dev.py docs-read``  reads every page as ``docs`` does and resolves its links, and
                                 writes none; takes two thirds of the time
``python3 tools/dev.py site-check``  writes it, and looks at it in a browser, if there is one:
                                 widths, search, formulas, keyboard
``python3 tools/dev.py libraries``  repeats what ``docs/libraries`` says of other people's, in an
                                 environment for each page
``python3 tools/dev.py wheel``   builds the sdist, and from it the wheel, into ``build/wheel``

``python3 tools/dev.py packages``  makes an environment for all of these, without the library;
``python3 tools/dev.py install``   puts the wheel into it, and the compiled core into the tree

The first three work on the wheel, never on the source tree, and each in an environment of its own
that holds what the command installed and nothing else: ``.venv-verify``, ``.venv-test``,
``.venv-docs``; with the variable ``PAC_STABILITY_VENV=NAME`` all share ``.venv-NAME``.  The wheel
is built again when a file that it is made of has changed.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import re
import shlex
import shutil
import subprocess
import sys
import venv
import zipfile
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
WHEELS = ROOT / "build" / "wheel"
# What the sdist is made of.
SOURCES = ("pac_stability", "ext", "setup.py", "pyproject.toml", "MANIFEST.in", "README.md")
MADE = {".so", ".pyc"}


def run(*command: str | Path, safe_path: bool = False) -> int:
    """Echo a command, run it from the root of the project, and return its exit code."""
    print("$", *command, flush=True)
    # With a safe path the source tree is not imported, in no process that the command starts.
    environment = {**os.environ, **({"PYTHONSAFEPATH": "1"} if safe_path else {})}
    # Hundreds of processes import the same modules.
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    words = [str(word) for word in command]
    return subprocess.run(words, cwd=ROOT, env=environment, check=False).returncode


def require(*command: str | Path) -> None:
    """Run a command without which nothing else makes sense; show what it says if it fails."""
    print("$", *command, flush=True)
    words = [str(word) for word in command]
    done = subprocess.run(
        words, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
    )
    if done.returncode:
        print(done.stdout, flush=True)
        raise SystemExit(done.returncode)


def place_of(name: str) -> Path:
    """The folder of an environment, which several commands may share."""
    return ROOT / f".venv-{os.environ.get('PAC_STABILITY_VENV', name)}"


def environment(place: Path, *requirements: str | Path) -> Path:
    """Make the environment if there is none, install into it, and return its interpreter."""
    python = place / ("Scripts" if os.name == "nt" else "bin") / "python"
    if not python.exists():
        print(f"making the environment {place.name}", flush=True)
        venv.create(place, with_pip=True)
    if requirements:
        # What is imported is compiled then; most of what lies there never is.
        require(python, "-m", "pip", "install", "--quiet", "--no-compile", *requirements)
    return python


def wheel() -> Path:
    """The wheel of the sources as they are now."""
    files = [
        path
        for name in SOURCES
        for path in sorted([ROOT / name, *(ROOT / name).rglob("*")])
        if path.is_file() and path.suffix not in MADE
    ]
    digest = hashlib.sha256(os.environ.get("PAC_STABILITY_BUILD", "release").encode())
    for path in files:
        digest.update(f"{path.relative_to(ROOT)}\0".encode())
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    place = WHEELS / digest.hexdigest()[:16]
    if not any(place.glob("*.whl")):
        shutil.rmtree(WHEELS, ignore_errors=True)
        print("building the wheel: half a minute or so", flush=True)
        python = environment(
            ROOT / ".venv-build", "build>=1.2", *described()["build-system"]["requires"]
        )
        unfinished = WHEELS / "unfinished"
        # Without a choice of its own it builds the wheel from the sdist, so the sdist builds;
        # isolated, it would make two more environments.
        require(python, "-m", "build", "--no-isolation", "--outdir", unfinished, ROOT)
        unfinished.rename(place)
    (found,) = place.glob("*.whl")
    return found


def described() -> dict[str, Any]:
    """What ``pyproject.toml`` says."""
    import tomllib  # noqa: PLC0415  # an older Python is told that it is too old

    return tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))


def requirements(extras: Iterable[str]) -> set[str]:
    """What extras ask for, and the library, but not the library itself."""
    project = described()["project"]
    found = set(project["dependencies"])
    for extra in extras:
        for line in project["optional-dependencies"][extra]:
            named = re.fullmatch(r"pac_stability\[(.*)\]", line)
            found |= {line} if named is None else requirements(named[1].split(","))
    return found


def install(name: str, extras: Sequence[str]) -> Path:
    """The interpreter of the environment, with the wheel of the sources as they are now."""
    asked, place = requirements(extras), place_of(name)
    kept = place / "installed.txt"
    before = kept.read_text("utf-8").splitlines() if kept.exists() else [""]
    with ThreadPoolExecutor() as beside:  # pip waits, and a compiler does not use all cores
        wanted = () if asked.issubset(before) else sorted(asked)
        making = beside.submit(environment, place, *wanted)
        built = wheel()
        python = making.result()
    if before[0] == built.parent.name and not wanted:
        return python
    # The same version may hold other files than before.
    again = ("--quiet", "--no-compile", "--force-reinstall", "--no-deps")
    require(python, "-m", "pip", "install", *again, built)
    kept.write_text("\n".join([built.parent.name, *sorted(asked)]), "utf-8")
    return python


def compiled_into_the_tree() -> None:
    """Put the compiled core of the wheel into the source tree."""
    with zipfile.ZipFile(wheel()) as file:
        for name in file.namelist():
            if name.endswith(".so"):
                file.extract(name, ROOT)


def verify(arguments: list[str]) -> int:
    """Every numbered statement of the three papers."""
    return run(
        install("verify", ["html", "rich"]), "-P", "-m", "pac_stability", "verify", *arguments
    )


def test(arguments: list[str]) -> int:
    """All tests, against the wheel."""
    python = install("test", ["suite"])
    # Transcripts of one page build on each other, so a file stays on one worker.
    parallel = ("-n", "auto", "--dist", "loadfile", "--durations", "20")
    os.environ["PAC_STABILITY_EXPECT_INSTALLED"] = "1"
    # Each worker has a core; threads of NumPy's would wait for those of another.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    return run(python, "-m", "pytest", *parallel, *arguments, safe_path=True)


def docs(*how: str, written: bool = True) -> int:
    """The documentation as a site, looked at; or only read."""
    python = install("docs", ["docs"])
    options = ("-q", "--fail-on-warning", "--jobs", "auto")
    site = Path("build") / ("site" if written else "read")
    kept = ("--builder", "html" if written else "dummy", "-d", Path("build") / "doctrees")
    built = run(python, "-P", "-m", "sphinx", *options, *kept, "docs", site)
    return built or (run(python, "docs/_extensions/site_check.py", site, *how) if written else 0)


def said_of_libraries(page: Path) -> tuple[list[str], list[tuple[str, int]]]:
    """What a page needs, and its commands with the codes in which they end if it is right."""
    text = page.read_text("utf-8")
    needs = " ".join(re.findall(r"^pip install (.*)$", text, re.MULTILINE))
    commands = re.findall(r"^pac-stability (.*)$", text, re.MULTILINE)
    found = re.findall(
        r"\| (refuted at 95 %|not refuted): at least [0-9.]+ \|$", text, re.MULTILINE
    )
    codes = [1 if word.startswith("refuted") else 3 for word in found]
    return shlex.split(needs), list(zip(commands, codes, strict=True))


def libraries() -> int:
    """What the pages say of other people's libraries, once more."""
    wrong = 0
    for page in sorted((ROOT / "docs" / "libraries").glob("*.md")):
        needs, commands = said_of_libraries(page)
        if commands:
            python = environment(ROOT / f".venv-{page.stem}", wheel(), *needs)
            codes = [run(python, "-P", "-m", "pac_stability", *shlex.split(c)) for c, _ in commands]
            wrong += codes != [code for _, code in commands]
    return int(wrong > 0)


EVERYTHING = ("dev", "suite")


def main() -> int:
    """Read the command and run it."""
    if sys.version_info < (3, 11):
        raise SystemExit(f"Python 3.11 or newer is needed; this is {sys.version.split()[0]}")
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = ("verify", "test", "docs", "docs-read", "site-check", "wheel", "packages")
    parser.add_argument("command", choices=(*commands, "install", "libraries"))
    arguments, rest = parser.parse_known_args()
    if rest and arguments.command not in ("verify", "test"):
        parser.error(f"{arguments.command}: unknown arguments {' '.join(rest)}")
    if arguments.command == "verify":
        return verify(rest)
    if arguments.command == "test":
        return test(rest)
    if arguments.command == "docs":
        return docs("--files")
    if arguments.command == "docs-read":
        return docs(written=False)
    if arguments.command == "site-check":
        return docs()
    if arguments.command == "libraries":
        return libraries()
    if arguments.command == "packages":
        environment(place_of("test"), *sorted(requirements(EVERYTHING)))
    elif arguments.command == "install":
        install("test", EVERYTHING)
        compiled_into_the_tree()
    else:
        print(wheel().relative_to(ROOT))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
