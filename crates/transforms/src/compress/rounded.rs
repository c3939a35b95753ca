//! Stores to plain copies of compressed arrays: each value is rounded to one that the array can represent.
//!
//! ```text
//! a[i] = y;          a[i] = fma(from_bits(… to_bits(fma(y, a_inverse, a_offset)) …), a_scale, a_bias);
//! ```
//!
//! Block elements cannot be rounded like this: the result depends on the other elements of their group.
//!
//! Invariant: what is stored is, to the bit, what a load would return had the value been stored to the compressed
//! array. The runtime relies on it: it computes the encoded bits of an element from its value.

use super::floating;
use super::lower::{Array, root};
use crate::build::{Builder, declare, store};
use accl_ir::rewrite::rewrite_block;
use accl_ir::{Block, Body, CodecParameter, Expr, Handle, Local, Stmt, StmtNode, Types};
use std::collections::BTreeMap;

/// Rounds all that the body stores to these arrays, whose types have already become plain.
pub fn stores(types: &mut Types, body: &mut Body, arrays: &BTreeMap<Handle<Local>, Array>) {
    if arrays.is_empty() {
        return;
    }
    let mut block = std::mem::take(&mut body.block);
    rewrite_block(&mut block, &mut |stmt| statement(&mut Builder { types, body }, arrays, stmt));
    body.block = block;
}

fn statement(b: &mut Builder<'_>, arrays: &BTreeMap<Handle<Local>, Array>, stmt: StmtNode) -> Vec<StmtNode> {
    let StmtNode { kind, span } = stmt;
    let array_of = |b: &Builder<'_>, place| root(b.body, place).and_then(|root| arrays.get(&root));
    let block = match kind {
        Stmt::Store { place, op, value } if let Some(array) = array_of(b, place) => {
            let value = match op {
                None => value,
                Some(op) => {
                    let old = b.load_place(place);
                    let new = b.binary(op, old, value);
                    b.cast(new, array.element.of)
                }
            };
            rounded(b, array, place, value)
        }
        Stmt::Call { dest: Some(place), function, args } if let Some(array) = array_of(b, place) => {
            let result = b.body.temp("result", array.element.of);
            let dest = Some(b.place(result));
            let call = StmtNode { kind: Stmt::Call { dest, function, args }, span };
            let value = b.load(result);
            let mut block = vec![declare(result, None), call];
            block.append(&mut rounded(b, array, place, value));
            block
        }
        kind => return vec![StmtNode { kind, span }],
    };
    block.into_iter().map(|node| StmtNode { span, ..node }).collect()
}

/// `value` at `place`, as if it had been encoded and decoded.
fn rounded(b: &mut Builder<'_>, array: &Array, place: Handle<Expr>, value: Handle<Expr>) -> Block {
    let local = b.body.temp("value", array.element.of);
    let mut block = vec![declare(local, Some(value))];
    let unrounded = b.load(local);
    let rounded = if array.element.format.scheme.has_range() {
        let [inverse, offset] =
            [CodecParameter::Inverse, CodecParameter::Offset].map(|parameter| array.parameter(b, parameter));
        let raw = array.element.encode(b, unrounded, inverse, offset);
        let [scale, bias] =
            [CodecParameter::Scale, CodecParameter::Bias].map(|parameter| array.parameter(b, parameter));
        // The bits above the element's are those of the exponent, which decoding sets.
        array.element.decode(b, raw, scale, bias)
    } else {
        let raw = floating::encode(b, array.element, unrounded, &mut block);
        floating::decode(b, array.element, raw)
    };
    block.push(store(place, rounded));
    block
}
