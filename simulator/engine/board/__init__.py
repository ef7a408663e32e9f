"""What lies on the table.

    hexes       spaces, neighbours, distances
    mapping     laying the map of tiles
    pieces      cities, control tokens, caravans: putting, taking and counting them (B2)
    trade       trade tokens and resources (B13)
    agendas     victory cards: what is achieved and claimed; `settle` looks after each change of the board (B3)
    barbarians  where they appear, move and are removed (B11)
"""
