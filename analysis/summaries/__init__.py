"""What a run says, counted: rates with intervals, and nothing played again.

counts (leaders, wonders, victory cards)   claims, timing, wins (agendas)   game, leading (course of games)
hands (leaders by strategy)   cities (where cities stood)   agree (do runs rank leaders alike)
expansion (districts, governments, exploring, forts, unique cards of Terra Incognita)
"""
