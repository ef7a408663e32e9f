"""Temporary: a course on a big machine, and the judgement of variants. OUT PLAYERS GAMES EPOCHS TRAIN_UNTIL END"""
import os, sys, time, shutil
os.environ.setdefault("OPENBLAS_NUM_THREADS", os.environ.get("JOBS", "16"))
from dataclasses import asdict, replace
from pathlib import Path
import numpy as np
T0 = time.time()
from newdawn.analysis.contests import arena
from newdawn.analysis.learning import fit
from newdawn.analysis.learning.course import Course, Settings
from newdawn.analysis.learning.games import joined
from newdawn.simulator.rules.loading.load import load_ruleset
from newdawn.strategies import network_files, profiles, registry
from newdawn.strategies.registry import Strategy, find

out, players, games, epochs, until, end = sys.argv[1], *map(int, sys.argv[2:7])
NJ = int(os.environ.get("NJ", 1600))
seed = int(sys.argv[7]) if len(sys.argv) > 7 else 7000
start = sys.argv[8] if len(sys.argv) > 8 else ""
jobs = int(os.environ.get("JOBS", os.cpu_count()))
R = load_ruleset().compile()
log = open(f"{out}/log_{players}p.txt", "a")
def say(text):
    line = f"{time.time()-T0:6.0f} s  {text}"
    print(line, flush=True); log.write(line + "\n"); log.flush()
folder = Path(os.environ.get("TMPDIR", "/tmp")) / f"course_{players}"
shutil.rmtree(folder, ignore_errors=True)
def variant(name, net, like="adept", **w):
    p = profiles.resolve(profiles.find(like))
    p = replace(p, network=net, weights=p.weights | {f"simulat{k}": v for k, v in w.items()})
    return Strategy(name, registry.LEARNED, "x", own=registry.as_text(asdict(p)))
def judge(name, one, n, seed=880001):
    a = time.time()
    s = arena.share(arena.meet(R, one, find("planner"), players=players, games=n, seed=seed, jobs=jobs))
    low, high = s.interval()
    say(f"{name:46s} {100*s.share:5.1f} [{100*low:.1f}, {100*high:.1f}] n {n}  {n/(time.time()-a):7.1f} games/s all cores")
    return s.share
course = Course(R, Settings("x", players, games, 9, epochs, seed), folder, jobs)
course.begin()
so_far, studies = [], []
took = 0
stage = 0
while stage < 9:
    a = time.time()
    if stage > 0 and a - T0 + took > until: break
    course.settings = replace(course.settings, epochs=2 if stage == 0 else epochs)
    g, s = course.play(stage, lambda n: None)
    say(f"stage {stage}: played {len(g.shares):,} positions, {len(s.shares):,} studies in {time.time()-a:.0f} s")
    b = time.time()
    so_far = [*so_far, g][-3:]; studies = [*studies, s][-2:]
    net = course.fit(stage, joined(so_far), joined(studies), lambda e, l: say(f"stage {stage}: epoch {e} loss {l:.4f} ({time.time()-b:.0f} s)"))
    h = g.only(g.held_out)
    say(f"stage {stage}: held-out log loss of this stage's games {fit.losses(net, h.facts, h.shares).mean():.4f}")
    if stage:
        h = s.only(s.held_out); v = fit.values(net, h.facts); k = np.arange(len(h.shares)); m = h.moments[:, 2]
        say(f"  studies: error of the mover's chance {np.sqrt(((v[k,m]-h.shares[k,m])**2).mean()):.4f}, spread {h.shares[k,m].std():.4f}")
    shutil.copy(course.network_file(stage), f"{out}/new{stage}_{players}p.npz")
    shutil.copy(course.network_file(stage), f"{out}/new_{players}p.npz")
    judge(f"stage {stage} adept", variant("a", f"{out}/new{stage}"), NJ)
    took = time.time() - a
    stage += 1
net = f"{out}/new"
def left(): return end - (time.time() - T0)
from newdawn.scripts.bench.measure import Speed
def speed(name, one):
    from newdawn.simulator.games.plan import available_leaders, make_plan
    from newdawn.simulator.batch.run import Silent, play_range
    plan = make_plan(players=players, games=10**6, seed=3, available_leaders=available_leaders(R), strategies=[one])
    n, spent = 0, 0.0
    play_range(plan, R, 0, 1, Silent())
    while spent < 2.0:
        a = time.thread_time(); play_range(plan, R, 1 + n, 4, Silent()); spent += time.thread_time() - a; n += 4
    say(f"{name:46s} {n/spent:7.1f} games/s a core with {players} of them")
speed("planner", find("planner"))
for cards, steps, throws, trust in ((2,1,1,10),(3,1,2,10),(3,1,2,0),(3,2,2,10),(5,2,2,10),(5,5,2,0),(5,5,4,10)):
    if left() < 60: break
    name = f"adept cards {cards} steps {steps} throws {throws} trust {trust}"
    one = variant("a", net, ed_cards=cards, ed_steps=steps, ed_throws=throws, ed_trust=trust)
    judge(name, one, NJ*2); speed(name, one)
for sims, ways, steps, rounds in ((24,6,2,1),(48,8,3,1),(48,8,3,2)):
    if left() < 40: break
    name = f"thinker sims {sims} ways {ways} steps {steps} rounds {rounds}"
    one = variant("t", net, "thinker", ions=sims, ed_ways=ways, ed_steps=steps, ed_rounds=rounds)
    judge(name, one, NJ//2); speed(name, one)
for sims, rounds in ((400, 1), (400, 2)):
    if left() < 25: break
    judge(f"master sims {sims} rounds {rounds}", variant("m", net, "master", ions=sims, ed_rounds=rounds), NJ//8)
say("done")
