"""A run in an object store, whose workers share no disk: the same bytes as in a folder, also when one is killed."""

import functools
import os
import subprocess
import sys
import urllib.error
import urllib.request

import pytest
from faults_tools import RUN, Cluster, contents, free_address, wait_until

pytest.importorskip("flask", reason="moto's server: pip install 'moto[server]'")
pytest.importorskip("moto")
s3fs = pytest.importorskip("s3fs")

BUCKET = "studio"


def answers(url):
    try:
        return urllib.request.urlopen(url, timeout=1).status == 200
    except (urllib.error.URLError, OSError):
        return False


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    """An S3 server with a bucket; the environment that leads to it."""
    port = free_address().rpartition(":")[2]
    url = f"http://127.0.0.1:{port}"
    log = tmp_path_factory.mktemp("s3") / "log"
    with log.open("w") as out:
        server = subprocess.Popen([sys.executable, "-m", "moto.server", "-p", port], stdout=out, stderr=out)
    try:
        wait_until(lambda: answers(f"{url}/moto-api/"))
        environment = {
            "AWS_ENDPOINT_URL": url, "AWS_ACCESS_KEY_ID": "any", "AWS_SECRET_ACCESS_KEY": "any",
            "AWS_DEFAULT_REGION": "us-east-1",
        }  # fmt: skip
        files = s3fs.S3FileSystem(endpoint_url=url, key="any", secret="any", use_listings_cache=False, skip_instance_cache=True)
        files.mkdir(BUCKET)
        yield environment, files
    finally:
        server.kill()
        server.wait()


def leads_to(environment):
    os.environ.update(environment)


def stored(files, name):
    root = f"{BUCKET}/{name}"
    return {path.removeprefix(f"{root}/"): files.cat_file(path) for path in files.find(root)}


@pytest.mark.soak
def test_three_workers_without_a_common_disk_and_one_killed(start, undisturbed, store, tmp_path):
    environment, files = store
    there = functools.partial(leads_to, environment)
    cluster = Cluster(tmp_path, environment)
    try:
        cluster.with_workers(3)
        child = start(*RUN, "--out", f"s3://{BUCKET}/run", "--cluster", cluster.address, "--quiet", before=there)
        wait_until(lambda: len(files.glob(f"{BUCKET}/run/checksums/*")) > 2 or not child.process.is_alive())
        assert len(files.glob(f"{BUCKET}/run/checksums/*")) < 24, child.said()
        cluster.workers[0].kill()
        assert child.wait() == 0, child.said()
    finally:
        cluster.end()
    assert stored(files, "run") == contents(undisturbed)
    check = start("verify", f"s3://{BUCKET}/run", "--sample", 2, before=there)
    assert check.wait() == 0, check.said()
    assert "2,400 of 2,400 games in 24 shards as they were written; 2 were replayed" in check.said()
    here, away = start("leaders", undisturbed), start("leaders", f"s3://{BUCKET}/run", before=there)
    assert (here.wait(), away.wait()) == (0, 0), away.said()
    assert here.said() == away.said()


@pytest.mark.soak
def test_a_bucket_that_is_not_there_is_said_in_one_line(start, store):
    there = functools.partial(leads_to, store[0])
    for command, code in ((["leaders", "s3://nowhere/run"], 2), ([*RUN, "--out", "s3://nowhere/run"], 2)):
        child = start(*command, before=there)
        assert child.wait() == code
        assert child.said().startswith("error: s3://nowhere/run: ")
        assert child.said().count("\n") == 1
