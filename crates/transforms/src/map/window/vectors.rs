//! Two-dimensional windows with 16-byte accesses.
//!
//! Where blocks begin at multiples of the number of elements that fill 16 bytes
//! ([`thread_coarsening`](super::thread_coarsening)), rows of a window can begin there too. The window gets some
//! more elements at both ends ([`widen`]), and the block fetches its rows in whole accesses ([`fetch`]), provided
//! that the lengths of the array's own rows are such multiples, which the kernel tests. Compilers then see that
//! what threads read from shared memory fills whole accesses.

use super::super::steps::unroll_and_jam::wide::numbers;
use super::copy::{self, By, Extents};
use super::nest::Nest;
use super::shared_tile::{self, SharedTile};
use super::sizes::Count;
use super::sync;
use crate::build::{Builder, declare, node, store};
use accl_ir::{BinaryOp, Block, Expr, ExprKind, HaloExtent, Handle, Local, Stmt, WindowKind, visit};

type Value = Handle<Expr>;

/// Lets the rows of some windows begin and end at whole accesses: of those that are only read and whose columns
/// follow the loop over x.
pub fn widen(b: &Builder<'_>, nest: &Nest, inner: &mut Block) {
    let x = nest.loops[0].l.var;
    visit::for_each_stmt_mut(inner, &mut |node| {
        let Stmt::Window(w) = &mut node.kind else { return };
        for staged in w.arrays.iter_mut().filter(|a| a.kind == WindowKind::FetchOnly) {
            let n = numbers(b.types, b.types.value_of(b.ty(staged.element)));
            let (Some(n), [_, column]) = (n, staged.dims.as_mut_slice()) else { continue };
            if is_variable(b, column.pivot, x) {
                for extent in [&mut column.before, &mut column.after] {
                    if let HaloExtent::Known(elements) = extent {
                        *elements = (*elements as u64).next_multiple_of(n.into()) as i64;
                    }
                }
            }
        }
    });
}

fn is_variable(b: &Builder<'_>, e: Value, var: Handle<Local>) -> bool {
    matches!(b.body.exprs[e].kind, ExprKind::Load(place) if b.body.exprs[place].kind == ExprKind::Local(var))
}

/// The number of elements of an access, for a copy of plain elements whose rows begin and end at whole accesses.
pub fn of(b: &Builder<'_>, nest: &Nest, tile: &SharedTile) -> Option<u32> {
    let n = numbers(b.types, tile.ty)?;
    let whole = |count: Count| count.known().is_some_and(|k| k % i128::from(n) == 0);
    let [_, column] = tile.dims.as_slice() else { return None };
    let rows = shared_tile::type_extent(b, tile, 1).is_none_or(|row| row.is_multiple_of(n.into()));
    let plain = b.ty(tile.element) == tile.ty && sync::only_reads(tile.kind) && tile.launch.is_none();
    let fits = plain && rows && whole(column.before) && whole(column.extent);
    (fits && is_variable(b, column.pivot, nest.loops[0].l.var)).then_some(n)
}

/// `part = array[begin + w…]; copy[w…] = part`
pub fn fetch(b: &mut Builder<'_>, nest: &Nest, tile: &SharedTile, extents: &Extents, n: u32) -> Block {
    let columns = tile.dims[1].extent.known().unwrap_or(0) / i128::from(n);
    let counts = [tile.dims[0].extent, Count::Known(columns)];
    let wide = copy::linear(b, nest, &counts, &mut |b, offsets| {
        let int = b.ty(offsets[1]);
        let numbers = b.int(n.into(), int);
        let offsets = [offsets[0], b.mul(offsets[1], numbers)];
        let at = copy::subscripts(b, tile, &offsets);
        let (src, dst) = (tile.global(b, &at), tile.at(b, tile.store, &offsets));
        let ty = b.types.array(tile.ty, n.into());
        let part = b.body.temp("part", ty);
        let load = node(Stmt::VectorLoad { dst: part, src, n: n as u8 });
        let load = match copy::inside(b, tile, extents, &at) {
            None => load,
            Some(cond) => {
                let k = b.body.temp("k", int);
                let index = b.load(k);
                let zero = b.body.number(b.types, 0, tile.ty);
                let cleared = b.index_local(part, index).map(|place| store(place, zero));
                let otherwise = vec![b.counted(k, n, cleared.into_iter().collect())];
                node(Stmt::If { cond, then: vec![load], otherwise })
            }
        };
        vec![declare(part, None), load, node(Stmt::VectorStore { dst, src: part, n: n as u8 })]
    });
    match rows_are_whole(b, tile, extents, n) {
        None => wide,
        Some(cond) => {
            let otherwise = copy::fetch_each(b, nest, tile, extents, By::Threads);
            vec![node(Stmt::If { cond, then: wide, otherwise })]
        }
    }
}

/// Every access lies entirely inside the array or entirely outside; `None` where the type guarantees it.
fn rows_are_whole(b: &mut Builder<'_>, tile: &SharedTile, extents: &Extents, n: u32) -> Option<Value> {
    let mut counts = tile.rows.clone();
    if let (false, Some((first, end))) = (tile.rows.is_empty(), extents.get(&tile.array)) {
        counts.extend([b.load(*first), b.load(*end)]);
    }
    let tests = counts.into_iter().map(|count| {
        let int = b.types.i32();
        let count = b.cast(count, int);
        let (numbers, zero) = (b.int(n.into(), int), b.int(0, int));
        let over = b.binary(BinaryOp::Rem, count, numbers);
        b.binary(BinaryOp::Eq, over, zero)
    });
    let tests: Vec<Value> = tests.collect();
    tests.into_iter().reduce(|left, right| b.binary(BinaryOp::LogicalAnd, left, right))
}
