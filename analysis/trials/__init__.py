"""What plays games to answer a question about rules: pairs of games on the same seeds.

    compare (two rulesets) -> headline (few figures of many rulesets) -> tuning, sensitivity
    compare -> experiments (effects), readings (disputes)
    idle: which abilities of own content never act
"""
