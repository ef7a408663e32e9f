"""Training of the learned players (strategies/learned).

recorder (plays and keeps positions) -> games (files of them) -> fit (a network to them) -> finish (judges and writes)
teaching (lessons, and a policy fitted to them by distil)
course (all of it, again and again) -> adapt (from a network there is, under the rules of a comparison)
"""
