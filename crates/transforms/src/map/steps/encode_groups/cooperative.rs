//! Block arrays written by threads that share a group.
//!
//! A thread that has a whole group (`coarsen`) reads and writes 64 bytes or more, and its neighbours the next ones: each
//! access of a warp touches as many lines as threads (measured with 32 of 64 bits: 2.4 TB/s of 4.4). Where elements are
//! integers of 8, 16 or 32 bits, a thread has one 16-byte access of a group instead, and the threads of a group tell each
//! other the largest magnitude through shared memory.
//!
//! ```text
//! if (all of the chunk) { numbers[k] = body } else if (the group begins within the loop) { decode, the rest of the loop }
//! largest[thread] = the largest of numbers; barrier
//! numbers[width] = the largest of the group's threads
//! if (the group begins within the loop) c[chunk] = numbers
//! ```
//!
//! Invariants: blocks have whole groups; the element after a part's numbers is the group's largest magnitude
//! (`compress::groups` encodes by it).

use super::super::vectorize::rewrite::{self, GROUP, VectorPlan, Wide};
use crate::build::{Builder, declare, if_then, node, store};
use crate::compress::block;
use crate::map::{grid_mapping, shape};
use accl_ir::{
    BarrierScope, BinaryOp, Block, Body, Builtin, Expr, ExprKind, Handle, Kernel, Local, Loop, Module, Stmt,
    StmtNode,
};
use std::collections::BTreeMap;

/// `None` where threads do not share groups, or blocks have no whole ones.
pub fn plan(module: &Module, kernel: &Kernel, threads: u32) -> Option<VectorPlan> {
    let (loops, inner) = grid_mapping::nest(&kernel.body.block);
    let [(l, _)] = loops.as_slice() else { return None };
    let mut plan = rewrite::plan(module, kernel, l, inner).ok()?;
    plan.width = rewrite::width(&plan.lanes);
    let strides = shape::reduces(kernel) || shape::limits_gangs(kernel) || shape::vector_x(kernel);
    rewrite::aligned_start(module, &kernel.body, l, GROUP).ok()?;
    let even = |lanes: &rewrite::Lanes| lanes.bits.is_none_or(|bits| matches!(bits, 8 | 16 | 32));
    let fits = plan.width >= 4 && plan.width < GROUP && (threads * plan.width).is_multiple_of(GROUP);
    (!strides && fits && plan.lanes.iter().all(even)).then_some(plan)
}

/// The body of a thread, and the arrays that its block shares.
pub fn body(
    module: &mut Module,
    kernel: &Kernel,
    threads: u32,
    plan: &VectorPlan,
) -> (Body, Vec<Handle<Local>>) {
    let (loops, inner) = grid_mapping::nest(&kernel.body.block);
    let mut body = Body { block: vec![], ..kernel.body.clone() };
    let mut b = Builder { types: &mut module.types, body: &mut body };
    let l = loops[0].0;
    let mut emit = Emit { b: &mut b, l, inner, plan, threads, numbers: BTreeMap::new(), shared: vec![] };
    let block = emit.whole();
    let shared = emit.shared;
    body.block = block;
    (body, shared)
}

struct Emit<'a, 'b> {
    b: &'a mut Builder<'b>,
    l: &'a Loop,
    inner: &'a Block,
    plan: &'a VectorPlan,
    threads: u32,
    /// Of the arrays whose groups are shared, a thread's part.
    numbers: BTreeMap<Handle<Local>, Handle<Local>>,
    shared: Vec<Handle<Local>>,
}

impl Emit<'_, '_> {
    fn whole(&mut self) -> Block {
        let plan = self.plan;
        let written: Vec<&Wide> = plan.arrays.iter().filter(|a| a.whole).collect();
        let (first, start) = rewrite::first_iteration(self.b, self.l, plan.width);
        let mut out = vec![declare(first, Some(start))];
        for wide in &written {
            let local = rewrite::wide_local(self.b, wide, plan.width + 1, "part");
            self.numbers.insert(wide.param, local);
            out.push(declare(local, None));
        }
        let cond = rewrite::whole_chunk(self.b, self.l, first, plan.width);
        let then = rewrite::wide_part(self.b, self.l, first, self.inner, plan, &self.numbers);
        let rest = self.rest(first);
        let nothing = written.iter().map(|wide| self.copied(wide, None)).collect();
        let begun = self.group_begins(first);
        let otherwise = vec![node(Stmt::If { cond: begun, then: rest, otherwise: nothing })];
        out.push(node(Stmt::If { cond, then, otherwise }));
        out.extend(self.largest(&written));
        let stores: Vec<Stmt> = written
            .iter()
            .map(|wide| {
                let dst = rewrite::start_of(self.b, wide, first);
                Stmt::VectorStore { dst, src: self.numbers[&wide.param], n: plan.width as u8 }
            })
            .collect();
        let begun = self.group_begins(first);
        out.push(if_then(begun, stores.into_iter().map(node).collect()));
        out
    }

    /// The loop ends in the chunk, or before it in its group: what it has, and then what there is of it.
    fn rest(&mut self, first: Handle<Local>) -> Block {
        let (mut block, locals) = rewrite::rest_of_groups(self.b, self.l, first, self.inner, self.plan);
        for wide in self.plan.arrays.iter().filter(|a| a.whole) {
            block.push(self.copied(wide, Some(locals[&wide.param])));
        }
        block
    }

    /// `for (k …) numbers[k] = from[k]`, or 0. A loop over constants keeps `numbers` in registers.
    fn copied(&mut self, wide: &Wide, from: Option<Handle<Local>>) -> StmtNode {
        let k = self.b.body.temp("k", self.b.types.i32());
        let value = match from {
            Some(from) => {
                let place = self.element(from, k);
                self.b.load_place(place)
            }
            None => self.b.body.float(0.0, self.b.types.value_of(wide.element)),
        };
        let place = self.element(self.numbers[&wide.param], k);
        self.b.counted(k, self.plan.width, vec![store(place, value)])
    }

    /// The largest magnitude of each group, after its parts' numbers.
    fn largest(&mut self, written: &[&Wide]) -> Block {
        let (mut before, mut after) = (vec![], vec![]);
        for wide in written {
            let numbers = self.numbers[&wide.param];
            let of = self.b.types.value_of(wide.element);
            let zero = self.b.body.float(0.0, of);
            let most = self.behind(numbers);
            before.push(store(most, zero));
            let k = self.b.body.temp("k", self.b.types.i32());
            let place = self.element(numbers, k);
            before.push(self.larger(numbers, k, self.plan.width, place));

            let ty = self.b.types.array(of, u64::from(self.threads));
            let name = format!("{}_largest", self.b.body.locals[wide.param].name);
            let room = self.b.body.temp(&name, ty);
            self.shared.push(room);
            let thread = self.b.builtin(Builtin::ThreadIdx(0));
            let place = self.at(room, thread);
            let most = self.behind(numbers);
            let own = self.b.load_place(most);
            before.push(store(place, own));

            let lanes = GROUP / self.plan.width;
            let k = self.b.body.temp("k", self.b.types.i32());
            let thread = self.b.builtin(Builtin::ThreadIdx(0));
            let mask = self.b.int(-i128::from(lanes), self.b.ty(thread));
            let start = self.b.binary(BinaryOp::BitAnd, thread, mask);
            let ahead = self.b.load(k);
            let index = self.b.add(start, ahead);
            let place = self.at(room, index);
            after.push(self.larger(numbers, k, lanes, place));
        }
        before.push(node(Stmt::Barrier(BarrierScope::Block)));
        before.append(&mut after);
        before
    }

    /// `for (k …) numbers[width] = the larger of it and the place`
    fn larger(&mut self, numbers: Handle<Local>, k: Handle<Local>, n: u32, place: Handle<Expr>) -> StmtNode {
        let x = self.b.load_place(place);
        let most = self.behind(numbers);
        let so_far = self.b.load_place(most);
        let of = self.b.ty(x);
        let larger = block::larger(self.b, of, so_far, x);
        let most = self.behind(numbers);
        self.b.counted(k, n, vec![store(most, larger)])
    }

    fn behind(&mut self, numbers: Handle<Local>) -> Handle<Expr> {
        let int = self.b.types.i32();
        let index = self.b.int(self.plan.width.into(), int);
        self.at(numbers, index)
    }

    fn element(&mut self, array: Handle<Local>, k: Handle<Local>) -> Handle<Expr> {
        let index = self.b.load(k);
        self.at(array, index)
    }

    fn at(&mut self, array: Handle<Local>, index: Handle<Expr>) -> Handle<Expr> {
        let base = self.b.place(array);
        let of = self.b.types.element(self.b.ty(base)).unwrap_or(self.b.ty(base));
        self.b.expr(ExprKind::Index { base, index }, of)
    }

    /// The chunk's group begins within the loop, so that the loop may have iterations of it.
    fn group_begins(&mut self, first: Handle<Local>) -> Handle<Expr> {
        let start = self.b.load(first);
        let rest = self.b.int(i128::from(GROUP) - 1, self.b.ty(start));
        let within = self.b.binary(BinaryOp::BitAnd, start, rest);
        let group = self.b.binary(BinaryOp::Sub, start, within);
        self.b.binary(BinaryOp::Lt, group, self.l.bound)
    }
}
