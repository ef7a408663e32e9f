"""The compiled engine as WebAssembly, for the lab in a page (analysis/web): start with `built`.

numba hands the code of every function to LLVM before that knows a processor. There it is kept (`captured`, in a process of its
own, in which nothing can be run), given the layout of WebAssembly's memory, put into one module, optimised as a whole, and
linked by `wasm-ld`, which the package `ziglang` brings. No C library is in it: at run time compiled code asks for nothing but
memory for arrays (`RUNTIME`). Sums and products are the same everywhere, so the games are, too.

What is private to numba is here and in the modules beside this one; only a numba whose insides were read is asked.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from importlib import import_module, metadata
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from unittest import mock

import llvmlite.binding as llvm
import numba
from numba import types
from numba.core import codegen

from ... import compile_cache, file_ownership, user_modules
from ...errors import UserError, install
from . import code_files, direct_calls, jit

LINKER = "ziglang"
TRIPLE = "wasm32-unknown-unknown"
FEATURES = "+bulk-memory,+sign-ext,+nontrapping-fptoint,+mutable-globals,+simd128"  # what every browser since 2023 knows
STACK = 1 << 20  # bytes
BOXES = {"base": (jit.BEYOND,), "terra-incognita": (jit.BEYOND, jit.EXPANSION)}  # what games of a box may come to
SECONDS = 10.0  # between two notes

# Numba's own, to leave the code as it is and to make nothing of it in this process.
LEFT_OUT = {
    codegen.CPUCodeLibrary: ("_optimize_functions", "_optimize_final_module"),
    codegen.JITCodeLibrary: ("_finalize_specific",),
    codegen.JITCPUCodegen: ("_add_module", "set_env"),
}
RELIED_ON = (
    *(f"numba.core.codegen {kind.__name__}.{name}" for kind, names in LEFT_OUT.items() for name in names),
    "numba.core.codegen CPUCodeLibrary.finalize",
    "numba.core.codegen JITCodeLibrary.get_pointer_to_function",
    "numba.core.datamodel.models ArrayModel",
    "numba.core.runtime.nrtdynmod create_nrt_module",
    "numba.core.runtime.nrtdynmod _define_nrt_meminfo_data",
    "numba.core.runtime.context NRTContext.meminfo_alloc_aligned",
)
DIGEST = "4fab5e8e76f830fe"  # of their sources, when they were read


def check() -> None:
    """Raise UserError if the engine cannot be made into WebAssembly here."""
    if not direct_calls.ARE_USED or direct_calls.digest(RELIED_ON) != DIGEST:
        raise UserError(f"numba {numba.__version__} is new to this program, which cannot make WebAssembly of its code")
    if find_spec(LINKER) is None:
        raise UserError(f"the linker for WebAssembly is missing; install it with: {install(LINKER)}")


# --- What numba hands to LLVM, in a process of its own: a line of JSON for each function


def captured(functions: Sequence[str], optional: Iterable[str]) -> Iterator[dict[str, Any]]:
    """Yield symbols and code of each function that these (module:name) need, callees before their callers.

    `optional`: which of those that only some games come to (`jit.BEYOND`, `jit.EXPANSION`).
    """
    wanted = [getattr(import_module(module), name) for module, name in (place.split(":") for place in functions)]
    wanted += [function for function in jit.JITTED if function.optional in optional]
    with ExitStack() as stack:
        for kind, names in LEFT_OUT.items():
            for name in names:
                stack.enter_context(mock.patch.object(kind, name, _nothing))
        stack.enter_context(mock.patch.object(direct_calls, "_move_off_the_page", _nothing))
        order = jit.in_order(wanted)
        for done, function in enumerate(order):
            with direct_calls.as_ours(True):
                function.dispatcher.compile(function.arguments)
            result = code_files.overload(function.dispatcher)
            function._signature, function.is_ready = result.signature, True
            if not function.inlined:
                yield {
                    "of": len(order),
                    "done": done + 1,
                    "place": f"{function.__module__}:{function.__name__}",
                    "native": function.native,
                    "names": [result.fndesc.llvm_cfunc_wrapper_name, *([function.symbol] if function.addressed else [])],
                    "cell": f"{function.symbol}.cell" if function.optional else "",
                    "addressed": function.addressed,
                    "takes": [_taken(kind) for kind in getattr(function.arguments, "args", function.arguments)],
                    "returns": _returned(result.signature.return_type),
                    "code": str(result.library._final_module),
                }


def _nothing(*_: Any) -> None:
    """What is done in place of `LEFT_OUT`."""


def _taken(kind: types.Type) -> str | int:
    """Return how compiled code takes a parameter: by the name of LLVM's type, or the number of dimensions of an array."""
    if isinstance(kind, types.Array):
        return int(kind.ndim)
    return "ptr" if isinstance(kind, types.Record) else "i64"


def _returned(kind: Any) -> str:
    """Return LLVM's type of what compiled code returns."""
    bits = getattr(kind, "bitwidth", 0)
    if isinstance(kind, types.Float):
        return "float" if bits == 32 else "double"
    if bits:
        return f"i{bits}"
    return str({types.none: "ptr", types.boolean: "i8"}.get(kind, ""))  # what is returned in parts no page asks for


def _capture() -> None:
    """Write what is captured to stdout, as the arguments of this process say."""
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    for function in captured(json.loads(sys.argv[1]), json.loads(sys.argv[2])):
        print(json.dumps(function), file=answers, flush=True)


# --- The code of all functions, as one module for WebAssembly

# Memory for arrays that functions make: blocks of powers of two, kept for the next array when they are freed. An array begins
# behind what numba notes of it (`%info`: references to it, two that are not used, where it begins; here the block's size).
RUNTIME = """
%info = type { i64, ptr, ptr, ptr, i64 }
@used = internal global i32 0
@freed = internal global [32 x ptr] zeroinitializer
@room = internal global [1048576 x i8] zeroinitializer, align 64
declare i64 @llvm.ctlz.i64(i64, i1)
declare double @llvm.sqrt.f64(double)
define double @sqrt(double %x) {
  %root = call double @llvm.sqrt.f64(double %x)
  ret double %root
}
define noalias ptr @NRT_MemInfo_alloc_aligned(i64 %size, i32 %align) noinline {
  %whole = add i64 %size, 127
  %zeros = call i64 @llvm.ctlz.i64(i64 %whole, i1 true)
  %power = sub i64 64, %zeros
  %class = trunc i64 %power to i32
  %list = getelementptr [32 x ptr], ptr @freed, i32 0, i32 %class
  %first = load ptr, ptr %list
  %none = icmp eq ptr %first, null
  br i1 %none, label %new, label %again
again:
  %behind = getelementptr %info, ptr %first, i32 0, i32 2
  %next = load ptr, ptr %behind
  store ptr %next, ptr %list
  store i64 1, ptr %first
  ret ptr %first
new:
  %at = load i32, ptr @used
  %size2 = shl i32 1, %class
  %end = add i32 %at, %size2
  %full = icmp ugt i32 %end, 1048576
  br i1 %full, label %stop, label %take
stop:
  unreachable
take:
  store i32 %end, ptr @used
  %block = getelementptr i8, ptr @room, i32 %at
  store i64 1, ptr %block
  %noted = getelementptr %info, ptr %block, i32 0, i32 4
  store i64 %power, ptr %noted
  %start = getelementptr %info, ptr %block, i32 0, i32 3
  %data = getelementptr i8, ptr %block, i32 64
  store ptr %data, ptr %start
  ret ptr %block
}
define void @NRT_MemInfo_call_dtor(ptr %block) noinline {
  %noted = getelementptr %info, ptr %block, i32 0, i32 4
  %power = load i64, ptr %noted
  %class = trunc i64 %power to i32
  %list = getelementptr [32 x ptr], ptr @freed, i32 0, i32 %class
  %first = load ptr, ptr %list
  %behind = getelementptr %info, ptr %block, i32 0, i32 2
  store ptr %first, ptr %behind
  store ptr %block, ptr %list
  ret void
}
define noalias ptr @NRT_Allocate(i64 %size) noinline {
  %block = call ptr @NRT_MemInfo_alloc_aligned(i64 %size, i32 64)
  %data = getelementptr i8, ptr %block, i32 64
  ret ptr %data
}
define void @NRT_Free(ptr %data) noinline {
  %block = getelementptr i8, ptr %data, i32 -64
  call void @NRT_MemInfo_call_dtor(ptr %block)
  ret void
}
declare i64 @asked(ptr, ptr, ptr, i64, i64, i64, i64) #0
attributes #0 = { "wasm-import-module"="env" "wasm-import-name"="asked" }
define i64 @asking(ptr %r, ptr %g, ptr %w, i64 %seat, i64 %kind, i64 %n, i64 %u) noinline {
  %chosen = call i64 @asked(ptr %r, ptr %g, ptr %w, i64 %seat, i64 %kind, i64 %n, i64 %u)
  ret i64 %chosen
}
define ptr @asker() {
  ret ptr @asking
}
"""
# A strategy that the page answers: ASKER returns its address, and ASKED is what the page gives to the module. Where a person
# has to think the page throws, puts all memory back (what lies between the two marks of the linker, the stack's pointer, and
# what it laid out itself), and plays the turn again once it has the answer.
ASKER, ASKED = "asker", "asked"
SEEN = ("__heap_base", "__global_base", "__data_end", "__stack_pointer")  # of the linker's
GLOBAL = re.compile(r'@("[^"]+"|[\w.$-]+)')
HEADER = re.compile(r"^target (?:datalayout|triple) = .*$", re.M)
# Places for Python's side of a function, and addresses of this process: nobody looks at them.
UNUSED = re.compile(r"^(@\S+ = )(?:common|linkonce) global ptr (?:null|inttoptr \(i64 \d+ to ptr\))", re.M)
DECLARED_CELL = re.compile(r'^declare .*@"?[\w.$-]+\.cell"?\(.*\n', re.M)
READ_CELL = re.compile(r'^  (%\S+) = bitcast ptr @"?([\w.$-]+\.cell)"? to ptr\n  (%\S+) = load i64, ptr \1, align 8$', re.M)


class WasmModule:
    """Collects the functions that were captured into one module.

    `stores`: symbols of memory outside, such as networks. Each is a number in the module, the address where the memory begins.
    """

    def __init__(self, functions: Sequence[str], stores: Sequence[str]) -> None:
        llvm.initialize_all_targets()
        llvm.initialize_all_asmprinters()
        target = llvm.Target.from_triple(TRIPLE)
        self.machine = target.create_target_machine(opt=3, features=FEATURES, reloc="static", codemodel="small")
        self.header = f'target datalayout = "{self.machine.target_data}"\ntarget triple = "{TRIPLE}"\n'
        self.functions, self.stores = functions, stores
        self.names: dict[str, str] = {}  # those of a function that numba made, and the one that others call it by
        self.cells: dict[str, str] = {}
        self.doors = ""
        self.waiting: list[dict[str, Any]] = []

    def add(self, function: dict[str, Any]) -> None:
        """Take a function."""
        self.names |= dict.fromkeys(function["names"], function["native"])
        if function["cell"]:
            self.cells[function["cell"]] = function["native"]
        if function["place"] in self.functions:
            self.doors += _door(function)
        self.waiting.append(function)

    def module(self) -> Any:
        """Return the module with all of them, optimised."""
        whole = self._parsed(RUNTIME + self.doors + "".join(f'@"{store}" = global i64 0\n' for store in self.stores))
        for function in self.waiting:
            module = self._parsed(self._changed(function["code"]))
            self._prune(module)
            self._run(module, 3, loop_vectorization=False, slp_vectorization=False, loop_unrolling=False)
            whole.link_in(module)
        seen = {*self.functions, *self.stores, ASKER}
        for value in (*whole.functions, *whole.global_variables):
            if not value.is_declaration and value.name not in seen:
                value.linkage = "internal"
        self._run(whole, 3, loop_vectorization=True, slp_vectorization=False, loop_unrolling=True)
        known = ("llvm.", ASKED)
        missing = [f.name for f in whole.functions if f.is_declaration and not f.name.startswith(known)]
        if missing:
            raise UserError(f"the engine cannot be made into WebAssembly: it calls {', '.join(missing)}")
        return whole

    def _parsed(self, text: str) -> Any:
        module = llvm.parse_assembly(self.header + text)
        module.verify()
        return module

    def _builder(self, level: int, **how: bool) -> Any:
        options = llvm.create_pipeline_tuning_options(level)
        for name, value in how.items():
            setattr(options, name, value)
        return llvm.create_pass_builder(self.machine, options)

    def _run(self, module: Any, level: int, **how: bool) -> None:
        """Optimise a module."""
        builder = self._builder(level, **how)
        builder.getModulePassManager().run(module, builder)

    def _prune(self, module: Any) -> None:
        """Let functions not count references to an array in vain: as numba does, each function alone, then all with what they
        are made of."""
        builder = self._builder(3, loop_vectorization=False, slp_vectorization=False, loop_unrolling=False)
        alone = builder.getFunctionPassManager()
        alone.add_refprune_pass()
        for function in module.functions:
            if not function.is_declaration:
                alone.run(function, builder)
        builder = self._builder(0)
        together = builder.getModulePassManager()
        together.add_loop_rotate_pass()
        together.add_instruction_combine_pass()
        together.add_jump_threading_pass()
        together.add_refprune_pass()
        together.run(module, builder)

    def _changed(self, text: str) -> str:
        """Return the code of a function with the names and the memory that it finds in the module."""
        called: set[str] = set()

        def read_cell(match: re.Match[str]) -> str:
            native = self.cells.get(match[2])
            if native is None:  # no game comes there
                return f"  {match[3]} = add i64 0, 0"
            called.add(native)
            return f'  {match[3]} = ptrtoint ptr @"{native}" to i64'

        def named(match: re.Match[str]) -> str:
            name = match[1].strip('"')
            return f'@"{self.names[name]}"' if name in self.names else match[0]

        text = READ_CELL.sub(read_cell, DECLARED_CELL.sub("", UNUSED.sub(r"\1internal global ptr null", HEADER.sub("", text))))
        for store in self.stores:
            place = f'@"?{re.escape(store)}"?'
            text = re.sub(rf"^declare i64 {place}\(\).*$", f'@"{store}" = external global i64', text, flags=re.M)
            text = re.sub(rf"ptrtoint ptr {place} to i64", f'load i64, ptr @"{store}"', text)
        text = GLOBAL.sub(named, text)
        known = {match[1].strip('"') for match in re.finditer(r'^(?:declare|define) .*?@("[^"]+"|[\w.$-]+)\(', text, re.M)}
        return text + "".join(f'declare void @"{name}"()\n' for name in sorted(called - known))


def _door(function: dict[str, Any]) -> str:
    """Return the function by which a page calls one: it is named by its place.

    Of a strategy it returns the address. Another takes what the function takes, of an array where it begins, how long each
    dimension is, and how many bytes an entry has.
    """
    place, native = function["place"], function["native"]
    if function["addressed"]:
        return f'declare void @"{native}"()\ndefine ptr @"{place}"() {{\n  ret ptr @"{native}"\n}}\n'
    takes, given, lines = [], [], []
    for number, kind in enumerate(function["takes"]):
        if isinstance(kind, str):
            takes.append(f"{kind} %p{number}")
            given.append(f"{kind} %p{number}")
            continue
        form = f"{{ ptr, ptr, i64, i64, ptr, [{kind} x i64], [{kind} x i64] }}"  # numba's ArrayModel
        takes += [f"ptr %p{number}", *(f"i64 %p{number}.{d}" for d in range(kind)), f"i64 %p{number}.size"]
        parts = [(f"ptr %p{number}", "4"), (f"i64 %p{number}.size", "3")]
        stride = f"%p{number}.size"
        for d in reversed(range(kind)):
            parts += [(f"i64 %p{number}.{d}", f"5, {d}"), (f"i64 {stride}", f"6, {d}")]
            lines.append(f"  %s{number}.{d} = mul i64 {stride}, %p{number}.{d}")
            stride = f"%s{number}.{d}"
        array = "zeroinitializer"
        for k, (value, where) in enumerate(parts):
            lines.append(f"  %a{number}.{k} = insertvalue {form} {array}, {value}, {where}")
            array = f"%a{number}.{k}"
        given.append(f"{form} {array}")
    kinds = ", ".join(argument.rsplit(" ", 1)[0] for argument in given)
    returns = function["returns"]
    call = f'  %r = call {returns} @"{native}"({", ".join(given)})\n  ret {returns} %r\n'
    body = "".join(f"{line}\n" for line in lines) + call
    return f'declare {returns} @"{native}"({kinds})\ndefine {returns} @"{place}"({", ".join(takes)}) {{\n{body}}}\n'


# --- From functions to a file


def built(functions: Sequence[str], stores: Sequence[str], boxes: Iterable[str], note: Callable[[str], None]) -> bytes:
    """Return a module of WebAssembly with the functions (module:name), of which that of `_door` is to be seen, and the stores.

    It is the same bytes each time, and kept with the compiled functions. `note` hears how far it is; raises UserError if this
    installation cannot make one.
    """
    check()
    optional = sorted({kind for box in boxes for kind in BOXES[box]})
    asked = [list(functions), list(stores), optional]
    facts = [compile_cache.version(), Path(__file__).read_text("utf-8"), metadata.version(LINKER), json.dumps(asked)]
    owner = "\n".join(facts).encode()
    folder = code_files.FOLDER
    kept = folder / f"engine-{hashlib.sha256(owner).hexdigest()[:16]}.wasm" if folder else None
    if kept is not None and kept.is_file() and (content := code_files.unseal(owner, kept.read_bytes())) is not None:
        return content
    content = _made(functions, stores, optional, note)
    if kept is not None:
        compile_cache.make(kept.parent)
        file_ownership.write_whole(kept, code_files.seal(owner, content), lasting=False)
    return content


def _made(functions: Sequence[str], stores: Sequence[str], optional: list[str], note: Callable[[str], None]) -> bytes:
    translation, said = WasmModule(functions, stores), time.monotonic()
    note("compiling the engine for browsers: one to three minutes (once after each update)")
    command = [sys.executable, "-m", __name__, json.dumps(list(functions)), json.dumps(optional)]
    with subprocess.Popen(
        command,
        env=user_modules.environment() | {"PYTHONHASHSEED": "0"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    ) as process:
        assert process.stdout is not None
        for line in process.stdout:
            function = json.loads(line)
            translation.add(function)
            if time.monotonic() - said > SECONDS:
                said = time.monotonic()
                note(f"compiling the engine for browsers: {function['done']} of {function['of']} functions")
    if process.returncode != 0:
        raise UserError("the engine cannot be made into WebAssembly: compiling its functions failed")
    note("compiling the engine for browsers: all functions together")
    with tempfile.TemporaryDirectory() as folder:
        code, engine = Path(folder) / "engine.o", Path(folder) / "engine.wasm"
        code.write_bytes(translation.machine.emit_object(translation.module()))
        exported = [f"--export={name}" for name in (*SEEN, ASKER, *stores, *functions)]
        options = ["--no-entry", "--export-table", "--gc-sections", "--strip-all", "-z", f"stack-size={STACK}"]
        linker = [sys.executable, "-m", LINKER, "wasm-ld", *options, *exported, "-o", str(engine), str(code)]
        linked = subprocess.run(linker, env=user_modules.environment(), capture_output=True, text=True)
        if linked.returncode != 0:
            raise UserError(f"the engine cannot be linked for WebAssembly: {linked.stderr.strip().splitlines()[-1:]}")
        return engine.read_bytes()


if __name__ == "__main__":
    _capture()
