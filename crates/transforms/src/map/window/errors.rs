//! Messages for arrays that a block cannot keep, and what to do about it.

use accl_ir::Staged;
use accl_source::codes::transforms as codes;
use accl_source::{Diagnostic, Span};

fn error(message: String) -> Diagnostic {
    Diagnostic::error(codes::WINDOW, message)
}

pub fn no_array(staged: &Staged) -> Diagnostic {
    error(format!("`{}` is no array that a block can keep", staged.name))
        .label(staged.span, "this window")
        .with_help("name an array or pointer whose elements the statement subscripts directly, with one window for each subscript")
}

pub fn pivot(staged: &Staged, names: &str) -> Diagnostic {
    let reason = match names.is_empty() {
        true => "the block's elements cannot be told from it".to_owned(),
        false => format!("it depends on `{names}`"),
    };
    error(format!("the window of `{}` does not move in constant steps with the parallel loops", staged.name))
        .label(staged.span, reason)
        .with_note("neighbouring iterations share a block, whose elements must be known before any of them runs")
        .with_help("make the pivot a sum of loop variables times constants and values that all iterations of a block share")
}

pub fn halo_extent(staged: &Staged, names: &str) -> Diagnostic {
    let reason = match names.is_empty() {
        true => "the host cannot tell its size before the launch".to_owned(),
        false => {
            format!("its size depends on `{names}`, which changes or lies in memory")
        }
    };
    error(format!("the window of `{}` has no size that is the same for all of the launch", staged.name))
        .label(staged.span, reason)
        .with_note(
            "all blocks have as much shared memory, which the host asks for when it launches the kernel",
        )
        .with_help("make BEFORE and AFTER of constants and variables that nothing in the construct changes")
}

pub fn not_own(staged: &Staged) -> Diagnostic {
    error(format!(
        "windows of `{}` overlap, so {} cannot tell whose elements they are",
        staged.name,
        staged.kind.name()
    ))
    .label(staged.span, "iterations share these elements")
    .with_help(format!(
        "use {} where iterations see each other's writes, or windows without BEFORE and AFTER",
        match staged.kind.fetches() {
            true => "FETCH_CHANNEL_WB",
            false => "CHANNEL_WB",
        }
    ))
}

pub fn not_a_nest(span: Span) -> Diagnostic {
    error("`fcw` stands in no parallel loop whose iterations share a block".into())
        .label(span, "this statement")
        .with_note("the loops around it must be all of the construct's or kernel's work, and parallel over gangs and vector lanes")
        .with_help("put it into a `parallel loop` (or `loop independent` of `kernels`), nested loops directly in one another")
}

pub fn runtime_block(span: Span) -> Diagnostic {
    error("the size of the block is not known when the program is compiled".into())
        .label(span, "this window is as large as the block")
        .with_help("give `vector(N)` or `vector_length(N)` a constant")
}

pub fn loop_variable(span: Span) -> Diagnostic {
    error("a parallel loop around `fcw` counts in a type narrower than int, or by steps not constant".into())
        .label(span, "this statement")
        .with_help("count the loop in `int` or `long`, by a constant step")
}

pub fn trips(span: Span, window: Span) -> Diagnostic {
    error("the iterations of a block do not run this loop equally often".into())
        .label(span, "its bounds differ between iterations of a block, or come from memory")
        .label(window, "all of the block must meet here")
        .with_help("let all iterations run the loop as often, and put a condition around the work in it")
}

pub fn divergent(span: Span, what: &str) -> Diagnostic {
    error(format!("{what} around statements at which a block's iterations meet"))
        .label(span, "here")
        .with_help("write it with `if`")
}

pub fn read_only(staged: &str, kind: &str, write: Span, window: Span) -> Diagnostic {
    let diagnostic =
        error(format!("`{staged}` is written under {kind}")).label(write, "this write would be lost");
    diagnostic
        .label(window, "the window is only read")
        .with_help("use FETCH_CHANNEL where others of the block see it, FETCH_WB or FETCH_CHANNEL_WB where it goes back to the array")
}

pub fn hidden(name: &str, kind: &str, at: Span, window: Span) -> Diagnostic {
    error(format!("`{name}` is used other than by its elements under {kind}"))
        .label(at, "this would go around the block's copy")
        .label(window, "the copy is made here")
        .with_help("subscript the array in every use, as often as the window has dimensions")
}

/// `bytes` are needed where a block has at most `most`.
pub fn too_large(names: &str, bytes: u64, most: u64, block: &str, help: String, span: Span) -> Diagnostic {
    error(format!("the windows of {names} take {bytes} bytes of shared memory; a block has {most}"))
        .label(span, format!("for a block of {block} iterations"))
        .with_help(help)
}

pub fn block(threads: u64, span: Span) -> Diagnostic {
    error(format!(
        "the loops around this window form blocks of {threads} iterations; devices run at most 1024 together"
    ))
    .label(span, "this window")
    .with_help("give smaller `vector` clauses")
}

pub fn unknown_size(name: &str, span: Span) -> Diagnostic {
    error(format!(
        "the size of the elements of `{name}` is no constant, so a window of it cannot be cut at its ends"
    ))
    .label(span, "this window")
    .with_help("give the rows a constant length, or leave the window out")
}

/// Only the compiler sees this error; it then leaves a version out.
pub fn outside(name: &str, window: Span) -> Diagnostic {
    error(format!("`{name}` may be read outside the iteration's own window")).label(window, "this window")
}
