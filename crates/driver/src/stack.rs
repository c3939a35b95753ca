//! Stacks for deep syntax trees: the passes recurse over them, and so do the compilers that are run.
//!
//! Only address space is reserved; memory is used as far as a stack really grows. The depth of trees is limited
//! where they are read (`accl_frontend`), so that no program can overflow these stacks.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// The stack of each thread of the compiler: the first of these sizes that the system grants.
const OURS: [usize; 4] = [1 << 30, 256 << 20, 64 << 20, 8 << 20];

/// The stack of the compilers that are run, where the user's hard limit allows it.
const THEIRS: u64 = 4 << 30;

/// Runs the command. Its parallel parts get stacks as deep.
pub fn on_deep_stack(run: impl FnOnce() -> u8 + Send) -> u8 {
    for_children();
    let mut run = Some(run);
    for size in OURS {
        let pool = rayon::ThreadPoolBuilder::new().stack_size(size).build();
        if let (Ok(pool), Some(run)) = (pool, run.take()) {
            return pool.install(run);
        }
    }
    run.map_or(crate::failure::FAILED, |run| run())
}

fn for_children() {
    let Rlimit { current, maximum } = getrlimit(Resource::Stack);
    let wanted = maximum.map_or(THEIRS, |most| most.min(THEIRS));
    if current.is_some_and(|now| now < wanted) {
        // Without it their stacks are as deep as the user's shell allows.
        let _ = setrlimit(Resource::Stack, Rlimit { current: Some(wanted), maximum });
    }
}
