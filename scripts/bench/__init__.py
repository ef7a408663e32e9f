"""Speed: `measure` (`newdawn bench`) -> `report` (its JSON) -> `compare` (two commits); `peers` (beside another
simulator); `explorer` (its answers over a million games); `summaries` (of ten million); `frontier` (what players win for
their time); `environments` (for learning agents).
"""
