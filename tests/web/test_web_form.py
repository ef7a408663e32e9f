"""House rules by form: of any values together the page makes the record that Python compiles, or refuses them as it does."""

from __future__ import annotations

import hashlib
import json
import random
import shutil
import subprocess
from pathlib import Path

import pytest

from newdawn.analysis.web import build, house_rules_form
from newdawn.simulator.errors import UserError
from newdawn.simulator.rules import load_ruleset
from newdawn.simulator.rules.load import compiled_with
from newdawn.simulator.rules.overlay import changeable
from newdawn.simulator.rules.record import RULES

HERE = Path(__file__).parent
ENGINE = Path(build.__file__).parent / "static" / "engine.js"
BOXES = ("base", "terra-incognita")
PATTERNS = (
    "wonders.p*", "leaders.s*", "components.combat.*", "components.wonder_decks.base.4.*", "victory_cards.base.w*",
    "victory_cards.rules.*", "dials.tech_dial.*", "scores.*", "teams.*", "tiles.tiles.1*.available",
)  # fmt: skip
NUMBERS_AND_SWITCHES = (int, bool)

pytestmark = pytest.mark.skipif(shutil.which("node") is None, reason="no Node to run engine.js in")


def combinations(rows: list[dict], n: int, seed: int) -> list[dict]:
    """Return so many random combinations of two to six values, half of them of one section or of rows that share words."""
    rng = random.Random(seed)
    found = []
    for k in range(n):
        among = rows
        if k % 2:
            one = rng.choice(rows)
            stem = one["key"].split(".")[: rng.choice((1, 2, 3))]
            among = [row for row in rows if row["key"].split(".")[: len(stem)] == stem]
        chosen = rng.sample(among, min(len(among), rng.randint(2, 6)))
        found.append({row["key"]: rng.choice(values_of(row)) for row in chosen})
    return found


def values_of(row: dict) -> list:
    values = row.get("values") or list(range(row["least"], row["most"] + 1))
    return [value for value in values if value != row["value"]]


def by_python(ruleset, changes: dict) -> str | None:
    """Return the digest of the record that Python compiles; None if it refuses the values."""
    try:
        return hashlib.sha256(compiled_with(ruleset, house_rules_form.nested(changes), "test")[0].tobytes()).hexdigest()
    except UserError:
        return None


def by_page(made: dict, ruleset, asked: list[dict], folder: Path) -> list[dict]:
    """Return what engine.js makes of the same."""
    rules = folder / "rules.bin"
    rules.write_bytes(ruleset.compile().tobytes())
    question = folder / "question.json"
    fields = build.layout(RULES)["fields"]
    about = {"engine": ENGINE.as_uri(), "form": made, "rules": str(rules), "fields": fields, "combinations": asked}
    question.write_text(json.dumps(about))
    command = ["node", str(HERE / "changes.mjs"), str(question)]
    answer = subprocess.run(command, capture_output=True, text=True, check=True)
    found: list[dict] = json.loads(answer.stdout)
    return found


def differing(made: dict, box: str, asked: list[dict], folder: Path) -> list[tuple]:
    """Return the combinations of which page and Python make something else, with what each says."""
    ruleset = load_ruleset(box=box)
    pages = by_page(made, ruleset, asked, folder)
    return [
        (changes, page) for changes, page in zip(asked, pages, strict=True) if by_python(ruleset, changes) != page.get("digest")
    ]


def test_values_together_make_the_record_that_python_compiles(tmp_path):
    made = house_rules_form.form_of("base", PATTERNS)
    assert differing(made, "base", combinations(made["rows"], 80, 1), tmp_path) == []


def test_a_row_says_what_it_is(tmp_path):
    rows = {row["key"]: row for row in house_rules_form.form_of("base", ("wonders.petra.*",))["rows"]}
    petra = rows["wonders.petra.cost"]
    assert (petra["title"], petra["section"], petra["kind"]) == ("Petra: cost", "World wonders", "number")
    assert (petra["value"], petra["least"]) == (7, 1)
    assert petra["text"]


@pytest.mark.soak
@pytest.mark.parametrize("box", BOXES)
def test_the_form_has_the_numbers_and_switches_of_rules_list(box, tmp_path):
    made = house_rules_form.form_of(box)
    keys = {row["key"] for row in made["rows"]}
    listed = [one.path for one in changeable(load_ruleset(box=box).data) if isinstance(one.value, NUMBERS_AND_SWITCHES)]
    assert len(keys & set(listed)) >= 0.9 * len(listed)
    assert {key for key, _ in made["left"]} | keys == {one.path for one in changeable(load_ruleset(box=box).data)}
    assert differing(made, box, combinations(made["rows"], 2_000, 1), tmp_path) == []
