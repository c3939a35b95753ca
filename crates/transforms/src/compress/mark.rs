//! A data parameter becomes compressed: its type, the types of its places, and its codec parameters.
//!
//! An array cannot be compressed where it is used other than by reading or writing elements: where its address is
//! taken, it is passed to a function, or an atomic operation updates it. These are the user's mistakes, and the
//! message names the place.

use super::{format_in, records, with_element};
use crate::build::Builder;
use accl_ir::rewrite::rewrite_exprs;
use accl_ir::{
    BinaryOp, Block, Body, CodecParameter, Compression, Expr, ExprKind, Handle, Local, LocalKind, Module,
    Param, ParamKind, Scheme, Stmt, Type, TypeKind, Types, visit,
};
use accl_source::codes::transforms as codes;
use accl_source::{Diagnostic, Span};

/// Retypes `param` and what is reached through it in `block`. Returns the parameters that replace it, each with its
/// plane: one parameter, or for an array of structures that is stored as one array a member, one for each member
/// used.
pub fn run(
    module: &mut Module,
    body: &mut Body,
    block: &mut Block,
    param: Handle<Local>,
    c: &Compression,
) -> Vec<(u32, Handle<Local>)> {
    let of = module.types.float(c.float_bits);
    let element = module.types.intern(TypeKind::Compressed { of, format: c.format });
    let types = &mut module.types;
    if c.members > 1 {
        return records::split(types, body, block, param, element, c);
    }
    let ty = with_element(types, body.locals[param].ty, element);
    body.locals[param].ty = ty;
    rewrite_exprs(body, block, &mut |body, e| retyped(types, body, e, param));
    vec![(0, param)]
}

fn retyped(types: &mut Types, body: &mut Body, e: Handle<Expr>, param: Handle<Local>) -> Handle<Expr> {
    let Expr { kind, span, .. } = body.exprs[e].clone();
    let stored = |types: &Types, body: &Body, e: Handle<Expr>| format_in(types, body.exprs[e].ty).is_some();
    let ty = match kind {
        ExprKind::Local(l) if l == param => body.locals[l].ty,
        ExprKind::Load(place) if is_pointer(types, body.exprs[place].ty) => body.exprs[place].ty,
        ExprKind::Binary { op: BinaryOp::Add, left, .. } if stored(types, body, left) => body.exprs[left].ty,
        ExprKind::Index { base, index } if stored(types, body, base) => {
            return indexed(types, body, base, index, span);
        }
        ExprKind::Deref(pointer) if stored(types, body, pointer) => {
            return as_index(types, body, pointer, span);
        }
        _ => return e,
    };
    if format_in(types, ty).is_none() { e } else { body.expr(kind, ty, span) }
}

fn is_pointer(types: &Types, ty: Handle<Type>) -> bool {
    matches!(types.kind(ty), TypeKind::Pointer { .. })
}

fn element(types: &Types, body: &Body, base: Handle<Expr>) -> Handle<Type> {
    types.element(body.exprs[base].ty).unwrap_or(body.exprs[base].ty)
}

/// `(p + i)[j]` is `p[i + j]`.
fn indexed(
    types: &mut Types,
    body: &mut Body,
    mut base: Handle<Expr>,
    mut index: Handle<Expr>,
    span: Span,
) -> Handle<Expr> {
    while let ExprKind::Binary { op: BinaryOp::Add, left, right } = body.exprs[base].kind {
        let long = types.int(64, true);
        let mut b = Builder { types, body };
        let (right, after) = match b.ty(right) == b.ty(index) {
            true => (right, index),
            false => (b.cast(right, long), b.cast(index, long)),
        };
        (base, index) = (left, b.add(right, after));
    }
    let ty = element(types, body, base);
    body.expr(ExprKind::Index { base, index }, ty, span)
}

/// `*(p + i)` is `p[i]`, and `*p` is `p[0]`.
fn as_index(types: &mut Types, body: &mut Body, pointer: Handle<Expr>, span: Span) -> Handle<Expr> {
    let (base, index) = match body.exprs[pointer].kind {
        ExprKind::Binary { op: BinaryOp::Add, left, right } => (left, right),
        _ => {
            let int = types.i32();
            (pointer, body.int(0, int))
        }
    };
    let ty = element(types, body, base);
    body.expr(ExprKind::Index { base, index }, ty, span)
}

/// Parameters for the numbers that the kernel needs to read or write `item`.
pub fn codec_parameters(types: &mut Types, body: &mut Body, data: &Param, c: &Compression) -> Vec<Param> {
    let ParamKind::Data { item, read, written, .. } = data.kind else { return vec![] };
    let mut wanted = vec![];
    // What is written may be rounded (`super::rounded`): decoded again.
    if (read || written) && c.format.scheme.has_range() {
        wanted.extend([CodecParameter::Scale, CodecParameter::Bias]);
    }
    if written && c.format.scheme.has_range() {
        wanted.extend([CodecParameter::Inverse, CodecParameter::Offset]);
    }
    if !c.format.is_direct() || c.format.scheme == Scheme::Block {
        wanted.push(CodecParameter::First);
    }
    if c.format.scheme == Scheme::Block {
        wanted.push(CodecParameter::Exponents);
    }
    let stem = body.locals[data.local].name.clone();
    let mut params = vec![];
    for parameter in wanted {
        let ty = match parameter {
            CodecParameter::First | CodecParameter::Exponents => types.int(64, true),
            CodecParameter::Scale
            | CodecParameter::Bias
            | CodecParameter::Inverse
            | CodecParameter::Offset => types.float(c.float_bits),
        };
        let name = body.unique_name(&format!("{stem}_{}", parameter.name()));
        let local = Local { name, ty, kind: LocalKind::Param, reference: false, span: Span::default() };
        params.push(Param { local: body.locals.append(local), kind: ParamKind::Codec { item, parameter } });
    }
    params
}

/// Uses of compressed arrays that have no meaning.
pub fn misuses(module: &Module, body: &Body, block: &Block) -> Vec<Diagnostic> {
    let mut found = Misuses { types: &module.types, body, list: vec![] };
    visit::for_each_stmt(block, &mut |node| {
        for used in node.kind.operands() {
            let called = matches!(node.kind, Stmt::Call { .. });
            found.root(used.0, node.span, if called { PASSED } else { ADDRESS });
        }
        if let Stmt::Atomic(atomic) = &node.kind {
            let places = [Some(atomic.place), atomic.capture.map(|(place, _)| place)];
            for place in places.into_iter().flatten() {
                if !found.is_stored(place) {
                    continue;
                }
                found.refuse(
                    place,
                    node.span,
                    "operated on atomically",
                    "encoding and decoding are several steps",
                );
            }
        }
    });
    found.list
}

const ADDRESS: &str = "used by its address";
const PASSED: &str = "passed to a function";
const NO_NUMBERS: &str = "its elements are no numbers in memory";

struct Misuses<'a> {
    types: &'a Types,
    body: &'a Body,
    list: Vec<Diagnostic>,
}

impl Misuses<'_> {
    /// A pointer to compressed elements must not be used as a whole in a statement.
    fn root(&mut self, root: Handle<Expr>, at: Span, what: &str) {
        if self.is_pointer(root) {
            return self.refuse(root, at, what, NO_NUMBERS);
        }
        let body = self.body;
        visit::for_each_operand(&body.exprs, root, &mut |e| self.inner(e, at));
    }

    fn inner(&mut self, e: Handle<Expr>, at: Span) {
        let kind = &self.body.exprs[e].kind;
        let what = if matches!(kind, ExprKind::Call { .. }) { PASSED } else { ADDRESS };
        for operand in kind.operands() {
            let indexed = matches!(kind, ExprKind::Index { base, .. } if *base == operand);
            let address = matches!(kind, ExprKind::AddrOf(_) | ExprKind::Decay(_)) && self.is_stored(operand);
            if address || self.is_pointer(operand) && !indexed {
                self.refuse(operand, at, what, NO_NUMBERS);
            }
        }
    }

    fn is_stored(&self, place: Handle<Expr>) -> bool {
        format_in(self.types, self.body.exprs[place].ty).is_some()
    }

    fn is_pointer(&self, e: Handle<Expr>) -> bool {
        let expr = &self.body.exprs[e];
        !expr.kind.is_place() && self.is_stored(e)
    }

    fn refuse(&mut self, e: Handle<Expr>, at: Span, what: &str, why: &str) {
        let name = self.name(e);
        let span = self.body.exprs[e].span;
        let span = if span.is_nowhere() { at } else { span };
        let error = Diagnostic::error(
            codes::COMPRESSED_USE,
            format!("the compressed array `{name}` is {what} here"),
        )
        .label(span, why)
        .with_help(format!(
            "copy the element to a variable and use that, or hold `{name}` plain: name it in no compressed clause"
        ));
        if !self.list.contains(&error) {
            self.list.push(error);
        }
    }

    fn name(&self, e: Handle<Expr>) -> String {
        let mut name = String::new();
        visit::for_each_operand(&self.body.exprs, e, &mut |inner| {
            if let ExprKind::Local(l) = self.body.exprs[inner].kind
                && name.is_empty()
                && format_in(self.types, self.body.locals[l].ty).is_some()
            {
                name = self.body.locals[l].name.clone();
            }
        });
        name
    }
}
