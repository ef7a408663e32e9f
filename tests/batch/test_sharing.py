"""Sharing shards out to workers of a cluster that is made up."""

from types import SimpleNamespace

import pytest

from newdawn.simulator.runs import cluster
from newdawn.simulator.runs.run_folder import Segment, cut


class Client:
    """Workers that have what they are given until a test lets them finish, or takes them away."""

    def __init__(self, **threads):
        self.workers = {name: {"nthreads": n, "last_seen": 0.0} for name, n in threads.items()}

    def scheduler_info(self, n_workers):
        assert n_workers == -1, "others would be left out"
        return {"workers": self.workers}

    def submit(self, play, shard, workers, pure):
        assert not pure
        return (workers[0], shard.index, object())


@pytest.fixture
def clock(monkeypatch):
    now = [100.0]
    monkeypatch.setattr(cluster, "time", SimpleNamespace(monotonic=lambda: now[0]))
    return now


def sharing(shards, client):
    notes = []
    made = cluster.Sharing(client, None, cut([Segment(1, 0, 10 * shards, 10)]), notes.append)
    return made, notes


def held(made):
    by_worker = {}
    for worker, shard in made.held.values():
        by_worker.setdefault(worker, []).append(shard.index)
    return by_worker


def step(made):
    made._look()
    made._hand_out()


def test_few_shards_go_to_all_workers(clock):
    made, _ = sharing(5, Client(a=2, b=2, c=1))
    step(made)
    assert held(made) == {"a": [0, 1], "b": [2, 3], "c": [4]}


def test_of_many_each_has_one_to_play_next(clock):
    made, _ = sharing(20, Client(a=2, b=1))
    step(made)
    assert held(made) == {"a": [0, 1, 3, 4], "b": [2, 5]}


def test_the_shards_of_a_worker_that_stands_still_go_to_the_others_and_it_gets_no_more(clock):
    client = Client(a=1, b=1)
    made, notes = sharing(5, client)
    step(made)
    assert held(made) == {"a": [0, 2], "b": [1, 3]}
    for _ in range(40):  # a gives signs, b does not
        clock[0] += 1
        client.workers["a"]["last_seen"] += 1
        step(made)
    assert notes == ["worker b has given no sign for 30 s; handed to others: part-000001, part-000003"]
    assert held(made) == {"a": [0, 2]}
    assert sorted(shard.index for shard in made.waiting) == [1, 3, 4]
    client.workers["b"]["last_seen"] += 1  # it goes on
    clock[0] += 1
    step(made)
    assert len(held(made)["b"]) == 1


def test_if_all_stand_still_it_is_said_once_who_has_what(clock):
    made, notes = sharing(2, Client(a=1, b=1))
    step(made)
    for _ in range(50):
        clock[0] += 1
        step(made)
    assert notes == ["no worker has given a sign for 30 s; waiting for a, b with part-000000, part-000001"]
    assert held(made) == {"a": [0], "b": [1]}


def test_workers_that_end_one_after_the_other_end_the_run(clock):
    client = Client(a=1)
    made, notes = sharing(3, client)
    step(made)
    for name in ("b", "c"):
        client.workers = {name: {"nthreads": 1, "last_seen": 0.0}}
        clock[0] += 1
        step(made)
    client.workers = {"d": {"nthreads": 1, "last_seen": 0.0}}
    clock[0] += 1
    with pytest.raises(cluster.Lost):
        step(made)
    assert notes[0] == "worker a was ended from outside; handed to others: part-000000, part-000001"


def test_a_cluster_without_workers_is_waited_for_and_then_given_up(clock):
    client = Client()
    made, _ = sharing(3, client)
    clock[0] += 20
    step(made)
    clock[0] += 20
    with pytest.raises(cluster.Lost):
        step(made)
