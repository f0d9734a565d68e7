"""From LLVM's language to an object file: optimized once, for one kind of processor."""

from __future__ import annotations

import llvmlite.binding as llvm

from echelon.libraries.processor import TARGETS, machine


def machine_code(whole: llvm.ModuleRef, kind: str) -> bytes:
    """Return the object file of a module.

    Parameters
    ----------
    whole : ModuleRef
        The module; it stays as it is.
    kind : {"baseline", "newer"}
        Of processor.

    Notes
    -----
    Floating-point operations stay as they are written: without fast math LLVM neither joins a product and a
    sum nor reorders sums, so that all kinds give the same results to the last bit.
    """
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    module = whole.clone()
    target = llvm.Target.from_default_triple().create_target_machine(
        cpu=TARGETS[machine()][kind], opt=3, reloc="pic", codemodel="default"
    )
    options = llvm.create_pipeline_tuning_options(speed_level=3)
    options.loop_vectorization = options.slp_vectorization = True
    builder = llvm.create_pass_builder(target, options)
    builder.getModulePassManager().run(module, builder)
    code_object: bytes = target.emit_object(module)
    return code_object
