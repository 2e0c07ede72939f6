"""Importing the library computes nothing: no kernel, no search, no law, no certified interval.

What a module writes down is loaded: records, tables that are written in its source, short loops
over literals. What takes work is done when it is first asked for.
"""

import subprocess
import sys
from pathlib import Path

import pac_stability

PACKAGE = Path(pac_stability.__file__).parent

MOST_CALLS = 300
"""So many calls of functions of the library a module may make while it is imported; the most that
one makes is some 220, for records with samples in them."""

PROGRAM = """
import importlib, sys
from pathlib import Path

package = Path({package!r})
modules = [
    ".".join(file.relative_to(package.parent).with_suffix("").parts).removesuffix(".__init__")
    for file in sorted(package.rglob("*.py"))
    if file.name != "__main__.py"
]
COMPUTING = (
    *("_core", "audit", "dimensions", "notions", "online", "claims/instances", "claims/running"),
    *("classes/counting", "data/distribution", "data/tape"),
)
# A curve that is written down as its corners is a record.
RECORDS = ("notions/frontier",)
# They make of a function another one, and call neither.
DECORATORS = ("one_draw",)


def forbidden(kernel):
    class Forbidden:
        def __new__(cls, *args, **options):
            raise RuntimeError(kernel + " is called")
    return Forbidden


for file in (package / "_core").glob("[!_]*.so"):
    kernels = importlib.import_module("pac_stability._core." + file.name.partition(".")[0])
    for name, value in list(vars(kernels).items()):
        if callable(value) and not name.startswith("__"):
            setattr(kernels, name, forbidden(kernels.__name__ + "." + name))

calls, found = {{}}, set()


def watch(frame, event, _):
    code = frame.f_code
    if event != "call" or not code.co_flags & 2 or not code.co_filename.startswith(str(package)):
        return
    above = frame.f_back
    while above and not (
        above.f_code.co_name == "<module>" and above.f_code.co_filename.startswith(str(package))
    ):
        above = above.f_back
    if above is None:
        return
    importer = Path(above.f_code.co_filename).relative_to(package).as_posix()
    calls[importer] = calls.get(importer, 0) + 1
    where = Path(code.co_filename).relative_to(package).with_suffix("").as_posix()
    if code.co_name.startswith("<") or where + ".py" == importer or where in RECORDS:
        return
    if code.co_name in DECORATORS:
        return
    if where.startswith(COMPUTING):
        found.add(f"{{importer}} calls {{code.co_qualname}} of {{where}}.py")


sys.setprofile(watch)
for name in {modules}:
    importlib.import_module(name)
sys.setprofile(None)
found |= {{f"{{k}} makes {{n}} calls" for k, n in calls.items() if n > {most}}}
print(*sorted(found), sep="\\n")
print(len(calls))
"""


def importing(package: Path, modules: str = "modules") -> list[str]:
    """What a fresh interpreter notices while it imports them; the last line is a count."""
    program = PROGRAM.format(package=str(package), modules=modules, most=MOST_CALLS)
    done = subprocess.run(
        [sys.executable, "-P", "-c", program], check=False, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.split("\n")[:-1]


def test_no_module_computes_when_it_is_imported() -> None:
    *found, count = importing(PACKAGE)
    assert [line for line in found if line] == []
    assert int(count) > 50  # modules whose own functions were watched
