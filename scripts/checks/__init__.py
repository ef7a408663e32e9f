"""Long checks: `soak` (play under the audit), `twin` (against plain Python), `mutation` (do tests see breaks: `breaks` makes
them, `reach` knows which tests come to them).

`second_reading` holds what own content does against a second reading of the words of abilities.
`referee` rebuilds games from their replays' text, `random_readings` draws other readings of open rules.
`random_content` plays random own leaders and wonders, `limits` house rules at the limits of what is accepted, with all checks
on. `hostile` tries wrong input. `calibrate` asks whether intervals, verdicts and plans keep what they promise.
`play_reference` plays what is kept under results/reference, `notebooks` runs the notebooks and saves what they show, `habits`
counts what a reader of replays would call silly, `last_cards` the last victory cards that players are offered and leave,
`win_chances` asks how good a learned player's chances are, `damaged_cache` whether damaged compiled code is ever run, `faults`
whether kills, flipped bits and the like change what commands leave, `crashes` whether a command killed before any of its file
operations can be given again, `alike` whether two versions play the same games, `cached_facts` whether facts brought up to
date are those read anew, `printed_commands` whether every printed command runs to its end. `browser` clicks pages in Chromium.
`planted_variants` races variants whose best is known. `goals` asks whether searches for goals and balance find what is wrong
with a game.
"""
