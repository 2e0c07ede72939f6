"""The cache of verify: what is kept, when it is used, and that no file of it can lie for long."""

import json
import os
import shutil
import stat
import time
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any, Never

import pytest

from pac_stability import claims, errors
from pac_stability.claims import Cache, Tally, pages, report, running
from shared_refusals import refuses
from shared_subjects import WorkersDie

CHOSEN = ("DF20:appendix-a.*", "BLM20:lemma-12", "DF20:fact-private-is-stable.sharp")
RUN = running.run_task
KEPT = 5  # their trials, but for that which refutes


def never(task: object) -> Never:
    raise AssertionError(task)


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache that knows all that it may know of the chosen claims."""
    folder = tmp_path_factory.mktemp("filled")
    list(claims.verify(claims.select(CHOSEN), cache=Cache(folder)))
    return folder


@pytest.fixture
def folder(filled: Path, tmp_path: Path) -> Path:
    """A copy of it."""
    return shutil.copytree(filled, tmp_path / "cache")


def entries(folder: Path) -> dict[str, Path]:
    """The files by the names of their tasks."""
    return {json.loads(file.read_text())["name"]: file for file in folder.glob("*.json")}


def test_refutations_are_never_kept(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names = entries(folder)
    assert len(names) == KEPT
    assert not any("lemma-12" in name for name in names)
    again: list[str] = []

    def asked(task: Any) -> Tally:
        again.append(task.key)
        return RUN(task)

    monkeypatch.setattr("pac_stability.claims.running.run_task", asked)
    evidence = list(claims.verify(claims.select(CHOSEN), cache=Cache(folder)))
    assert set(again) == {"BLM20:lemma-12"}
    assert all(entry.as_expected for entry in evidence)


def test_nothing_open_is_kept(tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    cache.store("open", Tally(3, None, (1, "between 1 and 2"), active=3))
    cache.store("refuted", Tally(3, (2, "3 > 2"), active=3))
    assert list(tmp_path.iterdir()) == []
    drawn = Tally(3, None, None, Fraction(3, 7), 2, 3)
    cache.store("drawn", drawn)
    found = cache.load("drawn")
    assert found is not None
    assert found.tally == drawn


def test_the_report_says_what_came_from_the_cache_and_how_old_it_is(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    chosen = claims.select(CHOSEN)
    fresh = list(claims.verify(chosen))
    later = time.time() + 3 * 86_400 + 60
    monkeypatch.setattr(time, "time", lambda: later)
    kept = list(claims.verify(chosen, cache=Cache(folder)))
    by_key = {entry.claim.key: entry for entry in fresh}
    assert {entry.claim.key: entry for entry in kept} == by_key
    whole = len(chosen) - 1
    said = f"all as expected; {whole} of {len(chosen)} from the cache (the oldest answer: 3 days)"
    assert report.summary(kept).endswith(said)
    assert "cache" not in report.summary(fresh)
    assert report.evidence_document(kept, "1")["from_cache"] == whole
    assert report.evidence_to_latex(kept).startswith(
        f"% {whole} of {len(chosen)} from the cache (the old"
    )
    assert "cache" not in report.evidence_to_latex(fresh)
    assert f"; {whole} of {len(chosen)} from the cache" in pages.evidence_to_html(kept, "1")
    assert report.evidence_document(fresh, "1")["from_cache"] == 0
    # One of the parts of a claim is missing.
    parted = next(c for c in chosen if len(c.trials) > 1)
    next(f for name, f in entries(folder).items() if name.startswith(parted.key)).unlink()
    assert "1 in part (" in report.summary(list(claims.verify([parted], cache=Cache(folder))))


def edited(**fields: object) -> Callable[[str], str]:
    return lambda text: json.dumps({**json.loads(text), **fields})


DAMAGE: dict[str, Callable[[str], str]] = {
    "fewer than none": edited(instances=-5),
    "many": edited(instances=10**30),
    "true": edited(instances=True),
    "misled": edited(misled="1/2", supported=1),
    "misled 1/0": edited(misled="1/0"),
    "misled a long number": edited(misled="1e99999999"),
    "misled below 0": edited(misled="-5"),
    "less active": edited(active=1),
    "tighter": edited(tightest=0.999),
    "not tight": edited(tightest=None),
    "another name": edited(name="DF20:appendix-a.mixtures/other/quick/0"),
    "written tomorrow": edited(written=2**40),
    "no code": lambda text: json.dumps({k: v for k, v in json.loads(text).items() if k != "code"}),
    "another code": edited(code="0" * 64),
    "a code of another type": edited(code=7),
    "half a surrogate pair": edited(code="\ud800"),
    "the old form": lambda text: json.dumps(
        {"name": json.loads(text)["name"], "tally": {"instances": 3, "supported": 0, "misled": "0"}}
    ),
    "tally list": edited(tally=[]),
    "null": lambda _: "null",
    "a list": lambda _: "[]",
    "deep": lambda _: "[" * 100_000,
    "truncated": lambda text: text[:-5],
    "empty": lambda _: "",
    "zeros": lambda text: "\0" * len(text),
    "a mark": lambda text: "\ufeff" + text.replace("instances", "Instances"),
}


@pytest.mark.parametrize("damage", DAMAGE.values(), ids=DAMAGE)
def test_a_damaged_file_is_asked_again_and_healed(
    folder: Path, damage: Callable[[str], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    chosen = claims.select(["DF20:appendix-a.*"])
    fresh = list(claims.verify(chosen))
    file = next(file for name, file in entries(folder).items() if "mixtures" in name)
    before = file.read_text()
    file.write_text(damage(before))
    cache = Cache(folder)
    found = sorted(claims.verify(chosen, cache=cache), key=lambda e: e.claim.key)
    assert found == sorted(fresh, key=lambda e: e.claim.key)
    assert len(cache.remarks) == 1
    assert cache.remarks[0].startswith("1 file of the cache")
    # It is whole again.
    monkeypatch.setattr("pac_stability.claims.running.run_task", never)
    healed = Cache(folder)
    assert len(list(claims.verify(chosen, cache=healed))) == len(chosen)
    assert healed.remarks == ()


def test_no_file_stands_for_another(folder: Path) -> None:
    """Two files are exchanged, and one is copied to where a refuted claim would have its own."""
    chosen = claims.select(CHOSEN)
    fresh = {entry.claim.key: entry for entry in claims.verify(chosen)}
    known = entries(folder)
    first, second = list(known.values())[:2]
    one, two = first.read_text(), second.read_text()
    first.write_text(two)
    second.write_text(one)
    cache = Cache(folder)
    refuted = claims.get("BLM20:lemma-12")
    name = f"{refuted.key}/{refuted.trials[0].name}/quick/0"
    shutil.copy(second, cache._path(name))
    found = {entry.claim.key: entry for entry in claims.verify(chosen, cache=cache)}
    assert found == fresh
    assert found[refuted.key].word == "fails"
    assert found[refuted.key].kept == 0
    assert "3 files of the cache" in cache.remarks[0]
    # Its name and its place being those of the refuted claim, it still lacks the code.
    renamed = json.loads(one) | {"name": name}
    cache._path(name).write_text(json.dumps(renamed))
    again = Cache(folder)
    (evidence,) = claims.verify([refuted], cache=again)
    assert evidence == fresh[refuted.key]
    assert "1 file of the cache" in again.remarks[0]


@pytest.mark.skipif(os.name == "nt", reason="there are no modes of files")
@pytest.mark.parametrize("mode", [0o644, 0o640, 0o604])
def test_a_key_that_others_can_read_is_no_key(folder: Path, mode: int) -> None:
    key = folder / "key"
    before = key.read_bytes()
    key.chmod(mode)
    cache = Cache(folder)
    evidence = list(claims.verify(claims.select(CHOSEN), cache=cache))
    assert all(entry.kept == 0 for entry in evidence)
    assert cache.remarks[0].startswith(f"{KEPT} files of the cache")
    assert key.read_bytes() != before
    assert stat.S_IMODE(key.stat().st_mode) == 0o600


def test_files_of_another_key_are_of_no_use(folder: Path) -> None:
    key = folder / "key"
    assert stat.S_IMODE(key.stat().st_mode) == 0o600
    assert key.stat().st_size == 32
    for content in (bytes(32), b"", b"short"):
        key.write_bytes(content)
        cache = Cache(folder)
        evidence = list(claims.verify(claims.select(CHOSEN), cache=cache))
        assert all(entry.kept == 0 for entry in evidence)
        assert len(cache.remarks) == 1
        assert cache.remarks[0].startswith(f"{KEPT} files of the cache")
        assert stat.S_IMODE(key.stat().st_mode) == 0o600
        assert key.stat().st_size == 32
        assert Cache(folder).load(next(iter(entries(folder)))) is not None


@pytest.mark.parametrize("what", ["library_digest", "platform_name"])
def test_other_code_and_other_machines_find_nothing(
    folder: Path, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    name = next(iter(entries(folder)))
    assert Cache(folder).load(name) is not None
    monkeypatch.setattr(f"pac_stability.claims.running.{what}", lambda: "another")
    cache = Cache(folder)
    assert cache.load(name) is None
    assert cache.remarks == ()
    # Nor can a file be carried over by its name.
    entries(folder)[name].rename(cache._path(name))
    assert cache.load(name) is None
    assert len(cache.remarks) == 1


def test_kept_tallies_are_asked_for_again(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    chosen = claims.select(["DF20:appendix-a.*"])
    again: list[str] = []

    def asked(task: Any) -> Tally:
        again.append(task.key)
        return RUN(task)

    monkeypatch.setattr("pac_stability.claims.running.run_task", asked)
    for check, count in ((0, 0), (1, 1), (Fraction(1, 2), 1), (Fraction(1), 2), (100, 2)):
        again.clear()
        found = list(claims.verify(chosen, cache=Cache(folder), check_cache=check))
        assert len(again) == count
        assert sum(entry.kept for entry in found) == 2 - count
    monkeypatch.setattr("pac_stability.claims.running.run_task", lambda _: Tally(1, active=1))
    with pytest.raises(errors.InvalidInput, match="cache: got another answer to DF20:appendix-a"):
        list(claims.verify(chosen, cache=Cache(folder), check_cache=1))
    refuses("check_cache", list, claims.verify(chosen, check_cache=-1))


def test_a_fresh_start_asks_everything_and_keeps_it(folder: Path) -> None:
    chosen = claims.select(CHOSEN)
    assert all(e.kept == 0 for e in claims.verify(chosen, cache=Cache(folder, fresh=True)))
    assert sum(e.kept for e in claims.verify(chosen, cache=Cache(folder))) == KEPT


def no_room(*_: object, **__: object) -> Never:
    raise OSError(28, "No space left on device")


@pytest.mark.parametrize("step", ["mkdir", "replace", "fsync"])
def test_a_folder_that_cannot_be_written_is_gone_without(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    chosen = claims.select(CHOSEN)
    fresh = list(claims.verify(chosen))
    cache = Cache(tmp_path / "cache")
    with monkeypatch.context() as patched:
        patched.setattr(*((os, step, no_room) if step == "fsync" else (Path, step, no_room)))
        found = list(claims.verify(chosen, cache=cache))
    assert found == fresh
    assert cache.remarks == (
        f"the cache {tmp_path / 'cache'} cannot be written (no space left on device); "
        "going on without it",
    )


def test_a_folder_that_is_a_file(tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("")
    cache = Cache(tmp_path / "cache")
    assert len(list(claims.verify(claims.select(CHOSEN), cache=cache))) == len(
        claims.select(CHOSEN)
    )
    assert "cannot be written (file exists); going on without it" in cache.remarks[0]


def test_a_user_without_a_home(monkeypatch: pytest.MonkeyPatch) -> None:
    def nowhere() -> Never:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setattr(Path, "home", nowhere)
    assert running.default_folder() is None


@pytest.mark.parametrize("fields", [
    {"instances": -1},
    {"instances": True},
    {"instances": 1.0},
    {"instances": 1, "supported": 2, "misled": Fraction(1, 2)},
    {"instances": 1, "supported": 1},
    {"instances": 1, "misled": Fraction(1, 2)},
    {"instances": 3, "supported": 1, "misled": Fraction(3, 2)},
    {"instances": 3, "supported": 1, "misled": Fraction(-1, 2)},
    {"refuting": (0, "x")},
    {"instances": 1, "refuting": (-1, "x")},
    {"instances": 1, "open": (0, "")},
])  # fmt: skip
def test_numbers_that_no_run_finds(fields: dict[str, Any]) -> None:
    refuses("", Tally, **fields)


def test_a_process_that_is_killed_is_said_in_words(folder: Path) -> None:
    with pytest.raises(errors.BudgetExhausted, match="a process ended before its work was done"):
        list(claims.verify(claims.select(CHOSEN), executor=WorkersDie(), cache=Cache(folder)))
