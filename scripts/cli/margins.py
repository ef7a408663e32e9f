"""Options that are shares: a margin, the precision wanted. Start with `Share`."""

from __future__ import annotations

from typing import Any

import click

from ...analysis.stats.rates import POINTS, ROUNDS
from .shared import rare


class Share(click.ParamType):
    """A share such as 0.5% or 0.005."""

    name = "share"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Return the share as a number between 0 and 1."""
        if isinstance(value, float):
            return value
        text = str(value).strip()
        try:
            share = float(text.removesuffix("%")) / (100 if text.endswith("%") else 1)
        except ValueError:
            self.fail(f"'{value}': expected a share such as 0.5% or 0.005", param, ctx)
        if not 0 < share < 1:
            self.fail(f"'{value}': expected a share above 0% and below 100%, such as 0.5%", param, ctx)
        return share


HALF_WIDTH = rare("--half-width", type=Share(), default=0.01, help="Precision wanted, as ± this [default: 1%].")
MARGIN = click.option(
    "--margin", type=Share(), default=POINTS / 100,
    help=f"Relevance margin: differences of win rates within ± this do not matter [default: {POINTS:g}%].",
)  # fmt: skip
MARGIN_ROUNDS = click.option(
    "--margin-rounds", type=click.FloatRange(0, min_open=True), default=ROUNDS, show_default=True,
    help="Relevance margin for the length of a game, in rounds.",
)  # fmt: skip
