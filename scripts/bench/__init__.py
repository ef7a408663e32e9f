"""Speed: `measure` (`newdawn bench`) -> `report` (its JSON) -> `compare` (two commits); `peers` (beside another
simulator); `explorer` (its answers over a million games); `summaries` (of ten million); `environments` (for learning agents).
"""
