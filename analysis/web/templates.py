"""Templates of pages as JavaScript: a page in the browser is then filled as the lab fills it, to the byte.

Only what the templates of a game's film use is known (simulator/replay/film.html.j2, cards.html.j2); the rest raises UserError.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

import jinja2
from jinja2 import nodes

from ...simulator.errors import UserError

FILTERS = {"safe": "safe", "tojson": "json", "round": "rounded"}  # functions of games/film.js


def template(source: str, environment: jinja2.Environment) -> str:
    """Return a template as a function from what it is filled with, by name, to the text; a macro is one from its arguments."""
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
        found = f"{listed}.forEach(({name}, at) => {{ {counted}{_block(node.body, inside)}}});\n"
        other = f"if (!{listed}.length) {{\n{_block(node.else_, local)}}}\n" if node.else_ else ""
        return found + other
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
