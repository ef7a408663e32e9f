"""What lies on the table.

hexes       spaces, neighbours, distances (B1)
mapping     laying the map of tiles (B14); `exploring`: tiles found while the game goes on (T7)
pieces      cities, control tokens, caravans: putting, taking and counting them (B1)
trade       trade tokens and resources (B13)
abilities   what leader, wonders and diplomacy cards give a player, as numbers; `counts`: what
            they count; `events`: moments at which they act
agendas     victory cards: what is achieved (`metrics`) and claimed; `settle` looks after each change of the board (B3)
barbarians  where they appear, move and are removed (B11)
decks       world wonders: those face up, and the next one (B8.6)
loans       city-states that are own cities for a turn (T12.3)
teams       partners, by house rules
"""
