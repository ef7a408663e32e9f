"""The columns of tables of plays: what each holds, what others call it, and the template to fill in."""

from __future__ import annotations

import re

from .spelling import folded

IGNORE, SEAT, PERSON = "ignore", "seat", "person"  # what a column may be said to be, beside the names of COLUMNS

# Column: what it holds, and what others call it in English, German and French; capitals, accents and signs do not matter.
COLUMNS = {
    "play": (
        "number or name of the play, the same for all of its seats",
        "id, play id, game id, game no, game number, played game id, table id, table, match, session, partie, spielnummer, nr, "
        "no, numero",
    ),
    "leader": (
        "leader of the seat, in any spelling near enough",
        "leaders, role, civ, civs, civilization, civilizations, faction, nation, anführer, volk, zivilisation, dirigeant, "
        "civilisation",
    ),
    "won": (
        "yes for the winner (for each of several, if they share the win), no for the others; or the winner's name",
        "win, winner, winners, who won, who won the game, winning player, "
        "winning player names, winning leader, winning civ, winner's leader, victor, sieg, sieger, gewinner, "
        "gewonnen, wer hat gewonnen, gagné, gagnant, vainqueur, victoire, qui a gagné",
    ),
    "rank": (
        "place among the players at the end, 1 for the winner",
        "ranks, ranking, game rank, finish, final rank, final place, finishing position, standing, rang, platzierung, "
        "endplatzierung, classement, place, placement, platz, result, results, ergebnis, resultat",
    ),
    "player": (
        "who sat there: the same person always by the same name",
        "name, person, username, players, player name, player names, who, who played, gamer, spieler, spielerin, spielername, "
        "mitspieler, wer, joueur, joueuse, joueurs, nom, qui",
    ),
    "team": ("the team of the seat, if teams played", "teams, side, mannschaft, équipe"),
    "order": (
        "place in the turn order, 1 for the first player",
        "start position, turn order, position, startposition, zugreihenfolge, reihenfolge, ordre, ordre du tour",
    ),
    "claimed": ("victory cards that the seat claimed", "agendas, agenden"),
    "date": (
        "day of the play, 2026-11-23",
        "playdate, play date, date played, day, timestamp, zeitstempel, horodateur, datum, spieldatum, tag, jour",
    ),
    "rounds": ("rounds that the game took", "runden, manches, tours"),
    "minutes": (
        "length of the game: 105, 1:45 or 2h",
        "length, duration, play time, playing time, game length, how long, how long did it take, how long did the game take, "
        "dauer, minuten, spieldauer, durée",
    ),
    "cards": (
        "victory cards in play, by one agenda each, with semicolons between them",
        "victory cards, siegkarten, cartes victoire, cartes de victoire",
    ),
    "game": (
        "name of the game, if the file holds others, too",
        "game name, game definition name, board game, object name, item, spiel, jeu",
    ),
    "comment": (
        "a comment, which may say who had which leader",
        "comments, note, notes, kommentar, bemerkung, commentaire, remarque",
    ),
    "first": ("who began", "start player, first player, startspieler, premier joueur"),
}  # fmt: skip
# What may be the leader, or something else: it is the leader if no other column is, and its cells are leaders.
MAYBE_LEADER = {"color": "", "colour": "", "farbe": "", "couleur": "", "team": "team"}
AT_THE_TABLE = ("place", "placement", "platz", "result", "results", "ergebnis", "resultat")  # of `rank`: may be a seat, a score
SCORES = ("score", "scores", "points", "points scored", "vp", "punkte")
NOT_PERSONS = (
    "ban", "banned", "bans", "gebannt", "location", "ort", "lieu", "map", "box", "expansion", "unused", "not played", "removed",
    "drafted", "offered", "email address", "host",
)  # fmt: skip
ROLES = tuple(dict.fromkeys((*COLUMNS, PERSON, SEAT, IGNORE)))
OF_SEATS = ("leader", "player", "won", "rank", "order", "claimed", "team")  # what the columns with numbers may be
NEEDED = ("play", "leader", "won")
COMMENT = "#"
TEMPLATE = (
    ("play", "date", "player", "leader", "order", "won", "rounds", "minutes", "cards"),
    ("1", "2026-11-20", "Anna", "Rome", "1", "no", "14", "135", "Civilized; Populous; Explorer"),
    ("1", "2026-11-20", "Ben", "Egypt", "2", "yes", "14", "135", "Civilized; Populous; Explorer"),
    ("1", "2026-11-20", "Cleo", "Aztec", "3", "no", "14", "135", "Civilized; Populous; Explorer"),
)
WORDS = {folded(word): name for name, (_, others) in COLUMNS.items() for word in (name, *others.split(", "))}
LEADER_WORD = r"(?:leaders?|civ(?:ilization)?s?|factions?|nations?|anführer|volk|zivilisation|dirigeant|civilisation)"
OF_A_PERSON = (
    re.compile(r".*\[\s*(.+?)\s*\]\s*"),  # a form's grid: "Which leader? [Ann]"
    re.compile(rf"{LEADER_WORD}\s*(?:[:(–—-]|of|von|de)\s*(.+?)\s*\)?", re.IGNORECASE),
    re.compile(rf"(.+?)(?:['’]s?\s|\s*[:(–—-])\s*{LEADER_WORD}\s*\)?", re.IGNORECASE),
)  # fmt: skip


def template() -> str:
    """Return a file to begin with: what the columns hold, in comments, and an example to write over."""
    said = [f"# {name}: {meaning}" for name, (meaning, _) in COLUMNS.items() if name in TEMPLATE[0]]
    lines = [
        "# A log of real plays, a row a seat. Lines that begin with # are not read.",
        f"# Needed: {', '.join(NEEDED)}. What you do not know stays empty, and a column that you do not use may go.",
        *said,
        "# The play below is an example: write over it.",
        *(",".join(row) for row in TEMPLATE),
    ]
    return "\n".join(lines) + "\n"


def known(heading: str) -> str:
    """Return which column a heading names, "" for none."""
    return WORDS.get(folded(heading), "")


def is_one_of(heading: str, words: tuple[str, ...]) -> bool:
    """Say whether a heading is one of these words, whatever capitals, accents and signs."""
    return folded(heading) in map(folded, words)


def person_of(heading: str) -> str:
    """Return the person whose leaders a heading announces ("Which leader? [Ann]", "Ann's civ"), "" for none."""
    if known(heading):
        return ""
    return next((found[1].strip() for pattern in OF_A_PERSON if (found := pattern.fullmatch(heading.strip()))), "")
