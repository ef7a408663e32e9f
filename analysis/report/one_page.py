"""One page to hand round: question, answer, how sure, who played, what is changed, what to play. Start with `of_answer`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from markupsafe import Markup

from ...simulator.errors import counted, listed
from ..pages.report_parts import Finding
from ..pages.screen_parts import NEAREST
from ..stats.best import CHOSEN, Standing, in_common
from ..stats.verdicts import FAR, HIGHER, LOWER, STRENGTH, Verdict, having, verdict_of
from ..tables.kept_answers import ABILITY, AT_TABLES, BY_PLAYERS, COALITION, DIFFERENCES, FAIR, SEARCHED, VARIANTS, KeptAnswer
from ..tables.paired_figures import SPREAD
from ..tables.rendering import EFFECTS_TABLE
from . import export
from .page import Picture, Report, template

PAGE, PDF = export.ONE_PAGE, export.ONE_PAGE_PDF
WORDS = 350  # at most, on the whole page
FINDINGS, CHANGES = 3, 8  # sentences, and lines of what is changed


@dataclass(frozen=True)
class Handout:
    """What stands on the page; `address` is that of the lab's page which asks the same question ("": it cannot)."""

    question: str
    answer: str
    findings: Sequence[str]
    sure: str
    played: str
    changes: Sequence[str]
    tonight: str
    command: str
    address: str
    game: str
    games: str
    picture: Picture | None = None

    @property
    def words(self) -> int:
        """The number of words on the page, without those in the picture."""
        lines = [
            self.question, self.answer, *self.findings, self.sure, self.played, *self.changes, self.tonight, self.command,
            self.address, self.game, self.games, *((self.picture.title, self.picture.caption) if self.picture else ()),
        ]  # fmt: skip
        return sum(len(line.split()) for line in lines) + HEADINGS


HEADINGS = 40  # words of the page's own headings and of its last line


# --- What is asked


def question_of(kept: KeptAnswer) -> str:
    """Return the question of an answer."""
    where = f" at {listed(kept.counts)} players" if len(kept.counts) > 1 else ""
    command = kept.command.removesuffix(f" {AT_TABLES}")
    if kept.command == "run --players":
        return f"Are the leaders fair{where}?"
    if command in ("compare", "ban", "move"):
        sides = kept.title.partition(" against ")
        return f"What does {sides[0]} change against {sides[2]}{where}?" if sides[2] else f"What changes: {kept.title}{where}?"
    if command == VARIANTS[0]:
        names = list(dict.fromkeys(kept.tables[VARIANTS[1]]["variant"]))
        which = listed(names) if len(names) <= MOST_NAMED else f"these {len(names)} rules"
        leader = kept.words.get("leader", "")
        best = f"brings {leader} nearest to its fair share{where}" if leader else f"is best{where}"
        return f"Which {best}: {listed(names, 'or')}?" if which == listed(names) else f"Which of {which} {best}?"
    if command in SEARCHED and "figure" in kept.words:
        wanted = kept.words.get("target", "its target").rpartition("=")[2]
        return f"What brings the {kept.words['figure']} to {wanted}?"
    if command == "experiment":
        kind, effects = kept.words.get("kind", "treatment"), kept.tables.get(EFFECTS_TABLE)
        arms = [] if effects is None else list(dict.fromkeys(effects["arm"]))
        what = "a leader’s ability" if kind == ABILITY else f"a {kind}"
        return f"What is {arms[0] if kind == 'wonder' and len(arms) == 1 else what} worth{where}?"
    return ASKED.get(command, kept.title)


MOST_NAMED = 5
ASKED = {
    "goals": "Which few changes meet the goals for the game?", "ladder": "Which strategy wins most?",
    "against": "Which strategy wins most?", "ways": "Which findings hold whoever plays?",
    "compare --ways": "Which changes hold whoever plays?", "adapt": "What changes once players have adapted to the rule?",
    "coalition": "Can the table hold a leader back by itself?", "restrict": "What are parts of the game worth?",
    "sensitivity": "What moves the game most?", "plays compare": "Do people play like the program?",
    "fair": "How is the table fair tonight?",
}  # fmt: skip
OF_RUN = "Are the leaders fair?"


# --- How sure

SURE = {
    "strong": "Strong evidence: chance alone would show as much in fewer than 1 of 1,000 such answers.",
    "shown": "Evidence: chance alone would show as much in at most 5 of 100 such answers.",
    "open": "Open: these games do not decide it.",
    "measured": "Measured: figures of these games with their intervals; nothing is tested.",
    "few": "A hint from few games.", "untested": "Not tested: too few games.", "limit": "Within the limits that are named.",
}  # fmt: skip
INTERVALS = "Brackets hold the true figures with 95% certainty, all of them together."


def sure_of(findings: Sequence[Finding], games: str) -> str:
    """Say how sure the answer is, how many games it rests on ('': not known), and what brackets mean."""
    how = SURE[findings[0].certainty] if findings else SURE["measured"]
    rest = [finding for finding in findings[1:] if finding.certainty == "open"]
    more = (
        f" {counted(len(rest), 'sentence')} below the first {'is' if len(rest) == 1 else 'are'} open."
        if rest and how != SURE["open"]
        else ""
    )
    return f"{how}{more}{f' Games: {games}.' if games else ''} {INTERVALS}"


# --- What to play tonight

PLAY_IT = (
    "Play with what is changed below, and note who wins: one evening proves nothing, but it shows whether the rule is fun."
)


def tonight_of(kept: KeptAnswer, report: Report) -> str:
    """Say what an answer means for the next evening: verdicts decide, and where none is given nothing has to change."""
    command = kept.command
    if command == FAIR[0]:
        return _of_fair(kept)
    if command == COALITION[0]:
        return _of_coalition(kept)
    if report.first.advises and (report.first.changed or report.first.house_rule):
        return NEAREST_CHANGE if report.first.change.startswith(NEAREST) else PLAY_IT
    if command == VARIANTS[0]:
        return _of_variants(kept)
    if command == "compare":
        return _of_comparison(kept)
    if command == "compare --players":
        return _at_tables(kept)
    if command == "run --players":
        everywhere = kept.tables[BY_PLAYERS[1]]
        return _of_leaders(everywhere, "what")
    return "Play as before: this answer weighs parts of the game, and asks for no change of rules."


NEAREST_CHANGE = (
    "The aim is not shown to be reached. Play as before, or with what is changed below: nothing tried comes nearer."
)


def _of_fair(kept: KeptAnswer) -> str:
    frame = kept.tables[FAIR[1]]
    given = [f" and begins with {begins}" if isinstance(begins, str) and begins else "" for begins in frame["head_start"]]
    who = [f"{row.person} plays {row.leader}{more}" for row, more in zip(frame.itertuples(), given, strict=True)]
    even = having(frame, {Verdict.WITHIN}).all()
    return f"{'' if even else 'Nothing fairer was found: '}{'; '.join(who)}."


def _of_coalition(kept: KeptAnswer) -> str:
    frame = kept.tables[COALITION[1]]
    held = list(map(str, frame.loc[having(frame, {*LOWER, Verdict.WITHIN}), "leader"]))
    free = list(map(str, frame.loc[having(frame, HIGHER), "leader"]))
    parts = [f"when {listed(held, 'or')} leads, play against it together: the table can hold it"] if held else []
    parts += [f"the table cannot hold {listed(free, 'or')}: leave it out, or change a rule"] if free else []
    text = "; ".join(parts) or "play what you like: whether the table can hold a leader is open"
    return f"{text[0].upper()}{text[1:]}."


def _of_variants(kept: KeptAnswer) -> str:
    frame = kept.tables[VARIANTS[1]]
    standings = {
        name: in_common([Standing(each) for each in part]) for name, part in frame.groupby("variant", sort=False)["standing"]
    }
    chosen = [str(name) for name, standing in standings.items() if standing in CHOSEN]
    possible = [str(name) for name, standing in standings.items() if standing is Standing.POSSIBLE]
    leader = kept.words.get("leader", "")
    if chosen and leader:
        return f"Play {listed(chosen, 'or')}: no other brings {leader} so much nearer to its fair share that it matters."
    if chosen:
        return f"Play {listed(chosen, 'or')}: nobody who does loses anything that matters to the fairness of the leaders."
    if possible:
        fairest = f"brings {leader} nearest to its fair share" if leader else "is fairest"
        return f"Play {listed(possible, 'or')}, whichever you like best: which of them {fairest} is open."
    return "Choose by the number of players: no rule is best at every table."


def _of_comparison(kept: KeptAnswer) -> str:
    frame = kept.tables[DIFFERENCES]
    spread = frame[frame["figure"] == SPREAD[1]]
    verdict = verdict_of(spread.iloc[0]) if len(spread) else Verdict.NOT_COMPARED
    a, b = kept.words.get("a", "A"), kept.words.get("b", "B")
    if verdict in LOWER:
        return f"Play {b}: its leaders are closer to each other than under {a}."
    if verdict in HIGHER:
        return f"Play {a}: under {b} the leaders are further apart."
    if verdict is Verdict.WITHIN:
        return f"Play {a} or {b}, whichever you like best: the leaders are as far apart under both."
    return f"Play what you like best: whether {b} makes the leaders fairer than {a} is not shown."


def _at_tables(kept: KeptAnswer) -> str:
    verdicts = kept.tables[BY_PLAYERS[1]]
    spread = verdicts[verdicts["what"] == f"the {SPREAD[1]}"]
    new, old = kept.title.partition(" against ")[::2]
    if len(spread) and having(spread, LOWER).all():
        return f"Play {new}: its leaders are closer to each other than under {old}, {spread['holds'].iloc[0]}."
    if len(spread) and having(spread, HIGHER).all():
        return f"Play {old}: under {new} the leaders are further apart, {spread['holds'].iloc[0]}."
    return f"Play what you like best: that {new} makes the leaders fairer is not shown at every table."


def of_run_tonight(report: Report) -> str:
    """Say what a run means for the next evening."""
    return (
        ""
        if not report.first.verdicts
        else _leaders_sentence(
            [name for verdict in report.first.verdicts if verdict.tone == "up" for name in verdict.names],
            [name for verdict in report.first.verdicts if verdict.tone == "down" for name in verdict.names],
        )
    )


def _of_leaders(frame: Any, name: str) -> str:
    far = frame[having(frame, FAR)]
    strong, weak = (list(map(str, far.loc[having(far, kind), name])) for kind in (HIGHER, LOWER))
    return _leaders_sentence(strong, weak)


def _leaders_sentence(strong: Sequence[str], weak: Sequence[str]) -> str:
    if not strong and not weak:
        return f"Deal all leaders: none is shown to be {STRENGTH.far_above} or {STRENGTH.far_below}."
    parts = [f"leave out {listed(strong)}"] if strong else []
    parts += [f"do not deal {listed(weak)} to a beginner"] if weak else []
    text = " and ".join(parts)
    return f"{text[0].upper()}{text[1:]}. Of the others these games show no such thing."


# --- The page


def of_answer(kept: KeptAnswer, report: Report, address: str = "") -> Handout:
    """Return the page of an answer from its report."""
    return _fitted(_of(report, question_of(kept), tonight_of(kept, report), kept.line, address, kept.facts.get("compared", "")))


def of_run(report: Report, address: str = "") -> Handout:
    """Return the page of a run from its report."""
    lines = report.origin.commands
    return _fitted(_of(report, OF_RUN, of_run_tonight(report), lines[0] if lines else "", address, report.summary))


def _of(report: Report, question: str, tonight: str, command: str, address: str, games: str) -> Handout:
    first = report.first
    told = [finding.text for finding in report.screen if finding.text.rstrip(".") != first.headline][:FINDINGS]
    answer = first.headline or (told.pop(0).rstrip(".") if told else report.title)
    played = next((text for word, text in first.meanings if word == "Who played"), report.limits[0].text)
    changes = [line.replace("`", "") for line in (*first.changed, *first.rest)]
    changes = [re.sub(r" \([a-z_]+(?:\.\w+)+\)$", "", line) for line in changes]
    if report.origin.changes and not changes:
        changes = [str(line) for line in report.origin.changes]
    return Handout(
        question, answer, told, sure_of(report.screen, games), played, changes, tonight, command, address, report.game,
        games, report.leading,
    )  # fmt: skip


def _fitted(page: Handout) -> Handout:
    """Return the page with at most WORDS words: what is changed is cut first, then who played, then the last sentences."""
    if len(page.changes) > CHANGES:
        page = _cut(page, CHANGES)
    while page.words > WORDS and len(page.changes) > 1:
        page = _cut(page, max(1, len(page.changes) - 2))
    sentences = re.split(r"(?<=\.) ", page.played)
    while page.words > WORDS and len(sentences) > 1:
        sentences.pop()
        page = replace(page, played=" ".join(sentences))
    while page.words > WORDS and page.findings:
        page = replace(page, findings=page.findings[:-1])
    while page.words > WORDS and page.changes:
        line = page.changes[0].split()
        page = replace(page, changes=[" ".join(line[: len(line) // 2]) + " …"] if len(line) > 12 else [])
    return page


def _cut(page: Handout, most: int) -> Handout:
    last = page.changes[-1]
    before = int(last.split()[0]) if re.fullmatch(r"\d+ more changes?: see the report", last) else 0
    kept = page.changes[: -1 if before else None][:most]
    more = before + len(page.changes) - (1 if before else 0) - len(kept)
    return replace(page, changes=[*kept, f"{counted(more, 'more change')}: see the report"])


IDS = re.compile(r'\b(id="|url\(#|href="#|aria-labelledby=")')


def fragment(page: Handout) -> str:
    """Return the page as HTML to stand in another page, with its own style and ids."""
    return IDS.sub(r"\1sheet-", template("one_page.html.j2").render(page=page))


def html(page: Handout, title: str) -> str:
    """Return the page as a file of its own."""
    head = (
        f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>{Markup.escape(title)}</title>\n</head>\n'
    )
    return f"{head}<body>\n{fragment(page)}</body>\n</html>\n"
