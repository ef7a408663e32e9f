"""Rules with other readings of open rules, and own content, drawn at random: combinations that people may choose."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Collection
from pathlib import Path
from typing import Any


def drawn(box: str, seed: int, number: int, rules: Collection[Path | str] = (), *, content: bool = False) -> Any:
    """Return the rules of a box, with house rules (`rules`) and this many other readings of open rules, drawn by the seed.

    With `content` also with own content (`random_content.own_content`), below the house rules.
    """
    import numpy as np

    from ...simulator.rules import load_ruleset
    from ...simulator.rules.printed_game import ruling_options
    from .random_content import own_content

    lot, chosen = np.random.default_rng([seed, number]), {}
    rulings = ruling_options(box)
    for key in sorted(lot.choice(sorted(rulings), min(number, len(rulings)), replace=False).tolist()):
        others = [option for option in rulings[key]["options"] if option != rulings[key]["default"]]
        chosen[key] = str(lot.choice(others))
    with tempfile.TemporaryDirectory() as folder:
        readings = Path(folder) / "house_rules.yaml"
        own = readings.with_stem("content")
        readings.write_text("rulings:\n" + "".join(f"  {key}: {option}\n" for key, option in chosen.items()), "utf-8")
        if content:
            own.write_text(json.dumps(own_content(box, seed)), "utf-8")
        return load_ruleset([*([own] if content else []), *rules, readings], box=box)
