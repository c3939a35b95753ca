//! The cpu device: one call runs an interval of iterations, or of gangs.
//!
//! `for (i = lower; i < n; i++)` becomes `for (i = lower + begin; i < lower + end; i++)`, a loop that C compilers
//! vectorise. Loops inside stay as they are, with their levels, which tell the emitter what may be vectorised. In a
//! gang kernel each gang runs the body and takes a contiguous part of every gang loop. Nests whose sequential loops stride
//! through memory are turned ([`interchange`]).

pub mod interchange;

use self::interchange::Interchanged;
use super::indices::{self, for_at, offset, trips};
use super::shape::reduces;
use super::{alias, grid_mapping, index_set_splitting, steps, with_reductions};
use crate::build::{Builder, counting, declare};
use crate::options::Options;
use accl_analysis::scalars;
use accl_ir::rewrite::{Subst, substitute};
use accl_ir::{
    BinaryOp, Block, Body, Builtin, Compare, CpuArrays, Expr, ExprKind, Handle, Kernel, Local, Loop, Module,
    ParamKind, Stmt, StmtNode, Types, visit,
};
use accl_source::Span;

/// The body for the cpu, and which of its loops were interchanged.
pub fn body(types: &mut Types, kernel: &Kernel) -> (Body, Vec<Interchanged>) {
    let mut interchanged = vec![];
    let mut body = Body { block: vec![], ..kernel.body.clone() };
    let mut b = Builder { types, body: &mut body };
    let block = if kernel.serial {
        kernel.body.block.clone()
    } else if kernel.gangs {
        let block = gangs(&mut b, kernel);
        interchange::within(&mut b, block, &mut interchanged)
    } else {
        interval(&mut b, kernel, &mut interchanged)
    };
    body.block = with_reductions(types, kernel, &mut body, block);
    (body, interchanged)
}

/// Loops of a body of which there are two versions, at most: each takes its time to compile.
const MOST_LOOPS: usize = 16;

/// What its C compiler is told of the body's arrays. Where a loop inside is sequential, or where iterations are not promised to
/// be independent, it keeps what it has loaded in registers, and vectorises, only if it knows that what is written lies elsewhere.
/// Nothing is said where threads may wait for each other by atomics, and of functions that may know the arrays by other names.
pub fn arrays(module: &Module, kernel: &Kernel, body: &Body, options: &Options<'_>) -> CpuArrays {
    let (mut loops, mut others) = (0, false);
    visit::for_each_stmt(&body.block, &mut |node| {
        loops += usize::from(matches!(node.kind, Stmt::For(_) | Stmt::While { .. }));
        others |= matches!(node.kind, Stmt::Atomic(_) | Stmt::Call { .. });
    });
    others |= body.exprs.iter().any(|(_, e)| matches!(e.kind, ExprKind::Call { .. }));
    let data = kernel.params.iter().filter(|p| matches!(p.kind, ParamKind::Data { .. })).count();
    if others || loops < 2 || data < 2 || !alias::launches_can_tell(module, kernel) {
        CpuArrays::MayOverlap
    } else if kernel.distinct || alias::all_distinct(module, kernel) {
        CpuArrays::Distinct
    } else if options.noalias && loops <= MOST_LOOPS {
        CpuArrays::EitherWay
    } else {
        CpuArrays::MayOverlap
    }
}

/// The distributed nest, outermost dimension over [begin, end).
fn interval(b: &mut Builder<'_>, kernel: &Kernel, interchanged: &mut Vec<Interchanged>) -> Block {
    let (loops, inner) = grid_mapping::nest(&kernel.body.block);
    let mut block = inner.clone();
    let last = loops.len() - 1;
    for (i, (l, span)) in loops.iter().enumerate() {
        let mut copy = Loop { body: block, ..indices::shell(l) };
        copy.declared_here = true;
        let mut ends = vec![];
        if i == last {
            let (begin, end) = (b.builtin(Builtin::Begin), b.builtin(Builtin::End));
            copy = part(b, copy, begin, end, &mut ends);
        }
        match if i == 0 { apart(b, kernel, &copy, *span, interchanged) } else { None } {
            Some(code) => ends.extend(code),
            None if i == 0 => {
                copy.body = interchange::within(b, copy.body, interchanged);
                ends.push(for_at(copy, *span));
            }
            None => ends.push(for_at(copy, *span)),
        }
        block = ends;
    }
    block
}

/// The innermost loop in a form that compilers vectorise, where they need help with it.
fn apart(
    b: &mut Builder<'_>,
    kernel: &Kernel,
    l: &Loop,
    span: Span,
    interchanged: &mut Vec<Interchanged>,
) -> Option<Block> {
    if !indices::counts_up_by_one(b.types, b.body, l) {
        return None;
    }
    if !reduces(kernel) {
        let strips = interchange::strips(b, l, span, interchanged);
        let strips = strips.or_else(|| Some(vec![steps::unroll_and_jam::strips(b, l, span)?]));
        if strips.is_some() {
            return strips;
        }
    }
    index_set_splitting::split(b, l, span)
}

/// Iterations [first, end) of a loop; the ends are computed into locals once.
fn part(b: &mut Builder<'_>, l: Loop, first: Handle<Expr>, end: Handle<Expr>, out: &mut Block) -> Loop {
    let lower = offset(b, &l, first);
    let bound = offset(b, &l, end);
    let (low, high) = (name_value(b, "first", lower, out), name_value(b, "end", bound, out));
    let down = matches!(indices::directed(b, &l), Compare::Gt | Compare::Ge);
    Loop { lower: low, bound: high, compare: if down { Compare::Gt } else { Compare::Lt }, ..l }
}

fn name_value(b: &mut Builder<'_>, stem: &str, value: Handle<Expr>, out: &mut Block) -> Handle<Expr> {
    let ty = b.ty(value);
    let local = b.body.temp(stem, ty);
    out.push(declare(local, Some(value)));
    b.load(local)
}

/// `for (gang = begin; gang < end; gang++) body`, with each gang loop a part of its iterations.
fn gangs(b: &mut Builder<'_>, kernel: &Kernel) -> Block {
    let long = b.types.int(64, true);
    let gang = b.body.temp("gang", long);
    let mut body = parts(b, &kernel.body.block, gang);
    own_values(b, kernel, &mut body);
    let (lower, bound) = (b.builtin(Builtin::Begin), b.builtin(Builtin::End));
    let step = b.int(1, long);
    vec![counting(gang, lower, bound, step, body)]
}

/// Values that come with the launch and that gangs change: each gang begins with the one that came (OpenACC 3.3 §2.5.14), not
/// with what the gang before it left.
fn own_values(b: &mut Builder<'_>, kernel: &Kernel, block: &mut Block) {
    let written = scalars::written_locals(b.body, block);
    let values = kernel.params.iter().filter(|p| matches!(p.kind, ParamKind::Value { .. }));
    for param in values.map(|p| p.local).filter(|local| written.contains_key(local)) {
        let Local { ref name, ty, .. } = b.body.locals[param];
        let own = b.body.temp(&name.clone(), ty);
        substitute(b.body, block, param, Subst::Local(own));
        let came = b.load(param);
        block.insert(0, declare(own, Some(came)));
    }
}

fn parts(b: &mut Builder<'_>, block: &Block, gang: Handle<Local>) -> Block {
    let mut out = vec![];
    for stmt in block {
        match &stmt.kind {
            Stmt::For(l) if l.levels.as_ref().is_some_and(|s| s.gang) => {
                out.extend(part_of_gang(b, l, stmt.span, gang));
            }
            other => {
                let mut copy = StmtNode { kind: other.clone(), span: stmt.span };
                for inner in copy.kind.blocks_mut() {
                    *inner = parts(b, inner, gang);
                }
                out.push(copy);
            }
        }
    }
    out
}

/// Iterations `trips * gang / total` up to `trips * (gang + 1) / total`.
fn part_of_gang(b: &mut Builder<'_>, l: &Loop, span: Span, gang: Handle<Local>) -> Block {
    let mut out = vec![];
    let trips = trips(b, l);
    let trips = name_value(b, "trips", trips, &mut out);
    let total = b.builtin(Builtin::Total);
    let this = b.load(gang);
    let long = b.ty(this);
    let one = b.int(1, long);
    let next = b.add(this, one);
    let share = |b: &mut Builder<'_>, gang| {
        let before = b.mul(trips, gang);
        b.binary(BinaryOp::Div, before, total)
    };
    let (first, end) = (share(b, this), share(b, next));
    let copy = Loop { declared_here: true, body: l.body.clone(), ..indices::shell(l) };
    let copy = part(b, copy, first, end, &mut out);
    out.push(for_at(copy, span));
    vec![StmtNode { kind: Stmt::Block(out), span }]
}
