"""Every registered claim can fail; that none does is what ``pac-stability verify`` says."""

import importlib

import pytest

from pac_stability import claims

each_claim = pytest.mark.parametrize("claim", claims.all(), ids=lambda claim: claim.key)


@each_claim
def test_the_trials_notice_what_is_wrong(claim: claims.Claim) -> None:
    assert claims.notices_mutants(claim) == ()


@each_claim
def test_three_trials_are_enough(claim: claims.Claim) -> None:
    """What else there is to ask of its objects, tests ask."""
    assert len(claim.trials) <= 3


@each_claim
def test_the_code_is_there(claim: claims.Claim) -> None:
    assert claim.objects
    for name in claim.objects:
        found: object = importlib.import_module("pac_stability")
        path = "pac_stability"
        for part in name.split("."):
            path = f"{path}.{part}"
            if not hasattr(found, part):
                found = importlib.import_module(path)
            else:
                found = getattr(found, part)
