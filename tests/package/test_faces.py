"""What can be had from ``import pac_stability as ps``: every room, every name, and light."""

import importlib
import inspect
import re
import subprocess
import sys
from pathlib import Path

import pytest

import pac_stability

PACKAGE = Path(pac_stability.__file__).parent
ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
FACES = [
    "pac_stability", "pac_stability.claims", "pac_stability.classes", "pac_stability.compression",
    "pac_stability.data", "pac_stability.dimensions", "pac_stability.estimators",
    "pac_stability.mechanisms", "pac_stability.online", "pac_stability.papers",
    "pac_stability.papers.bun_livni_moran", "pac_stability.papers.bun_livni_moran.formulas",
    "pac_stability.papers.cummings_et_al", "pac_stability.papers.dagan_feldman",
    "pac_stability.papers.dagan_feldman.sample_complexity", "pac_stability.plots",
    "pac_stability.rocq", "pac_stability.testing", "pac_stability.zoo",
]  # fmt: skip
SPAN = re.compile(r"`([^`\n]+)`")
NAME = re.compile(r"(?:ps|pac_stability)((?:\.[A-Za-z]\w*)+)(?:\(.*\))?")
SHORT = re.compile(r"(\.[A-Za-z]\w*)(?:\(.*\))?")


def fresh(program: str) -> str:
    """What a fresh interpreter prints."""
    done = subprocess.run(
        [sys.executable, "-P", "-c", program], check=False, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def rooms() -> set[str]:
    """Packages and modules of the library that have a name for others, as they lie on the disk.

    Books are found by what is installed, theirs and others', and imported by the command alone.
    """
    found = {file.stem for file in PACKAGE.glob("*.py")}
    found |= {file.parent.name for file in PACKAGE.glob("*/__init__.py")}
    return {name for name in found if not name.startswith("_")} - {"books"}


def test_the_faces_are_the_packages_that_load_when_asked() -> None:
    stubs = (file.parent.relative_to(PACKAGE.parent) for file in PACKAGE.rglob("__init__.pyi"))
    assert sorted(".".join(folder.parts) for folder in stubs) == FACES


def test_a_fresh_process_reaches_what_was_not_imported() -> None:
    program = "import pac_stability as ps\nprint(ps.claims.__name__, ps.plots.__name__)"
    assert fresh(program) == "pac_stability.claims pac_stability.plots\n"


LIGHT = {
    "numpy": ("--help", "verify --help", "audit --help", "claims list"),
    "pac_stability.audit": ("dims cube:2",),
}


@pytest.mark.parametrize(("idle", "lines"), LIGHT.items())
def test_a_command_starts_without_what_others_need(idle: str, lines: tuple[str, ...]) -> None:
    for line in lines:
        run = f"from pac_stability.cli import main\nassert main({line.split()}) == 0"
        assert fresh(f"import sys\n{run}\nprint({idle!r} in sys.modules)").endswith("False\n")


@pytest.mark.parametrize("room", sorted(rooms()))
def test_every_room_is_reachable(room: str) -> None:
    # Asked of the face itself: as an attribute it may be there because something imported it.
    found = pac_stability.__getattr__(room)
    assert found is sys.modules[f"pac_stability.{room}"]
    assert room in dir(pac_stability)
    assert f"``ps.{room}``" in (pac_stability.__doc__ or "")


@pytest.mark.parametrize("name", FACES)
def test_every_name_of_a_face_resolves(name: str) -> None:
    face = importlib.import_module(name)
    listed: list[str] = face.__all__
    stub = (PACKAGE.parent / name.replace(".", "/") / "__init__.pyi").read_text(encoding="utf-8")
    assert listed == sorted(re.findall(r" as (\w+)", stub))
    assert dir(face) == listed
    for shown in listed:
        found = face.__getattr__(shown)
        assert found is getattr(face, shown)
        if inspect.isroutine(found) or inspect.isclass(found) or inspect.ismodule(found):
            assert getattr(face, found.__name__.rpartition(".")[2]) is found
    program = f"from {name} import *\nprint(*sorted(set({listed}) - set(dir())))"
    assert fresh(program) == "\n"


@pytest.mark.parametrize("name", FACES)
def test_a_face_knows_what_it_does_not_have(name: str) -> None:
    face = importlib.import_module(name)
    with pytest.raises(AttributeError, match="has no attribute 'littlestone_dimensoin'") as error:
        face.__getattr__("littlestone_dimensoin")
    assert error.value.obj is face
    assert "(near it: pac_stability.littlestone_dimension" in str(error.value)
    assert not hasattr(face, "_face_of_nobody")


@pytest.mark.parametrize("name", FACES)
def test_importing_a_face_loads_no_room(name: str) -> None:
    ours = "(m for m in sys.modules if m.startswith('pac_stability'))"
    program = f"import {name}, sys\nprint(*sorted{ours})"
    faces = {".".join(name.split(".")[: depth + 1]) for depth in range(name.count(".") + 1)}
    assert set(fresh(program).split()) == faces | {"pac_stability._face"}


def test_importing_the_library_loads_no_array_library() -> None:
    assert fresh("import pac_stability, sys\nprint('numpy' in sys.modules)") == "False\n"


def test_a_face_without_its_list_says_so(tmp_path: Path) -> None:
    (tmp_path / "bare").mkdir()
    source = "from pac_stability._face import face\n__getattr__, __dir__, __all__ = face(__name__)"
    (tmp_path / "bare" / "__init__.py").write_text(source, encoding="utf-8")
    program = f"import sys\nsys.path.insert(0, {str(tmp_path)!r})\ntry: import bare\n"
    program += "except ImportError as error: print(error, error.name)"
    assert fresh(program) == "bare without its __init__.pyi, which lists what it shows bare\n"


def names_on(page: Path) -> list[str]:
    """Names below the face, as a page writes them; ``.b`` after ``ps.a.c`` is ``ps.a.b``."""
    found = []
    for line in page.read_text(encoding="utf-8").splitlines():
        home = ""
        for span in SPAN.findall(line):
            if full := NAME.fullmatch(span):
                found.append(full[1])
                home = full[1].rpartition(".")[0]
            elif home and (short := SHORT.fullmatch(span)):
                found.append(home + short[1])
    return found


def test_every_name_that_the_documentation_gives_is_reachable() -> None:
    """From ``import pac_stability as ps`` alone: no other import is made before a name is read."""
    names = sorted({name for page in PAGES for name in names_on(page)})
    assert len(names) > 40
    program = f"""
import pac_stability, sys
for name in {names}:
    found = pac_stability
    for part in name.split(".")[1:]:
        found = getattr(found, part, None)
    if found is None:
        print(name)
    for loaded in [m for m in sys.modules if m.startswith("pac_stability.")]:
        if loaded.count(".") == 1:
            vars(pac_stability).pop(loaded.partition(".")[2], None)
"""
    assert fresh(program) == ""


def test_no_module_shares_its_name_with_what_its_package_shows() -> None:
    # ``import a.b.c as m`` would give the function c, and ``a.b.c`` is one thing in the docs.
    for file in sorted(PACKAGE.rglob("*.py")):
        if file.stem.startswith("__") or "plots" in file.parts:  # plots needs an extra
            continue
        package = ".".join((PACKAGE.name, *file.parent.relative_to(PACKAGE).parts))
        shown = importlib.import_module(f"{package}.{file.stem}")
        assert getattr(importlib.import_module(package), file.stem, shown) is shown, file
