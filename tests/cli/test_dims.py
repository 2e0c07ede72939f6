import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pac_stability import classes, dimensions, online
from pac_stability.cli import dims
from pac_stability.cli.commands import DIMENSIONS as OFFERED, ON_REQUEST
from pac_stability.cli.dims import DIMENSIONS as COMPUTED

Command = Callable[..., Any]
Validate = Callable[[str], dict[str, Any]]

# Its threshold dimension lies far beyond any budget of these tests.
HARD = "random:1024x64:1/2:3"


def test_every_dimension_offered_is_computed() -> None:
    assert tuple(COMPUTED) == OFFERED + ON_REQUEST


def test_a_table_gives_a_line_for_each_dimension(command: Command, table: Path) -> None:
    result = command("dims", table)
    assert (result.code, result.err) == (0, "")
    lines = result.out.splitlines()
    assert lines[0] == f"{table}: 4 hypotheses on 3 points (names from line 1)"
    assert [line.split()[:3] for line in lines[3:]] == [
        ["Littlestone", "2", "exact"],
        ["VC", "1", "exact"],
        ["dual", "VC", "1"],
        ["threshold", "3", "exact"],
    ]


def test_json_tells_the_same(command: Command, validate: Validate, table: Path) -> None:
    result = command("dims", table, "--json")
    report = validate(result.out)
    H = classes.FiniteClass([[0, 0, 0], [0, 0, 1], [0, 1, 1], [1, 1, 1]])
    assert report["class"] == {"id": online.class_digest(H), "hypotheses": 4, "points": 3}
    assert report["status"] == "exact"
    values = {name: (row["lower"], row["upper"]) for name, row in report["dimensions"].items()}
    assert values == {"littlestone": (2, 2), "vc": (1, 1), "dual-vc": (1, 1), "threshold": (3, 3)}


def test_every_format_of_a_table_gives_the_same_class(
    command: Command, tmp_path: Path, table: Path
) -> None:
    rows = [[0, 0, 0], [0, 0, 1], [0, 1, 1], [1, 1, 1]]
    np.save(tmp_path / "table.npy", np.array(rows))
    (tmp_path / "table.json").write_text(json.dumps(rows))
    (tmp_path / "table.txt").write_text(table.read_text())
    reports = [
        json.loads(command("dims", *arguments, "--json", "--only", "vc").out)["class"]
        for arguments in (
            [table],
            [tmp_path / "table.npy"],
            [tmp_path / "table.json"],
            [tmp_path / "table.txt", "--table-format", "csv"],
            ["--family", "thresholds:3"],
        )
    ]
    assert len({report["id"] for report in reports[:4]}) == 1
    assert all(report["hypotheses"] == 4 for report in reports)


def test_a_family_is_restricted_to_the_rows_of_a_numeric_table(
    command: Command, tmp_path: Path
) -> None:
    points = tmp_path / "points.csv"
    points.write_text("height,weight\n1,5\n2.5,3\n4,4\n")
    # Stumps cut three heights and three weights: 2 constants, and in either orientation two cuts a
    # column.  Heights cut 100 and 110, weights 010 and 011: with complements 8 and the constants.
    result = command("dims", "--family", "stumps", "--points", points)
    assert result.out.startswith(f"stumps on {points}: 8 hypotheses on 3 points")
    # Thresholds on one column, as many as points and one more.
    result = command(
        "dims", "--family", "thresholds", "--points", points, "--columns", "weight", "--only", "vc"
    )
    assert "4 hypotheses on 3 points" in result.out


def test_only_some_dimensions_in_the_order_of_the_report(command: Command, table: Path) -> None:
    report = json.loads(command("dims", table, "--json", "--only", "threshold, vc").out)
    assert list(report["dimensions"]) == ["vc", "threshold"]


def test_a_class_without_points(command: Command, validate: Validate) -> None:
    result = command("dims", "--family", "thresholds:0", "--json")
    assert result.code == 0
    rows = validate(result.out)["dimensions"]
    assert [row["lower"] for row in rows.values()] == [0, 0, -1, 0]  # the dual class is empty


def test_a_family_may_stand_where_a_table_does(command: Command, tmp_path: Path) -> None:
    named = command("dims", "affine-lines:3", "--only", "vc")
    asked = command("dims", "--family", "affine_lines:3", "--only", "vc")
    assert named.code == asked.code == 0
    assert named.out.splitlines()[1:3] == asked.out.splitlines()[1:3]
    assert "no such file" in command("dims", "no-family:3").err
    (tmp_path / "thresholds:3").write_text(",a,b\nx,0,1\ny,1,1\n")
    assert "2 hypotheses" in command("dims", str(tmp_path / "thresholds:3")).out


def test_a_limit_on_time_ends_with_bounds_and_code_3(command: Command, validate: Validate) -> None:
    arguments = [HARD, "--only", "littlestone,threshold", "--time-limit", "0.05"]
    result = command("dims", *arguments, "--json")
    assert result.code == 3
    report = validate(result.out)
    assert report["status"] == "bounds"
    row = report["dimensions"]["threshold"]
    assert not row["exact"]
    assert 0 < row["lower"] < row["upper"] <= 64
    text = command("dims", *arguments)
    assert text.code == 3
    assert text.out.splitlines()[-1].split()[2] == "bounds"
    tried = re.search(r"certified; try --only (\S+) and a longer (--\S+); (--\S+) (\d+),", text.err)
    assert tried is not None
    name, limit, aim, k = tried.groups()
    assert command("dims", HARD, "--only", name, limit, "0.1", aim, k).code in (0, 3)


def test_a_limit_on_memory_ends_with_bounds_and_code_3(
    command: Command, validate: Validate
) -> None:
    result = command(
        "dims", "--family", HARD, "--only", "littlestone", "--max-memory", "1K", "--json"
    )
    row = validate(result.out)["dimensions"]["littlestone"]
    assert (result.code, row["exact"]) == (3, False)
    # 10 is right, and 1,024 hypotheses allow no more.
    assert row["lower"] <= 10 <= row["upper"]


def test_the_littlestone_dimension_bounds_vc(command: Command) -> None:
    # Singletons: Ldim 1, so nothing is left to search for VC.
    report = json.loads(command("dims", "--family", "singletons:200", "--json").out)
    together = report["dimensions"]["vc"]
    report = json.loads(command("dims", "--family", "singletons:200", "--json", "--only", "vc").out)
    alone = report["dimensions"]["vc"]
    assert together["upper"] == alone["upper"] == 1
    assert together["subproblems"] <= alone["subproblems"]


@pytest.mark.parametrize("family", ["thresholds:9", "intervals:5", "cube:3", "singletons:4"])
def test_a_certificate_proves_what_it_says(
    command: Command, validate: Validate, tmp_path: Path, family: str
) -> None:
    path = tmp_path / "proof.json"
    result = command("dims", "--family", family, "--certificate", path)
    assert result.code == 0
    document = validate(path.read_text())
    from pac_stability.classes import from_spec

    H = from_spec(family)
    assert document["class"]["id"] == online.class_digest(H)
    proofs = document["dimensions"]
    tree = dimensions.MistakeTree.from_dict(proofs["littlestone"]["witness"])
    assert tree.is_shattered_by(H)
    assert tree.depth == proofs["littlestone"]["lower"]
    refutation = dimensions.Refutation.from_dict(proofs["littlestone"]["refutation"])
    assert refutation.refutes(H)
    assert refutation.level == proofs["littlestone"]["upper"] + 1
    points = dimensions.ShatteredSet.from_dict(proofs["vc"]["witness"])
    assert points.is_shattered_by(H)
    assert len(points.points) == proofs["vc"]["lower"]
    rows = dimensions.DualShatteredSet.from_dict(proofs["dual-vc"]["witness"])
    assert rows.is_shattered_by(H)
    assert len(rows.hypotheses) == proofs["dual-vc"]["lower"]
    half = dimensions.HalfGraph.from_dict(proofs["threshold"]["witness"])
    assert half.is_realized_by(H)
    assert len(half.points) == proofs["threshold"]["lower"]


def test_the_check_shown_in_the_documentation_accepts_true_certificates_only(
    command: Command, table: Path, tmp_path: Path
) -> None:
    page = Path(__file__).parents[2] / "docs/reference/json-schema.md"
    _, _, after = page.read_text(encoding="utf-8").partition("```python\n")
    shown: dict[str, Any] = {}
    exec(after.partition("```")[0], shown)  # noqa: S102  # our own page
    proof = tmp_path / "proof.json"
    command("dims", table, "--certificate", proof)
    assert shown["check"](str(proof), str(table))
    other = tmp_path / "other.csv"
    other.write_text("low,middle,high\n0,0,0\n0,0,1\n1,0,1\n1,1,1\n")
    assert not shown["check"](str(proof), str(other))


def test_ctrl_c_between_two_searches_loses_nothing(
    command: Command, validate: Validate, table: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("pac_stability.dimensions.VCSearch", interrupt)
    result = command("dims", table, "--json")
    report = validate(result.out)
    assert (result.code, report["status"]) == (130, "interrupted")
    assert list(report["dimensions"]) == ["littlestone"]


@pytest.mark.parametrize("moment", ["app.build_parser", "dims.load_class", "dims.emit"])
def test_ctrl_c_at_any_moment_is_one_line(
    command: Command, table: Path, monkeypatch: pytest.MonkeyPatch, moment: str
) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(f"pac_stability.cli.{moment}", interrupt)
    result = command("dims", table)
    assert (result.code, result.err) == (130, "pac-stability: interrupted\n")


def test_a_search_stops_after_a_minute_unless_the_limit_is_lifted() -> None:
    from pac_stability.cli.app import build_parser

    for verb in ("dims", "tree", "play"):
        limits = [
            build_parser().parse_args([verb, "t.csv", *given]).time_limit
            for given in ([], ["--time-limit", "2.5"], ["--time-limit", "none"])
        ]
        assert limits == [60, 2.5, None]


def test_memory_sizes_are_read_in_powers_of_1024() -> None:
    from pac_stability.cli.loading import memory

    assert [memory(text) for text in ("512", "1K", "1.5M", "2G", "1GiB", "3kb")] == [
        512, 1024, 1572864, 2147483648, 1073741824, 3072,
    ]  # fmt: skip


def test_one_level_is_decided(
    command: Command, validate: Validate, table: Path, tmp_path: Path
) -> None:
    result = command("dims", table, "--at-least", "2")
    assert (result.code, result.err) == (0, "")
    lines = result.out.splitlines()
    assert lines[2].split() == ["dimension", "value", ">=", "2", "sub-problems", "time"]
    answers = [line[23:29].strip() for line in lines[3:]]
    assert answers == ["yes", "no", "no", "yes"]
    proof = tmp_path / "proof.json"
    told = validate(command("dims", table, "--at-least", "2", "--json", "--certificate", proof).out)
    assert told["status"] == "decided"
    assert told["dimensions"]["vc"]["at_least"] == {"k": 2, "holds": False}
    proved = validate(proof.read_text())["dimensions"]
    H = classes.FiniteClass([[0, 0, 0], [0, 0, 1], [0, 1, 1], [1, 1, 1]])
    for name in ("vc", "dual-vc"):
        assert dimensions.ShatteringRefutation.from_dict(proved[name]["refutation"]).refutes(H)
    assert dimensions.MistakeTree.from_dict(proved["littlestone"]["witness"]).is_shattered_by(H)


def test_a_proof_that_is_too_long_is_missed(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dims, "_REFUTATION_STEPS", 13)
    proof = tmp_path / "proof.json"
    asked = ("dims", "--family", "random:40x20:1/2:1", "--only", "threshold", "--certificate")
    result = command(*asked, proof, "--at-least", "12")
    assert result.code == 0
    assert result.out.splitlines()[3].split()[2] == "no"
    missing = f"{proof} has no refutation, which takes more than 13 steps"
    assert result.err == f"pac-stability: threshold: {missing}\n"
    assert json.loads(proof.read_text())["dimensions"]["threshold"]["refutation"] is None
    # A proof that is written, or is not asked for, is not missed.
    short = ("dims", "--family", "thresholds:5", "--only", "threshold", "--certificate", proof)
    assert command(*short, "--at-least", "6").err == ""
    assert json.loads(proof.read_text())["dimensions"]["threshold"]["refutation"] is not None
    assert command(*asked[:-1], "--at-least", "12").err == ""


def test_a_level_that_stays_open_is_inconclusive(command: Command) -> None:
    result = command(
        "dims", "--family", HARD, "--only", "threshold", "--at-least", "20", "--time-limit", "0.01",
        "--json",
    )  # fmt: skip
    assert result.code == 3
    told = json.loads(result.out)
    assert told["status"] == "bounds"
    assert told["dimensions"]["threshold"]["at_least"] == {"k": 20, "holds": None}


def test_more_dimensions_come_on_request(
    command: Command, validate: Validate, table: Path, tmp_path: Path
) -> None:
    told = command("dims", table, "--only", "star,recursive-teaching", "--json")
    rows = validate(told.out)["dimensions"]
    H = classes.FiniteClass.from_file(table)
    assert rows["star"]["lower"] == rows["star"]["upper"] == dimensions.star_number(H)
    assert rows["recursive-teaching"]["lower"] == dimensions.recursive_teaching_dimension(H)
    assert command("dims", table, "--only", "star", "--at-least", "9").code == 0
    told = command("dims", table, "--only", "star", "--certificate", tmp_path / "c.json")
    assert (told.code, "got --only star, want dimensions whose" in told.err) == (2, True)
    assert not (tmp_path / "c.json").exists()


@pytest.mark.parametrize(("family", "only", "value", "code"), [
    ("boxes:40,2", "vc", "4", 0),
    ("parities:1000", "dual-vc", "1000", 0),
    ("intervals:2^64", "littlestone", "126", 0),
    ("boxes:40,2", "dual-vc", "2..10", 3),
    ("boxes:40,2", "star", "4..1600", 3),
    ("boxes:0,2", "vc", "", 2),
    ("random:2000000x2000000", "vc", "", 2),
])  # fmt: skip
def test_what_is_known_is_said_of_a_family_that_no_table_holds(  # noqa: PLR0917  # a table
    command: Command, validate: Validate, family: str, only: str, value: str, code: int
) -> None:
    result = command("dims", "--family", family, "--only", only)
    assert result.code == code
    assert not value or f" {value}  {'bounds' if code else 'exact'} " in result.out
    assert ("known" in result.err) == bool(value)
    if value:
        report = validate(command("dims", "--family", family, "--only", only, "--json").out)
        assert report["dimensions"][only]["exact"] == (code == 0)


def test_building_a_family_is_inside_the_time_limit(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pac_stability.cli.loading.BUILDING", 0)
    told = command("dims", "--family", "boxes:30,2", "--only", "vc", "--time-limit", "0.01")
    assert (told.code, told.out.splitlines()[0]) == (
        0, "boxes:30,2: on 900 points; its table is not built in time",
    )  # fmt: skip
    told = command("tree", "--family", "boxes:30,2", "--time-limit", "0.01")
    assert told.code == 3
    said = "the time limit of 0.01 s was reached while building boxes:30,2"
    assert told.err == f"pac-stability: inconclusive: {said}\n"


def test_a_witness_of_what_a_formula_gives_is_enough(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pac_stability.cli.dims.SEARCH_TIME", 1e-9)
    plain = command(
        "dims", "--family", "halfspaces:6,2", "--only", "vc", "--time-limit", "9", "--json"
    )
    (found,) = json.loads(plain.out)["dimensions"].values()
    assert (found["lower"], found["upper"], plain.code) == (3, 3, 0)
    assert found["subproblems"] < 100
    assert plain.err == "pac-stability: VC: known: Radon 1921: p + 2 points are not shattered\n"


def test_a_formula_gives_what_a_search_leaves_open(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pac_stability.cli.dims.WITNESS_TIME", 1e-9)
    result = command("dims", "--family", "subsets:24,4", "--only", "vc")
    assert result.code == 0
    assert "VC                  4  exact " in result.out
    assert "pac-stability: VC: known: counted: k points are shattered" in result.err
