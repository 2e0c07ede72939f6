import os
import signal
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from pac_stability import claims, compression, errors
from pac_stability.claims.claim import MEANING
from pac_stability.cli import commands

Command = Callable[..., Any]
Validate = Callable[[str], dict[str, Any]]
ONE = "DF20:appendix-a.mixtures"


def test_every_budget_is_offered() -> None:
    assert tuple(budget.value for budget in claims.Budget) == commands.BUDGETS


def test_a_claim_is_verified(command: Command, tmp_path: Path) -> None:
    cache, page, table = tmp_path / "cache", tmp_path / "page.html", tmp_path / "table.tex"
    result = command(
        "verify",
        "--only",
        ONE,
        "--processes",
        1,
        "--cache",
        cache,
        "--html",
        page,
        "--latex",
        table,
    )
    assert (result.code, result.err) == (0, "")
    assert result.out.splitlines()[-1] == "1 claim: 1 survived; all as expected"
    assert f'id="{ONE}"' in page.read_text(encoding="utf-8")
    assert ONE in table.read_text(encoding="utf-8")
    assert sorted(file.suffix for file in cache.iterdir()) == ["", ".json"]  # the key, and one file


def test_what_came_from_the_cache_is_said(
    command: Command, tmp_path: Path, validate: Validate
) -> None:
    cache = tmp_path / "cache"
    asked = ("verify", "--only", ONE, "--processes", 1, "--cache", cache)
    said = "; 1 of 1 from the cache (the oldest answer: less than a minute)"
    assert said not in command(*asked).out
    assert said in " ".join(command(*asked).out.split())
    assert said not in command(*asked, "--check-cache", "100%").out
    assert said not in command(*asked, "--fresh").out
    assert validate(command(*asked, "--json").out)["from_cache"] == 1
    (file,) = cache.glob("*.json")
    file.write_text("null")
    result = command(*asked)
    assert result.code == 0
    assert "1 file of the cache" in result.err
    assert said not in result.out
    assert said in " ".join(command(*asked).out.split())
    for option in ("--fresh", "--check-cache=1"):
        refused = command("verify", "--only", ONE, "--cache", "none", option)
        assert (refused.code, refused.out) == (2, "")


def test_a_cache_that_cannot_be_written_does_not_end_a_run(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / ".cache").write_text("")  # as good as a folder that is not one's own
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    result = command("verify", "--only", ONE, "--processes", 1)
    assert result.code == 0
    assert "cannot be written" in result.err
    assert "1 survived; all as expected" in result.out
    monkeypatch.setattr("pac_stability.cli.verify.default_folder", lambda: None)
    result = command("verify", "--only", ONE, "--processes", 1)
    assert result.code == 0
    assert "no home folder for a cache; going on without it" in result.err


def test_a_killed_worker_is_said_in_words(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Workers that end as soon as they begin, as if for want of memory.
    monkeypatch.setattr("pac_stability.audit.search.parallel.end_with_parent", partial(os._exit, 1))
    result = command("verify", "--only", ONE, "--processes", 2, "--cache", tmp_path)
    assert (result.code, result.out) == (3, "")
    assert "inconclusive: a process ended before its work was done: it was killed" in result.err


@pytest.mark.parametrize("key", [ONE, "BLM20:lemma-12", "DF20:lemma-6", "CLNRW16:theorem-26"])
def test_json(command: Command, validate: Validate, key: str) -> None:
    result = command("verify", "--only", key, "--processes", 1, "--cache", "none", "--json")
    assert result.code == 0
    document = validate(result.out)
    assert [entry["key"] for entry in document["claims"]] == [key]


def test_what_is_not_as_expected_is_exit_code_1(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    refuted = claims.Tally(1, (0, "1 > 0"), active=1)
    monkeypatch.setattr("pac_stability.claims.running.run_task", lambda _: refuted)
    result = command("verify", "--only", ONE, "--processes", 1, "--cache", "none")
    assert result.code == 1
    assert "COUNTEREXAMPLE: 1 > 0" in result.out


def test_bad_input(command: Command, tmp_path: Path) -> None:
    assert "no-such" in command("verify", "--only", "DF20:no-such").err
    assert "got 'DF20:no-such'" in command("verify", "--only", f"{ONE}, DF20:no-such").err
    assert command("verify", "--only", ONE, "--html", tmp_path).code == 2
    both = tmp_path / "x"
    assert command("verify", "--only", ONE, "--html", both, "--latex", both).code == 2


# What is known when a run is interrupted, or the library breaks


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("on", [(), ("--family", "thresholds:3")])
def test_an_interrupted_run_prints_what_is_known(
    command: Command, validate: Validate, monkeypatch: pytest.MonkeyPatch, how: int,
    on: tuple[str, ...],
) -> None:  # fmt: skip
    name = "verify_on" if on else "verify"
    ask = getattr(claims, name)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)

    def interrupted(*args: Any, **options: Any) -> Iterator[object]:
        yield next(iter(ask(*args, **options)))
        os.kill(os.getpid(), how)
        yield from ()

    monkeypatch.setattr(claims, name, interrupted)
    chosen = ("--only", "BLM20:fact-finite-classes", "--only", ONE, *on)
    asked = ("verify", *chosen, *(() if on else ("--processes", 1, "--cache", "none")))
    try:
        result, document = command(*asked), command(*asked, "--json")
    finally:
        signal.signal(signal.SIGINT, before)
    assert (result.code, document.code) == (130, 130)
    assert result.err == "pac-stability: interrupted: 1 of 2 claims are known\n"
    assert "\n1 claim" in result.out
    found = validate(document.out)
    assert (found["complete"], len(found["claims"])) == (False, 1)


def test_a_trial_that_raises_bad_input_is_not_the_users_bad_input(
    command: Command, validate: Validate, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = "CLNRW16:theorem-25.explicit"

    def too_small(*_: object, **__: object) -> object:
        raise errors.InvalidInput("group", "groups of 1, too small", "larger ones")

    monkeypatch.setattr(compression.BoostingScheme, "__init__", too_small)
    asked = ("verify", "--only", key, "--only", ONE, "--processes", 1, "--cache", "none")
    result = command(*asked)
    assert (result.code, result.err) == (1, "")
    assert "! broken" in result.out
    assert "InvalidInput: group: got groups of 1" in " ".join(result.out.split())
    entries = {entry["key"]: entry for entry in validate(command(*asked, "--json").out)["claims"]}
    assert [entries[name]["status"] for name in (key, ONE)] == ["broken", "survived"]


def test_the_words_are_defined_where_they_are_printed(command: Command) -> None:
    text = command("verify", "--help").out
    for word, said in MEANING.items():
        assert f"\n  {word:<12}  {said}\n" in text
        assert len(said) <= 80 - 14
    page = (Path(__file__).parents[2] / "docs/how-to/verify-the-papers.md").read_text("utf-8")
    assert all(f"| {word} | {said} |" in page for word, said in MEANING.items())
    words = {status.value for status in claims.Status}
    known = {known.word_for("refuted") for known in claims.Expectation if known.refuted}
    assert set(MEANING) == words | known
    lines = command("verify", "--only", ONE, "--processes", 1, "--cache", "none").out.splitlines()
    assert lines[-3].split("  ")[0] == "survived"


def test_the_slowest_claims_are_named_and_how_long_each_took(
    command: Command, validate: Validate
) -> None:
    other = "DF20:appendix-a.transitivity"  # of thousands of instances
    asked = ("verify", "--only", ONE, "--only", other, "--processes", 1, "--cache", "none")
    lines = [line.split() for line in command(*asked, "--durations", 1).out.splitlines()[-2:]]
    assert [line[2] for line in lines] == [other, "all"]
    assert float(lines[0][0]) < float(lines[1][0])
    found = validate(command(*asked, "--durations", 1, "--json").out)["claims"]
    assert all(entry["seconds"] > 0 for entry in found)
    assert "seconds" not in validate(command(*asked, "--json").out)["claims"][0]
