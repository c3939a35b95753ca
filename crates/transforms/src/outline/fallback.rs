//! Kernels whose loops are parallel only where their arrays do not overlap, or where strides of subscripts are far enough from each
//! other, and what is launched otherwise.
//!
//! Such a kernel is `distinct`, or has tests of `strides`, which the host evaluates before it launches. Its fallback is made of the same statements with those loops sequential, so what is parallel
//! for other reasons stays so, in one gang. The runtime decides at each launch, by the present table, and by what it knows of the
//! arrays of pointers that it follows. Kernels that follow other pointers in device memory, to arrays that no table lists, have the
//! sequential version only.

use super::kernel;
use crate::context::Context;
use crate::levels;
use crate::loop_interchange;
use crate::map::alias;
use crate::regions::Site;
use accl_analysis::text::source_name;
use accl_ir::{Block, Body, Kernel, LaunchTest, Module, Region, Stmt, visit};

/// The kernel of `piece`, and its fallback where it needs one.
pub fn make(
    module: &mut Module,
    host: &Body,
    region: &Region,
    site: &Site,
    piece: Block,
    cx: &mut Context<'_>,
) -> (Kernel, Option<Kernel>) {
    let sequential = sequential(module, host, region, site, &piece, cx);
    let mut kernel = kernel::make(module, host, region, site, piece, cx);
    let Some((sequential, Conditions { distinct, strides })) = sequential else { return (kernel, None) };
    let distinct = distinct && !alias::all_distinct(module, &kernel);
    if !distinct && strides.is_empty() {
        return (kernel, None);
    }
    let mut unsaid = (vec![], vec![]);
    let muted = &mut Context::new(cx.options, &mut unsaid.0, &mut unsaid.1);
    let mut fallback = kernel::make(module, host, region, site, sequential, muted);
    let can_tell = !distinct || alias::launches_can_tell(module, &kernel);
    kernel.distinct_rows = !can_tell && follows_rows(region, &kernel);
    if !kernel.distinct_rows && !can_tell {
        return (Kernel { name: kernel.name, ..fallback }, None);
    }
    kernel.distinct = distinct;
    kernel.strides = strides;
    // Rows that are in memory that the host shares nobody follows, so there is nothing to mend.
    let overlap = (distinct && !kernel.distinct_rows).then(|| overlap(module, &kernel));
    let meet = (!kernel.strides.is_empty())
        .then(|| format!("rows of its arrays meet where not {}", LaunchTest::shown(&kernel.strides)));
    fallback.obstacle = match (overlap, meet) {
        (Some(overlap), Some(meet)) => Some(format!("{overlap}; or {meet}")),
        (overlap, meet) => overlap.or(meet),
    };
    fallback.name = format!("{}_fallback", kernel.name);
    (kernel, Some(fallback))
}

/// All pointers that the kernel loads come from arrays of pointers that the runtime follows.
fn follows_rows(region: &Region, kernel: &Kernel) -> bool {
    let is_followed = |item: usize| {
        let flags = region.clauses.data.get(item).map(|item| item.flags);
        flags.is_some_and(|flags| flags.followed && !flags.followed_twice)
    };
    kernel.indirect_pointers.iter().all(|pointer| is_followed(pointer.item))
}

/// What parallel loops of a kernel assume.
#[derive(Default)]
struct Conditions {
    distinct: bool,
    strides: Vec<LaunchTest>,
}

/// The piece without the loops' conditions, and these, if parallel loops of it have any: the levels are decided once more.
fn sequential(
    module: &Module,
    host: &Body,
    region: &Region,
    site: &Site,
    piece: &Block,
    cx: &mut Context<'_>,
) -> Option<(Block, Conditions)> {
    let mut conditions = Conditions::default();
    visit::for_each_stmt(piece, &mut |node| {
        if let Stmt::For(l) = &node.kind
            && let Some(d) = &l.directive
            && l.levels.as_ref().is_some_and(|levels| !levels.is_seq())
        {
            conditions.distinct |= d.assumes_distinct;
            LaunchTest::join(&mut conditions.strides, d.assumes_strides.clone());
        }
    });
    if !conditions.distinct && conditions.strides.is_empty() {
        return None;
    }
    let mut part = Region { body: piece.clone(), ..region.clone() };
    visit::for_each_stmt_mut(&mut part.body, &mut |node| {
        if let Stmt::For(l) = &mut node.kind
            && let Some(d) = &mut l.directive
        {
            d.schedule = None;
            d.independent &= !d.is_conditional();
        }
    });
    loop_interchange::turn_back(&mut part.body);
    let mut unsaid = (vec![], vec![]);
    let muted = &mut Context::new(cx.options, &mut unsaid.0, &mut unsaid.1);
    levels::of_region(module, host, &mut part, site, muted);
    leave_gangs(&mut part.body, false);
    Some((part.body, conditions))
}

/// Gangs cannot wait for each other between the iterations of a loop that has become sequential, so what is inside is one gang's.
fn leave_gangs(block: &mut Block, inside: bool) {
    for node in block {
        let mut inside = inside;
        if let Stmt::For(l) = &mut node.kind {
            if let Some(levels) = l.levels.as_mut().filter(|_| inside) {
                (levels.gang, levels.dim) = (false, None);
            }
            if let Some(d) = &mut l.directive {
                inside |= d.is_conditional();
                (d.assumes_distinct, d.assumes_strides) = (false, vec![]);
            }
        }
        node.kind.blocks_mut().into_iter().for_each(|inner| leave_gangs(inner, inside));
    }
}

/// Why a launch takes the fallback.
fn overlap(module: &Module, kernel: &Kernel) -> String {
    let arrays = |written: bool| {
        let named = kernel.params.iter().filter(|p| {
            let arg = alias::arg(module, kernel, &p.kind);
            arg.is_some_and(|arg| arg.written == written && !arg.restrict)
        });
        let names: Vec<String> = named.map(|p| source_name(&kernel.body, p.local)).collect();
        names.join(", ")
    };
    let (written, read) = (arrays(true), arrays(false));
    let reads = if read.is_empty() { read } else { format!(" and reads {read}") };
    format!("its arrays overlap, or may: it writes {written}{reads}")
}
