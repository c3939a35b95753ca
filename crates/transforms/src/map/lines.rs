//! Lines of memory that threads go along by themselves, an element a turn, while neighbouring threads go along others.
//!
//! Memory gives a sector at least, of which a thread takes one element and comes back for the next ones in its following turns. That costs
//! no more than neighbouring elements would as long as the cache still has the sector then, and so for few threads at a time.

use super::advance::{self, Advance, Definitions};
use super::cost::SECTOR;
use super::grid_mapping;
use super::steps::unroll_and_jam::strides::accumulators;
use accl_analysis::reduction::recognise_all;
use accl_ir::{Body, Expr, ExprKind, Handle, Kernel, Loop, Stmt, Types, visit};

/// The arrays along whose lines the threads of a kernel go in loops whose turns wait for each other.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Lines {
    pub arrays: u32,
    /// Bytes of an element, in the mean; 0 without arrays.
    pub bytes: f64,
    /// The threads have innermost loops of another kind, too.
    pub beside_others: bool,
}

impl Lines {
    pub fn of(types: &Types, kernel: &Kernel) -> Lines {
        let body = &kernel.body;
        let (loops, _) = grid_mapping::nest(&body.block);
        let Some((x, _)) = loops.into_iter().find(|(l, _)| grid_mapping::dim(l) == 0) else {
            return Lines::default();
        };
        let definitions = Definitions::of(body, &body.block);
        let mut found: Vec<(Handle<Expr>, f64)> = vec![];
        let mut beside_others = false;
        visit::for_each_stmt(&body.block, &mut |node| {
            let Stmt::For(l) = &node.kind else { return };
            if !l.is_innermost_of_thread(body) {
                return;
            }
            if !recurs(body, l) {
                beside_others = true;
                return;
            }
            visit::for_each_place(body, &l.body, &mut |place, _| {
                let ExprKind::Index { base, .. } = body.exprs[place].kind else { return };
                let size = types.size_of(body.exprs[place].ty).unwrap_or(0) as f64;
                let along = |var| advance::of_place(body, &definitions, place, var);
                let goes = size < SECTOR && along(l.var) == Advance::Next && along(x.var) == Advance::Far;
                let local = matches!(visit::root_of(body, place), Some(visit::Root::Local(_)));
                let known = |(other, _): &(Handle<Expr>, f64)| visit::same_expr(body, *other, base);
                if goes && !local && !found.iter().any(known) {
                    found.push((base, size));
                }
            });
        });
        let arrays = found.len() as u32;
        let bytes: f64 = found.iter().map(|(_, size)| size).sum();
        Lines { arrays, bytes: bytes / f64::from(arrays.max(1)), beside_others }
    }
}

/// An innermost loop of a thread carries a value from turn to turn that is no sum, product or extremum: each turn waits for the one
/// before.
pub fn recurs(body: &Body, l: &Loop) -> bool {
    let updates = recognise_all(body, &l.body);
    accumulators(body, l).into_iter().any(|place| match body.exprs[place].kind {
        ExprKind::Local(local) => updates.get(&local).is_none_or(Option::is_none),
        _ => false,
    })
}
