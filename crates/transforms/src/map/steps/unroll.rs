//! `unroll(4)`: the device's compiler repeats the bodies of a thread's innermost loops so many times, or, with 1, does not.
//!
//! Without it that compiler decides. Which number is best depends on registers, and on how many loads a cache can have under way
//! (paper 003, section IV-C2), so that it is something to measure.

use super::{Refusal, StepKind, chosen, number, numbered};
use crate::map::cost::Cost;
use crate::map::draft::Draft;
use accl_ir::{Module, Stmt, visit};

const NAME: &str = "unroll";

pub const STEP: StepKind = StepKind {
    name: NAME,
    usage: "unroll(N)",
    summary: "The bodies of a thread's innermost loops are repeated N times; 1: the device's compiler does not unroll them.",
    writes_program: true,
    sets_block: false,
    space: |_, draft| is_there(draft).map(|()| numbered(NAME, [4, 1, 2, 8])),
    cost: |step, cost: &mut Cost| {
        let n = number(step);
        // Of turns that wait for each other one at a time has values in registers.
        if !cost.recurs {
            cost.registers = (cost.registers + 2 * n).saturating_sub(2 * cost.repeated);
        }
        cost.loads_under_way = (cost.loads_under_way * n / cost.repeated).max(1);
        cost.repeated = n;
        cost.own_in_memory = n < cost.own_turns;
    },
    apply,
};

fn is_there(draft: &Draft<'_>) -> Result<(), Refusal> {
    let body = &draft.kernel.body;
    let mut any = false;
    visit::for_each_stmt(&body.block, &mut |node| {
        any |= matches!(&node.kind, Stmt::For(l) if l.is_innermost_of_thread(body));
    });
    if any { Ok(()) } else { Err(Refusal::quiet("a thread runs no loop whose step is known")) }
}

fn apply(module: &mut Module, draft: &mut Draft<'_>, step: &accl_ir::schedule::Step) -> Result<(), Refusal> {
    is_there(draft)?;
    let step = chosen(step, &numbered(NAME, [4, 1, 2, 8]))?;
    let restrict = draft.distinct || draft.requires.noalias;
    draft.program = Some(draft.usual(module, restrict)?);
    draft.unroll = Some(number(&step));
    draft.suffix.push_str("_unroll");
    draft.done(NAME, step.args);
    Ok(())
}
