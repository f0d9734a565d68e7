"""A way through numba that stops before machine code: every kernel is lowered once and nothing is run.

Numba compiles for the running process: it optimizes each function together with all that it calls, at each
level of calls again, and turns each into machine code. Here only what comes out of lowering is kept, and all
of it is optimized together, once. That takes a third of the time.

The few parts of numba that are replaced here are not public: `pyproject.toml` bounds its version.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import llvmlite.binding as llvm
from numba import _dynfunc, njit, types
from numba.core import codegen, cpu, registry

if TYPE_CHECKING:
    from collections.abc import Iterable

# Kernels own no memory: every array is made by their caller and outlives the call. So references are not
# counted (`_nrt`). Nothing may be rounded otherwise than Python rounds it: no fast math.
_OPTIONS = {
    "nogil": True,
    "error_model": "numpy",
    "_nrt": False,
    "no_cpython_wrapper": True,
    "no_cfunc_wrapper": True,
}


def compiler(function: Any) -> Any:
    """Declare `function` to numba."""
    return njit(**_OPTIONS)(function)


def lower(function: Any, symbol: str) -> llvm.ModuleRef:
    """Return a module of LLVM's language that holds `function` and all that it calls.

    Parameters
    ----------
    function : callable
        Takes a pointer to 64-bit words and returns one.
    symbol : str
        Its name; only it can be seen from outside.
    """
    dispatcher = njit(types.int64(types.CPointer(types.int64)), **_OPTIONS)(function)
    (overload,) = dispatcher.overloads.values()
    whole = _link(overload.library.with_needed())
    for one in [*whole.functions, *whole.global_variables]:
        if not one.is_declaration:
            one.linkage = "internal"
    entry = whole.get_function(overload.fndesc.llvm_func_name)
    entry.linkage, entry.name = "external", symbol
    return whole


def _link(libraries: Iterable[_Library]) -> llvm.ModuleRef:
    first, *others = (library.copy_module() for library in libraries)
    for other in others:
        first.link_in(other)
    return first


class _Library(codegen.CPUCodeLibrary):  # type: ignore[misc]
    """The lowered code of one function, and the functions that it calls."""

    def add_llvm_module(self, ll_module: llvm.ModuleRef) -> None:
        ll_module.data_layout = self._codegen._data_layout
        self._final_module.link_in(ll_module)

    def finalize(self) -> None:
        self._finalized = True

    def with_needed(self) -> list[_Library]:
        """Return this one and all that it needs, directly or not."""
        libraries: dict[int, _Library] = {}
        open_ends = [self]
        while open_ends:
            one = open_ends.pop()
            if id(one) not in libraries:
                libraries[id(one)] = one
                open_ends += one._linking_libraries
        return list(libraries.values())

    def copy_module(self) -> llvm.ModuleRef:
        """Return a copy whose functions can coexist with the same functions of another library."""
        copy = self._final_module.clone()
        for function in copy.functions:
            if not function.is_declaration and function.linkage == llvm.Linkage.external:
                function.linkage = "linkonce_odr"
        return copy


class _Codegen(codegen.CPUCodegen):  # type: ignore[misc]
    _library_class = _Library

    def _customize_tm_options(self, options: dict[str, Any]) -> None:
        options.update(reloc="pic", codemodel="default")

    def _customize_tm_features(self) -> str:
        return ""

    def _add_module(self, module: llvm.ModuleRef) -> None:
        """Nothing is run."""


class _Context(cpu.CPUContext):  # type: ignore[misc]
    def init(self) -> None:
        super().init()
        self._internal_codegen = _Codegen("echelon")

    def post_lowering(self, module: Any, library: _Library) -> None:
        """Nothing of numba's runtime is linked: kernels own no memory."""

    def get_executable(self, library: _Library, fndesc: Any, env: Any) -> Any:
        """Return a stand-in, one for each function, that is never called."""
        library._ensure_finalized()
        return _dynfunc.make_function(fndesc.lookup_module(), fndesc.qualname, "", 1, env, (library,))


def install() -> None:
    """Have this process lower all that numba is given, instead of compiling it."""
    from numba.core.runtime import rtsys

    rtsys._init = True  # its functions would be compiled for this process
    target = registry.cpu_target
    target._toplevel_target_context = _Context(target.typing_context, "cpu")
