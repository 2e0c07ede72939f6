"""Contracts about imports that import-linter does not bring: see pyproject.toml."""

from __future__ import annotations

from grimp import ImportGraph
from importlinter import Contract, ContractCheck, fields, output


class PrivateModulesContract(Contract):
    """A module whose name begins with an underscore is imported from inside its package only."""

    package = fields.StringField()

    def check(self, graph: ImportGraph, verbose: bool) -> ContractCheck:
        """Collect the imports that come from outside."""
        del verbose
        found = sorted(
            (importer, module)
            for module in graph.modules
            if is_private(module)
            for importer in graph.find_modules_that_directly_import(module)
            if not f"{importer}.".startswith(f"{module.rpartition('.')[0]}.")
        )
        return ContractCheck(kept=not found, metadata={"found": found})

    def render_broken_contract(self, check: ContractCheck) -> None:
        """Print them."""
        for importer, module in check.metadata["found"]:
            output.print_error(f"{importer} imports {module}", bold=False)


def is_private(module: str) -> bool:
    """Return whether the last part of a dotted name begins with one underscore."""
    name = module.rpartition(".")[2]
    return name.startswith("_") and not name.startswith("__")
