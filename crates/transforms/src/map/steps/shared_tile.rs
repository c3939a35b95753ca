//! `shared_tile(stencil)`: what a block keeps in shared memory.
//!
//! | parameter | what is kept |
//! |---|---|
//! | `directive` | what `fcw` and `cache` say |
//! | `launch` | the same, where only the launch knows how much it is: for launches whose blocks have the room |
//! | `stencil` | the neighbourhoods of elements that neighbouring iterations read |
//! | `stream:256` | so many elements at a time of arrays that all iterations read from end to end |

use super::{Refusal, StepKind, chosen, number};
use crate::map::cost::Cost;
use crate::map::draft::Draft;
use crate::map::window;
use accl_ir::schedule::{Arg, Step, Value};
use accl_ir::{Kernel, Module};
use std::borrow::Cow;

const NAME: &str = "shared_tile";

pub const STEP: StepKind = StepKind {
    name: NAME,
    usage: "shared_tile(directive | launch | stencil | stream:N)",
    summary: "A block keeps in shared memory what its directives say, the neighbourhoods that a stencil reads, or N elements \
              at a time of what all iterations read.",
    writes_program: false,
    sets_block: false,
    space,
    // What neighbours read is in a cache anyway, and has to be stored once more.
    cost: |step, cost: &mut Cost| match step.args.first().map(|arg| &arg.value) {
        Some(Value::Name(word)) if word == "stencil" => cost.shared_loads = 1.25,
        _ => cost.from_shared_memory(),
    },
    apply,
};

/// The steps that may be, by the kernel's directives and its statements.
fn space(module: &mut Module, draft: &Draft<'_>) -> Result<Vec<Step>, Refusal> {
    let of = |arg: Arg| Step::new(NAME, [arg]);
    if window::has_windows(&draft.kernel.body.block) {
        let at_launch = window::only_launch_hints(&draft.kernel.body.block);
        return Ok(vec![of(Arg::from(if at_launch { "launch" } else { "directive" }))]);
    }
    let mut all = vec![];
    if window::stream(module, &draft.kernel, window::STRETCHES[0]).is_ok() {
        all.extend(streams());
    }
    if window::stencil(module, &draft.kernel).is_ok() {
        all.push(of(Arg::from("stencil")));
    }
    match all.is_empty() {
        true => Err(Refusal::quiet(
            "iterations read neither neighbourhoods of elements nor the same arrays from end to end",
        )),
        false => Ok(all),
    }
}

fn streams() -> [Step; window::STRETCHES.len()] {
    window::STRETCHES.map(|n| Step::new(NAME, [Arg::of("stream", n)]))
}

fn apply(module: &mut Module, draft: &mut Draft<'_>, step: &Step) -> Result<(), Refusal> {
    let kept = window::has_windows(&draft.kernel.body.block);
    let word = match step.args.as_slice() {
        [Arg { of: None, value: Value::Name(word) }] => word.as_str(),
        [Arg { of: Some(word), value: Value::Number(_) }] if word == "stream" => "stream",
        [] if kept => "directive",
        _ => "",
    };
    match word {
        "directive" if kept => {}
        "launch" if kept => {
            draft.requires.fits_shared = true;
            draft.suffix.push_str("_cache");
        }
        "stencil" if !kept => {
            by_itself(draft)?;
            let with = window::stencil(module, &draft.kernel)?;
            keep(module, draft, with)?;
        }
        "stream" if !kept => {
            by_itself(draft)?;
            let step = chosen(step, &streams())?;
            let with = window::stream(module, &draft.kernel, number(&step))?;
            keep(module, draft, with)?;
        }
        _ if kept => {
            return Err(Refusal::because("the directives say what a block keeps: `shared_tile(directive)`"));
        }
        _ => return Err(Refusal::because("without `fcw` or `cache` it can be `stencil`, or `stream:N`")),
    }
    draft.block_at_launch = false;
    let args = if step.args.is_empty() { vec![Arg::from(word)] } else { step.args.clone() };
    draft.done(NAME, args);
    Ok(())
}

/// Windows that nobody asked for.
fn by_itself(draft: &Draft<'_>) -> Result<(), Refusal> {
    match draft.options.windows && draft.options.unroll_and_jam {
        true => Ok(()),
        false => Err(Refusal::quiet("-gpu=noautofcw switches windows off that nobody asked for")),
    }
}

/// Goes on with a kernel that has windows.
fn keep(module: &mut Module, draft: &mut Draft<'_>, mut with: Kernel) -> Result<(), Refusal> {
    draft.assume_distinct()?;
    window::prepare(&mut module.types, &mut with, draft.options)?;
    draft.block = crate::map::shape::block(&module.types, &with, draft.options);
    draft.kernel = Cow::Owned(with);
    draft.suffix.push_str("_window");
    Ok(())
}
