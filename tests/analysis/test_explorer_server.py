"""The explorer's server: what it answers, whom it turns away, and its page in a browser."""

import http.client
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path
from urllib.parse import quote

import pytest
from click.testing import CliRunner
from in_browser import needs_browser, opened

from newdawn import analysis
from newdawn.analysis.explorer.server import Explorer, ExplorerRuns, Films
from newdawn.scripts.bench.explorer import write_run
from newdawn.scripts.cli.explore import film_command
from newdawn.scripts.cli.main import main
from newdawn.simulator.errors import UserError

WRITE = "import sys; print('<p>the film of ' + sys.argv[2], file=open(sys.argv[1], 'w')); print('note: old', file=sys.stderr)"
SLEEP = "import sys, time; open(sys.argv[1], 'w').close(); time.sleep(600)"
FAIL = "import sys; print('error: not a run', file=sys.stderr); sys.exit(2)"


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    there = tmp_path_factory.mktemp("explorer")
    return write_run(there / "printed", 900), write_run(there / "cheaper", 300)


def pretend(run, game, out):
    """Games of the first run can be filmed, those of the second cannot."""
    return [sys.executable, "-c", WRITE if run.name == "printed" else FAIL, str(out), str(game)]


@pytest.fixture(scope="module")
def server(folders):
    desk, films = ExplorerRuns([analysis.open_run(folder) for folder in folders]), Films(pretend)
    with Explorer(desk, films) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server
        server.shutdown()
    films.close()


def ask(server, path, method="GET", **headers):
    """Return status, headers and content of the answer; the path is sent as it is."""
    there = http.client.HTTPConnection("127.0.0.1", server.server_address[1], timeout=20)
    there.putrequest(method, path, skip_host="Host" in headers, skip_accept_encoding=True)
    for name, value in headers.items():
        there.putheader(name.replace("_", "-"), value)
    there.endheaders()
    answer = there.getresponse()
    content = answer.read()
    there.close()
    return answer.status, dict(answer.headers), content


def origin(server):
    return server.url.removesuffix("/")


def test_it_listens_on_this_machine_only(server):
    assert server.server_address[0] == "127.0.0.1"


def test_the_page_needs_nothing_from_elsewhere_and_may_fetch_from_its_server_only(server):
    status, headers, content = ask(server, "/")
    text = content.decode()
    assert status == 200
    policy = headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "connect-src 'self'" in policy
    assert "unsafe-inline" not in policy
    text = text.replace("http://www.w3.org/2000/svg", "")
    assert not any(word in text for word in ("http://", "https://", "src=", "@import", "url("))
    assert text.count(policy.split("nonce-")[1].split("'")[0]) == 2
    assert ask(server, "/")[1]["Content-Security-Policy"] != policy


def test_it_answers_with_the_views_of_the_desk(server):
    status, headers, content = ask(server, "/api/view/leaders?leader=Rome&run=1")
    assert status == 200
    assert headers["Content-Type"].startswith("application/json")
    assert json.loads(content) == json.loads(json.dumps(server.desk.answer("leaders", "leader=Rome&run=1")))
    card = quote("Warmonger / Paranoid", safe="")
    assert json.loads(ask(server, f"/api/view/card/{card}")[2])["title"] == "Warmonger / Paranoid"
    assert [run["title"] for run in json.loads(ask(server, "/api/about")[2])["runs"]] == ["printed", "cheaper"]


@pytest.mark.parametrize("path", [
    "/api/view/leaders?leader=Rom", "/api/view/leaders?x=1", "/api/view/leaders?leader=%00", "/api/view/leaders?leader=%ff%fe",
    "/api/view/leaders?rounds=1e9", "/api/view/leaders?rounds=-1", "/api/view/leaders?from[]=1", "/api/view/games?from=1.5",
    "/api/view/games?from=" + "9" * 300, "/api/view/leaders?" + "seat=0&" * 900, "/api/view/leaders?;drop table", "/api/view/",
    "/api/view/leader/<script>", "/api/view/../../etc/passwd", "/api/view/%2e%2e/%2e%2e/etc/passwd", "/api/view/game/0/../1",
    "/api/film/0/../../x", "/api/film/0/99999", "/api/film/..%2f../1", "/api/film/9/1", "/film/0/abc", "/film/x/1",
    "/film/0/-1",
    "/api/view/leaders?run=../../etc", "/api/view/leaders?beside=all2", "/api/view/leader/" + "x" * 5000,
])  # fmt: skip
def test_strange_addresses_are_refused_with_one_sentence(server, path):
    status, _, content = ask(server, path.replace(" ", "%20"))
    said = json.loads(content)["error"]
    assert status == 400 or (status == 404 and path.startswith("/api/film/0/../"))
    assert "\n" not in said
    assert "Traceback" not in said
    assert len(said) < 1000


@pytest.mark.parametrize("path", [
    "/etc/passwd", "/../../etc/passwd", "//etc/passwd", "/manifest.json", "/explorer.js", "/%2e%2e/manifest.json", "/api",
    "/api/", "/film", "/games/part-000000.parquet", "/api/about/x", "http://example.org/", "/favicon.ico",
])  # fmt: skip
def test_no_file_can_be_had(server, path):
    status, _, content = ask(server, path)
    assert status == (403 if path.startswith("http") else 404)
    assert b"root:" not in content


@pytest.mark.parametrize("host", ["example.org", "127.0.0.1", "127.0.0.1:1", "localhost", "[::1]:80", "127.0.0.1.example.org"])
def test_a_request_by_another_name_is_turned_away(server, host):
    assert ask(server, "/api/about", Host=host)[0] == 403
    assert ask(server, "/", Host=host)[0] == 403


def test_the_names_of_this_machine_are_answered(server):
    port = server.server_address[1]
    assert ask(server, "/api/about", Host=f"127.0.0.1:{port}")[0] == 200
    assert ask(server, "/api/about", Host=f"localhost:{port}")[0] == 200


def test_another_sites_page_is_turned_away(server):
    assert ask(server, "/api/about", Sec_Fetch_Site="cross-site")[0] == 403
    assert ask(server, "/api/about", Sec_Fetch_Site="same-origin")[0] == 200
    assert ask(server, "/api/look", "POST")[0] == 403
    assert ask(server, "/api/look", "POST", Origin="http://example.org")[0] == 403
    assert ask(server, "/api/look", "POST", Origin="null")[0] == 403
    assert ask(server, "/api/look", "POST", Origin=origin(server))[0] == 200
    assert ask(server, "/api/look", "POST", Origin=origin(server), Content_Length="5")[0] == 400


def raw(server, request):
    """Return the first line of the answer to bytes that are sent as they are."""
    with suppress(ConnectionError), socket.create_connection(("127.0.0.1", server.server_address[1]), timeout=60) as there:
        there.sendall(request)
        with suppress(OSError):  # "not connected": the server has answered and hung up already
            there.shutdown(socket.SHUT_WR)
        return there.makefile("rb").readline().decode("latin-1")
    return "closed"


def asked(server, *lines):
    return "\r\n".join([*lines, f"Host: 127.0.0.1:{server.server_address[1]}", "", ""]).encode("latin-1")


def test_every_origin_that_is_named_has_to_be_this_servers(server):
    own, other = f"Origin: {origin(server)}", "Origin: http://example.org"
    assert "200" in raw(server, asked(server, "GET /api/about HTTP/1.1", own))
    for lines in ((other,), (own, other), (other, own), ("Origin: null",), ("Origin:",)):
        assert "403" in raw(server, asked(server, "GET /api/about HTTP/1.1", *lines))
        assert "403" in raw(server, asked(server, "POST /api/look HTTP/1.1", *lines))
    assert "403" in raw(server, asked(server, "POST /api/look HTTP/1.1", own, own))


@pytest.mark.parametrize("target", ["http://[", "//[", "/\\[::1", "http://[::1]x/"])
def test_a_target_that_cannot_be_parsed_is_a_bad_request(server, target):
    for method in ("GET", "POST"):
        said = raw(server, asked(server, f"{method} {target} HTTP/1.1", f"Origin: {origin(server)}"))
        assert " 400 " in said or (" 404 " in said and target.startswith("/"))


def test_an_error_in_making_a_page_is_a_line_here_and_500_there(server, monkeypatch, capsys):
    def broken():
        raise KeyError("a\x1b[2Jb\nc")

    monkeypatch.setattr(server.desk, "about", broken)
    status, _, content = ask(server, "/api/about")
    assert status == 500
    assert "this page cannot be made (KeyError)" in json.loads(content)["error"]
    told = capsys.readouterr().err
    assert told.count("\n") == 1
    assert told.startswith("error: GET /api/about: KeyError: ")
    assert "test_explorer_server.py" in told
    assert "\x1b" not in told
    monkeypatch.undo()
    assert ask(server, "/api/about")[0] == 200


def test_it_answers_all_the_time_under_load_and_hostile_requests(server):
    """Sixty connections of every kind at once, and the page goes on being served."""
    bad = [
        b"", b"\r\n\r\n", b"GET", b"GET / HTTP/9.9\r\n\r\n", b"\xff" * 1000, b"GET /" + b"a" * 70_000 + b" HTTP/1.1\r\n\r\n",
        b"GET / HTTP/1.1\r\n" + b"x: y\r\n" * 200 + b"\r\n", b"PUT / HTTP/1.1\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
        asked(server, "GET /api/view/leaders?seat=1 HTTP/1.1"), asked(server, "GET / HTTP/1.1", "Transfer-Encoding: chunked"),
        asked(server, "POST /api/look HTTP/1.1", "Content-Length: 99999999999"), b"GET http://[ HTTP/1.1\r\n\r\n",
    ]  # fmt: skip
    found = []
    threads = [threading.Thread(target=lambda k=k: found.append(raw(server, bad[k % len(bad)]))) for k in range(60)]
    for thread in threads:
        thread.start()
    assert ask(server, "/api/about")[0] == 200
    for thread in threads:
        thread.join(120)
    assert len(found) == 60
    assert not any(" 500 " in line for line in found)
    assert ask(server, "/")[0] == 200


@pytest.mark.parametrize("method", ["PUT", "DELETE", "OPTIONS", "TRACE", "PATCH", "QUERY"])
def test_other_methods_are_not_known(server, method):
    assert ask(server, "/api/about", method)[0] == 501


def test_garbage_ends_a_connection_and_nothing_else(server):
    for sent in (b"\x16\x03\x01\x02\x00", b"GET\r\n\r\n", b"GET /" + b"a" * 70000 + b" HTTP/1.1\r\n\r\n",
                 b"GET / HTTP/9.9\r\n\r\n", b"GET /api/about HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n"):  # fmt: skip
        with socket.create_connection(server.server_address, timeout=10) as there:
            there.sendall(sent)
            there.shutdown(socket.SHUT_WR)
            got = b""
            while piece := there.recv(65536):
                got += piece
        assert b"Traceback" not in got
    assert ask(server, "/api/about")[0] == 200


# ---------------------------------------------------------------------- films


def filmed(server, run, game):
    """Order a film and wait for it."""
    said = json.loads(ask(server, f"/api/film/{run}/{game}", "POST", Origin=origin(server))[2])
    until = time.monotonic() + 60
    while said["state"] in ("waiting", "working") and time.monotonic() < until:
        time.sleep(0.05)
        said = json.loads(ask(server, f"/api/film/{run}/{game}")[2])
    return said


def test_a_game_is_played_again_on_demand(server, folders):
    assert json.loads(ask(server, "/api/film/0/17")[2])["state"] == "none"
    assert ask(server, "/film/0/17")[0] == 404
    assert ask(server, "/api/film/0/17", "POST")[0] == 403
    said = filmed(server, 0, 17)
    assert (said["state"], said["message"]) == ("ready", "note: old")
    assert said["command"] == f"newdawn replay --run {folders[0]} --game 17 --html game-17.html"
    status, headers, content = ask(server, "/film/0/17")
    assert (status, content) == (200, b"<p>the film of 17\n")
    assert "sandbox" in headers["Content-Security-Policy"]


def test_a_game_that_cannot_be_played_again_says_why(server):
    said = filmed(server, 1, 3)
    assert (said["state"], said["message"]) == ("failed", "error: not a run")
    assert ask(server, "/film/1/3")[0] == 404


def test_what_makes_a_film_is_stopped_at_the_end_and_its_folder_removed(folders, tmp_path):
    started = tmp_path / "started"
    films = Films(lambda run, game, out: [sys.executable, "-c", SLEEP, str(started)])
    for game in range(4):
        said = films.order(folders[0], game)
    assert "three games" in said["message"]
    until = time.monotonic() + 30
    while not started.exists() and time.monotonic() < until:
        time.sleep(0.05)
    process, folder = films.process, films.folder.name
    films.close()
    assert process.poll() is not None
    assert not Path(folder).exists()


def test_the_command_is_that_of_the_command_line(folders, tmp_path):
    """A run of drawn games has no rules: the command says so in one line."""
    words = film_command(folders[0], 3, tmp_path / "game.html")
    result = CliRunner().invoke(main, list(words[3:]))
    assert result.exit_code == 2
    assert result.output.startswith("error: ")


# ---------------------------------------------------------------------- the command


def test_a_wrong_folder_a_damaged_run_and_a_taken_port_are_one_line(folders, tmp_path):
    damaged = tmp_path / "damaged"
    shutil.copytree(folders[1], damaged)
    file = next((damaged / "seats").glob("*.parquet"))
    file.write_bytes(file.read_bytes()[:-30])
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        for words, said in (
            ([str(tmp_path / "none")], "not a run folder"),
            ([str(damaged)], "cannot be read as Parquet"),
            ([str(folders[1]), "--port", port], "cannot be used"),
            ([str(folders[1]), "--effects", str(tmp_path)], "cannot be read"),
            ([], "Missing argument"),
            ([str(folders[1]), "--port", "99999"], "99999"),
        ):
            result = CliRunner().invoke(main, ["explore", "--no-open", "--quiet", *words])
            assert result.exit_code == 2, result.output
            assert said in result.output
            assert len(result.output.strip().splitlines()) == 1, result.output


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
@pytest.mark.parametrize("number", ["SIGINT", "SIGHUP"])
def test_ctrl_c_or_a_closed_terminal_ends_it_cleanly(folders, tmp_path, number):
    words = [sys.executable, "-m", "newdawn.scripts.cli.start", "explore", str(folders[1]), "--no-open", "--quiet"]
    there = os.environ | {"TMPDIR": str(tmp_path)}
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=there) as process:
        url = process.stdout.readline().strip()
        assert url.startswith("http://127.0.0.1:")
        assert [path.name[:16] for path in tmp_path.iterdir()] == ["newdawn-explore-"]
        process.send_signal(getattr(signal, number))
        rest, errors = process.communicate(timeout=60)
    assert (process.returncode, rest, errors) == (0, "", "")
    assert not list(tmp_path.iterdir())


def test_an_impossible_port_is_an_error_of_the_user(folders):
    with pytest.raises(UserError, match="--port: 99999 cannot be used"):
        Explorer(ExplorerRuns([analysis.open_run(folders[1])]), Films(pretend), 99999)


# ---------------------------------------------------------------------- in a browser


@pytest.fixture(scope="module")
def browser():
    with opened() as browser:
        yield browser


@needs_browser
@pytest.mark.soak
def test_from_a_filter_to_a_figure_to_its_games_to_a_replay_in_a_browser(browser, server):
    from selenium.webdriver.common.by import By
    from selenium.webdriver.common.keys import Keys
    from selenium.webdriver.support.ui import Select, WebDriverWait

    def wait(condition):
        return WebDriverWait(browser, 30, ignored_exceptions=(Exception,)).until(lambda _: condition())

    def all_of(selector):
        return browser.find_elements(By.CSS_SELECTOR, selector)

    def heading():
        return all_of("h2")[0].text

    browser.get(server.url)
    wait(lambda: len(all_of("#leaders tbody tr:not(.tier)")) == 8)
    assert [cell.text for cell in all_of("#leaders .sides th")] == ["", "printed", "cheaper"]  # two runs, side by side
    assert "win rate: cheaper minus printed" in all_of("#leaders thead")[0].text
    assert "Alike: " in all_of(".contrast .note")[0].get_attribute("textContent")  # folded
    Select(all_of("#beside")[0]).select_by_value("")
    wait(lambda: not all_of(".sides"))

    # A filter: the table says what `analysis` says of it.
    all_of("#conditions > summary")[0].click()  # filters are folded
    Select(all_of("[data-name=seat]")[0]).select_by_value("2")
    wait(lambda: all_of("#set button"))
    wait(lambda: "900 seats counted" in all_of(".summary")[0].text)
    known = analysis.leaders(server.desk.loaded[0].run, "seat").query("seat == 1").set_index("leader")
    for row in all_of("#leaders tbody tr:not(.tier)"):
        leader, n, *_ = (cell.text for cell in row.find_elements(By.CSS_SELECTOR, "th, td"))
        assert int(n) == known.loc[leader.removesuffix(" few"), "n"]
        assert leader.endswith(" few") == (int(n) < 100)
    assert all_of("#leaders .bar")

    # Sorting by the keyboard, within each tier.
    def tiers():
        found = [body.find_elements(By.CSS_SELECTOR, "tr:not(.tier) th") for body in all_of("#leaders tbody")]
        return [[cell.text.removesuffix(" few") for cell in body] for body in found]

    assert all_of("#leaders .tier") == [], "of some seats alone there are no verdicts"
    button = all_of("#leaders thead button")[0]
    button.send_keys(Keys.ENTER)
    assert tiers() == [sorted(tier, reverse=True) for tier in tiers()]
    button.send_keys(Keys.ENTER)
    assert tiers() == [sorted(tier) for tier in tiers()]
    assert sum(map(len, tiers())) == 8

    # To a leader's page, with the filter, and to the games behind a figure.
    browser.find_element(By.LINK_TEXT, "America").click()
    wait(lambda: heading() == "America")
    assert {"rate", "opponents", "cards", "wonders", "holdings"} <= {each.get_attribute("id") for each in all_of("section")}
    n = all_of("#rate tbody td a")[0]
    number = n.text
    n.click()
    wait(lambda: heading() == "Games")
    assert f"; {number} seats counted" in all_of(".pages")[0].text

    # To a game, and its replay.
    all_of("#games tbody th a")[0].click()
    wait(lambda: heading().startswith("Game "))
    wait(lambda: "newdawn replay --run" in all_of("[role=status]")[0].text)
    all_of("#watch")[0].click()
    wait(lambda: all_of("[role=status] a")[0].text == "watch it")
    browser.get(all_of("[role=status] a")[0].get_attribute("href"))
    assert "the film of" in browser.page_source
    browser.back()
    browser.back()
    wait(lambda: heading() == "Games")

    # A condition is taken back; a wrong address is said in words.
    all_of("#set button")[0].click()
    wait(lambda: "seat: 2" not in all_of("#set")[0].text or "leader: America" not in all_of("#set")[0].text)
    browser.get(server.url + "#leaders?leader=Rom")
    wait(lambda: "did you mean 'Rome'" in all_of("[role=alert]")[0].text)
    severe = [entry for entry in browser.get_log("browser") if entry["level"] == "SEVERE" and "400" not in entry["message"]]
    assert [entry for entry in severe if "favicon" not in entry["message"] and "404" not in entry["message"]] == []


@needs_browser
@pytest.mark.parametrize("width", [390, 1400])
@pytest.mark.soak
def test_the_page_is_not_wider_than_the_screen(browser, server, width):
    from selenium.webdriver.common.by import By
    from selenium.webdriver.support.ui import WebDriverWait

    browser.set_window_size(width, 900)
    browser.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride", {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False}
    )
    for view in ("wonders", "leader/Rome", "games", "length"):
        browser.get(f"{server.url}#{view}?run=0")
        browser.refresh()
        WebDriverWait(browser, 30).until(lambda _: browser.find_elements(By.CSS_SELECTOR, "main section"))
        wide = browser.execute_script("return document.documentElement.scrollWidth")
        assert wide <= width, view
