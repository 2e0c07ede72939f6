"""The plugin of pytest is light, counts checks, and lets no marked test pass without one."""

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

Run = Callable[..., subprocess.CompletedProcess[str]]
"""The fixture of conftest.py: runs Python with arguments."""

LEARNER = """
from fractions import Fraction
import pytest
from pac_stability.testing import Declares, parametrize_with_checks

def random_label(sample, point, rng):
    return sample.labels[rng.below(len(sample))]

said = Declares(uniform_stability=lambda n: Fraction(1, n), private_prediction=3.0)

@parametrize_with_checks([random_label], declares=said, domain=1, sizes=[1, 2])
def test_learner(check):
    check()
"""
FORGETFUL = """
import pytest
from pac_stability.testing import Declares, parametrize_with_checks

@parametrize_with_checks([lambda S, x, rng: 0], declares=Declares(uniform_stability=0))
def test_learner(check):
    pass

@pytest.mark.pac_stability
def test_own():
    pass
"""
LARGE = """
from pac_stability.testing import Declares, check_learner

def test_large():
    # 2^11 samples: more than the quick budget.
    check_learner(lambda S, x, rng: 0, declares=Declares(uniform_stability=0), domain=1, sizes=11)
"""
# The rest of pytest's own plugins are of no interest, and hypothesis would be loaded by its own.
QUIET = ("-m", "pytest", "-q", "-p", "no:cacheprovider", "--strict-markers", "-W", "error")


def write(tmp_path: Path, text: str) -> None:
    (tmp_path / "work" / "test_theirs.py").write_text(text)


def test_the_plugin_loads_nothing_heavy(run: Run, tmp_path: Path) -> None:
    write(
        tmp_path,
        "import sys\n"
        "def test_modules():\n"
        "    heavy = {'numpy', 'flint', 'hypothesis'} & set(sys.modules)\n"
        "    ours = sorted(m for m in sys.modules if m.startswith('pac_stability'))\n"
        "    assert not heavy\n"
        "    assert ours == ['pac_stability', 'pac_stability._face', 'pac_stability.testing',\n"
        "                    'pac_stability.testing.plugin', 'pac_stability.testing.plugin']\n",
    )
    done = run(*QUIET)
    assert done.returncode == 0, done.stdout
    assert "pac_stability:" not in done.stdout  # no checks, no line


def test_the_summary_counts_checks_and_pairs(run: Run, tmp_path: Path) -> None:
    write(tmp_path, LEARNER)
    done = run(*QUIET)
    # Two examples: 2 and 4 samples, 2 and 4 * 2 pairs, for each of the two checks. The prediction
    # of the only example is not private.
    assert "pac_stability: 2 checks, 12 pairs, 8 samples; budget quick" in done.stdout
    assert "test_learner[random_label-private-prediction]" in done.stdout
    assert "epsilon infinite" in done.stdout
    assert "1 failed, 1 passed" in done.stdout


def test_a_marked_test_without_a_check_fails(run: Run, tmp_path: Path) -> None:
    write(tmp_path, FORGETFUL)
    done = run(*QUIET)
    assert done.returncode == 1
    assert done.stdout.count("no check ran in a test marked pac_stability") >= 2
    assert "2 failed" in done.stdout


@pytest.mark.parametrize(("budget", "outcome"), [("quick", "1 failed"), ("standard", "1 passed")])
def test_the_option_sets_the_budget(run: Run, tmp_path: Path, budget: str, outcome: str) -> None:
    write(tmp_path, LARGE)
    done = run(*QUIET, f"--pac-stability-budget={budget}")
    assert outcome in done.stdout
    assert f"budget {budget}" in done.stdout


def test_another_budget_is_refused(run: Run) -> None:
    done = run(*QUIET, "--pac-stability-budget=endless")
    assert done.returncode == 4
    assert "invalid choice: 'endless'" in done.stderr


def test_without_hypothesis_the_strategies_say_what_to_install(run: Run) -> None:
    done = run(
        "-c",
        "import sys\nsys.modules['hypothesis'] = None\n"
        "from pac_stability.testing import check_learner\n"  # needs no hypothesis
        "from pac_stability.testing import strategies\n",
    )
    assert done.stderr.splitlines()[-1] == (
        "ImportError: hypothesis is missing: pip install 'pac_stability[testing]'"
    )
