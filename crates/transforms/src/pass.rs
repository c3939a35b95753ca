//! What a pass is.

use crate::context::Context;
use accl_ir::Module;

/// One step of the compilation, from a module that keeps the IR's rules to another.
#[derive(Clone, Copy)]
pub struct Pass {
    /// The name that `--print-after` and the folders of `tests/passes` use.
    pub name: &'static str,
    /// What is true of the module when the pass has run.
    pub promise: &'static str,
    pub run: fn(&mut Module, &mut Context<'_>),
}
