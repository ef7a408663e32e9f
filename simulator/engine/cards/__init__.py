"""What cards do: one module a focus type, as the rulebook has one section each.

    culture (B5)  science (B6)  economy (B7)  industry and wonders (B8)  military and combat (B9)
    diplomacy: diplomacy cards (B7)  start_effects: what leaders and wonders do at the start of a turn
"""
