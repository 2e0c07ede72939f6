"""Commands for a machine that has Python >= 3.11 and a C compiler; the README names the first two.

``python3 tools/dev.py verify``  settles every statement of the three papers; further arguments go
                                 to ``pac-stability verify``
``python3 tools/dev.py test``    runs all tests, with every optional library; further arguments go
                                 to pytest
``python3 tools/dev.py docs``    builds the site into ``build/site``; any warning is an error, a
                                 link that leads nowhere, and a page above 200 kB
``python3 tools/dev.py site-check``  the same, and looks at it in a browser, if there is one:
                                 widths, search, dark and light, keyboard
``python3 tools/dev.py wheel``   builds the sdist, and from it the wheel, into ``build/wheel``

The first three work on the wheel, never on the source tree, and each in an environment of its own
that holds what the command installed and nothing else: ``.venv-verify``, ``.venv-test``,
``.venv-docs``.  The wheel is built again when a file that it is made of has changed.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import shutil
import subprocess
import sys
import venv
from pathlib import Path

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


def environment(name: str, *requirements: str | Path) -> Path:
    """Make the environment if there is none, install into it, and return its interpreter."""
    place = ROOT / f".venv-{name}"
    python = place / ("Scripts" if os.name == "nt" else "bin") / "python"
    if not python.exists():
        print(f"making the environment {place.name}", flush=True)
        venv.create(place, with_pip=True)
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
        print("building the wheel: a minute or so", flush=True)
        python = environment("build", "build>=1.2")
        unfinished = WHEELS / "unfinished"
        # Without a choice of its own it builds the wheel from the sdist, so the sdist builds.
        require(python, "-m", "build", "--outdir", unfinished, ROOT)
        unfinished.rename(place)
    (found,) = place.glob("*.whl")
    return found


def install(name: str, extras: str) -> Path:
    """The interpreter of the environment, with the wheel of the sources as they are now."""
    built = wheel()
    python = environment(name, f"{built}[{extras}]")
    # The same version may hold other files than before.
    again = ("--quiet", "--no-compile", "--force-reinstall", "--no-deps")
    require(python, "-m", "pip", "install", *again, built)
    return python


def verify(arguments: list[str]) -> int:
    """Every numbered statement of the three papers."""
    return run(install("verify", "html,rich"), "-P", "-m", "pac_stability", "verify", *arguments)


def test(arguments: list[str]) -> int:
    """All tests, against the wheel."""
    python = install("test", "suite")
    # Transcripts of one page build on each other, so a file stays on one worker.
    parallel = ("-n", "auto", "--dist", "loadfile", "--durations", "20")
    os.environ["PAC_STABILITY_EXPECT_INSTALLED"] = "1"
    # Each worker has a core; threads of NumPy's would wait for those of another.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    return run(python, "-m", "pytest", *parallel, *arguments, safe_path=True)


def docs(*how: str) -> int:
    """The documentation as a site, looked at."""
    python = install("docs", "docs")
    options = ("-q", "--fail-on-warning", "--jobs", "auto", "--builder", "html")
    site = Path("build") / "site"
    built = run(python, "-P", "-m", "sphinx", *options, "docs", site)
    return built or run(python, "tools/site_check.py", site, *how)


def main() -> int:
    """Read the command and run it."""
    if sys.version_info < (3, 11):
        raise SystemExit(f"Python 3.11 or newer is needed; this is {sys.version.split()[0]}")
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("command", choices=["verify", "test", "docs", "site-check", "wheel"])
    arguments, rest = parser.parse_known_args()
    if rest and arguments.command not in ("verify", "test"):
        parser.error(f"{arguments.command}: unknown arguments {' '.join(rest)}")
    if arguments.command == "verify":
        return verify(rest)
    if arguments.command == "test":
        return test(rest)
    if arguments.command == "docs":
        return docs("--files")
    if arguments.command == "site-check":
        return docs()
    print(wheel().relative_to(ROOT))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
