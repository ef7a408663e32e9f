"""Does the search for goals keep what it promises? `planted`: games spoiled in places that the search does not know, rules that
meet their goals already, what the model promises, the winner's curse. `one_number`: does `balance` find the number
planted on a leader's card?
"""
