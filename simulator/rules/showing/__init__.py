"""Rules in words: `statements` (the numbered rules), `describe` (what a card does with these numbers, by
`ability_sentences` and, of the expansion's focus cards, `cards_ti`),
`disputes` (readings the rulebook leaves open), `coverage` (which test proves which rule), `show` (all of it for `newdawn
rules show`), `where` (in which files a card or a leader is), `keys` (what house rules can change), `vocabulary` (the words
of abilities as a page), `template` (a house rule to start from).
"""
