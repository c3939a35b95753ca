//! How long the rows of an array are, and whether storing it by columns pays.
//!
//! Each access of a kernel votes with the distance of what neighbouring threads touch. Rows are as long as most of the distances
//! are; where accesses of another distance outweigh these, the array stays as it is.

use super::{Use, elements};
use crate::compress::format_in;
use crate::map::window;
use accl_analysis::affine::{Atom, Poly, Polys};
use accl_analysis::definitions;
use accl_analysis::text::Scope;
use accl_ir::{Block, Body, Handle, Kernel, Local, Loop, Module, Param, ParamKind, Stmt, StmtNode, visit};
use std::collections::BTreeMap;

/// A row of this many bytes or fewer is fetched with one access of a thread.
const SHORT: u64 = 16;
/// An access in a sequential loop counts as so many outside of it.
const TURNS: u64 = 16;
/// Loops that are nested more deeply do not count for more.
const DEEPEST: usize = 3;

#[derive(Default)]
struct Votes {
    /// By the distance in elements.
    rows: BTreeMap<u64, u64>,
    /// For the order as it is.
    against: u64,
}

/// The elements of a row; `None` where the array is to stay as it is.
pub fn row(module: &Module, uses: &[Use], element: u64) -> Option<u32> {
    let mut votes = Votes::default();
    for used in uses {
        let kernel = &module.kernels[used.kernel];
        let has_strides = |p: &Param| matches!(p.kind, ParamKind::Stride { of, .. } if of == used.array);
        if kernel.params.iter().any(has_strides)
            || is_special(module, kernel)
            || !elements::are_all(&module.types, &kernel.body, &kernel.body.block, used.array)
        {
            return None;
        }
        // A fallback runs when the usual kernel cannot.
        if kernel.fallback_of.is_none() {
            of_kernel(module, kernel, used.array, &mut votes);
        }
    }
    let (row, most) = votes.rows.iter().max_by_key(|(_, weight)| **weight)?;
    let rest: u64 = votes.rows.iter().filter(|(other, _)| *other != row).map(|(_, weight)| weight).sum();
    let pays = *most > rest + votes.against && row * element > SHORT;
    u32::try_from(*row).ok().filter(|_| pays)
}

/// Parts of arrays that blocks keep would have to be transposed, too; and a kernel with compressed arrays has other versions.
fn is_special(module: &Module, kernel: &Kernel) -> bool {
    let block = &kernel.body.block;
    let compressed = |p: &Param| format_in(&module.types, kernel.body.locals[p.local].ty).is_some();
    window::has_windows(block) || window::has_launch_hints(block) || kernel.params.iter().any(compressed)
}

fn of_kernel(module: &Module, kernel: &Kernel, array: Handle<Local>, votes: &mut Votes) {
    let body = &kernel.body;
    let polys = Polys::new(Scope::new(module, body), definitions::of_block(body, &body.block));
    let mut rows_of_block = vec![];
    visit::for_each_loop(&body.block, &mut |l, _| {
        let levels = l.levels.as_ref().filter(|levels| levels.vector);
        rows_of_block.extend(levels.and_then(|levels| levels.dim).filter(|dim| *dim > 0).map(|_| l.var));
    });
    Voters { module, body, polys, array, rows_of_block }.block(&body.block, None, 0, votes);
}

struct Voters<'a> {
    module: &'a Module,
    body: &'a Body,
    polys: Polys<'a>,
    array: Handle<Local>,
    /// Variables of loops whose iterations threads of a block run that differ in y or z.
    rows_of_block: Vec<Handle<Local>>,
}

impl Voters<'_> {
    /// `lane`: the variable of the loop whose iterations neighbouring threads run; `depth`: how many loops are inside of it.
    fn block(&self, block: &Block, lane: Option<Handle<Local>>, depth: usize, votes: &mut Votes) {
        for node in block {
            self.statement(node, lane, depth, votes);
            let (lane, depth) = match &node.kind {
                Stmt::For(l) if is_of_lanes(l) => (Some(l.var), 0),
                Stmt::For(l) if l.levels.as_ref().is_some_and(|levels| !levels.is_seq()) => (lane, depth),
                Stmt::For(_) | Stmt::While { .. } => (lane, depth + 1),
                _ => (lane, depth),
            };
            node.kind.blocks().into_iter().for_each(|inner| self.block(inner, lane, depth, votes));
        }
    }

    fn statement(&self, node: &StmtNode, lane: Option<Handle<Local>>, depth: usize, votes: &mut Votes) {
        let weight = TURNS.pow(depth.min(DEEPEST) as u32);
        for (root, _) in node.kind.operands() {
            visit::for_each_operand(&self.body.exprs, root, &mut |e| {
                let Some(found) = elements::subscripts(&self.module.types, self.body, e, self.array) else {
                    return;
                };
                let number = found.iter().fold(Poly::default(), |sum, (subscript, factor)| {
                    sum.plus(&self.polys.poly(*subscript), i128::from(*factor))
                });
                let distance =
                    lane.and_then(|lane| number.split(Atom::Local(lane))).and_then(|(c, _)| c.as_constant());
                match distance.map(i128::unsigned_abs) {
                    // All threads read the same element.
                    Some(0) => {}
                    // Threads of the block that differ in y or z use the rest of what is fetched.
                    _ if self.rows_of_block.iter().any(|var| {
                        let step = number.split(Atom::Local(*var)).and_then(|(c, _)| c.as_constant());
                        step.is_some_and(|step| step.abs() == 1)
                    }) => {}
                    Some(n) if n > 1 => *votes.rows.entry(n as u64).or_default() += weight,
                    Some(_) | None => votes.against += weight,
                }
            });
        }
    }
}

/// Neighbouring threads run neighbouring iterations.
fn is_of_lanes(l: &Loop) -> bool {
    l.levels.as_ref().is_some_and(|levels| levels.vector && levels.dim.is_none_or(|dim| dim == 0))
}
