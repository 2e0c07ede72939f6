"""The blueprint: its pages say what the registry and the runs say, and no run is out of date."""

from __future__ import annotations

import dataclasses
import importlib.util
import json
import re
import sys
from pathlib import Path
from types import ModuleType
from xml.etree import ElementTree as ET

import pytest

from pac_stability import claims
from pac_stability.claims import Budget, Claim, Expectation, Kind, Method, Trial, Whose
from pac_stability.claims.finding import settle
from pac_stability.claims.report import evidence_document

ROOT = Path(__file__).parents[2]
SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def blueprint() -> ModuleType:
    spec = importlib.util.spec_from_file_location("blueprint", ROOT / "tools" / "blueprint.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # where dataclasses look for annotations
    spec.loader.exec_module(module)
    return module


def squares(least: int) -> Trial:
    return claims.trial(
        "squares | numbers",
        lambda power, x: settle(x**power >= x, f"{x}**{power} < {x}"),
        lambda budget: range(least, budget.pick(3, 30, 300)),
        subject=2,
        mutant=-1,
        universe=f"integers from {least} on",
        exhaustive=True,
    )


def made_up() -> tuple[Claim, ...]:
    lemma = Claim(
        key="BLM20:lemma-1",
        kind=Kind.LEMMA,
        title="Squares grow",
        statement="For all x_0, x_0*x_0 >= |x_0|.",
        code=("dimensions.littlestone",),
        trials=(squares(1),),
        whose=Whose.PRINTED,
        where="Section 1",
    )
    theorem = dataclasses.replace(
        lemma,
        key="BLM20:theorem-2",
        code=("notions.domination.Domination.then", "dimensions.littlestone"),
        trials=(squares(-1),),
        expectation=Expectation.HOLDS,
        uses=("BLM20:lemma-1",),
        explicit="BLM20:theorem-2.explicit",
    )
    explicit = dataclasses.replace(
        lemma, key="BLM20:theorem-2.explicit", uses=("BLM20:theorem-2", "DF20:remark-3")
    )
    remark = dataclasses.replace(
        lemma,
        key="DF20:remark-3",
        method=Method.ASYMPTOTIC,
        expectation=Expectation.RECORDED,
        trials=(),
        note="See # 4.",
    )
    return lemma, theorem, explicit, remark


@pytest.fixture
def folder(blueprint: ModuleType, tmp_path: Path) -> Path:
    """A folder with the quick run of the made-up claims."""
    document = evidence_document([claims.check(claim) for claim in made_up()], "1")
    blueprint.record(document, made_up(), tmp_path)
    return tmp_path


def test_the_runs_are_up_to_date(blueprint: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    assert blueprint.main(["--check"]) == 0, capsys.readouterr().out
    for found in blueprint.read_runs(blueprint.RUNS).values():
        assert list(found) == [claim.key for claim in claims.all()]


def test_a_run_is_kept_and_read_again(
    blueprint: ModuleType,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    chosen = claims.select(["DF20:appendix-a.*", "BLM20:lemma-12", "DF20:remark-16"])
    evidence = [claims.check(claim) for claim in chosen]
    monkeypatch.setattr(blueprint, "RUNS", tmp_path)
    file = tmp_path / "run.json"
    file.write_text(json.dumps(evidence_document(evidence[:2], "1")))
    assert blueprint.main(["--record", str(file)]) == 0
    first = (tmp_path / "quick.tsv").read_text()
    # A run of other claims leaves these alone, and the order is that of the papers.
    file.write_text(json.dumps(evidence_document(evidence[2:], "1")))
    assert blueprint.main(["--record", str(file)]) == 0
    lines = (tmp_path / "quick.tsv").read_text().splitlines()
    assert set(first.splitlines()) < set(lines)
    assert len(lines) == 1 + len(chosen)
    found = blueprint.read_runs(tmp_path)[Budget.QUICK]
    assert list(found) == [claim.key for claim in claims.all() if claim in chosen]
    for entry in evidence:
        here = found[entry.claim.key]
        assert here.is_of(entry.claim)
        assert here.status == entry.status.value
        assert (here.instances, here.active) == (entry.instances, entry.active)
        assert (here.tightest, here.counterexample) == (entry.tightest, entry.counterexample)
    assert blueprint.main(["--check"]) == 1
    assert "quick: DF20:lemma-4 has to be run again\n" in capsys.readouterr().out


def test_a_page_has_statement_code_tests_and_evidence(blueprint: ModuleType, folder: Path) -> None:
    page = blueprint.pages(made_up(), blueprint.read_runs(folder))["bun-livni-moran.md"]
    lemma = page[page.index("## Lemma 1\n") : page.index("## Theorem 2\n")]
    assert r"**Squares grow.** For all x\_0, x\_0\*x\_0 \>= \|x\_0\|." in lemma
    assert "- claim: `BLM20:lemma-1`, exact\n" in lemma
    assert "- code: `dimensions.littlestone`\n" in lemma
    assert "(../../tests/dimensions/test_littlestone.py)" in lemma
    assert "- used by: [Theorem 2](#theorem-2)\n" in lemma
    assert "- quick: **settled** on 2 instances\n" in lemma
    assert r"- asked of: squares \| numbers: all of integers from 1 on" in lemma


def test_a_page_tells_what_failed_and_what_is_related(blueprint: ModuleType, folder: Path) -> None:
    pages = blueprint.pages(made_up(), blueprint.read_runs(folder))
    page = pages["bun-livni-moran.md"]
    theorem = page[page.index("## Theorem 2\n") : page.index("## Theorem 2, explicit\n")]
    assert "- uses: [Lemma 1](#lemma-1)\n" in theorem
    assert "- with explicit constants: [Theorem 2, explicit](#theorem-2-explicit)\n" in theorem
    assert "(../../tests/notions/test_domination.py)" in theorem
    assert "[DF20 Remark 3](dagan-feldman.md#remark-3)" in page
    remark = pages["dagan-feldman.md"]
    assert "exact" not in remark
    assert "asymptotic, recorded" in remark
    assert r"See \# 4." in remark
    assert (
        "| [Bun, Livni and Moran 2020](bun-livni-moran.md) | 3 | 3 settled | 0 |"
        in pages["index.md"]
    )


def test_a_theorem_of_rocq_has_a_link_and_is_counted(blueprint: ModuleType) -> None:
    known = dataclasses.replace(made_up()[0], rocq=("Ldim.ge_S", "Soa.SOA_mistakes"))
    page = blueprint.pages([known], {})["bun-livni-moran.md"]
    theories = "../../pac_stability/rocq/theories"
    assert (
        f"- proved in Rocq: [`ge_S`]({theories}/Ldim.v), [`SOA_mistakes`]({theories}/Soa.v)\n"
        in page
    )
    failing = dataclasses.replace(known, expectation=Expectation.FAILS, repaired_by="BLM20:lemma-1")
    assert "- refuted in Rocq: [" in blueprint.pages([failing], {})["bun-livni-moran.md"]
    assert "| 1 | 1 not run | 1 |" in blueprint.pages([known], {})["index.md"]


def test_counterexamples_are_shown_for_each_budget(blueprint: ModuleType, folder: Path) -> None:
    failing = dataclasses.replace(
        made_up()[0],
        trials=(dataclasses.replace(squares(1), has_mutant=False), squares_of_negative()),
        expectation=Expectation.FAILS,
        repaired_by="BLM20:lemma-1",
    )
    for budget in (Budget.QUICK, Budget.STANDARD):
        document = evidence_document([claims.check(failing, budget)], "1")
        blueprint.record(document, [failing], folder)
    pages = blueprint.pages([failing], blueprint.read_runs(folder))
    page = pages["bun-livni-moran.md"]
    assert page.count(r"  - counterexample: 1\*\*-1 is not 0") == 2
    assert page.index("- quick: **fails** on 3") < page.index("- standard: **fails** on 30")
    assert "`BLM20:lemma-1`, exact, fails as printed" in page
    assert "- whose: printed (FOCS 2020, Section 1, Lemma 1)" in page


def test_the_index_has_a_table_of_what_is_refuted(blueprint: ModuleType) -> None:
    page = blueprint.index_page({claim.key: claim for claim in claims.all()}, {})
    rows = [line for line in page.splitlines() if line.startswith("| [") and "#" in line]
    assert len(rows) == sum(claim.expectation.refuted for claim in claims.all())
    assert (
        "| [BLM20 Lemma 12](bun-livni-moran.md#lemma-12) | FOCS 2020, Section IV-B, Lemma 12 |"
        " fails as printed | [BLM20 Lemma 12, repaired](bun-livni-moran.md#lemma-12-repaired) |"
    ) in rows


@pytest.mark.parametrize("paper", claims.PAPERS)
def test_the_notes_open_with_what_stands_and_name_what_is_refuted(paper: str) -> None:
    page = ROOT / "docs" / "errata" / f"{claims.PAPERS[paper].replace('_', '-')}.md"
    text = page.read_text(encoding="utf-8")
    assert text.split("\n\n")[2].startswith("**What stands: ")
    for claim in claims.all():
        if claim.paper == paper and claim.expectation.refuted:
            place = re.search(r"(Lemma|Theorem|Remark|Corollary|Definition) \d+$", claim.place)
            wanted = place[0] if place else NAMED_AS[claim.key]
            kind, _, number = wanted.partition(" ")
            plural = rf"{kind}s? (\d+(,| and) )*{number}\b" if place else re.escape(wanted)
            assert re.search(plural, text), claim.key


NAMED_AS = {
    "DF20:section-1.1.lines": "Lines over GF(p)",
    "DF20:definition-private-prediction": "Private prediction",
    "DF20:definition-private-prediction.arxiv": "arXiv",
    "DF20:definition-h-t.arbitrary": "H_T",
    "DF20:definition-growth": "Growth function",
    "DF20:section-3.flip-probability": "Flip",
    "DF20:section-3.flip": "Flip",
    "DF20:section-3.flip-error": "2 alpha",
    "DF20:appendix-c.half": "Appendix C",
    "BLM20:fact-affine-subspaces": "Affine subspaces",
    "BLM20:remark-agnostic-rate": "Agnostic remark",
}
"""What a page calls those without a number."""


def squares_of_negative() -> Trial:
    return claims.trial(
        "inverse",
        lambda power, x: settle(x**power == 0, f"{x}**{power} is not 0"),
        lambda _: range(1, 3),
        subject=-1,
        universe="1 and 2",
    )


def test_the_picture_leads_to_the_statements(blueprint: ModuleType, folder: Path) -> None:
    pages = blueprint.pages(made_up(), blueprint.read_runs(folder))
    picture = ET.fromstring(pages["bun-livni-moran.svg"])  # noqa: S314  # our own
    targets = {link.attrib["href"].removeprefix("#") for link in picture.iter(f"{SVG}a")}
    headings = re.findall(r"^## (.*)$", pages["bun-livni-moran.md"], re.MULTILINE)
    slugs = {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in headings}
    assert targets == slugs == {"lemma-1", "theorem-2", "theorem-2-explicit"}
    assert "![What the statements rest on](bun-livni-moran.svg)" in pages["bun-livni-moran.md"]
    assert "dagan-feldman.svg" not in pages


def test_a_run_of_other_trials_does_not_count(blueprint: ModuleType, folder: Path) -> None:
    lemma, *rest = made_up()
    changed = dataclasses.replace(lemma, trials=(squares(0),))
    runs = blueprint.read_runs(folder)
    assert blueprint.not_run(made_up(), runs) == []
    assert blueprint.not_run([changed, *rest], runs) == ["quick: BLM20:lemma-1"]
    assert "- quick: not run\n" in blueprint.pages([changed, *rest], runs)["bun-livni-moran.md"]


def test_two_claims_need_two_anchors(blueprint: ModuleType) -> None:
    lemma = made_up()[0]
    twin = dataclasses.replace(lemma, key="BLM20:lemma.1")
    with pytest.raises(ValueError, match="anchors of more than one"):
        blueprint.pages([lemma, twin], {})


def test_tests_are_found_where_the_package_is_mirrored(
    blueprint: ModuleType, tmp_path: Path
) -> None:
    for file, text in {
        "notions/test_a.py": "Domination(1, 2).then(x)\n",
        "notions/test_b.py": "# Domination is here\nq.then(x)\n",
        "data/test_c.py": "Domination(1, 2).then(x)\n",
        "notions/test_z.py": "Domination(1, 2).then(mixture(x))\n",
        "papers/dagan_feldman/deep/test_d.py": "from x import hard_chain\n",
    }.items():
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / file).write_text(text)
    found = blueprint.files_of_tests(
        (
            "notions.domination.Domination.then",
            "notions.domination.mixture",
            "papers.dagan_feldman.hard_chain",
        ),
        tmp_path,
    )
    assert [file.name for file in found] == ["test_z.py", "test_a.py", "test_d.py"]
