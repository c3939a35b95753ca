//! Parts of compressed arrays on their way through shared memory ([`crate::map::steps::stage_shared`]).
//!
//! The threads of a block together fill a staging buffer from memory, or write it back, with 16-byte accesses side by side;
//! the words of the array are copied as they are. Each thread then takes its part of the buffer, a whole number of words,
//! or puts it there. Where possible the number of words in a part is odd or twice an odd number, so that at most two
//! threads of a warp use the same bank.
//!
//! All of a thread's loads come before its stores to the buffer, so that the loads are under way at the same time.

use super::constant_len;
use super::lower::{Lowering, root};
use crate::build::{declare, if_then, node, store};
use accl_ir::{BinaryOp, Block, Builtin, Expr, ExprKind, Handle, Local, Stmt, StmtNode, Type};

/// Bytes of an access.
const ACCESS: u64 = 16;

/// How the accesses of a block cover a buffer.
struct Copying {
    buffer: Handle<Local>,
    /// The first of the buffer's elements in memory.
    memory: Handle<Expr>,
    /// What both hold: words, of plain arrays numbers.
    element: Handle<Type>,
    /// Of an access.
    elements: u64,
    accesses: u64,
    threads: u64,
}

impl Lowering<'_> {
    /// The place is that of a compressed element in a buffer.
    pub fn is_staged(&self, place: Handle<Expr>) -> bool {
        root(self.body, place)
            .is_some_and(|buffer| self.staging_buffers.contains(&buffer) && self.arrays.contains_key(&buffer))
    }

    pub fn fill(&mut self, buffer: Handle<Local>, memory: Handle<Expr>, n: u8) -> Block {
        self.copied(buffer, memory, n, true)
    }

    pub fn empty(&mut self, memory: Handle<Expr>, buffer: Handle<Local>, n: u8) -> Block {
        self.copied(buffer, memory, n, false)
    }

    fn copied(&mut self, buffer: Handle<Local>, memory: Handle<Expr>, n: u8, fills: bool) -> Block {
        let copying = self.copying(buffer, memory, n);
        let n = copying.elements as u8;
        let (mut loads, mut stores) = (vec![], vec![]);
        for round in copying.rounds() {
            let part = self.part(&copying);
            let (there, here) = self.places(&copying, round);
            let (src, dst) = if fills { (there, here) } else { (here, there) };
            loads.push(declare(part, None));
            loads.push(self.guarded(&copying, round, Stmt::VectorLoad { dst: part, src, n }));
            stores.push(self.guarded(&copying, round, Stmt::VectorStore { dst, src: part, n }));
        }
        loads.append(&mut stores);
        loads
    }

    /// `n` elements of a buffer, of this thread.
    pub fn take_part(&mut self, part: Handle<Local>, place: Handle<Expr>, n: u8) -> Block {
        let Some(array) = self.array_of(place) else { return vec![] };
        let (place, words) = self.wide(&array, place, n);
        if words.is_multiple_of(4) {
            return vec![node(Stmt::VectorLoad { dst: part, src: place, n: words })];
        }
        let (w, here, there) = self.word_of_each(part, place);
        let b = &mut self.builder();
        let value = b.load_place(there);
        vec![b.counted(w, words, vec![store(here, value)])]
    }

    pub fn put_part(&mut self, place: Handle<Expr>, part: Handle<Local>, n: u8) -> Block {
        let Some(array) = self.array_of(place) else { return vec![] };
        let (place, words) = self.wide(&array, place, n);
        if words.is_multiple_of(4) {
            return vec![node(Stmt::VectorStore { dst: place, src: part, n: words })];
        }
        let (w, here, there) = self.word_of_each(part, place);
        let b = &mut self.builder();
        let value = b.load_place(here);
        vec![b.counted(w, words, vec![store(there, value)])]
    }

    /// A counter `w`, `part[w]`, and the place `w` words after this one.
    fn word_of_each(
        &mut self,
        part: Handle<Local>,
        place: Handle<Expr>,
    ) -> (Handle<Local>, Handle<Expr>, Handle<Expr>) {
        let ty = self.stored[&part];
        let b = &mut self.builder();
        let w = b.body.temp("w", b.types.i32());
        let base = b.expr(ExprKind::Local(part), ty);
        let index = b.load(w);
        let word = b.types.int(32, false);
        let here = b.expr(ExprKind::Index { base, index }, word);
        let there = self.after(place, index);
        (w, here, there)
    }

    fn copying(&mut self, buffer: Handle<Local>, memory: Handle<Expr>, n: u8) -> Copying {
        let ty = self.body.locals[buffer].ty;
        let count = constant_len(self.types, ty).unwrap_or(0);
        let threads = count / u64::from(n);
        let (memory, count) = match self.array_of(memory) {
            Some(array) => {
                (self.wide(&array, memory, n).0, count * u64::from(array.element.format.bits) / 32)
            }
            None => (memory, count),
        };
        let element = self.body.exprs[memory].ty;
        let elements = ACCESS / self.types.size_of(element).unwrap_or(4);
        Copying { buffer, memory, element, elements, accesses: count / elements, threads }
    }

    fn part(&mut self, copying: &Copying) -> Handle<Local> {
        let name = format!("{}_part", self.body.locals[copying.buffer].name);
        let ty = self.types.array(copying.element, copying.elements);
        self.body.temp(&name, ty)
    }

    /// What the thread has in this round: in memory, and in the buffer.
    fn places(&mut self, copying: &Copying, round: u64) -> (Handle<Expr>, Handle<Expr>) {
        let ty = self.stored.get(&copying.buffer).copied().unwrap_or(self.body.locals[copying.buffer].ty);
        let b = &mut self.builder();
        let thread = b.builtin(Builtin::ThreadIdx(0));
        let int = b.ty(thread);
        let [elements, skipped] =
            [copying.elements, round * copying.threads * copying.elements].map(|n| b.int(n.into(), int));
        let own = b.mul(thread, elements);
        let index = b.add(own, skipped);
        let base = b.expr(ExprKind::Local(copying.buffer), ty);
        let here = b.expr(ExprKind::Index { base, index }, copying.element);
        (self.after(copying.memory, index), here)
    }

    /// The place so many elements after another one.
    fn after(&mut self, place: Handle<Expr>, distance: Handle<Expr>) -> Handle<Expr> {
        let Expr { kind, ty, .. } = self.body.exprs[place].clone();
        let ExprKind::Index { base, index } = kind else { return place };
        let b = &mut self.builder();
        let index = b.add(index, distance);
        b.expr(ExprKind::Index { base, index }, ty)
    }

    /// The last round may be too much for some threads.
    fn guarded(&mut self, copying: &Copying, round: u64, access: Stmt) -> StmtNode {
        let left = copying.accesses - round * copying.threads;
        if left >= copying.threads {
            return node(access);
        }
        let b = &mut self.builder();
        let thread = b.builtin(Builtin::ThreadIdx(0));
        let left = b.int(left.into(), b.ty(thread));
        let has_one = b.binary(BinaryOp::Lt, thread, left);
        if_then(has_one, vec![node(access)])
    }
}

impl Copying {
    fn rounds(&self) -> std::ops::Range<u64> {
        0..self.accesses.div_ceil(self.threads)
    }
}
