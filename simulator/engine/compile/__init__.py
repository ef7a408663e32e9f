"""How engine functions become machine code."""
