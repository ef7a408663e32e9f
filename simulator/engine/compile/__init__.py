"""How engine functions become machine code: all that is private to numba and LLVM.

insides          which versions of numba are known from inside; with others all is left to numba
argument_types   what parameters are, by their names
direct           how compiled functions call each other
code_files, code_cache     how they are kept between runs
jit              the decorators (start here)
ahead, worker    compiling many at once, in other processes
webassembly      the same functions for a page in a browser
counters         columns of users: functions that say a number of a seat
functions        strategies and deeds of users, and those in plain Python
"""
