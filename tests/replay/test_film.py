"""The page to watch a game on: its frames are the game, its script shows them."""

import json
import re

import pytest
from click.testing import CliRunner
from in_browser import needs_browser, opened, out_of_reach

from newdawn.scripts.cli.main import main
from newdawn.simulator.engine import decisions
from newdawn.simulator.errors import UserError
from newdawn.simulator.replay.film import page, shoot, write_film
from newdawn.simulator.replay.player_boards import player_board
from newdawn.simulator.replay.stepper import Game, play_logged
from newdawn.simulator.rules import load_ruleset
from newdawn.simulator.runs.run_plan import plan_by
from newdawn.strategies.explained_choices import explained

PLAYERS, CAP = 3, 6
FRAMES = 1 + PLAYERS * CAP + 1  # the set-up, the turns, what comes after the last round


@pytest.fixture(scope="module")
def ruleset():
    return load_ruleset()


@pytest.fixture(scope="module")
def plan(ruleset):
    names = ["planner", "random", "opportunist"]
    return plan_by(ruleset.compile(), players=PLAYERS, games=3, seed=4, strategies=names, round_cap=CAP)


@pytest.fixture(scope="module")
def stepper(ruleset, plan):
    return Game(ruleset, plan, 1, instead=explained)


@pytest.fixture(scope="module")
def frames(stepper):
    return shoot(stepper)


@pytest.fixture(scope="module")
def file(stepper, frames, tmp_path_factory):
    path = tmp_path_factory.mktemp("film") / "game.html"
    path.write_text(page(stepper, frames), encoding="utf-8")
    return path


def test_a_frame_a_turn_tells_the_log_of_the_game(ruleset, plan, frames):
    assert [frame.title for frame in frames][:2] == ["Set-up", "Round 1, after turn 1"]
    assert len(frames) == FRAMES
    lines = [words for frame in frames for _, words in frame.lines]
    log = [line.strip() for line in play_logged(ruleset, plan, 1)]
    assert lines == log[log.index("Set-up:") + 1 :]
    assert sorted({frame.seat for frame in frames}) == [-1, 0, 1, 2]


def test_frames_hold_changes_that_add_up_to_the_board(stepper, frames):
    """All changes laid over each other are the last board: its cities, and nothing where nothing stands."""
    pieces, boards = {}, [{} for _ in range(PLAYERS)]
    for frame in frames:
        pieces |= frame.pieces
        boards = [{**board, **frame.boards.get(seat, {})} for seat, board in enumerate(boards)]
    g = stepper.state
    for space in range(int(g.n_spaces)):
        assert ('class="city ' in pieces.get(space, "")) == (g.piece[space] == 3)
        assert ("owner-" in pieces.get(space, "")) == (g.owner[space] >= 0)
    for seat in range(PLAYERS):
        assert boards[seat] == player_board(stepper.words, seat)
        assert boards[seat]["dial"]["at"] == g.dial[seat]
    assert any(len(frame.boards) < PLAYERS for frame in frames[1:]), "who has not changed is not told again"
    assert len(frames[5].pieces) < len(frames[0].pieces)


def test_the_worths_are_those_the_planner_chose_by(stepper, frames):
    """The option taken is one of the best, of a choice among cards the best; the random seat explains nothing."""
    planners = {seat for seat, name in enumerate(stepper.strategies) if name != "random"}
    choices = [choice for frame in frames for choice in frame.choices]
    assert {choice["seat"] for choice in choices} == planners
    for choice in choices:
        worths = [option["worth"] for option in choice["options"]]
        assert worths == sorted(worths, reverse=True)
        picked = [option["worth"] for option in choice["options"] if option["picked"]]
        assert picked == worths[:1], choice
    cards = [choice for choice in choices if choice["asked"] == decisions.KINDS[decisions.CARD]]
    assert len(cards) >= len(planners) * (CAP - 1)
    assert all(" in slot " in option["words"] for choice in cards for option in choice["options"])


def test_of_a_learned_player_the_chances_are_told_that_it_saw(ruleset):
    """The card taken is the one of the best chance; what was not tried says so; and the game is the same as without."""
    names = ["quick", "planner"]
    plan = plan_by(ruleset.compile(), players=2, games=1, seed=9, strategies=names, round_cap=CAP)
    stepper = Game(ruleset, plan, 0, instead=explained)
    frames = shoot(stepper)
    assert [words for frame in frames for _, words in frame.lines][-1] == play_logged(ruleset, plan, 0)[-1].strip()
    assert stepper.state.rng.tolist() == _played(ruleset, plan).rng.tolist()
    seat = stepper.strategies.index("quick")
    cards = [
        choice for frame in frames for choice in frame.choices
        if choice["seat"] == seat and choice["asked"] == decisions.KINDS[decisions.CARD]
    ]  # fmt: skip
    assert len(cards) == CAP
    for choice in cards:
        tried = [option for option in choice["options"] if option["told"].endswith("%")]
        assert choice["options"][0]["picked"]
        assert 1 <= len(tried) <= 3
        assert all(-100 <= option["worth"] <= 1000 for option in tried)
        assert {option["told"] for option in choice["options"] if option not in tried} <= {"not tried"}


def test_of_a_player_with_a_taste_no_chances_are_told(ruleset):
    """What it compares is not its chance to win alone."""
    plan = plan_by(ruleset.compile(), players=2, games=1, seed=9, strategies=["settler", "planner"], round_cap=CAP)
    stepper = Game(ruleset, plan, 0, instead=explained)
    seat = stepper.strategies.index("settler")
    asked = [choice for frame in shoot(stepper) for choice in frame.choices if choice["seat"] == seat]
    assert asked
    assert not [option for choice in asked for option in choice["options"] if option["told"].endswith("%")]


def _played(ruleset, plan):
    game = Game(ruleset, plan, 0)
    shoot(game)
    return game.state


def test_a_film_ends_with_the_round_asked_for(ruleset, plan, tmp_path):
    assert write_film(Game(ruleset, plan, 1), tmp_path / "short.html", last_round=2) == 2 * PLAYERS
    assert len(shoot(Game(ruleset, plan, 1), last_round=0)) == 1


def test_the_page_needs_nothing_else(file):
    text = file.read_text("utf-8")
    assert not re.search(r"(src|href)\s*=", text)
    frames = re.search(r'<script id="frames" type="application/json">(.*?)</script>', text, re.S)[1]
    assert len(json.loads(frames)) == FRAMES


def test_a_place_that_cannot_be_written_is_an_error_of_the_user(ruleset, plan, tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(UserError, match=r"--html: .*cannot be written"):
        write_film(Game(ruleset, plan, 1), tmp_path / "file" / "game.html", last_round=0)


def test_the_command_writes_the_page_and_says_where(tmp_path):
    settings = ["--players", "2", "--strategies", "random", "--round-cap", "3", "--round", "1"]
    result = CliRunner().invoke(main, ["replay", *settings, "--html", str(tmp_path / "game.html")])
    assert result.exit_code == 0, result.output
    assert "game.html: 2 turns" in result.output
    assert "Round 1" not in result.output  # the log is on the page


# ---------------------------------------------------------------------- in a browser


@pytest.fixture(scope="module")
def browser():
    with opened() as browser:
        yield browser


@needs_browser
def test_slider_keys_and_play_in_a_browser(browser, file, frames):
    from selenium.webdriver.common.by import By
    from selenium.webdriver.common.keys import Keys

    browser.get(file.as_uri())

    def find(name):
        return browser.find_element(By.ID, name)

    body = browser.find_element(By.TAG_NAME, "body")
    assert find("when").text == "Set-up"
    body.send_keys(Keys.ARROW_RIGHT)
    assert find("when").text.startswith("Round 1, after turn 1")
    assert frames[1].lines[-1][1] in find("told").text
    body.send_keys(Keys.SHIFT, Keys.ARROW_RIGHT)
    assert find("when").text.startswith("Round 2, after turn 4")
    body.send_keys(Keys.END)
    assert find("when").text.startswith(f"Round {CAP}")
    assert "Unfinished" in find("told").text
    browser.execute_script("const s = document.getElementById('slider'); s.value = 2; s.dispatchEvent(new Event('input'))")
    assert find("when").text.startswith("Round 1, after turn 2")
    shown = {s: browser.execute_script(f"return document.getElementById('pieces{s}').innerHTML") for s in frames[2].pieces}
    assert all(bool(text) == bool(frames[2].pieces[s]) for s, text in shown.items())
    find("play").click()
    assert "pause" in find("play").text
    body.send_keys(" ")
    assert "play" in find("play").text
    assert browser.execute_script("return document.documentElement.scrollWidth <= innerWidth")
    assert [entry for entry in browser.get_log("browser") if entry["level"] == "SEVERE"] == []


@needs_browser
def test_a_packed_page_is_a_fraction_as_large_and_shows_the_same(browser, stepper, frames, file, tmp_path):
    from selenium.webdriver.support.ui import WebDriverWait

    packed = tmp_path / "packed.html"
    packed.write_text(page(stepper, frames, packed=True), encoding="utf-8")
    assert page(stepper, frames, packed=True) == packed.read_text("utf-8"), "the same game, the same file"
    assert packed.stat().st_size < file.stat().st_size / 3
    shown = []
    for one in (file, packed):
        browser.get(one.as_uri())
        WebDriverWait(browser, 20).until(lambda driver: driver.execute_script("return frames.length > 0"))
        browser.execute_script("show(7)")
        shown.append(
            [browser.find_element("id", part).get_attribute("innerHTML") for part in ("board", "told", "boards", "cards")]
        )
    assert shown[0] == shown[1]


@needs_browser
@pytest.mark.parametrize("width", [1400, 390])
def test_who_hears_the_page_or_has_no_mouse_finds_all_of_it(browser, file, width):
    size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False}
    for theme in ("light", "dark"):
        browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
        features = [{"name": "prefers-color-scheme", "value": theme}]
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
        browser.get(file.as_uri())
        assert out_of_reach(browser) == []
        browser.execute_script("document.querySelectorAll('details').forEach((one) => { one.open = true; }); show(9)")
        assert out_of_reach(browser) == []
