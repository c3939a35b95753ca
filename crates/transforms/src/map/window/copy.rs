//! Fills a block's copy from its array, and writes it back.
//!
//! On a GPU all threads of the block copy, neighbouring threads neighbouring elements, whether they have an
//! iteration or not. Elements outside the array are 0. The array's extent comes from its type or, for the outermost
//! dimension, from the present table.

use super::nest::Nest;
use super::shared_tile::{self, SharedTile, Written};
use super::sizes::Count;
use super::vectors;
use crate::build::{Builder, counting, declare, if_then, node, store};
use accl_ir::{BinaryOp, Block, Expr, ExprKind, Handle, Local, Stmt};
use std::collections::BTreeMap;

type Value = Handle<Expr>;

/// First subscript of an array's outermost dimension, and the one after the last.
pub type Extents = BTreeMap<Handle<Local>, (Handle<Local>, Handle<Local>)>;

/// Who performs the copy.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum By {
    /// The block's threads.
    Threads,
    /// One thread of the cpu.
    One,
}

/// `copy[w] = array[begin + w]`
pub fn fetch(b: &mut Builder<'_>, nest: &Nest, tile: &SharedTile, extents: &Extents, by: By) -> Block {
    match tile.numbers {
        Some(n) => vectors::fetch(b, nest, tile, extents, n),
        None => fetch_each(b, nest, tile, extents, by),
    }
}

/// As [`fetch`], element by element.
pub fn fetch_each(b: &mut Builder<'_>, nest: &Nest, tile: &SharedTile, extents: &Extents, by: By) -> Block {
    over(b, nest, tile, by, &mut |b, offsets| {
        let at = subscripts(b, tile, offsets);
        let from = tile.global(b, &at);
        let value = b.load_place(from);
        let to = tile.at(b, tile.store, offsets);
        let Some(inside) = inside(b, tile, extents, &at) else { return vec![store(to, value)] };
        match b.types.is_float(tile.ty) || b.types.is_integer(tile.ty) {
            // The load is stored in any case, so that the address is computed once for all rounds of a loop.
            true => {
                let zero = b.body.number(b.types, 0, tile.ty);
                let value = b.expr(ExprKind::Select { cond: inside, yes: value, no: zero }, tile.ty);
                vec![store(to, value)]
            }
            false => vec![if_then(inside, vec![store(to, value)])],
        }
    })
}

/// Marks that no element has been written.
pub fn clear(b: &mut Builder<'_>, nest: &Nest, tile: &SharedTile, by: By) -> Block {
    let Some(Written::Marks(marks)) = tile.written else { return vec![] };
    over(b, nest, tile, by, &mut |b, offsets| {
        let byte = b.types.int(8, false);
        let to = tile.at(b, marks, offsets);
        let zero = b.int(0, byte);
        vec![store(to, zero)]
    })
}

/// `array[begin + w] = copy[w]` where the copy was written.
pub fn drain(b: &mut Builder<'_>, nest: &Nest, tile: &SharedTile, by: By) -> Block {
    let Some(Written::Marks(marks)) = tile.written else { return vec![] };
    over(b, nest, tile, by, &mut |b, offsets| {
        let at = subscripts(b, tile, offsets);
        let to = tile.global(b, &at);
        let from = tile.at(b, tile.store, offsets);
        let value = b.load_place(from);
        let mark = tile.at(b, marks, offsets);
        let mark = b.load_place(mark);
        vec![if_then(mark, vec![store(to, value)])]
    })
}

pub fn subscripts(b: &mut Builder<'_>, tile: &SharedTile, offsets: &[Value]) -> Vec<Value> {
    offsets
        .iter()
        .zip(&tile.dims)
        .map(|(offset, dim)| {
            let base = b.load(dim.base);
            b.add(base, *offset)
        })
        .collect()
}

/// The subscripts are within the array.
pub fn inside(b: &mut Builder<'_>, tile: &SharedTile, extents: &Extents, at: &[Value]) -> Option<Value> {
    let mut tests = vec![];
    for (d, value) in at.iter().enumerate() {
        if d == 0 {
            let Some((first, end)) = extents.get(&tile.array) else { continue };
            let (mut first, mut end) = (b.load(*first), b.load(*end));
            if tile.narrow {
                let int = b.types.i32();
                (first, end) = (b.cast(first, int), b.cast(end, int));
            }
            let linear = linear_index(b, tile, at);
            let index = linear.unwrap_or(*value);
            tests.push(between(b, index, first, end));
            continue;
        }
        let ty = b.ty(*value);
        let zero = b.int(0, ty);
        let length = match shared_tile::type_extent(b, tile, d) {
            Some(n) => Some(b.int(n.into(), ty)),
            None => row_length(b, tile, d),
        };
        tests.push(match length {
            Some(length) => {
                let length = shared_tile::unwidened(b, length, ty);
                between(b, *value, zero, length)
            }
            None => b.binary(BinaryOp::Ge, *value, zero),
        });
    }
    let mut tests = tests.into_iter();
    let first = tests.next()?;
    Some(tests.fold(first, |left, right| b.binary(BinaryOp::LogicalAnd, left, right)))
}

/// `first <= value && value < end` as one comparison: the distances from `first` are compared unsigned.
fn between(b: &mut Builder<'_>, value: Value, first: Value, end: Value) -> Value {
    let (distance, length) = (b.binary(BinaryOp::Sub, value, first), b.binary(BinaryOp::Sub, end, first));
    let bits = [distance, length].into_iter().filter_map(|e| match b.types.kind(b.ty(e)) {
        accl_ir::TypeKind::Int { bits, .. } => Some(*bits),
        _ => None,
    });
    let bits = bits.max().unwrap_or(64);
    let (signed, unsigned) = (b.types.int(bits, true), b.types.int(bits, false));
    // The value is sign-extended, so a distance below 0 exceeds every length.
    let distance = b.cast(distance, signed);
    let (distance, length) = (b.cast(distance, unsigned), b.cast(length, unsigned));
    b.binary(BinaryOp::Lt, distance, length)
}

fn linear_index(b: &mut Builder<'_>, tile: &SharedTile, at: &[Value]) -> Option<Value> {
    if tile.rows.is_empty() {
        return None;
    }
    let place = tile.global(b, at);
    match b.body.exprs[place].kind {
        accl_ir::ExprKind::Index { index, .. } => Some(index),
        _ => None,
    }
}

/// How many subscripts dimension `d` of an array of variable extents has.
fn row_length(b: &mut Builder<'_>, tile: &SharedTile, d: usize) -> Option<Value> {
    let outer = *tile.rows.get(d - 1)?;
    Some(match tile.rows.get(d) {
        Some(inner) => b.binary(BinaryOp::Div, outer, *inner),
        None => outer,
    })
}

/// Calls `f` for all offsets in the shared tile.
fn over(
    b: &mut Builder<'_>,
    nest: &Nest,
    tile: &SharedTile,
    by: By,
    f: &mut dyn FnMut(&mut Builder<'_>, &[Value]) -> Block,
) -> Block {
    let extents: Vec<Count> = tile.dims.iter().map(|d| d.extent).collect();
    let flat = by == By::Threads && (nest.loops.len() == 1 || extents.len() == 1 || nest.all_threads() == 1);
    let int = b.types.i32();
    if flat {
        return linear(b, nest, &extents, f);
    }
    let locals: Vec<Handle<Local>> = extents.iter().map(|_| b.body.temp("w", int)).collect();
    let offsets: Vec<Value> = locals.iter().map(|l| b.load(*l)).collect();
    let mut block = f(b, &offsets);
    let last = extents.len() - 1;
    for (d, local) in locals.iter().enumerate().rev() {
        // The innermost dimension goes with x, the next with y.
        let of = last - d;
        let (first, stride) = match (by, nest.loops.get(of)) {
            (By::Threads, Some(l)) => (Nest::thread(b, of), u64::from(l.lanes)),
            _ => (b.int(0, int), 1),
        };
        block = spread(b, *local, first, stride, extents[d], block);
    }
    vec![node(Stmt::Block(block))]
}

/// As [`over`], with all threads in a row.
pub fn linear(
    b: &mut Builder<'_>,
    nest: &Nest,
    extents: &[Count],
    f: &mut dyn FnMut(&mut Builder<'_>, &[Value]) -> Block,
) -> Block {
    let int = b.types.i32();
    let mut thread = b.int(0, int);
    for (d, l) in nest.loops.iter().enumerate().rev() {
        let threads = b.int(l.lanes.into(), int);
        let above = b.mul(thread, threads);
        let index = Nest::thread(b, d);
        let index = b.cast(index, int);
        thread = b.add(above, index);
    }
    let at = b.body.temp("w", int);
    let mut rest = b.load(at);
    let mut offsets = vec![];
    for (d, extent) in extents.iter().enumerate().rev() {
        let size = extent.value(b, int);
        offsets.insert(0, if d == 0 { rest } else { b.binary(BinaryOp::Rem, rest, size) });
        rest = b.binary(BinaryOp::Div, rest, size);
    }
    let block = f(b, &offsets);
    let all = extents.iter().fold(Count::Known(1), |all, extent| all.times(b, *extent));
    let block = spread(b, at, thread, nest.all_threads().into(), all, block);
    vec![node(Stmt::Block(block))]
}

/// `for (w = first; w < extent; w += stride)`, as an `if` or nothing where that is enough.
fn spread(
    b: &mut Builder<'_>,
    w: Handle<Local>,
    first: Value,
    stride: u64,
    extent: Count,
    body: Block,
) -> Block {
    let int = b.types.i32();
    let first = b.cast(first, int);
    let stride = i128::from(stride);
    if let Some(extent) = extent.known().filter(|n| *n <= stride) {
        let mut block = vec![declare(w, Some(first))];
        match extent == stride {
            true => block.extend(body),
            false => {
                let (value, end) = (b.load(w), b.int(extent, int));
                let test = b.binary(BinaryOp::Lt, value, end);
                block.push(if_then(test, body));
            }
        }
        return block;
    }
    let (bound, step) = (extent.value(b, int), b.int(stride, int));
    vec![counting(w, first, bound, step, body)]
}
