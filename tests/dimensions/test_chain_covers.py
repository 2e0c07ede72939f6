"""Few chains that cover a class bound how many points it shatters."""

import math
from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, strategies as st

from pac_stability import classes, dimensions
from pac_stability.testing import strategies
from shared_dimensions import vc_by_definition
from shared_refusals import refuses

SMALL = strategies.finite_classes(max_points=5, max_hypotheses=16)
MANY = 10**6


def stumps(points: int, features: int) -> classes.FiniteClass:
    rng = np.random.default_rng(1)
    columns = [rng.permutation(points).tolist() for _ in range(features)]
    return classes.from_spec("stumps", list(zip(*columns, strict=True)))


def fewest_chains(table: np.ndarray[tuple[int, ...], np.dtype[np.uint8]]) -> int:
    """By definition: the most rows no two of which are comparable [Dilworth 1950]."""
    rows = {tuple(row) for row in table.tolist()}

    def comparable(one: tuple[int, ...], other: tuple[int, ...]) -> bool:
        return all(a <= b for a, b in zip(*sorted([one, other], key=sum), strict=True))

    return next(
        size
        for size in range(len(rows), -1, -1)
        if any(
            not any(comparable(*pair) for pair in combinations(some, 2))
            for some in combinations(rows, size)
        )
    )


def test_sperner_bound_is_the_largest_with_so_many_chains() -> None:
    for chains in range(300):
        k = dimensions.sperner_bound(chains)
        assert k == -1 or math.comb(k, k // 2) <= chains
        assert math.comb(k + 1, (k + 1) // 2) > chains
    refuses(r"^chains: got -1", dimensions.sperner_bound, -1)


@given(SMALL, st.booleans())
def test_a_cover_bounds_the_dimension_and_is_checked(H: classes.FiniteClass, dual: bool) -> None:
    proof = dimensions.chain_cover(H, dual=dual, max_chains=MANY)
    if len(H) == 0 or (dual and len(H.domain) == 0):
        assert proof is None
        return
    assert proof is not None
    table = H.table.T if dual else H.table
    distinct = np.unique(table, axis=0)
    assert vc_by_definition(distinct) < proof.k
    assert proof.refutes(H)
    assert proof.dual == dual
    assert dimensions.ChainCover.from_dict(proof.to_dict()) == proof
    # It may need more chains than there have to be, which are as many as some rows incomparable.
    if len(distinct) <= 8:
        assert len(proof.chains) >= fewest_chains(table ^ table[proof.origin])
    # Few enough are found if they are allowed, and one fewer is not enough for this way of looking.
    assert dimensions.chain_cover(H, dual=dual, max_chains=len(proof.chains)) == proof
    assert dimensions.chain_cover(H, dual=dual, max_chains=len(proof.chains) - 1) is None


def test_chains_are_found_where_a_class_is_made_of_them() -> None:
    for features in (1, 2, 5, 10):
        H = stumps(100, features)
        proof = dimensions.chain_cover(H)
        assert proof is not None
        assert len(proof.chains) == 2 * features
    assert len(dimensions.chain_cover(classes.thresholds(50), max_chains=1).chains) == 1  # type: ignore[union-attr]
    assert dimensions.chain_cover(classes.from_spec("random:300x30:1/2:1")) is None
    assert (
        dimensions.chain_cover(classes.from_spec("cube:5")) is None
    )  # rows of one size are in as many chains


def test_the_first_row_is_the_origin_where_the_least_is_of_no_use() -> None:
    # Thresholds of which every third column is complemented; the first row is the empty one.
    flips = np.arange(60) % 3 == 0
    table = np.tri(61, 60, -1, dtype=np.uint8) ^ flips
    H = classes.FiniteClass(np.vstack([table[:1], table[1:][::-1]]).astype(np.uint8))
    proof = dimensions.chain_cover(H)
    assert proof is not None
    assert (proof.k, proof.origin, len(proof.chains)) == (2, 0, 1)
    assert proof.refutes(H)


def test_columns_that_are_complements_make_no_chain_longer() -> None:
    table = np.tri(31, 30, -1, dtype=np.uint8)
    H = classes.FiniteClass(np.hstack([table, 1 - table]))
    proof = dimensions.chain_cover(H)
    assert proof is not None
    assert (proof.k, len(proof.chains)) == (2, 1)


def test_forged_covers_are_refused() -> None:
    H = classes.intervals(6)
    proof = dimensions.chain_cover(H, max_chains=MANY)
    assert proof is not None
    assert proof.refutes(H)
    assert not replace(proof, chains=proof.chains[1:]).refutes(H)
    assert not replace(proof, chains=(proof.chains[0][1:], *proof.chains[1:])).refutes(H)
    assert not replace(proof, chains=(proof.chains[0][::-1], *proof.chains[1:])).refutes(H)
    joined = (proof.chains[0] + proof.chains[1], *proof.chains[2:])
    assert not replace(proof, chains=joined).refutes(H)
    assert not replace(proof, k=proof.k - 1).refutes(H)
    assert not replace(proof, k=-1).refutes(H)
    assert not replace(proof, origin=len(H)).refutes(H)
    assert not replace(proof, chains=(*proof.chains, (-1,))).refutes(H)
    assert not replace(proof, dual=True).refutes(H)
    assert not proof.refutes(classes.intervals(7))
    # As many chains as C(k, k // 2) prove nothing: two, and two points are shattered.
    square = classes.from_spec("cube:2")
    exact = dimensions.chain_cover(square, max_chains=MANY)
    assert exact is not None
    assert len(exact.chains) == 2
    assert not replace(exact, k=2).refutes(square)
    # Relative to another row the same sequence may not grow.
    rows = classes.FiniteClass([[0, 0], [0, 1], [1, 1]])
    assert dimensions.ChainCover(2, False, 0, ((0, 1, 2),)).refutes(rows)
    assert not dimensions.ChainCover(2, False, 1, ((0, 1, 2),)).refutes(rows)


@pytest.mark.parametrize(
    "form", [{}, {"k": 2, "dual": False, "origin": 0, "chains": [1]}, {"k": True, "dual": False}]
)
def test_other_forms_are_refused(form: dict[str, object]) -> None:
    refuses("", dimensions.ChainCover.from_dict, form)


def test_stumps_in_many_dimensions_are_settled_by_their_chains() -> None:
    # 6 by 20 chains; what counting gives, and what a search ends with after a minute, is 11.
    H = stumps(300, 10)
    assert len(H) == 5982
    search = dimensions.VCSearch(H)
    for _ in range(300):
        found = search.run(time_limit=1e-9)  # a piece of work
        if found.exact:
            break
    assert (found.value, search.cover is not None) == (6, True)
    assert found.witness is not None
    assert found.witness.is_shattered_by(H)
    turned = dimensions.DualVCSearch(classes.FiniteClass(np.ascontiguousarray(H.table.T)))
    assert turned.run(aim=7).upper == 6
    decision = dimensions.less_than(H, 7, "vc")
    assert isinstance(decision.certificate, dimensions.ChainCover)
    assert decision.is_proved_on(H)
    assert not replace(decision, dimension="dual-vc").is_proved_on(H)
    assert not replace(decision, k=6).is_proved_on(H)
    assert "at most 6 points" in str(decision.certificate)


def test_what_few_chains_do_not_prove_is_proved_by_counting() -> None:
    # The cover says at most 4; that 4 points are not shattered has to be counted.
    search = dimensions.VCSearch(classes.intervals(12))
    search.run()
    search.cover = dimensions.chain_cover(classes.intervals(12), max_chains=MANY)
    assert search.cover is not None
    assert search.cover.k > 3
    assert isinstance(search.refutation(3, 10_000), dimensions.ShatteringRefutation)
    assert search.refutation(search.cover.k, 10_000) is search.cover


def test_singletons_and_small_classes_keep_their_proofs() -> None:
    H = classes.singletons(8)
    assert isinstance(dimensions.at_least(H, 2, "vc").certificate, dimensions.ShatteringRefutation)
