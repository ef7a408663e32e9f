"""What cards do: one module a focus type, as the rulebook has one section each.

culture (B5)  science (B6)  economy (B7)  industry: cities and wonders (B8)  military (B9)
combat: what all combats share (B9, B10)  battle: attacks of armies (T5, T6)
growth, districts (T4)  armies: their moves (T5)
diplomacy: diplomacy cards (B7)  start_effects: what leaders and wonders do at the start of a turn
taking: rival cities replaced by an effect (T12.10), what unique culture cards do last (T12)
"""
