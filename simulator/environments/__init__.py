"""Environments for learning agents (`pip install -e '.[gym]'`): arrays in, arrays out.

arrays    what an observation holds: one declaration an array
actions   options as actions of a fixed space
observe   filling an observation with what a seat knows
tables    games side by side, each of which waits for an answer
spaces    what all environments have in common: name and version, spaces, seats
batch     many games in one call
aec       PettingZoo: one agent after the other
parallel  PettingZoo: all agents in every step
seat      Gymnasium: one seat against strategies
render    a game in words and as a picture
versions  what belongs to which version
"""

from importlib.util import find_spec

from ..errors import install

if _missing := [name for name in ("greenlet", "gymnasium", "pettingzoo") if find_spec(name) is None]:
    raise ImportError(f"environments need {', '.join(_missing)}; install them with: {install(*_missing)}")
