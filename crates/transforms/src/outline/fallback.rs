//! Kernels whose loops are parallel only where their arrays do not overlap, or where strides of subscripts are far enough from each
//! other, and what is launched otherwise.
//!
//! Such a kernel is `distinct`, or has tests of `strides`, which the host evaluates before it launches. Its fallback is made of the same statements with those loops sequential, so what is parallel
//! for other reasons stays so, in one gang. Where loops inside rows are parallel if only the arrays do not overlap, a fallback
//! for rows that meet, which is `distinct`, too, comes before that one. The runtime decides at each launch, by the present table, and by what it knows of the
//! arrays of pointers that it follows. Kernels that follow other pointers in device memory, to arrays that no table lists, have the
//! sequential version only.

use super::kernel;
use crate::context::Context;
use crate::levels;
use crate::loop_interchange;
use crate::map::alias;
use crate::options::Options;
use crate::regions::Site;
use accl_analysis::text::source_name;
use accl_ir::{
    Block, Body, Kernel, LaunchTest, LoopDirective, Module, PointerTypes, Region, Rows, Stmt, visit,
};

/// The kernel of `piece`, and its fallbacks, each of which is launched where the one before it may not be.
pub fn make(
    module: &mut Module,
    host: &Body,
    region: &Region,
    site: &Site,
    piece: Block,
    cx: &mut Context<'_>,
) -> Vec<Kernel> {
    let conditions = Conditions::of(&piece);
    let is_conditional = conditions != Conditions::default();
    let program = if is_conditional { piece.clone() } else { vec![] };
    let mut kernel = kernel::make(module, host, region, site, piece, cx);
    kernel.distinct =
        conditions.distinct && (conditions.rows != Rows::None || !alias::all_distinct(module, &kernel));
    kernel.strides = conditions.strides;
    if !kernel.distinct && kernel.strides.is_empty() {
        return vec![kernel];
    }
    let counts_rows = |d: &LoopDirective| !d.assumes_strides.is_empty();
    let rows_meet = without(module, host, region, site, &program, &counts_rows, cx.options);
    let in_order = match kernel.distinct {
        true => without(module, host, region, site, &program, &LoopDirective::is_conditional, cx.options),
        false => rows_meet.clone(),
    };
    let options = cx.options;
    let silently = |module: &mut Module, piece| {
        let mut unsaid = (vec![], vec![]);
        let muted = &mut Context::new(options, &mut unsaid.0, &mut unsaid.1);
        kernel::make(module, host, region, site, piece, muted)
    };
    let mut last = silently(module, in_order);
    let can_tell =
        !kernel.distinct || conditions.rows == Rows::None && alias::launches_can_tell(module, &kernel);
    kernel.distinct_rows = !can_tell && follows_rows(region, &kernel);
    kernel.distinct_in_elements = kernel.distinct_rows && conditions.rows != Rows::All;
    if !kernel.distinct_rows && !can_tell {
        return vec![Kernel { name: kernel.name, ..last }];
    }
    // Rows that are in memory that the host shares nobody follows, so there is nothing to mend.
    let overlap = (kernel.distinct && !kernel.distinct_rows).then(|| overlap(module, &kernel));
    let meet = (!kernel.strides.is_empty())
        .then(|| format!("rows of its arrays meet where not {}", LaunchTest::shown(&kernel.strides)));
    last.name = format!("{}_fallback", kernel.name);
    let has_inner = kernel.distinct && !kernel.strides.is_empty() && Conditions::of(&rows_meet).distinct;
    if !has_inner {
        last.obstacle = match (overlap, meet) {
            (Some(overlap), Some(meet)) => Some(format!("{overlap}; or {meet}")),
            (overlap, meet) => overlap.or(meet),
        };
        return vec![kernel, last];
    }
    let inner = Kernel {
        name: format!("{}_rows", kernel.name),
        distinct: true,
        distinct_rows: kernel.distinct_rows,
        distinct_in_elements: kernel.distinct_in_elements,
        obstacle: meet,
        ..silently(module, rows_meet)
    };
    last.obstacle = overlap;
    vec![kernel, inner, last]
}

/// All pointers that the kernel loads come from arrays of pointers that the runtime follows.
fn follows_rows(region: &Region, kernel: &Kernel) -> bool {
    let is_followed = |item: usize| {
        let pointers = region.clauses.data.get(item).and_then(|item| item.pointers.as_ref());
        pointers.is_some_and(PointerTypes::lead_to_data)
    };
    kernel.indirect_pointers.iter().all(|pointer| is_followed(pointer.item))
}

/// What parallel loops of a kernel assume.
#[derive(Default, PartialEq)]
struct Conditions {
    distinct: bool,
    /// Among these are rows behind pointers.
    rows: Rows,
    strides: Vec<LaunchTest>,
}

impl Conditions {
    fn of(piece: &Block) -> Conditions {
        let mut conditions = Conditions::default();
        visit::for_each_loop(piece, &mut |l, _| {
            if let Some(d) = &l.directive
                && l.levels.as_ref().is_some_and(|levels| !levels.is_seq())
            {
                conditions.distinct |= d.assumes_distinct;
                conditions.rows = conditions.rows.max(d.assumes_rows);
                LaunchTest::join(&mut conditions.strides, d.assumes_strides.clone());
            }
        });
        conditions
    }
}

/// The piece with loops in order where their condition is one that does not hold: the levels are decided once more.
fn without(
    module: &Module,
    host: &Body,
    region: &Region,
    site: &Site,
    piece: &Block,
    fails: &dyn Fn(&LoopDirective) -> bool,
    options: &Options<'_>,
) -> Block {
    let mut part = Region { body: piece.clone(), ..region.clone() };
    visit::for_each_stmt_mut(&mut part.body, &mut |node| {
        if let Stmt::For(l) = &mut node.kind
            && let Some(d) = &mut l.directive
        {
            d.schedule = None;
            d.independent &= !fails(d);
        }
    });
    loop_interchange::turn_back(&mut part.body, fails);
    let mut unsaid = (vec![], vec![]);
    let muted = &mut Context::new(options, &mut unsaid.0, &mut unsaid.1);
    levels::of_region(module, host, &mut part, site, muted);
    leave_gangs(&mut part.body, fails, false);
    part.body
}

/// Gangs cannot wait for each other between the iterations of a loop that has become sequential, so what is inside is one gang's.
fn leave_gangs(block: &mut Block, fails: &dyn Fn(&LoopDirective) -> bool, inside: bool) {
    for node in block {
        let mut inside = inside;
        if let Stmt::For(l) = &mut node.kind {
            if let Some(levels) = l.levels.as_mut().filter(|_| inside) {
                (levels.gang, levels.dim) = (false, None);
            }
            if let Some(d) = l.directive.as_mut().filter(|d| fails(d)) {
                inside = true;
                (d.assumes_distinct, d.assumes_rows, d.assumes_strides) = (false, Rows::None, vec![]);
            }
        }
        node.kind.blocks_mut().into_iter().for_each(|inner| leave_gangs(inner, fails, inside));
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
