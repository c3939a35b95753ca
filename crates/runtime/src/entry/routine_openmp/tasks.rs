//! omp_in_explicit_task (OpenMP 5.2 §18.5.3).
//!
//! The host compiler's library may not have it. In a program that asks, each explicit task tells when it begins and ends; a thread
//! that waits in a task runs others to their end before it goes on.

use std::cell::RefCell;
use std::ffi::c_int;

thread_local! {
    /// The levels of parallelism at which the thread's tasks began, the innermost last.
    static TASKS: RefCell<Vec<c_int>> = const { RefCell::new(vec![]) };
}

#[unsafe(no_mangle)]
pub extern "C" fn accl_omp_task_begins(level: c_int) {
    TASKS.with_borrow_mut(|tasks| tasks.push(level));
}

#[unsafe(no_mangle)]
pub extern "C" fn accl_omp_task_ends() {
    TASKS.with_borrow_mut(|tasks| {
        tasks.pop();
    });
}

/// The innermost task is an implicit one where a parallel region has begun since.
#[unsafe(no_mangle)]
pub extern "C" fn omp_in_explicit_task() -> c_int {
    let level = super::depend::level();
    TASKS.with_borrow(|tasks| tasks.last().is_some_and(|began| *began == level)).into()
}
