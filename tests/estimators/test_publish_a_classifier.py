"""The example of a first hour: what it prints, whatever its coins."""

import re

import pytest

from shared_examples import example


def test_a_budget_of_two_models(capsys: pytest.CaptureFixture[str]) -> None:
    reason = "not installed: pip install 'pac_stability[sklearn]'"
    pytest.importorskip("sklearn.datasets", reason=reason)
    example("publish_a_classifier").main()
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("what may be published: ")
    rule = lines.index("what was spent")
    assert lines[rule + 1] == "guarantee   epsilon 0.999992 (a factor of 2.71826), delta 0"
    assert lines[-6] == "143 public labels, for epsilon 0.999992 (a factor of 2.71826), delta 0"
    for line in lines[-5:-3]:
        assert re.fullmatch(r"1 use of e\^epsilon 2\.71826: PrivateClassifier, 20\S+Z", line)
    assert lines[-3:] == [
        "used, for one row replaced: epsilon 1.999985",
        "left of epsilon 2: 0.000015",
        "refused: 1 use of e^epsilon 2.71826: 0 are left of the budget epsilon 2 for one row"
        " replaced (epsilon 1.999985 is used, 0.999993 asked, 0.000015 left)",
    ]
