"""What lies on the table.

    hexes       spaces, neighbours, distances (B1)
    mapping     laying the map of tiles (B14)
    exploring   the stack of tiles, laying explored ones (T7)
    pieces      cities, control tokens, caravans: putting, taking and counting them (B1)
    trade       trade tokens and resources (B13)
    abilities   what leader, wonders and diplomacy cards give a player, as numbers; `events`: moments at which they act
    loans       city-states that are own cities in the turn of whoever holds their card (T12)
    metrics     what agendas count (B3, T3)
    agendas     victory cards: what is achieved and claimed; `settle` looks after each change of the board (B3)
    barbarians  where they appear, move and are removed (B11)
"""
