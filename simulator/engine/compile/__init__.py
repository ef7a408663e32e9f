"""How engine functions become machine code: all that is private to numba and LLVM.

argument_types   what parameters are, by their names
direct_calls     which versions of numba are known from inside, and how functions call each other then
code_files, code_cache     how they are kept between runs
jit              the decorators (start here)
ahead, worker    compiling many at once, in other processes
webassembly      the same functions for a page in a browser
user_functions   strategies and deeds of users, and those in plain Python
"""
