"""What the rules data must look like: one pydantic model for each kind of entry.

    words        what several models share; a text that no house rule can change is `Words`
    pieces       components.yaml and dials.yaml
    focus_cards  focus_cards.yaml, and the leaders' unique cards: from the declarations of `rules/card_parts.py`
    content      leaders, wonders, city-states, diplomacy and victory cards, districts, governments, disputes
    boards       tiles, layouts, maps of users
    problem      what does not fit a model, as one line
    choices      what a value of a model may be, in words
    json_schema  schemas of models for editors
    abilities    one for each effect: from the declarations of `rules/ability_codes.py`

Where the boxes differ, the expansion's model (`Ti…`) extends that of the base game.
"""
