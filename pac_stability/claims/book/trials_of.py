"""Trials that are imported when they are asked for."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from typing import overload

from pac_stability.claims.claim import Expectation, require_trials
from pac_stability.claims.trials import Trial
from pac_stability.errors import InvalidInput


class TrialsOf(Sequence[Trial]):
    """The trials of a claim, in a module that is imported when one of them is asked for.

    That there are some is known before, and checked then.

    Parameters
    ----------
    key
        The claim.
    module
        The full name of the module, which has a mapping ``TRIALS``.
    expectation
        What is known of the claim.
    """

    def __init__(self, key: str, module: str, expectation: Expectation) -> None:
        self._key, self._module, self._expectation = key, module, expectation
        self._found: tuple[Trial, ...] = ()

    @property
    def module(self) -> str:
        """The full name of the module."""
        return self._module

    def _all(self) -> tuple[Trial, ...]:
        if not self._found:
            try:
                known = importlib.import_module(self._module).TRIALS
            except ModuleNotFoundError as error:
                if error.name != self._module:
                    raise
                raise self._refused(f"no module {self._module}") from None
            if not known.get(self._key):
                raise self._refused(f"none in {self._module}")
            require_trials(self._key, self._expectation, known[self._key])
            self._found = known[self._key]
        return self._found

    def _refused(self, given: str) -> InvalidInput:
        return InvalidInput(f"{self._key}: trials", given, "a module whose TRIALS have the key")

    def __bool__(self) -> bool:
        return True

    def __len__(self) -> int:
        return len(self._all())

    @overload
    def __getitem__(self, index: int) -> Trial: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Trial]: ...
    def __getitem__(self, index: int | slice) -> Trial | Sequence[Trial]:
        return self._all()[index]
