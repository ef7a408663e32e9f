"""What plays games to answer a question about rules: pairs of games on the same seeds.

compare (two rulesets) -> headline (few figures of many rulesets) -> tuning, sensitivity -> balance (what to change)
target (what tuning and balance are to reach)
confirm (fresh games by which nothing was chosen: for tuning and balance)
compare, questions (what is asked) -> experiments (effects); compare -> readings (disputes)
compare -> planning (how many games); until (play until it is clear)
compare -> adapted (does the answer depend on players who have noticed?)
idle: which abilities of own content never act
"""
