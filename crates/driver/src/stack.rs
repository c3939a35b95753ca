//! Room for deep syntax trees: the passes recurse over them, and so do the compilers that are run.
//!
//! Address space is reserved, memory is used as far as a stack really grows. How deep a tree may be is decided where it
//! is read (`accl_frontend`), so that no program can outgrow this.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// What each thread of ours gets: the first of these that the system grants.
const OURS: [usize; 4] = [1 << 30, 256 << 20, 64 << 20, 8 << 20];

/// What the compilers get that are run, where the user's hard limit allows it.
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
        // Without it they are as deep as their user's shell has them.
        let _ = setrlimit(Resource::Stack, Rlimit { current: Some(wanted), maximum });
    }
}
