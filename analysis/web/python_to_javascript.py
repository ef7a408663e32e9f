"""Functions and templates of the lab as JavaScript, so that a page describes and draws a game as the lab does."""

from __future__ import annotations

import ast
import dataclasses
import inspect
import itertools
import json
import math
import re
import sys
import textwrap
import types
from collections.abc import Iterable, Mapping
from types import FunctionType, ModuleType
from typing import Any
from xml.sax.saxutils import escape, quoteattr

import jinja2
import numpy as np
from jinja2 import nodes

from ...simulator.engine import choosing, decisions
from ...simulator.engine.compile.jit import Compiled
from ...simulator.errors import UserError
from ...simulator.replay import board, film, interactive_game, log_in_words, player_boards, stepper
from ...simulator.rules import card_parts, codes, ruleset_contents, sentences
from ..explorer import play

# --- Functions as JavaScript: start with `script`
#
# The turn log, the board and the players' boards (simulator/replay) are plain Python on numbers, texts, lists and dicts.
# `script` translates the given functions and classes with all that they call, and their constants; games/python.js has what
# differs between the two languages. What cannot be translated raises UserError, with its line, when the file is made; tests
# compare the pages of whole games with the lab's, to the byte.

PACKAGE = "newdawn."
BUILTINS = (
    "abs", "any", "all", "bool", "chr", "dict", "divmod", "enumerate", "filter", "float", "getattr", "int", "len", "list",
    "map", "max", "min", "next", "ord", "range", "round", "set", "sorted", "str", "sum", "tuple", "zip",
)  # fmt: skip
OPERATORS: dict[type, str] = {ast.Div: "/", ast.Pow: "**"}
CALLED: dict[type, str] = {  # functions of games/python.js
    ast.Add: "add", ast.Sub: "minus", ast.Mult: "times", ast.FloorDiv: "floor", ast.Mod: "modulo", ast.BitAnd: "both",
    ast.BitOr: "either", ast.BitXor: "unlike", ast.LShift: "left", ast.RShift: "right",
}  # fmt: skip
COMPARED: dict[type, str] = {ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">="}
YIELDED = "yielded"
ASKED = ("__init__", "__format__", "__getitem__")  # methods that Python calls by itself, and games/python.js, too
RESERVED = {
    "arguments", "case", "const", "default", "delete", "enum", "eval", "export", "function", "let", "new", "switch", "this",
    "typeof", "var", "void",
}  # fmt: skip


def script(roots: Mapping[str, Any], natives: Mapping[Any, str]) -> str:
    """Return a module of JavaScript that exports the roots by these names, with all that they call.

    `natives`: functions that games/python.js has itself, by name.
    """
    translation = Translation(natives)
    exported = [f"{translation.name_of(value)} as {name}" for name, value in roots.items()]
    return "\n".join(['import { py } from "./python.js";', *translation.done, f"export {{ {', '.join(exported)} }};", ""])


# Fields of constants that no function of a page reads, and that are long.
UNREAD: dict[type, tuple[str, ...]] = {
    codes.Effect: ("meaning", "keys"), codes.Key: ("text", "words", "pattern"), card_parts.CardPart: ("meaning", "ti_words"),
}  # fmt: skip


class Translation:
    """Functions, classes and constants translated so far, each once, in an order in which they can be run."""

    def __init__(self, natives: Mapping[Any, str]) -> None:
        self.natives = natives
        self.done: list[str] = []
        self.names: dict[int, str] = {}
        self.kept: list[Any] = []  # the values, so that no id is used again
        self.methods: dict[str, list[str]] = {}  # parameters of methods, for calls with keywords

    def name_of(self, value: Any, called: str = "") -> str:
        """Return the name in JavaScript of a function, class or constant of the lab."""
        value = value.py_func if isinstance(value, Compiled) else value
        if isinstance(value, np.generic):
            value = value.item()
        if value in self.natives if isinstance(value, FunctionType | type | type(math.cos)) else False:
            return f"py.{self.natives[value]}"
        if isinstance(value, bool | int | float | str | None):
            return _literal(value)
        if id(value) not in self.names:
            place = getattr(value, "__module__", "") or ""
            own = getattr(value, "__qualname__", called) or called
            name = re.sub(r"\W", "_", f"{place.removeprefix(PACKAGE)}__{own}" if isinstance(place, str) else own)
            while name in self.names.values():
                name += "_"
            self.names[id(value)] = name
            self.kept.append(value)
            if isinstance(value, FunctionType):
                self.done.append(f"const {name} = {self.function(value)};")
            elif isinstance(value, type):
                self.done.append(f"const {name} = {self.kind(value)};")
            else:
                text = self.data(value)
                self.done.append(f"const {name} = {text};")
        return self.names[id(value)]

    def function(self, value: FunctionType) -> str:
        """Return a function as an expression."""
        node = ast.parse(textwrap.dedent(inspect.getsource(value))).body[0]
        if not isinstance(node, ast.FunctionDef) or not value.__module__.startswith(PACKAGE):
            raise UserError(f"{value.__module__}:{value.__qualname__} cannot be translated for a page")
        return FunctionTranslator(self, value.__globals__, _where(value)).written(node)

    def kind(self, value: type) -> str:
        """Return a class as a function that makes its objects."""
        methods: dict[str, FunctionType] = {}
        for base in reversed(value.__mro__):
            if base.__module__.startswith(PACKAGE):
                methods |= {name: one for name, one in vars(base).items() if isinstance(one, FunctionType)}
        if dataclasses.is_dataclass(value):
            given = [(one.name, "[]" if one.default_factory is list else "undefined") for one in dataclasses.fields(value)]
            self.methods.setdefault("__init__", [])
            begun = "(self, " + ", ".join(f"{name} = {default}" for name, default in given) + ") => { "
            begun += " ".join(f"self.{name} = {name};" for name, _ in given) + " }"
        else:
            begun = ""
        own = []
        for name, method in methods.items():
            if name.startswith("__") and (name not in ASKED or (name == "__init__" and dataclasses.is_dataclass(value))):
                continue
            self.methods[name] = [parameter for parameter in inspect.signature(method).parameters if parameter != "self"]
            own.append((name, method))
        texts = [f"{name}: {self.function(method)}" for name, method in own]
        if begun:
            texts.append(f"__init__: {begun}")
        return "py.kind({\n" + ",\n".join(texts) + "\n})"

    def data(self, value: Any) -> str:
        """Return a constant in JavaScript."""
        if isinstance(value, np.generic):
            value = value.item()
        if isinstance(value, np.ndarray):
            value = value.tolist()
        if isinstance(value, bool | int | float | str | None):
            return _literal(value)
        if isinstance(value, FunctionType | type | Compiled):
            return self.name_of(value)
        if isinstance(value, tuple) and hasattr(value, "_fields"):
            return "{" + ", ".join(f"{name}: {self.data(getattr(value, name))}" for name in value._fields) + "}"
        if isinstance(value, list | tuple | range):
            return "[" + ", ".join(self.data(one) for one in value) + "]"
        if isinstance(value, set | frozenset):
            return "new Set([" + ", ".join(self.data(one) for one in sorted(value, key=repr)) + "])"
        if isinstance(value, Mapping):
            return "new Map([" + ", ".join(f"[{self.data(k)}, {self.data(v)}]" for k, v in value.items()) + "])"
        if isinstance(value, re.Pattern):
            return f"new RegExp({_literal(value.pattern)})"
        if dataclasses.is_dataclass(value):
            shown = [one.name for one in dataclasses.fields(value) if one.name not in UNREAD.get(type(value), ())]
            shown += [name for name, one in vars(type(value)).items() if isinstance(one, property)]
            return "{" + ", ".join(f"{name}: {self.data(getattr(value, name))}" for name in shown) + "}"
        raise UserError(f"{value!r:.60} cannot be translated for a page")


def _literal(value: Any) -> str:
    return json.dumps(value, ensure_ascii=True)


def _where(value: FunctionType) -> str:
    return f"{value.__module__}:{value.__qualname__}"


def _assigned(node: ast.AST) -> list[str]:
    """Return the names that a function assigns, without those of comprehensions and inner functions."""
    names: list[str] = []

    def look(inner: ast.AST) -> None:
        if isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Store):
            names.append(inner.id)
        if isinstance(inner, ast.FunctionDef):
            names.append(inner.name)
            return
        if isinstance(inner, ast.Lambda):
            return
        for child in ast.iter_child_nodes(inner):
            if isinstance(child, ast.comprehension):
                for part in (child.iter, *child.ifs):
                    look(part)
            else:
                look(child)

    for child in getattr(node, "body", []):
        look(child)
    return list(dict.fromkeys(names))


class FunctionTranslator:
    """Translates the body of one function."""

    def __init__(self, whole: Translation, scope: Mapping[str, Any], where: str, local: Iterable[str] = ()) -> None:
        self.whole, self.scope, self.where = whole, scope, where
        self.local = set(local)

    def written(self, node: ast.FunctionDef) -> str:
        """Return the function as an expression."""
        parameters, names = self.parameters(node.args)
        self.local |= {*names, *_assigned(node)}
        more = [_safe(name) for name in _assigned(node) if name not in names]
        declared = f"let {', '.join(more)};\n" if more else ""
        if not _yields(node):
            return f"({parameters}) => {{\n{declared}{self.block(node.body)}}}"
        # What is yielded is listed: nobody who asks these functions stops before their end.
        return f"({parameters}) => {{\nconst {YIELDED} = [];\n{declared}{self.block(node.body)}return {YIELDED};\n}}"

    def parameters(self, args: ast.arguments) -> tuple[str, list[str]]:
        """Return the parameters in JavaScript, and their names."""
        defaults = [None] * (len(args.args) - len(args.defaults)) + list(args.defaults)
        pairs = zip(args.args, defaults, strict=True)
        given = [_safe(one.arg) + (f" = {self.of(value)}" if value is not None else "") for one, value in pairs]
        names = [one.arg for one in args.args]
        if args.vararg:
            given.append(f"...{_safe(args.vararg.arg)}")
            names.append(args.vararg.arg)
        return ", ".join(given), names

    # --- Statements

    def block(self, body: Iterable[ast.stmt]) -> str:
        return "".join(self.statement(one) for one in body)

    def statement(self, node: ast.stmt) -> str:
        match node:
            case ast.Expr(value=ast.Constant()) | ast.Pass() | ast.Assert() | ast.Import() | ast.ImportFrom():
                return ""
            case ast.Expr(value=ast.Yield(value=ast.expr() as given)):
                return f"{YIELDED}.push({self.of(given)});\n"
            case ast.Expr(value=ast.YieldFrom(value=given)):
                return f"{YIELDED}.push(...py.each({self.of(given)}));\n"
            case ast.Expr():
                return f"{self.of(node.value)};\n"
            case ast.Return():
                return f"return {self.of(node.value) if node.value else 'null'};\n"
            case ast.Assign():
                value = self.of(node.value)
                return "".join(f"{self.target(one)} = {value};\n" for one in node.targets)
            case ast.AnnAssign():
                return f"{self.target(node.target)} = {self.of(node.value)};\n" if node.value else ""
            case ast.AugAssign():
                both = ast.BinOp(_loaded(node.target), node.op, node.value)
                return f"{self.target(node.target)} = {self.of(both)};\n"
            case ast.If():
                other = f" else {{\n{self.block(node.orelse)}}}" if node.orelse else ""
                return f"if ({self.test(node.test)}) {{\n{self.block(node.body)}}}{other}\n"
            case ast.For():
                return f"for ({self.target(node.target)} of py.each({self.of(node.iter)})) {{\n{self.block(node.body)}}}\n"
            case ast.While():
                return f"while ({self.test(node.test)}) {{\n{self.block(node.body)}}}\n"
            case ast.Continue() | ast.Break():
                return "continue;\n" if isinstance(node, ast.Continue) else "break;\n"
            case ast.FunctionDef():
                inner = FunctionTranslator(self.whole, self.scope, self.where, self.local)
                return f"{_safe(node.name)} = {inner.written(node)};\n"
        raise self.unknown(node)

    def target(self, node: ast.expr) -> str:
        match node:
            case ast.Name():
                return _safe(node.id)
            case ast.Tuple() | ast.List():
                parts = ["" if isinstance(one, ast.Name) and one.id == "_" else self.target(one) for one in node.elts]
                return f"[{', '.join(parts)}]"
            case ast.Starred():
                return f"...{self.target(node.value)}"
            case ast.Attribute():
                return f"{self.of(node.value)}.{node.attr}"
            case ast.Subscript(slice=ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=1))):
                return f"py.last({self.of(node.value)}).value"
            case ast.Subscript():
                return f"py.place({self.of(node.value)}, {self.of(node.slice)}).value"
        raise self.unknown(node)

    def unknown(self, node: ast.AST) -> UserError:
        line = getattr(node, "lineno", 0)
        return UserError(f"{self.where}, line {line}: {type(node).__name__} cannot be translated for a page")

    # --- Expressions

    def test(self, node: ast.expr) -> str:
        """Return a condition."""
        if isinstance(node, ast.Compare):
            return self.of(node)
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            return f"!{self.test(node.operand)}"
        if isinstance(node, ast.BoolOp):
            return "(" + (" && " if isinstance(node.op, ast.And) else " || ").join(self.test(one) for one in node.values) + ")"
        return f"py.truth({self.of(node)})"

    def all(self, nodes: Iterable[ast.expr]) -> str:
        return ", ".join(f"...py.each({self.of(one.value)})" if isinstance(one, ast.Starred) else self.of(one) for one in nodes)

    def of(self, node: ast.expr) -> str:
        """Return an expression."""
        match node:
            case ast.Constant():
                return _literal(node.value)
            case ast.Name():
                return self.name(node.id)
            case ast.JoinedStr():
                return "py.text(" + ", ".join(self.of(one) for one in node.values) + ")"
            case ast.FormattedValue():
                if node.format_spec is None:
                    return self.of(node.value)
                return f"py.format({self.of(node.value)}, {self.of(node.format_spec)})"
            case ast.List() | ast.Tuple():
                return f"[{self.all(node.elts)}]"
            case ast.Set():
                return f"new Set([{self.all(node.elts)}])"
            case ast.Dict():
                pairs = [
                    f"...{self.of(value)}" if key is None else f"[{self.of(key)}, {self.of(value)}]"
                    for key, value in zip(node.keys, node.values, strict=True)
                ]
                return f"new Map([{', '.join(pairs)}])"
            case ast.Attribute():
                return self.attribute(node)
            case ast.Subscript():
                return self.subscript(node)
            case ast.Call():
                return self.call(node)
            case ast.BinOp():
                left, right = self.of(node.left), self.of(node.right)
                if type(node.op) in CALLED:
                    return f"py.{CALLED[type(node.op)]}({left}, {right})"
                return f"({left} {OPERATORS[type(node.op)]} {right})"
            case ast.UnaryOp():
                if isinstance(node.op, ast.Not):
                    return f"!{self.test(node.operand)}"
                return f"-({self.of(node.operand)})" if isinstance(node.op, ast.USub) else f"(-1 - {self.of(node.operand)})"
            case ast.BoolOp():
                way = "and" if isinstance(node.op, ast.And) else "or"
                text = self.of(node.values[-1])
                for one in reversed(node.values[:-1]):
                    text = f"py.{way}({self.of(one)}, () => {text})"
                return text
            case ast.Compare():
                return self.compare(node)
            case ast.IfExp():
                return f"({self.test(node.test)} ? {self.of(node.body)} : {self.of(node.orelse)})"
            case ast.NamedExpr():
                return f"({_safe(node.target.id)} = {self.of(node.value)})"
            case ast.ListComp() | ast.GeneratorExp():
                return self.comprehension(node.generators, node.elt)
            case ast.SetComp():
                return f"new Set({self.comprehension(node.generators, node.elt)})"
            case ast.DictComp():
                return f"new Map({self.comprehension(node.generators, ast.Tuple([node.key, node.value], ast.Load()))})"
            case ast.Lambda():
                parameters, names = self.parameters(node.args)
                inner = FunctionTranslator(self.whole, self.scope, self.where, {*self.local, *names})
                return f"(({parameters}) => {inner.of(node.body)})"
        raise self.unknown(node)

    def name(self, name: str) -> str:
        if name in self.local:
            return _safe(name)
        if name in self.scope:
            value = self.scope[name]
            if isinstance(value, ModuleType):
                raise UserError(f"{self.where}: the module {name} cannot be translated for a page")
            if value is math.pi:
                return "Math.PI"
            if _has_functions(value):
                return self.table(name)
            return self.whole.name_of(value, name)
        if name in BUILTINS:
            return f"py.{name}"
        raise UserError(f"{self.where}: {name} cannot be translated for a page")

    def table(self, name: str) -> str:
        """Return the name of a constant that holds functions, which is translated from its source."""
        value = self.scope[name]
        if id(value) not in self.whole.names:
            module, node = _defined(name, value, self.scope)
            made = FunctionTranslator(self.whole, vars(module), module.__name__)
            self.whole.names[id(value)] = written = re.sub(r"\W", "_", f"{module.__name__.removeprefix(PACKAGE)}__{name}")
            self.whole.kept.append(value)
            text = made.of(node)
            self.whole.done.append(f"const {written} = {text};")
        return self.whole.names[id(value)]

    def attribute(self, node: ast.Attribute) -> str:
        if isinstance(node.value, ast.Name) and node.value.id not in self.local:
            module = self.scope.get(node.value.id)
            if isinstance(module, ModuleType):
                return self.whole.name_of(getattr(module, node.attr), f"{module.__name__.rpartition('.')[2]}__{node.attr}")
        return f"{self.of(node.value)}.{node.attr}"

    def subscript(self, node: ast.Subscript) -> str:
        def place(one: ast.expr) -> str:
            if isinstance(one, ast.Slice):
                if one.step is not None:
                    raise self.unknown(one)
                ends = [self.of(end) if end else "undefined" for end in (one.lower, one.upper)]
                return f"py.part({', '.join(ends)})"
            return self.of(one)

        places = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        return f"py.at({self.of(node.value)}, {', '.join(place(one) for one in places)})"

    def compare(self, node: ast.Compare) -> str:
        sides = [node.left, *node.comparators]
        tests = []
        for left, op, right in zip(sides, node.ops, sides[1:], strict=False):
            a, b = self.of(left), self.of(right)
            match op:
                case ast.Eq():
                    tests.append(f"py.equal({a}, {b})")
                case ast.NotEq():
                    tests.append(f"py.differ({a}, {b})")
                case ast.Is() | ast.IsNot():
                    same = f"py.same({a}, {b})"
                    tests.append(same if isinstance(op, ast.Is) else f"!{same}")
                case ast.In() | ast.NotIn():
                    within = f"py.within({a}, {b})"
                    tests.append(within if isinstance(op, ast.In) else f"!{within}")
                case ast.Lt() if len(sides) == 2:
                    tests.append(f"py.less({a}, {b})")
                case _:
                    tests.append(f"{a} {COMPARED[type(op)]} {b}")
        return tests[0] if len(tests) == 1 and tests[0].startswith(("py.", "!")) else f"({' && '.join(tests)})"

    def comprehension(self, generators: list[ast.comprehension], element: ast.expr) -> str:
        first, rest = generators[0], generators[1:]
        names = [one.id for one in ast.walk(first.target) if isinstance(one, ast.Name)]
        inner = FunctionTranslator(self.whole, self.scope, self.where, {*self.local, *names})
        over = f"py.each({self.of(first.iter)})"
        target = inner.target(first.target)
        for test in first.ifs:
            over += f".filter(({target}) => {inner.test(test)})"
        value = inner.comprehension(rest, element) if rest else inner.of(element)
        return f"{over}.{'flatMap' if rest else 'map'}(({target}) => {value})"

    # --- Calls

    def call(self, node: ast.Call) -> str:
        function = node.func
        if isinstance(function, ast.Name) and function.id not in self.local:
            if function.id in self.scope:
                value = self.scope[function.id]
                value = value.py_func if isinstance(value, Compiled) else value
                name = self.name(function.id)
                known = list(inspect.signature(value).parameters) if isinstance(value, FunctionType) else []
                return f"{name}({self.arguments(node, known)})"
            options = ", ".join(f"{one.arg}: {self.of(one.value)}" for one in node.keywords if one.arg != "strict")
            given = self.all(node.args)
            return f"py.{_builtin(function.id, self.where)}({given}{f', {{{options}}}' if options else ''})"
        if isinstance(function, ast.Attribute):
            if isinstance(function.value, ast.Name) and function.value.id not in self.local:
                module = self.scope.get(function.value.id)
                if isinstance(module, ModuleType):
                    value = getattr(module, function.attr)
                    return f"{self.whole.name_of(value, function.attr)}({self.all(node.args)})"
            of = self.of(function.value)
            given = self.arguments(node, self.whole.methods.get(function.attr, []))
            return f"py.call({of}, {_literal(function.attr)}{', ' if given else ''}{given})"
        return f"{self.of(function)}({self.arguments(node, [])})"

    def arguments(self, node: ast.Call, known: list[str]) -> str:
        """Return the arguments of a call in their order, keywords included."""
        given = [f"...py.each({self.of(one.value)})" if isinstance(one, ast.Starred) else self.of(one) for one in node.args]
        named = {str(one.arg): self.of(one.value) for one in node.keywords if one.arg}
        given += [self.of(one.value) for one in node.keywords if not one.arg]  # all of a dict's
        if isinstance(node.func, ast.Attribute) and node.func.attr == "format" and named:
            given.append("{" + ", ".join(f"{name}: {value}" for name, value in named.items()) + "}")
        elif named:
            if not set(named) <= set(known):
                raise UserError(f"{self.where}, line {node.lineno}: a call by names cannot be translated for a page")
            last = max(known.index(name) for name in named)
            given += [named.get(name, "undefined") for name in known[len(given) : last + 1]]
        return ", ".join(given)


def _yields(node: ast.FunctionDef) -> bool:
    """Return whether a function yields."""
    return any(isinstance(inner, ast.Yield | ast.YieldFrom) for inner in ast.walk(node))


def _safe(name: str) -> str:
    return f"{name}_" if name in RESERVED else name


def _builtin(name: str, where: str) -> str:
    if name not in BUILTINS:
        raise UserError(f"{where}: {name} cannot be translated for a page")
    return name


def _loaded(node: ast.expr) -> ast.expr:
    """Return the target of an assignment as an expression to read."""
    return ast.parse(ast.unparse(node), mode="eval").body


def _has_functions(value: Any) -> bool:
    """Return whether a constant holds lambdas."""
    inside = value.values() if isinstance(value, Mapping) else value if isinstance(value, list | tuple) else ()
    return any(isinstance(one, FunctionType) and one.__name__ == "<lambda>" for one in inside)


def _defined(name: str, value: Any, scope: Mapping[str, Any]) -> tuple[ModuleType, ast.expr]:
    """Return the module that defines a constant, and the expression that it is."""
    own = [name for name in sys.modules if name.startswith(PACKAGE)]
    for module in (sys.modules[name] for name in (scope["__name__"], *own)):
        if vars(module).get(name) is not value:
            continue
        for node in ast.parse(inspect.getsource(module)).body:
            if not isinstance(node, ast.Assign | ast.AnnAssign) or node.value is None:
                continue
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            if any(isinstance(one, ast.Name) and one.id == name for one in targets):
                return module, node.value
    raise UserError(f"{name} cannot be translated for a page")


# --- Templates of pages as JavaScript, which give the same pages, to the byte
#
# Only what the templates of a game's film use is translated (simulator/replay/film.html.j2, cards.html.j2); the rest raises
# UserError.

FILTERS = {"safe": "safe", "tojson": "json", "round": "rounded"}  # functions of games/film.js


def template(source: str, environment: jinja2.Environment) -> str:
    """Return a template as a function of its variables (`given`), or of the arguments of its macro, that returns the text."""
    body = environment.parse(source).body
    macros = [one for one in body if isinstance(one, nodes.Macro)]
    if macros:
        given = [one.name for one in macros[0].args]
        return f"({', '.join(given)}) => {{ let text = ''; {_block(macros[0].body, set(given))} return text; }}"
    return f"(given) => {{ let text = ''; {_block(body, set())} return text; }}"


def _block(body: Iterable[nodes.Node], local: set[str]) -> str:
    return "".join(_statement(one, local) for one in body)


def _statement(node: nodes.Node, local: set[str]) -> str:
    if isinstance(node, nodes.Output):
        parts = [
            json.dumps(str(one.data)) if isinstance(one, nodes.TemplateData) else f"shown({_expression(one, local)})"
            for one in node.nodes
        ]
        return "".join(f"text += {part};\n" for part in parts)
    if isinstance(node, nodes.For) and isinstance(node.target, nodes.Name):
        name, inside = node.target.name, {*local, node.target.name, "loop"}
        test = f".filter(({name}) => {_expression(node.test, inside)})" if node.test else ""
        listed = f"{_expression(node.iter, local)}{test}"
        counted = "const loop = { index0: at, index: at + 1 };\n"
        loop = f"{listed}.forEach(({name}, at) => {{ {counted}{_block(node.body, inside)}}});\n"
        other = f"if (!{listed}.length) {{\n{_block(node.else_, local)}}}\n" if node.else_ else ""
        return loop + other
    if isinstance(node, nodes.If) and not node.elif_:
        other = f" else {{\n{_block(node.else_, local)}}}" if node.else_ else ""
        return f"if ({_expression(node.test, local)}) {{\n{_block(node.body, local)}}}{other}\n"
    raise UserError(f"line {node.lineno} of a template: {type(node).__name__} cannot be translated for a page")


def _expression(node: Any, local: set[str]) -> str:
    function: Any
    match node:
        case nodes.Const():
            return json.dumps(node.value)
        case nodes.Name():
            return node.name if node.name in local else f"given.{node.name}"
        case nodes.Getattr():
            return f"{_expression(node.node, local)}.{node.attr}"
        case nodes.Getitem():
            return f"{_expression(node.node, local)}[{_expression(node.arg, local)}]"
        case nodes.Add():
            return f"({_expression(node.left, local)} + {_expression(node.right, local)})"
        case nodes.Or():
            return f"({_expression(node.left, local)} || {_expression(node.right, local)})"
        case nodes.Not():
            return f"!{_expression(node.node, local)}"
        case nodes.Filter() if node.name in FILTERS:
            more = "".join(f", {_expression(one, local)}" for one in node.args)
            return f"{FILTERS[node.name]}({_expression(node.node, local)}{more})"
        case nodes.Call(node=nodes.Name(name="range")):
            return f"[...Array({_expression(node.args[0], local)}).keys()]"
        case nodes.Call(node=nodes.Getattr(attr="startswith") as function):
            return f"{_expression(function.node, local)}.startsWith({_expression(node.args[0], local)})"
    raise UserError(f"line {node.lineno} of a template: {type(node).__name__} cannot be translated for a page")


# --- The module lab.js, for games/film.js

NATIVE: dict[Any, str] = {  # functions of games/python.js
    ruleset_contents.written: "written", ruleset_contents.name_of: "name_of", math.cos: "cos", math.sin: "sin",
    math.sqrt: "sqrt", sentences.function_name: "nothing", play._empty: "empty", play._laid: "laid",
    escape: "escape", quoteattr: "quoteattr", itertools.pairwise: "pairwise", types.SimpleNamespace: "namespace",
}  # fmt: skip
TOLD = (
    log_in_words.LogSentences, board.Scene, board.Board, board.draw_pieces, board.draw_ground, board.draw_tile_edges,
    board.svg_shapes, player_boards.player_board, film.glance, stepper.headline, film.cards_in_play, film.face_up, film.legend,
    film.explained, stepper.Game.heading, stepper.Game.closing, stepper.Game.scores, stepper.Game.when,
)  # fmt: skip
AT_TABLE = (  # for games that people play (games/sitting.js)
    play.view, play.lying, play.on_cards, play.about_table, play.seats_at_end, play.worst,
    interactive_game.sentence, interactive_game.option,
)  # fmt: skip
KINDS = (*ruleset_contents.PRINTED, "agenda", "card", "given_card")  # of names in the rules
HELPERS = """
const shown = (x) => (x?.safe !== undefined ? x.safe : String(x).replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&#34;").replaceAll("'", "&#39;"));
const safe = (x) => ({ safe: x }), rounded = (x, digits) => py.format(x, `.${digits}f`);
const json = (x) => safe(spaced(x).replace(/[<>&']/g, (letter) => `\\\\u00${letter.charCodeAt(0).toString(16)}`));
const spaced = (x) => (Array.isArray(x) ? `[${x.map(spaced).join(", ")}]` : JSON.stringify(x).replace(/[\\u0080-\\uffff]/g, (letter) => `\\\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`));
"""  # noqa: E501


def lab_script(at_table: bool = False) -> bytes:
    """Return the module lab.js; `at_table`: also with what games need that people play."""
    environment = film.environment()
    looks = {
        "board_style": film.resource(film.BOARD_STYLE), "board_script": film.resource(film.BOARD_SCRIPT),
        "fills": board.SEAT_FILL, "inks": board.SEAT_INK, "font": board.FONT, "unit": str(film.UNIT),
    }  # fmt: skip
    constants = {"UNIT": film.UNIT, "MARGIN": board.MARGIN, "LOG_TURN": choosing.LOG_TURN, "LOOKS": looks}
    if at_table:
        constants |= {"DECISIONS": decisions.KINDS, "THROWS": play.THROWS, "MOST_OPTIONS": play.MOST_OPTIONS}
    parts = [
        script({one.__name__: one for one in (*TOLD, *(AT_TABLE if at_table else ()))}, NATIVE), HELPERS,
        *(f"export const {name} = {json.dumps(value)};\n" for name, value in constants.items()),
        f"export const cards = {template(film.resource(film.CARDS), environment)};\n",
        f"export const film = {template(film.resource(film.TEMPLATE), environment)};\n",
    ]  # fmt: skip
    return "".join(parts).encode()


def fields_of_names() -> dict[str, str]:
    """Return the fields of the rules that hold names, by kind."""
    return {kind: ruleset_contents.field_of(kind) for kind in KINDS}
