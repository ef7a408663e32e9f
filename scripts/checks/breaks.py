"""The small breaks that `mutation` makes of engine functions, one at a time.

A break (a mutant) changes one number by one, one comparison, + or -, `and` or `or`, drops a `not`, a call, an assignment
or a `return`, flips True and False, swaps min and max, or cuts one end off a range.

Breaks of mere records (`record`) are set apart: rows of the log, hints of a question for strategies, figures for the outcome
tables, and local numbers used only for these.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator, Set
from dataclasses import dataclass
from pathlib import Path
from types import CodeType
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
ENGINE = "simulator/engine"

# Mere records: calls of these functions, and assignments to fields whose names start so.
RECORD_CALLS = ("log", "ask_combat", "clear_question")
RECORDS = ("ask_", "stat_", "wonder_round_", "wonder_builder", "wonder_captures", "claimed_round")
PURE = frozenset({"int", "bool", "min", "max", "abs", "len"})

COMPARISONS = {ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq}
ARITHMETIC = {ast.Add: ast.Sub, ast.Sub: ast.Add}
LOGIC = {ast.And: ast.Or, ast.Or: ast.And}
EXTREMES = {"min": "max", "max": "min"}


def home(module: str) -> str:
    """Return the path of an engine module from the root of the repository; in ENGINE itself if there is none."""
    path = next((ROOT / ENGINE).rglob(f"{module}.py"), ROOT / ENGINE / f"{module}.py")
    return path.relative_to(ROOT).as_posix()


@dataclass(frozen=True)
class Function:
    """One engine function."""

    module: str
    node: ast.FunctionDef

    @property
    def name(self) -> str:
        return f"{self.module}.{self.node.name}"

    def code(self) -> CodeType:
        """Compile the function as its tree stands now."""
        plain = copy.copy(self.node)
        plain.decorator_list = []
        tree = ast.fix_missing_locations(ast.Module([plain], []))
        module = compile(tree, str(ROOT / home(self.module)), "exec")
        return next(c for c in module.co_consts if isinstance(c, CodeType) and c.co_name == self.node.name)


@dataclass(frozen=True)
class NodePlace:
    """The place of a node: `parent.field`, or `index` of the list there. `record`: part of a mere record."""

    parent: ast.AST
    field: str
    index: int | None
    node: ast.AST
    record: bool

    def put(self, node: ast.AST) -> ast.AST:
        """Put another node in the place and return the old one."""
        holder = getattr(self.parent, self.field)
        if self.index is None:
            setattr(self.parent, self.field, node)
            return holder
        old = holder[self.index]
        holder[self.index] = node
        return old


@dataclass(frozen=True)
class Mutant:
    """One break: `new` in a place of the function."""

    function: Function
    statement: int  # number of the statement within the function
    line: int
    place: NodePlace
    new: ast.AST
    change: str
    record: bool  # changes only records

    @property
    def name(self) -> str:
        return f"{self.function.name}: {self.change}"

    def code(self) -> CodeType:
        """Compile the function with the break."""
        old = self.place.put(self.new)
        try:
            return self.function.code()
        finally:
            self.place.put(old)


Hints = dict[str, set[int]]  # by function: positions of parameters used only for records


def header(statement: ast.stmt) -> str:
    """Return the statement's text without the statements inside it."""
    if isinstance(statement, (ast.If, ast.While)):
        return f"{'if' if isinstance(statement, ast.If) else 'while'} {ast.unparse(statement.test)}"
    if isinstance(statement, ast.For):
        return f"for {ast.unparse(statement.target)} in {ast.unparse(statement.iter)}"
    return ast.unparse(statement).replace("\n", " ")


def with_operator(node: Any, new: ast.AST) -> ast.AST:
    """Return the node with another operator."""
    changed = copy.copy(node)
    changed.op = new
    return changed


def with_argument(node: ast.Call, index: int, change: ast.operator) -> ast.Call:
    """Return the call with one added to an argument, or taken off it."""
    changed = copy.copy(node)
    changed.args = list(node.args)
    changed.args[index] = ast.BinOp(node.args[index], change, ast.Constant(1))
    return changed


def variants(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the expressions that replace this one in breaks."""
    if isinstance(node, ast.Constant):
        if isinstance(node.value, bool):
            yield ast.Constant(not node.value)
        elif isinstance(node.value, int):
            yield ast.Constant(node.value + 1)
            yield ast.Constant(node.value - 1)
    elif isinstance(node, ast.Compare):
        for k, op in enumerate(node.ops):
            if type(op) in COMPARISONS:
                changed = copy.copy(node)
                changed.ops = [*node.ops[:k], COMPARISONS[type(op)](), *node.ops[k + 1 :]]
                yield changed
    elif isinstance(node, ast.BinOp) and type(node.op) in ARITHMETIC:
        yield with_operator(node, ARITHMETIC[type(node.op)]())
    elif isinstance(node, ast.BoolOp):
        yield with_operator(node, LOGIC[type(node.op)]())
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield node.operand
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        yield from call_variants(node, node.func.id)


def call_variants(node: ast.Call, name: str) -> Iterator[ast.AST]:
    """Yield the range with an end cut off (numbers in it have variants of their own), or min for max."""
    if name in EXTREMES:
        changed = copy.copy(node)
        changed.func = ast.Name(EXTREMES[name], ast.Load())
        yield changed
    if name == "range":
        stop = min(1, len(node.args) - 1)
        if not isinstance(node.args[stop], ast.Constant):
            yield with_argument(node, stop, ast.Sub())
        if stop == 1 and not isinstance(node.args[0], ast.Constant):
            yield with_argument(node, 0, ast.Add())


def droppable(statement: ast.stmt) -> bool:
    """Return whether the statement may be dropped; not the assignment of a local name, without which nothing runs."""
    if isinstance(statement, ast.Assign):
        return not isinstance(statement.targets[0], (ast.Name, ast.Tuple))
    return isinstance(statement, (ast.Expr, ast.AugAssign, ast.Return, ast.Continue, ast.Break))


def is_record(statement: ast.stmt, idle: Set[str] = frozenset()) -> bool:
    """Return whether the statement only writes records; `idle`: names used only for records."""
    if isinstance(statement, ast.Expr):
        call = statement.value
        return isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id in RECORD_CALLS
    if isinstance(statement, (ast.Assign, ast.AugAssign)):
        targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
        return all(is_record_of(target, statement.value, idle) for target in targets)
    return isinstance(statement, ast.If) and not statement.orelse and all(is_record(s, idle) for s in statement.body)


def is_record_of(target: ast.expr, value: ast.expr, idle: Set[str]) -> bool:
    """Return whether the target is only a record."""
    target = target.value if isinstance(target, ast.Subscript) else target
    if isinstance(target, ast.Name):
        return target.id in idle and is_pure(value)
    return isinstance(target, ast.Attribute) and target.attr.startswith(RECORDS)


def is_pure(value: ast.expr) -> bool:
    """Return whether the expression has no side effects."""
    calls = [node.func for node in ast.walk(value) if isinstance(node, ast.Call)]
    return all(isinstance(function, ast.Name) and function.id in PURE for function in calls)


def statements(node: ast.AST) -> Iterator[tuple[ast.AST, str, int, ast.stmt]]:
    """Yield every statement inside the node with its place, without docstrings."""
    for field in ("body", "orelse"):
        for index, statement in enumerate(getattr(node, field, None) or []):
            if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
                continue
            yield node, field, index, statement
            yield from statements(statement)


def expressions(node: ast.AST, hints: Hints, record: bool = False) -> Iterator[NodePlace]:
    """Yield the place of every expression in a statement's header."""
    skip = hints.get(node.func.id, set()) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) else set()
    for field, value in ast.iter_fields(node):
        if isinstance(value, ast.expr):
            yield NodePlace(node, field, None, value, record)
            yield from expressions(value, hints, record)
        elif isinstance(value, list):
            for index, each in enumerate(value):
                if isinstance(each, ast.expr):
                    is_hint = record or (field == "args" and index in skip)
                    yield NodePlace(node, field, index, each, is_hint)
                    yield from expressions(each, hints, is_hint)


def hint_parameters(functions: list[Function]) -> Hints:
    """Return, by function, the positions of parameters that are used only for records, or passed on as such."""
    names = {f.node.name: [a.arg for a in f.node.args.args] for f in functions}
    hints: Hints = {name: set(range(len(parameters))) for name, parameters in names.items()}
    changed = True
    while changed:
        changed = False
        for function in functions:
            used = used_in_play(function, hints)
            mine = hints[function.node.name]
            played = {i for i in mine if names[function.node.name][i] in used}
            changed = changed or bool(played)
            mine -= played
    return hints


def local_names(function: Function) -> set[str]:
    """Return the names that the function gives values to."""
    return {node.id for node in ast.walk(function.node) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}


def used_in_play(function: Function, hints: Hints) -> set[str]:
    """Return the names in the function that are used for more than records."""
    idle = local_names(function)
    while idle & (used := read_in_play(function, hints, idle)):
        idle -= used
    return used


def read_in_play(function: Function, hints: Hints, idle: set[str]) -> set[str]:
    """Return the names that statements other than records read, if only the `idle` names are records."""
    used: set[str] = set()
    in_record: set[int] = set()
    for _, _, _, statement in statements(function.node):
        if is_record(statement, idle) or id(statement) in in_record:
            in_record.update(id(s) for *_, s in statements(statement))
            continue
        names = [p.node for p in expressions(statement, hints) if isinstance(p.node, ast.Name) and not p.record]
        used.update(name.id for name in names if isinstance(name.ctx, ast.Load))
    return used


def substance(code: CodeType) -> tuple[Any, ...]:
    """Return what determines the behaviour of the code."""
    return code.co_code, code.co_consts, code.co_names, code.co_varnames


def mutants_of(function: Function, hints: Hints) -> list[Mutant]:
    """Return every break of one function."""
    mutants: list[Mutant] = []
    in_record: set[int] = set()
    last, unbroken = function.node.body[-1], substance(function.code())
    idle = local_names(function) - used_in_play(function, hints)
    for number, (parent, field, index, statement) in enumerate(statements(function.node)):
        record = is_record(statement, idle) or id(statement) in in_record
        if record:
            in_record.update(id(s) for *_, s in statements(statement))
        before = header(statement)
        places = [(p, new) for p in expressions(statement, hints) for new in variants(p.node)]
        whole = NodePlace(parent, field, index, statement, False)
        if isinstance(statement, ast.AugAssign) and type(statement.op) in ARITHMETIC:
            places.append((whole, with_operator(statement, ARITHMETIC[type(statement.op)]())))
        if droppable(statement) and statement is not last:
            places.append((whole, ast.Pass()))
        for place, new in places:
            old = place.put(new)
            after = header(getattr(parent, field)[index])
            place.put(old)
            change = f"`{before}` dropped" if after == "pass" else f"`{before}` -> `{after}`"
            mutant = Mutant(function, number, statement.lineno, place, new, change, record or place.record)
            if substance(mutant.code()) != unbroken:
                mutants.append(mutant)
    return mutants


def functions_of(module: str, source: str) -> list[Function]:
    """Return the functions of a module's source."""
    return [Function(module, node) for node in ast.parse(source).body if isinstance(node, ast.FunctionDef)]
