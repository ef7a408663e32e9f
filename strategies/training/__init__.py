"""What learned players (strategies/learned) are trained on: compiled games that keep it (analysis/learning asks for them).

positions (of games, and who won) <- study (other ways of some turns)    lessons (what the options of a choice lead to)
"""
