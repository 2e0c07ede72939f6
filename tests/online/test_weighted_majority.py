from fractions import Fraction

from hypothesis import given, strategies as st

from pac_stability import FiniteClass, testing
from pac_stability.online import WeightedMajority
from shared_refusals import refuses

BETAS = st.sampled_from([Fraction(1, 2), Fraction(1, 3), Fraction(9, 10), Fraction(2, 7)])


@given(testing.strategies.finite_classes(), BETAS, st.integers(0, 1), st.data())
def test_predicts_by_exact_weights_and_keeps_its_bound(
    H: FiniteClass, beta: Fraction, tie: int, data: st.DataObject
) -> None:
    examples = data.draw(testing.strategies.samples(range(len(H.domain)), max_size=12))
    learner, rows = WeightedMajority(H, beta, tie), H.table.tolist()
    weights, wrong = [Fraction(1)] * len(rows), 0
    for x, y in examples:
        balance = sum(w if row[x] else -w for w, row in zip(weights, rows, strict=True))
        expected = tie if balance == 0 else int(balance > 0)
        assert learner.predict(x) == expected
        wrong += expected != y
        learner.update(x, y)
        weights = [w * beta if row[x] != y else w for w, row in zip(weights, rows, strict=True)]
        assert learner.weights() == tuple(weights)
    best = min(sum(row[x] != y for x, y in examples) for row in rows)
    assert (learner.mistakes, learner.best_mistakes) == (wrong, best)
    assert wrong <= learner.mistake_bound(best)


@given(st.integers(1, 16), BETAS, st.integers(0, 6))
def test_the_bound_is_the_last_that_the_potential_allows(
    size: int, beta: Fraction, best: int
) -> None:
    rows = [[(i >> bit) & 1 for bit in range(4)] for i in range(size)]
    bound = WeightedMajority(FiniteClass(rows), beta).mistake_bound(best)
    allowed = [size * ((1 + beta) / 2) ** m >= beta**best for m in (bound, bound + 1)]
    assert allowed == [True, False]


def test_weights_that_floats_would_lose_still_decide() -> None:
    # 110 mistakes of each hypothesis: every weight is 10^-330, zero to a float.
    learner = WeightedMajority(FiniteClass([[1, 0, 0], [0, 1, 0], [0, 0, 1]]), Fraction(1, 1000))
    for _ in range(110):
        for x in range(3):
            learner.update(x, 0)
    assert learner.predict(0) == 0  # one weight against two equal ones
    learner.update(1, 0)
    learner.update(2, 0)
    assert learner.predict(0) == 1  # 1 against two thousandths


def test_refuses_bad_input() -> None:
    H = FiniteClass([[0], [1]])
    for beta in (Fraction(0), Fraction(1), Fraction(3, 2)):
        refuses("beta: got", WeightedMajority, H, beta)
    refuses("best: got -1, want a non-negative integer", WeightedMajority(H).mistake_bound, -1)
    refuses("label: got 3", WeightedMajority(H).update, 0, 3)
