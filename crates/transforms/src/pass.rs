//! What a pass is.

use crate::context::Context;
use accl_ir::Module;

/// One step of the compilation, from a module that keeps the IR's rules to another.
#[derive(Clone, Copy)]
pub struct Pass {
    /// As `--print-after` and the folders of `tests/passes` name it.
    pub name: &'static str,
    /// What holds when it has run.
    pub promise: &'static str,
    pub run: fn(&mut Module, &mut Context<'_>),
}
