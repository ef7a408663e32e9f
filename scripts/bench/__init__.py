"""Speed: `measure` (`newdawn bench`) -> `report` (its JSON) -> `compare` (two commits); `peers` (beside another simulator)."""
