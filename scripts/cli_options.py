"""Options that several commands share."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

F = TypeVar("F", bound=Callable[..., Any])


class Names(click.ParamType):
    """Names separated by commas."""

    name = "names"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[str, ...]:
        """Return the names without blanks around them."""
        if not isinstance(value, str):
            return tuple(value)
        names = tuple(name.strip() for name in value.split(","))
        if not all(names):
            self.fail(f"'{value}': expected names separated by commas", param, ctx)
        return names


PATH = click.Path(path_type=Path)


def rules_options(function: F) -> F:
    """Add --rules and --map."""
    function = click.option("--map", "map_file", type=PATH, metavar="FILE", help="Play on the map of this YAML file.")(
        function
    )
    return click.option(
        "--rules", "rules_files", type=PATH, metavar="FILE", multiple=True,
        help="House rules (a YAML file, or a packaged example by name) over the printed game; may be repeated, later ones win.",
    )(function)  # fmt: skip


def ruleset_of(rules_files: tuple[Path, ...], map_file: Path | None) -> Any:
    """Load the ruleset of the options."""
    from simulator.rules import load_ruleset

    return load_ruleset(rules_files, map_file)
