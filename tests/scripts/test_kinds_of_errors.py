"""Kinds of answers that once were wrong: exit codes, lengths of lines, names, letters, silent connections."""

import errno
import os
import shutil
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from click.testing import CliRunner

from newdawn.analysis.explorer import server
from newdawn.analysis.tables.rendering import without_tags
from newdawn.scripts.cli.main import main
from newdawn.simulator.errors import UserError, printable
from newdawn.simulator.reading import content_of, plainly
from newdawn.strategies import network_files, registry

RUN = [
    "run",
    "--players",
    "2",
    "--games",
    "120",
    "--seed",
    "3",
    "--strategies",
    "random",
    "--round-cap",
    "3",
    "--jobs",
    "1",
    "--quiet",
]


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    out = tmp_path_factory.mktemp("kinds") / "run"
    assert CliRunner().invoke(main, [*RUN, "--out", str(out)]).exit_code == 0
    return out


@pytest.mark.parametrize("how", ["table", "json", "markdown"])
def test_game_ends_with_1_where_tables_are_damaged(run, tmp_path, how):
    assert CliRunner().invoke(main, ["game", str(run), "--format", how]).exit_code == 0
    shutil.copytree(run, tmp_path / "run")
    path = tmp_path / "run" / "seats" / "part-000000.parquet"
    path.write_bytes(path.read_bytes()[:-9] + b"damaged!!")
    asked = CliRunner().invoke(main, ["game", str(tmp_path / "run"), "--format", how])
    assert asked.exit_code == 1
    assert "has changed since it was written" in asked.output


def test_long_values_are_cut_but_not_what_is_to_be_done():
    said = printable(f"--strategies: unknown '{'a b ' * 900}'; {'c d ' * 900}; expected one of A, B")
    assert len(said) < 1_500
    assert said.startswith("--strategies: unknown 'a b a b")
    assert said.endswith("expected one of A, B")
    listing = f"unknown 'x': expected one of {', '.join(f'name {k}' for k in range(60))}; did you mean 'name 1'?"
    assert printable(listing) == listing  # what is between two quoted words is not quoted


def test_a_network_beside_a_profile_is_told_apart_from_a_packaged_one(tmp_path):
    shutil.copy(network_files.file_of("base", 2), tmp_path / "n_nan.npz")
    for name in ("n_nan.npz", "n_nan"):
        (tmp_path / "mine.yaml").write_text(f"like: learner\nnetwork: {name}\n")
        with pytest.raises(UserError, match=rf"network: '{name}' is no network of this program; expected '\./n_nan'"):
            registry.find(str(tmp_path / "mine.yaml"))


@pytest.mark.parametrize("command", ["resume", "leaders"])
def test_a_folder_that_is_gone_is_said_to_be(run, command):
    asked = CliRunner().invoke(main, [command, str(run.parent / "runs")])
    assert asked.exit_code == 2
    assert "as `newdawn run` writes it; there is no such folder; did you mean" in asked.output


@pytest.mark.parametrize("wrong", [MemoryError(), OSError(errno.ENOMEM, "Cannot allocate memory")])
def test_where_memory_is_short_nothing_is_said_against_the_file(wrong):
    with pytest.raises(UserError) as told, plainly("x/manifest.json", "a manifest", again="play it again"):
        raise wrong
    assert (
        str(told.value) == "x/manifest.json: cannot be read: it takes more memory than is free; nothing is wrong with the file"
    )
    with pytest.raises(UserError, match="No such file"):
        content_of(Path("nowhere/manifest.json"))


@pytest.mark.skipif(sys.platform != "linux", reason="names of files are bytes there, whatever the locale")
def test_names_that_the_locale_cannot_read(run, tmp_path):
    name = "ö 😀 x"
    shutil.copytree(run, tmp_path / name)
    environment = os.environ | {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    for command in (["leaders", name], ["report", name, "--boards", "0", "--quiet", "--out", f"{name}/page"]):
        line = [sys.executable, "-m", "newdawn.scripts.cli.start", *command]
        done = subprocess.run(line, cwd=tmp_path, env=environment, capture_output=True)
        assert done.returncode == 0, done.stderr.decode()
    assert name in done.stdout.decode()
    assert name in (tmp_path / name / "page" / "report.md").read_text("utf-8")


def test_names_in_markdown_begin_no_html():
    written = "# <script>alert(1)</script> a < b, <0.001, `<code>`\n```sh\nrun '<x>'\n```\n</b> <!-- \\<i>"
    assert without_tags(written) == (
        "# \\<script>alert(1)\\</script> a < b, <0.001, `<code>`\n```sh\nrun '<x>'\n```\n\\</b> \\<!-- \\<i>"
    )


@pytest.mark.parametrize("deaf", [False, True])
def test_connections_that_ask_or_read_nothing_hold_few_threads_and_keep_nobody_out(deaf):
    content = bytes(10_000_000)  # more than the system keeps for a reader

    class Handler(server.LocalHandler):
        timeout = 0.5 if deaf else server.TIMEOUT

        def get(self, path, parts, query):
            return self.send(200, "text/plain", content if path == "/long" else b"x", "default-src 'none'")

    here = server.LocalServer(None, Handler)
    threading.Thread(target=here.serve_forever, daemon=True).start()
    before, silent = threading.active_count(), []

    def asked(path):
        return f"GET {path} HTTP/1.1\r\nHost: {server.HOST}:{here.server_address[1]}\r\n\r\n".encode()

    try:
        for _ in range(server.MOST_CONNECTIONS + (4 if deaf else 60)):
            silent.append(socket.create_connection(here.server_address))
            if deaf:
                silent[-1].sendall(asked("/long"))
        with socket.create_connection(here.server_address) as asking:
            asking.sendall(asked("/x"))
            assert asking.recv(1000).startswith(b"HTTP/1.1 200")
        deadline = time.monotonic() + 20
        while threading.active_count() - before > server.MOST_CONNECTIONS + 2:
            assert time.monotonic() < deadline
            time.sleep(0.01)
        assert len(here.silent) <= server.MOST_CONNECTIONS
    finally:
        for connection in silent:
            connection.close()
        here.shutdown()
        here.server_close()
