"""Rules in words: `statements` (the numbered rules), `describe` (what a card does with these numbers, by
`ability_sentences` and `districts`; declared in the templates of `phrases`),
`disputes` (readings the rulebook leaves open), `coverage` (which test proves which rule), `show` (all of it for `newdawn
rules show`), `where` (in which files a card or a leader is), `vocabulary` (the words of abilities as a page) and `notes` (what
changes between two rulesets, as patch notes).
"""
