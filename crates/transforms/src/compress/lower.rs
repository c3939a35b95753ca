//! Pass 7: loads and stores of compressed elements become loads and stores of bits, and the arithmetic of the
//! codec.
//!
//! ```text
//! y = a[i];          y = fma(from_bits(a[i] << 7 | 0x3f800040), a_scale, a_bias);
//! a[i] = y;          a[i] = to_bits(min(max(fma(y, a_inverse, a_offset), 1), most)) >> 7;
//! ```
//!
//! Elements of 8, 16 and 32 bits are integers of their own. Others are packed, without padding, into 32-bit words.
//! Storing a packed element replaces its bits by two atomic operations on each word it touches, so that iterations
//! that run at the same time preserve their neighbours' bits. The local arrays of wide accesses (`steps::vectorize`)
//! contain words too: a thread owns all that is in them. Wide accesses to block arrays ([`super::block`]) stay
//! within a group, whose scale is read once, into a local beside them.
//!
//! Invariant: afterwards no type of a variant's or the cpu's body is compressed.

use super::elements::{Element, shift, shift_by};
use super::{constant_len, format_in, strips, with_element};
use crate::build::{Builder, declare, if_then, node, store};
use crate::context::Context;
use crate::pass::Pass;
use accl_ir::rewrite::{rewrite_block, rewrite_exprs};
use accl_ir::{
    Arena, Atomic, AtomicKind, BinaryOp, Block, Body, Check, CodecParameter, Expr, ExprKind, Function,
    Handle, Kernel, Local, MathFn, Module, ParamKind, Scheme, Stmt, StmtNode, Type, TypeKind, Types, visit,
};
use accl_source::Span;
use std::collections::{BTreeMap, BTreeSet};

pub const PASS: Pass =
    Pass { name: "compress_lower", promise: "No type of a variant's or the cpu's body is compressed.", run };

/// `check`: on the cpu, storing a NaN ends the program.
fn run(module: &mut Module, cx: &mut Context<'_>) {
    let handles: Vec<_> = module.kernels.handles().collect();
    for h in handles {
        let mut kernel = module.kernels[h].clone();
        let arrays = arrays(&module.types, &kernel);
        if arrays.is_empty() {
            continue;
        }
        for variant in &mut kernel.variants {
            let staging_buffers = variant.shared.iter().map(|s| s.local).collect();
            lower(&mut module.types, None, &mut variant.body, &arrays, staging_buffers, false);
        }
        if let Some(cpu) = &mut kernel.cpu {
            let functions = Some(&mut module.functions);
            lower(&mut module.types, functions, cpu, &arrays, BTreeSet::new(), cx.options.check);
        }
        module.kernels[h] = kernel;
    }
}

/// A compressed data parameter, and the kernel parameters that are its codec parameters.
#[derive(Clone)]
pub(super) struct Array {
    pub element: Element,
    parameters: BTreeMap<usize, Handle<Local>>,
}

impl Array {
    fn is_block(&self) -> bool {
        self.element.format.scheme == Scheme::Block
    }

    pub fn parameter(&self, b: &mut Builder<'_>, parameter: CodecParameter) -> Handle<Expr> {
        b.load(self.parameters[&(parameter as usize)])
    }
}

pub(super) fn arrays(types: &Types, kernel: &Kernel) -> BTreeMap<Handle<Local>, Array> {
    let mut found = BTreeMap::new();
    for param in &kernel.params {
        let ParamKind::Data { item, .. } = param.kind else { continue };
        let Some(element) = element_of(types, kernel.body.locals[param.local].ty) else { continue };
        let parameters = kernel.params.iter().filter_map(|p| match p.kind {
            ParamKind::Codec { item: of, parameter } if of == item => Some((parameter as usize, p.local)),
            _ => None,
        });
        found.insert(param.local, Array { element, parameters: parameters.collect() });
    }
    found
}

fn element_of(types: &Types, ty: Handle<Type>) -> Option<Element> {
    match types.kind(ty) {
        TypeKind::Compressed { of, format } => {
            let TypeKind::Float { bits } = types.kind(*of) else { return None };
            Some(Element { format: *format, of: *of, float_bits: *bits })
        }
        TypeKind::Pointer { to: inner, .. } | TypeKind::Array { of: inner, .. } => element_of(types, *inner),
        _ => None,
    }
}

/// `functions`: the functions of the module, for a cpu body, which may call the runtime's.
fn lower(
    types: &mut Types,
    functions: Option<&mut Arena<Function>>,
    body: &mut Body,
    params: &BTreeMap<Handle<Local>, Array>,
    staging_buffers: BTreeSet<Handle<Local>>,
    check: bool,
) {
    // Some of the loads in the body may have been decoded already.
    let mut params = params.clone();
    params.retain(|local, _| format_in(types, body.locals[*local].ty).is_some());
    let params = &params;
    let mut block = std::mem::take(&mut body.block);
    let arrays = with_wide_arrays(types, body, &block, params);
    let mut loaded = BTreeSet::new();
    visit::for_each_stmt(&block, &mut |node| {
        if let Stmt::VectorLoad { dst, .. } = node.kind {
            loaded.insert(dst);
        }
    });
    let (stored, scales) = (BTreeMap::new(), BTreeMap::new());
    let mut pass = Lowering { types, stored, scales, body, arrays, loaded, staging_buffers, check };
    pass.declare_storage();
    pass.name_scales();
    if let Some(functions) = functions {
        strips::run(&mut pass, functions, &mut block);
    }
    pass.expressions(&mut block);
    rewrite_block(&mut block, &mut |node| pass.statement(node));
    pass.change_types();
    body.block = block;
}

/// The parameters, and the local arrays that wide accesses fill from them or write to them; through staging buffers too.
fn with_wide_arrays(
    types: &Types,
    body: &Body,
    block: &Block,
    params: &BTreeMap<Handle<Local>, Array>,
) -> BTreeMap<Handle<Local>, Array> {
    let mut arrays = params.clone();
    let mut known = 0;
    while known < arrays.len() {
        known = arrays.len();
        visit::for_each_stmt(block, &mut |node| {
            if let Stmt::VectorLoad { dst: local, src: place, .. }
            | Stmt::VectorStore { src: local, dst: place, .. } = node.kind
                && let Some(array) = root(body, place).and_then(|root| arrays.get(&root)).cloned()
                && format_in(types, body.locals[local].ty).is_some()
            {
                arrays.insert(local, array);
            }
        });
    }
    arrays
}

/// The local that a place is reached through.
pub fn root(body: &Body, place: Handle<Expr>) -> Option<Handle<Local>> {
    match body.exprs[place].kind {
        ExprKind::Local(l) => Some(l),
        ExprKind::Load(inner) | ExprKind::Index { base: inner, .. } => root(body, inner),
        _ => None,
    }
}

pub(super) struct Lowering<'a> {
    pub types: &'a mut Types,
    pub body: &'a mut Body,
    pub arrays: BTreeMap<Handle<Local>, Array>,
    /// The new types of the locals that hold arrays.
    pub stored: BTreeMap<Handle<Local>, Handle<Type>>,
    /// Arrays that wide loads fill.
    loaded: BTreeSet<Handle<Local>>,
    /// For those of them that are parts of a group of block elements: the locals with the group's scale.
    scales: BTreeMap<Handle<Local>, Handle<Local>>,
    /// The block's shared arrays.
    pub staging_buffers: BTreeSet<Handle<Local>>,
    /// Test that no NaN is stored.
    pub check: bool,
}

/// Where the bits of an element are.
enum Bits {
    /// The element is an integer of its own.
    Own(Handle<Expr>),
    /// The element is a range of bits in words: the base to index (a pointer value or an array place), the number
    /// of the first bit, and how many words there are, where that is known.
    Among { words: Handle<Expr>, bit: Handle<Expr>, count: Option<u64> },
}

impl Lowering<'_> {
    pub fn builder(&mut self) -> Builder<'_> {
        Builder { types: self.types, body: self.body }
    }

    fn declare_storage(&mut self) {
        let word = self.types.int(32, false);
        for (local, array) in &self.arrays {
            let (ty, format) = (self.body.locals[*local].ty, array.element.format);
            let stored = match (self.types.kind(ty).clone(), constant_len(self.types, ty)) {
                (TypeKind::Array { .. }, Some(n)) => {
                    self.types.array(word, (n * u64::from(format.bits)).div_ceil(32))
                }
                _ if format.is_direct() => {
                    let element = self.types.int(format.bits, false);
                    with_element(self.types, ty, element)
                }
                (TypeKind::Pointer { constant, restrict, space, .. }, _) => {
                    self.types.intern(TypeKind::Pointer { to: word, constant, restrict, space })
                }
                _ => ty,
            };
            self.stored.insert(*local, stored);
        }
    }

    fn name_scales(&mut self) {
        for local in &self.loaded {
            let Some(array) = self.arrays.get(local).filter(|a| a.is_block()) else { continue };
            let name = format!("{}_scale", self.body.locals[*local].name);
            self.scales.insert(*local, self.body.temp(&name, array.element.of));
        }
    }

    fn change_types(&mut self) {
        for (local, ty) in &self.stored {
            self.body.locals[*local].ty = *ty;
        }
    }

    /// Each load of an element becomes its decoding. The places that stores write stay for [`Lowering::statement`].
    fn expressions(&mut self, block: &mut Block) {
        let (types, arrays, stored, scales) = (&mut *self.types, &self.arrays, &self.stored, &self.scales);
        let mut decode = |body: &mut Body, e: Handle<Expr>| {
            let ExprKind::Load(place) = body.exprs[e].kind else { return e };
            if !matches!(types.kind(body.exprs[place].ty), TypeKind::Compressed { .. }) {
                return e;
            }
            let (loaded, staging_buffers) = (BTreeSet::new(), BTreeSet::new());
            let (arrays, stored, scales) = (arrays.clone(), stored.clone(), scales.clone());
            let mut pass =
                Lowering { types, body, arrays, stored, loaded, staging_buffers, scales, check: false };
            pass.decoded(place)
        };
        rewrite_exprs(self.body, block, &mut decode);
    }

    fn decoded(&mut self, place: Handle<Expr>) -> Handle<Expr> {
        let Some(array) = self.array_of(place) else { return place };
        let raw = match self.bits(place, &array) {
            Bits::Own(own) => self.builder().load_place(own),
            Bits::Among { words, bit, count } => self.extracted(array.element, words, bit, count),
        };
        if array.is_block() {
            let scale = self.scale(place, &array);
            return super::block::decode(&mut self.builder(), array.element, raw, scale);
        }
        if !array.element.format.scheme.has_range() {
            return super::floating::decode(&mut self.builder(), array.element, raw);
        }
        let b = &mut self.builder();
        let (scale, bias) =
            (array.parameter(b, CodecParameter::Scale), array.parameter(b, CodecParameter::Bias));
        array.element.decode(b, raw, scale, bias)
    }

    /// The scale of the group that a block element is in.
    pub fn scale(&mut self, place: Handle<Expr>, array: &Array) -> Handle<Expr> {
        let Some(root) = root(self.body, place) else { return place };
        if let Some(scale) = self.scales.get(&root).copied() {
            return self.builder().load(scale);
        }
        let exponent = self.exponent(place, array);
        let b = &mut self.builder();
        let exponent = b.load_place(exponent);
        super::block::scale(b, array.element, exponent)
    }

    /// The element is the first of its group.
    pub fn first_of_group(&mut self, place: Handle<Expr>, array: &Array) -> Handle<Expr> {
        let index = self.linear(place);
        let b = &mut self.builder();
        let first = array.parameter(b, CodecParameter::First);
        let at = b.add(index, first);
        let (rest, zero) = (b.int(31, b.ty(at)), b.int(0, b.ty(at)));
        let within = b.binary(BinaryOp::BitAnd, at, rest);
        b.binary(BinaryOp::Eq, within, zero)
    }

    /// The place of its exponent.
    pub fn exponent(&mut self, place: Handle<Expr>, array: &Array) -> Handle<Expr> {
        let Some(root) = root(self.body, place) else { return place };
        let (base, index) = (self.pointer(root, self.stored[&root]), self.linear(place));
        let b = &mut self.builder();
        let (first, exponents) =
            (array.parameter(b, CodecParameter::First), array.parameter(b, CodecParameter::Exponents));
        super::block::exponent(b, array.element, base, index, first, exponents)
    }

    pub fn array_of(&self, place: Handle<Expr>) -> Option<Array> {
        root(self.body, place).and_then(|root| self.arrays.get(&root)).cloned()
    }

    /// The place of the bits of the element at `place`, after the rewrite.
    fn bits(&mut self, place: Handle<Expr>, array: &Array) -> Bits {
        let bits = i128::from(array.element.format.bits);
        let Some(root) = root(self.body, place) else { return Bits::Own(place) };
        let ty = self.stored[&root];
        if let Some(count) = constant_len(self.types, ty) {
            let index = self.subscripts(place)[0];
            let b = &mut self.builder();
            let words = b.expr(ExprKind::Local(root), ty);
            let width = b.int(bits, b.ty(index));
            let bit = b.mul(index, width);
            return Bits::Among { words, bit, count: Some(count) };
        }
        let pointer = self.pointer(root, ty);
        if array.element.format.is_direct() {
            return Bits::Own(self.same_subscripts(place, pointer));
        }
        let index = self.linear(place);
        let b = &mut self.builder();
        let first = array.parameter(b, CodecParameter::First);
        let index = b.add(index, first);
        let width = b.int(bits, b.ty(index));
        Bits::Among { words: pointer, bit: b.mul(index, width), count: None }
    }

    pub fn pointer(&mut self, root: Handle<Local>, ty: Handle<Type>) -> Handle<Expr> {
        let b = &mut self.builder();
        let place = b.expr(ExprKind::Local(root), ty);
        b.expr(ExprKind::Load(place), ty)
    }

    /// The subscripts of a place, outermost first.
    fn subscripts(&self, place: Handle<Expr>) -> Vec<Handle<Expr>> {
        let mut found = vec![];
        let mut at = place;
        while let ExprKind::Index { base, index } = self.body.exprs[at].kind {
            found.push(index);
            at = base;
        }
        found.reverse();
        found
    }

    fn same_subscripts(&mut self, place: Handle<Expr>, pointer: Handle<Expr>) -> Handle<Expr> {
        let subscripts = self.subscripts(place);
        subscripts.into_iter().fold(pointer, |base, index| {
            let ty = self.types.element(self.body.exprs[base].ty).unwrap_or(self.body.exprs[base].ty);
            self.builder().expr(ExprKind::Index { base, index }, ty)
        })
    }

    /// The number of the element from the array's base, of a 64-bit type.
    pub fn linear(&mut self, place: Handle<Expr>) -> Handle<Expr> {
        let ExprKind::Index { base, index } = self.body.exprs[place].kind else {
            let long = self.types.int(64, true);
            return self.builder().int(0, long);
        };
        let long = self.types.int(64, true);
        let index = self.builder().cast(index, long);
        if !self.body.exprs[base].kind.is_place() {
            return index;
        }
        let row = self.linear(base);
        let extent = match self.types.kind(self.body.exprs[base].ty).clone() {
            TypeKind::Array { len: accl_ir::ArrayLen::Const(n), .. } => self.builder().int(n.into(), long),
            TypeKind::Array { len: accl_ir::ArrayLen::Expr(e), .. } => self.builder().cast(e, long),
            _ => self.builder().int(1, long),
        };
        let b = &mut self.builder();
        let start = b.mul(row, extent);
        b.add(start, index)
    }

    /// The element's bits, from the words that hold them.
    pub fn extracted(
        &mut self,
        element: Element,
        words: Handle<Expr>,
        bit: Handle<Expr>,
        count: Option<u64>,
    ) -> Handle<Expr> {
        let bits = element.format.bits;
        let within = self.within(bit);
        let first = self.word(words, bit, 0, count);
        let first = self.builder().load_place(first);
        if bits == 32 {
            return first;
        }
        if 32 % bits == 0 {
            let b = &mut self.builder();
            let raw = shift_by(b, BinaryOp::Shr, first, within);
            let mask = b.int(element.mask(), b.ty(raw));
            return b.binary(BinaryOp::BitAnd, raw, mask);
        }
        let second = self.word(words, bit, 1, count);
        let second = self.builder().load_place(second);
        let b = &mut self.builder();
        let long = b.types.int(64, false);
        let (first, second) = (b.cast(first, long), b.cast(second, long));
        let second = shift(b, BinaryOp::Shl, second, 32);
        let both = b.binary(BinaryOp::BitOr, first, second);
        let mut raw = shift_by(b, BinaryOp::Shr, both, within);
        if bits > 33 {
            let third = self.word(words, bit, 2, count);
            let third = self.builder().load_place(third);
            let b = &mut self.builder();
            let third = b.cast(third, long);
            let third = shift(b, BinaryOp::Shl, third, 1);
            let int = b.types.i32();
            let most = b.int(63, int);
            let rest = b.binary(BinaryOp::Sub, most, within);
            let third = shift_by(b, BinaryOp::Shl, third, rest);
            raw = b.binary(BinaryOp::BitOr, raw, third);
        }
        let b = &mut self.builder();
        let mask = b.int(element.mask(), long);
        b.binary(BinaryOp::BitAnd, raw, mask)
    }

    /// The place of the bit in its word, of type int.
    fn within(&mut self, bit: Handle<Expr>) -> Handle<Expr> {
        let b = &mut self.builder();
        let int = b.types.i32();
        let mask = b.int(31, b.ty(bit));
        let within = b.binary(BinaryOp::BitAnd, bit, mask);
        b.cast(within, int)
    }

    /// The word that is `ahead` words past that of the bit; in an array of known length never past its end.
    fn word(
        &mut self,
        words: Handle<Expr>,
        bit: Handle<Expr>,
        ahead: i128,
        count: Option<u64>,
    ) -> Handle<Expr> {
        let b = &mut self.builder();
        let ty = b.ty(bit);
        let index = shift(b, BinaryOp::Shr, bit, 5);
        let ahead = b.int(ahead, ty);
        let mut index = b.add(index, ahead);
        if let (Some(count), true) = (count, b.as_int(ahead) != Some(0)) {
            let last = b.int(i128::from(count) - 1, ty);
            index = b.expr(ExprKind::Math { fun: MathFn::Min, args: vec![index, last] }, ty);
        }
        let word = b.types.int(32, false);
        b.expr(ExprKind::Index { base: words, index }, word)
    }

    fn statement(&mut self, stmt: StmtNode) -> Vec<StmtNode> {
        let span = stmt.span;
        match stmt.kind {
            Stmt::Store { place, op, value } if self.is_stored(place) => {
                let value = match op {
                    None => value,
                    Some(op) => {
                        let old = self.decoded(place);
                        self.updated(op, old, value)
                    }
                };
                at(span, self.encoded(place, value, span))
            }
            Stmt::Call { dest: Some(place), function, args } if self.is_stored(place) => {
                let Some(array) = self.array_of(place) else { unreachable!("its root is an array") };
                let result = self.body.temp("result", array.element.of);
                let dest = Some(self.builder().place(result));
                let mut block = vec![declare(result, None)];
                block.push(StmtNode { kind: Stmt::Call { dest, function, args }, span });
                let value = self.builder().load(result);
                block.extend(self.encoded(place, value, span));
                at(span, block)
            }
            Stmt::VectorLoad { dst, src, n } if self.staging_buffers.contains(&dst) => self.fill(dst, src, n),
            Stmt::VectorStore { dst, src, n } if self.staging_buffers.contains(&src) => {
                self.empty(dst, src, n)
            }
            Stmt::VectorLoad { dst, src, n } if self.is_group(dst, src) => self.load_group(dst, src, n),
            Stmt::VectorStore { dst, src, n } if self.is_group(src, dst) => self.store_group(dst, src, n),
            Stmt::VectorLoad { dst, src, n } if self.is_staged(src) => self.take_part(dst, src, n),
            Stmt::VectorStore { dst, src, n } if self.is_staged(dst) => self.put_part(dst, src, n),
            Stmt::VectorLoad { dst, src, n } if self.arrays.contains_key(&dst) => {
                let array = self.arrays[&dst].clone();
                let scale = self.scales.get(&dst).copied();
                let scale = scale.map(|local| declare(local, Some(self.scale(src, &array))));
                let (src, n) = self.wide(&array, src, n);
                scale.into_iter().chain([node(Stmt::VectorLoad { dst, src, n })]).collect()
            }
            Stmt::VectorStore { dst, src, n } if self.arrays.contains_key(&src) => {
                let array = self.arrays[&src].clone();
                let (dst, n) = self.wide(&array, dst, n);
                vec![node(Stmt::VectorStore { dst, src, n })]
            }
            Stmt::Declare { local, init: None } if self.is_built_up(local) => {
                vec![declare(local, None), self.cleared(local)]
            }
            kind => vec![StmtNode { kind, span }],
        }
    }

    fn is_stored(&self, place: Handle<Expr>) -> bool {
        format_in(self.types, self.body.exprs[place].ty).is_some()
    }

    /// A wide array that is written element by element without being loaded first.
    fn is_built_up(&self, local: Handle<Local>) -> bool {
        self.arrays.contains_key(&local) && !self.loaded.contains(&local) && !self.is_param(local)
    }

    fn is_param(&self, local: Handle<Local>) -> bool {
        self.body.locals[local].kind == accl_ir::LocalKind::Param
    }

    /// `old op value`, computed in the operand's type and then the element's.
    fn updated(&mut self, op: BinaryOp, old: Handle<Expr>, value: Handle<Expr>) -> Handle<Expr> {
        let b = &mut self.builder();
        let ty = b.ty(old);
        let result = b.binary(op, old, value);
        b.cast(result, ty)
    }

    /// The statements that store `value` at `place`.
    fn encoded(&mut self, place: Handle<Expr>, value: Handle<Expr>, span: Span) -> Block {
        let Some(array) = self.array_of(place) else { unreachable!("its root is an array") };
        let element = array.element;
        let name = format!("{}_value", self.name_of(place));
        let local = self.body.temp(&name, element.of);
        let mut block = vec![declare(local, Some(value))];
        let holds_all = matches!(element.format.scheme, Scheme::Half | Scheme::Bfloat);
        if self.check && !holds_all {
            block.push(self.checked(place, local, span));
        }
        let raw = if element.format.scheme.has_range() {
            let b = &mut self.builder();
            let value = b.load(local);
            let (inverse, offset) =
                (array.parameter(b, CodecParameter::Inverse), array.parameter(b, CodecParameter::Offset));
            element.encode(b, value, inverse, offset)
        } else {
            let b = &mut self.builder();
            let value = b.load(local);
            super::floating::encode(b, element, value, &mut block)
        };
        match self.bits(place, &array) {
            Bits::Own(own) => {
                let b = &mut self.builder();
                let ty = b.ty(own);
                let raw = b.cast(raw, ty);
                block.push(store(own, raw));
            }
            Bits::Among { words, bit, count } => self.insert(element, words, bit, count, raw, &mut block),
        }
        block
    }

    /// `if (value != value)` the program ends.
    fn checked(&mut self, place: Handle<Expr>, value: Handle<Local>, span: Span) -> StmtNode {
        let (index, array) = (self.linear(place), self.name_of(place));
        let b = &mut self.builder();
        let long = b.ty(index);
        let (first, past) = (b.int(0, long), b.int(0, long));
        let checked = ExprKind::Checked { what: Check::Number, array, index, first, end: past };
        let checked = b.body.expr(checked, long, span);
        let place = b.place(value);
        // It is never used, but without a use the value would not be computed.
        let never = b.cast(checked, b.ty(place));
        let (x, y) = (b.load(value), b.load(value));
        let differs = b.binary(BinaryOp::Ne, x, y);
        if_then(differs, vec![store(place, never)])
    }

    fn name_of(&self, place: Handle<Expr>) -> String {
        root(self.body, place).map_or_else(String::new, |l| self.body.locals[l].name.clone())
    }

    /// Replaces the element's bits in the words that hold them.
    pub fn insert(
        &mut self,
        element: Element,
        words: Handle<Expr>,
        bit: Handle<Expr>,
        count: Option<u64>,
        raw: Handle<Expr>,
        out: &mut Block,
    ) {
        let bits = element.format.bits;
        if bits == 32 {
            let place = self.word(words, bit, 0, count);
            let b = &mut self.builder();
            let ty = b.ty(place);
            let raw = b.cast(raw, ty);
            return out.push(store(place, raw));
        }
        let (bit, within, raw) = self.named(element, bit, raw, out);
        let pieces = 1 + (i128::from(bits) + 30) / 32 - i128::from(32 % bits == 0);
        for piece in 0..pieces {
            let place = self.word(words, bit, piece, count);
            let b = &mut self.builder();
            let (word, wide, int) = (b.types.int(32, false), b.ty(raw), b.types.i32());
            // Those of the element's bits, shifted to their position, that belong to this word.
            let moved = |b: &mut Builder<'_>, value: Handle<Expr>| {
                let there = match piece {
                    0 => shift_by(b, BinaryOp::Shl, value, within),
                    _ => {
                        let down = b.int(32 * piece, int);
                        let down = b.binary(BinaryOp::Sub, down, within);
                        shift_by(b, BinaryOp::Shr, value, down)
                    }
                };
                b.cast(there, word)
            };
            let mask = b.int(element.mask(), wide);
            let mask = moved(b, mask);
            let new = moved(b, raw);
            let mut stores = match count {
                None => replace_atomically(b, place, mask, new),
                Some(_) => replace(b, place, mask, new),
            };
            // An element that ends in an earlier word has no bits in this one (and a shift by 64 is undefined).
            if piece > 0 {
                let b = &mut self.builder();
                let end = b.int(i128::from(bits), int);
                let end = b.add(within, end);
                let start = b.int(32 * piece, int);
                let reaches = b.binary(BinaryOp::Gt, end, start);
                stores = vec![if_then(reaches, stores)];
            }
            out.extend(stores);
        }
    }

    /// Locals for the number of the first bit, its place in the word, and the bits.
    fn named(
        &mut self,
        element: Element,
        bit: Handle<Expr>,
        raw: Handle<Expr>,
        out: &mut Block,
    ) -> (Handle<Expr>, Handle<Expr>, Handle<Expr>) {
        let within = self.within(bit);
        let b = &mut self.builder();
        // If the bits end in their word, no wider type is needed to shift them.
        let within_word = 32 % element.format.bits == 0;
        let (long, int) = (b.types.int(if within_word { 32 } else { 64 }, false), b.types.i32());
        let wide = b.cast(raw, long);
        let mask = b.int(element.mask(), long);
        let wide = b.binary(BinaryOp::BitAnd, wide, mask);
        let bit_type = b.ty(bit);
        let mut name = |b: &mut Builder<'_>, stem: &str, ty, value| {
            let local = b.body.temp(stem, ty);
            out.push(declare(local, Some(value)));
            b.load(local)
        };
        (name(b, "bit", bit_type, bit), name(b, "within", int, within), name(b, "bits", long, wide))
    }

    /// The words that a wide access touches: the first one's place, and how many.
    pub fn wide(&mut self, array: &Array, memory: Handle<Expr>, n: u8) -> (Handle<Expr>, u8) {
        let bits = array.element.format.bits;
        let count = (u32::from(n) * u32::from(bits) / 32) as u8;
        let word = self.types.int(32, false);
        let Some(root) = root(self.body, memory) else { return (memory, count) };
        let index = self.subscripts(memory)[0];
        if self.staging_buffers.contains(&root) {
            let ty = self.stored[&root];
            let b = &mut self.builder();
            let base = b.expr(ExprKind::Local(root), ty);
            let width = b.int(i128::from(bits), b.ty(index));
            let index = b.mul(index, width);
            let index = shift(b, BinaryOp::Shr, index, 5);
            return (b.expr(ExprKind::Index { base, index }, word), count);
        }
        let pointer = self.pointer(root, self.stored[&root]);
        let TypeKind::Pointer { constant, restrict, space, .. } = self.types.kind(self.stored[&root]).clone()
        else {
            return (memory, count);
        };
        let words = self.types.intern(TypeKind::Pointer { to: word, constant, restrict, space });
        let b = &mut self.builder();
        let base = b.cast(pointer, words);
        let index = match bits {
            32 => index,
            8 => shift(b, BinaryOp::Shr, index, 2),
            16 => shift(b, BinaryOp::Shr, index, 1),
            _ => {
                // The launch takes this version only where the base is the first element of its group.
                let (width, groups) = (b.int(i128::from(bits), b.ty(index)), b.ty(index));
                let group = shift(b, BinaryOp::Shr, index, 5);
                let start = b.mul(group, width);
                let mask = b.int(31, groups);
                let rest = b.binary(BinaryOp::BitAnd, index, mask);
                let rest = b.mul(rest, width);
                let rest = shift(b, BinaryOp::Shr, rest, 5);
                b.add(start, rest)
            }
        };
        (b.expr(ExprKind::Index { base, index }, word), count)
    }

    /// `for (w = 0; w < words; w++) local[w] = 0;`
    pub fn cleared(&mut self, local: Handle<Local>) -> StmtNode {
        let ty = self.stored.get(&local).copied().unwrap_or(self.body.locals[local].ty);
        let count = constant_len(self.types, ty).unwrap_or(0);
        let b = &mut self.builder();
        let (int, word) = (b.types.i32(), b.types.int(32, false));
        let w = b.body.temp("w", int);
        let base = b.expr(ExprKind::Local(local), ty);
        let index = b.load(w);
        let place = b.expr(ExprKind::Index { base, index }, word);
        let zero = b.int(0, word);
        b.counted(w, count, vec![store(place, zero)])
    }
}

/// The statements that replace one of the user's.
fn at(span: Span, block: Block) -> Vec<StmtNode> {
    block.into_iter().map(|node| StmtNode { span, ..node }).collect()
}

/// `word = word & ~mask | new`
fn replace(b: &mut Builder<'_>, place: Handle<Expr>, mask: Handle<Expr>, new: Handle<Expr>) -> Block {
    let old = b.load_place(place);
    let ty = b.ty(old);
    let others = b.expr(ExprKind::Unary { op: accl_ir::UnaryOp::BitNot, operand: mask }, ty);
    let kept = b.binary(BinaryOp::BitAnd, old, others);
    let value = b.binary(BinaryOp::BitOr, kept, new);
    vec![store(place, value)]
}

/// The same, while other threads change other bits of the word.
fn replace_atomically(
    b: &mut Builder<'_>,
    place: Handle<Expr>,
    mask: Handle<Expr>,
    new: Handle<Expr>,
) -> Block {
    let ty = b.ty(place);
    let others = b.expr(ExprKind::Unary { op: accl_ir::UnaryOp::BitNot, operand: mask }, ty);
    let update = |op, value| {
        node(Stmt::Atomic(Box::new(Atomic {
            kind: AtomicKind::Update(op),
            place,
            value: Some(value),
            capture: None,
        })))
    };
    vec![update(BinaryOp::BitAnd, others), update(BinaryOp::BitOr, new)]
}
