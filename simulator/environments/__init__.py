"""Environments for learning agents (`pip install -e '.[gym]'`): arrays in, arrays out.

observe     what an observation holds, one declaration an array; filling it with what a seat knows
spaces      what all environments have in common: games that wait for answers, name and version, spaces, seats
batch       many games in one call
pettingzoo  one agent after the other (`env`), or all in every step (`parallel_env`)
seat        Gymnasium: one seat against strategies
versions    what belongs to which version
"""

from importlib.util import find_spec

from ..errors import install

if _missing := [name for name in ("greenlet", "gymnasium", "pettingzoo") if find_spec(name) is None]:
    raise ImportError(f"environments need {', '.join(_missing)}; install them with: {install(*_missing)}")
