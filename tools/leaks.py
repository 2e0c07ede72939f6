"""Audit the programs of ``docs/examples/leaks.py`` in many processes, and count false verdicts.

``python tools/leaks.py --runs 100`` audits each of them in a hundred processes. A verdict is false
if it is VERIFIED and states no assumption that the program violates. The exit code is 1 if there is
one.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Never

from pac_stability import audit
from pac_stability.randomness import Coins

ROOT = Path(__file__).resolve().parent.parent
PROGRAMS = ROOT / "docs" / "examples" / "leaks.py"


def programs() -> ModuleType:
    """The programs, as a module."""
    spec = importlib.util.spec_from_file_location("leaks", PROGRAMS)
    if spec is None or spec.loader is None:
        raise SystemExit(f"{PROGRAMS} is missing")
    module = importlib.util.module_from_spec(spec)
    sys.modules["leaks"] = module
    spec.loader.exec_module(module)
    return module


def verdicts() -> dict[str, str]:
    """What an audit in this process says of each program."""
    leaks, found = programs(), {}
    for name, program in {**leaks.REFUSED, **leaks.CHANGED}.items():
        found[name] = verdict(program, "")
    for name, (sentence, program) in leaks.ASSUMED.items():
        found[name] = verdict(program, sentence)
    return found


def verdict(program: Callable[[Never, Never, Coins], object], sentence: str) -> str:
    """What an audit says of a program that violates an assumption, if any."""
    try:
        result = audit.private_prediction(program, 2, 2, claim=0.5)
    except audit.SubjectFailure as failure:
        where = {", line ": "the line", "which keeps": "what it keeps"}
        named = [what for text, what in where.items() if text in failure.given]
        return f"refused, with {named[0]}" if named else "refused"
    if result.verdict is not audit.Verdict.VERIFIED:
        return str(result.verdict.value)
    stated = sentence and any(text.startswith(sentence) for text in result.assumptions)
    return "verified, with what it assumes" if stated else "FALSE"


def in_processes(runs: int) -> dict[str, Counter[str]]:
    """The same from many processes, one after the other; a file that one of them reads changes."""
    counted: dict[str, Counter[str]] = {}
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "table.txt")
        for run in range(runs):
            file.write_text("secret" if run % 50 == 7 else "nothing", encoding="utf-8")
            done = subprocess.run(
                [sys.executable, __file__, "--here"],
                env={**os.environ, "LEAKS_FILE": str(file), "PYTHONHASHSEED": "random"},
                capture_output=True,
                text=True,
                check=True,
            )
            for name, said in json.loads(done.stdout).items():
                counted.setdefault(name, Counter())[said] += 1
    return counted


def main() -> int:
    """Count, and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--runs", type=int, default=100, metavar="N", help="default: 100")
    parser.add_argument("--here", action="store_true", help="once, in this process, as JSON")
    options = parser.parse_args()
    if options.here:
        print(json.dumps(verdicts()))
        return 0
    counted = in_processes(options.runs)
    for name, said in counted.items():
        print(f"{name:28}", ", ".join(f"{times} {what}" for what, times in said.most_common()))
    false = sum(said["FALSE"] for said in counted.values())
    print(f"{len(counted)} programs, {options.runs} runs each: {false} false verdicts")
    return 1 if false else 0


if __name__ == "__main__":
    raise SystemExit(main())
