//! Whole groups of block elements, as numbers in a local array.
//!
//! A thread that has all iterations of a group ([`crate::map::coarsen`]) loads the group's words, decodes them to numbers,
//! and at its end finds the largest magnitude, encodes by it, and stores words and exponent. Loops are over constants, so
//! that device compilers unroll them and keep the arrays in registers.

use super::block::{self, Encoding};
use super::lower::{Array, Pass};
use crate::build::{declare, node, store};
use accl_ir::{Block, Expr, ExprKind, Handle, Local, Stmt, TypeKind};

/// Elements of a group.
const LANES: u64 = 32;

impl Pass<'_> {
    /// The array is in memory a block array, and here one of numbers.
    pub fn is_group(&self, numbers: Handle<Local>, memory: Handle<Expr>) -> bool {
        let plain = match self.types.element(self.body.locals[numbers].ty) {
            Some(element) => matches!(self.types.kind(element), TypeKind::Float { .. }),
            None => false,
        };
        plain && self.array_of(memory).is_some()
    }

    pub fn load_group(&mut self, numbers: Handle<Local>, memory: Handle<Expr>) -> Block {
        let Some(array) = self.array_of(memory) else { return vec![] };
        let words = self.words_local(numbers, &array);
        let scale_name = format!("{}_scale", self.body.locals[numbers].name);
        let scale = self.body.temp(&scale_name, array.element.of);
        let read = self.scale(memory, &array);
        let (src, n) = self.wide(&array, memory, LANES as u8);
        let mut out = vec![declare(words, None), declare(scale, Some(read))];
        out.push(node(Stmt::VectorLoad { dst: words, src, n }));
        let (k, bit) = self.counter(&array);
        let base = self.builder().place(words);
        let raw = self.extracted(array.element, base, bit, Some(array.element.format.bits.into()));
        let b = &mut self.builder();
        let scale = b.load(scale);
        let value = block::decode(b, array.element, raw, scale);
        let place = self.number(numbers, k);
        out.push(self.builder().counted(k, LANES as u32, vec![store(place, value)]));
        out
    }

    pub fn store_group(&mut self, memory: Handle<Expr>, numbers: Handle<Local>) -> Block {
        let Some(array) = self.array_of(memory) else { return vec![] };
        let element = array.element;
        let words = self.words_local(numbers, &array);
        let b = &mut self.builder();
        let largest_name = format!("{}_largest", b.body.locals[numbers].name);
        let largest = b.body.temp(&largest_name, element.of);
        let zero = b.body.float(0.0, element.of);
        let mut out = vec![declare(largest, Some(zero))];

        let k = b.body.temp("k", b.types.i32());
        let x = self.number(numbers, k);
        let b = &mut self.builder();
        let x = b.load_place(x);
        let so_far = b.load(largest);
        let larger = block::larger(b, element, so_far, x);
        let place = b.place(largest);
        out.push(b.counted(k, LANES as u32, vec![store(place, larger)]));

        let most = b.load(largest);
        let encoding = Encoding::declare(b, element, most, &mut out);
        out.push(declare(words, None));
        out.push(self.cleared(words));
        let (k, bit) = self.counter(&array);
        let (base, x) = (self.builder().place(words), self.number(numbers, k));
        let mut each = vec![];
        let b = &mut self.builder();
        let x = b.load_place(x);
        let raw = encoding.encode(b, element, x, &mut each);
        self.insert(element, base, bit, Some(element.format.bits.into()), raw, &mut each);
        out.push(self.builder().counted(k, LANES as u32, each));

        let (dst, n) = self.wide(&array, memory, LANES as u8);
        out.push(node(Stmt::VectorStore { dst, src: words, n }));
        let exponent = self.exponent(memory, &array);
        let b = &mut self.builder();
        let unit = b.ty(exponent);
        let value = b.load(encoding.exponent);
        let value = b.cast(value, unit);
        out.push(store(exponent, value));
        out
    }

    fn words_local(&mut self, numbers: Handle<Local>, array: &Array) -> Handle<Local> {
        let word = self.types.int(32, false);
        let ty = self.types.array(word, u64::from(array.element.format.bits));
        let name = format!("{}_words", self.body.locals[numbers].name);
        self.body.temp(&name, ty)
    }

    /// A loop variable, and the number of its element's first bit.
    fn counter(&mut self, array: &Array) -> (Handle<Local>, Handle<Expr>) {
        let bits = i128::from(array.element.format.bits);
        let b = &mut self.builder();
        let k = b.body.temp("k", b.types.i32());
        let at = b.load(k);
        let width = b.int(bits, b.ty(at));
        (k, b.mul(at, width))
    }

    /// `numbers[k]`
    fn number(&mut self, numbers: Handle<Local>, k: Handle<Local>) -> Handle<Expr> {
        let b = &mut self.builder();
        let (base, index) = (b.place(numbers), b.load(k));
        let of = b.types.element(b.ty(base)).unwrap_or(b.ty(base));
        b.expr(ExprKind::Index { base, index }, of)
    }
}
