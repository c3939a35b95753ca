//! Whole groups of block elements, as numbers in a local array; or parts of groups, where the array's last element
//! is the largest magnitude of the group.
//!
//! A thread that has all iterations of a group ([`crate::map::steps::vectorize`]) loads the group's words and decodes them
//! to numbers. At its end it finds the largest magnitude, encodes with it, and stores words and exponent. Loops
//! have constant bounds, so that device compilers unroll them and keep the arrays in registers.

use super::block::{self, Encoding};
use super::lower::{Array, Lowering};
use crate::build::{declare, if_then, node, store};
use accl_ir::{Block, Expr, ExprKind, Handle, Local, Stmt, Type, TypeKind};

/// Elements of a group.
const LANES: u64 = 32;

impl Lowering<'_> {
    /// In memory the array is a block array; here it is one of numbers.
    pub fn is_group(&self, numbers: Handle<Local>, memory: Handle<Expr>) -> bool {
        let plain = match self.types.element(self.body.locals[numbers].ty) {
            Some(element) => matches!(self.types.kind(element), TypeKind::Float { .. }),
            None => false,
        };
        plain && self.array_of(memory).is_some()
    }

    pub fn load_group(&mut self, numbers: Handle<Local>, memory: Handle<Expr>, n: u8) -> Block {
        let Some(array) = self.array_of(memory) else { return vec![] };
        let words = self.words_local(numbers, &array, n);
        let scale_name = format!("{}_scale", self.body.locals[numbers].name);
        let scale = self.body.temp(&scale_name, array.element.of);
        let read = self.scale(memory, &array);
        let (src, words_n) = self.wide(&array, memory, n);
        let mut out = vec![declare(words, None), declare(scale, Some(read))];
        out.push(node(Stmt::VectorLoad { dst: words, src, n: words_n }));
        let (k, bit) = self.counter(&array);
        let base = self.builder().place(words);
        let raw = self.extracted(array.element, base, bit, Some(words_of(&array, n)));
        let b = &mut self.builder();
        let scale = b.load(scale);
        let value = block::decode(b, array.element, raw, scale);
        let place = self.number(numbers, k);
        out.push(self.builder().counted(k, n, vec![store(place, value)]));
        out
    }

    pub fn store_group(&mut self, memory: Handle<Expr>, numbers: Handle<Local>, n: u8) -> Block {
        let Some(array) = self.array_of(memory) else { return vec![] };
        let element = array.element;
        let words = self.words_local(numbers, &array, n);
        let mut out = vec![];
        let most = match u64::from(n) < LANES {
            true => {
                let int = self.types.i32();
                let after = self.builder().int(n.into(), int);
                self.number_at(numbers, after)
            }
            false => self.largest(numbers, element.of, &mut out),
        };
        let b = &mut self.builder();
        let most = b.load_place(most);
        let encoding = Encoding::declare(b, element, most, &mut out);
        out.push(declare(words, None));
        out.push(self.cleared(words));
        let (k, bit) = self.counter(&array);
        let (base, x) = (self.builder().place(words), self.number(numbers, k));
        let mut each = vec![];
        let b = &mut self.builder();
        let x = b.load_place(x);
        let raw = encoding.encode(b, element, x, &mut each);
        self.insert(element, base, bit, Some(words_of(&array, n)), raw, &mut each);
        out.push(self.builder().counted(k, n, each));

        let (dst, words_n) = self.wide(&array, memory, n);
        out.push(node(Stmt::VectorStore { dst, src: words, n: words_n }));
        let exponent = self.exponent(memory, &array);
        let first = self.first_of_group(memory, &array);
        let b = &mut self.builder();
        let unit = b.ty(exponent);
        let value = b.load(encoding.exponent);
        let value = b.cast(value, unit);
        let written = store(exponent, value);
        out.push(if u64::from(n) < LANES { if_then(first, vec![written]) } else { written });
        out
    }

    /// A local with the largest magnitude of a whole group.
    fn largest(&mut self, numbers: Handle<Local>, of: Handle<Type>, out: &mut Block) -> Handle<Expr> {
        let b = &mut self.builder();
        let name = format!("{}_largest", b.body.locals[numbers].name);
        let largest = b.body.temp(&name, of);
        let zero = b.body.float(0.0, of);
        out.push(declare(largest, Some(zero)));
        let k = b.body.temp("k", b.types.i32());
        let x = self.number(numbers, k);
        let b = &mut self.builder();
        let (x, so_far) = (b.load_place(x), b.load(largest));
        let larger = block::larger(b, of, so_far, x);
        let place = b.place(largest);
        out.push(b.counted(k, LANES as u32, vec![store(place, larger)]));
        b.place(largest)
    }

    fn words_local(&mut self, numbers: Handle<Local>, array: &Array, n: u8) -> Handle<Local> {
        let word = self.types.int(32, false);
        let ty = self.types.array(word, words_of(array, n));
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
        let index = self.builder().load(k);
        self.number_at(numbers, index)
    }

    fn number_at(&mut self, numbers: Handle<Local>, index: Handle<Expr>) -> Handle<Expr> {
        let b = &mut self.builder();
        let base = b.place(numbers);
        let of = b.types.element(b.ty(base)).unwrap_or(b.ty(base));
        b.expr(ExprKind::Index { base, index }, of)
    }
}

/// The number of words that so many elements take.
fn words_of(array: &Array, n: u8) -> u64 {
    u64::from(array.element.format.bits) * u64::from(n) / 32
}
