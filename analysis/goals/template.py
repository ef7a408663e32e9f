"""A commented goals file: `newdawn rules new goals`."""

KIND = "goals"
GOALS = """# Goals for a whole game: what is wanted, by whose play, and what may be changed for that.
# newdawn balance --goals THIS_FILE
name: {name}
# box: terra-incognita
players: 4                     # or several: [4, 3, 2]; a goal may name its own
ways: [planner]                # who plays; of several, [planner, quick, warrior], the worst counts
others: [quick]                # played in the end only: does the answer hold for them, too?

goals:
  # A figure, its band, and how much it matters (weight: 1). Shares may be written 25% or 0.25.
  - {{figure: win-rate, between: [20%, 30%]}}                      # of each leader; of: Scythia, or of: [Scythia, Egypt]
  - {{figure: seat-win-rate, between: [22%, 28%]}}                 # of each place in the turn order
  - {{figure: median-length, between: [14, 18]}}                   # rounds
  - {{figure: longer-than, rounds: 24, at_most: 10%}}              # share of the games
  - {{figure: claim-rate, between: [10%, 90%]}}                    # of each agenda, of the games that it is in
  # - {{figure: build-rate, at_least: 5%}}                         # of each world wonder, of the games with it in a deck
  # - {{figure: effect, of: Petra, between: [1%, 5%]}}             # what it is worth to a seat; plays pairs of games
  # - {{figure: matchup, wanted: {{Scythia: {{Egypt: 50%}}}}, within: 5%}}
  # - {{figure: card-use, of: military, at_least: 12%}}            # of all focus cards resolved
  # - {{figure: game-length, between: [14, 18]}}                   # mean
  # - {{figure: capitals-beaten, at_most: 0.5}}                    # a game
  # - {{figure: lead-changes, at_least: 1}}                        # a game
  # - {{figure: comebacks, at_least: 20%}}                         # winners that had been behind
  # - {{figure: lead-for-good, at_least: 60%}}                     # of the game is over when its winner leads to the end
  # - {{figure: unfinished, at_most: 1%}}
  # Terra Incognita: unique-card-rate, government-rate, district-rate

changes:
  at_most: 4                   # numbers changed at once
  numbers:                     # without it: numbers on leaders' and wonders' cards
    - {{path: 'leaders.*'}}
    - {{path: 'wonders.*.cost', by: 4}}                            # at most 4 up or down
    # - {{path: 'victory_cards.rules.base.cards_in_play', from: 2, to: 4, price: 5}}   # a rule of the rulebook is dear
  # leave: ['leaders.rome.*']
  # empty_abilities: true      # numbers of abilities may go down to 0
# budget: {{minutes: 60}}        # or games: 500000
"""
