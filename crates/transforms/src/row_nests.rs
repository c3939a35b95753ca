//! Before levels: nests of two or three loops that a clause joins, around rows whose lengths the data say, are one loop.
//!
//! ```text
//! collapse(2)                                          for (t = 0; t < nb * n; t++) {
//! for (b = 0; b < nb; b++)                                 b = t / n; i = t % n;
//!     for (i = 0; i < n; i++)                       →      for (k = row[i]; k < row[i + 1]; k++) …
//!         for (k = row[i]; k < row[i + 1]; k++) …      }
//! ```
//!
//! As those of a single loop its rows have as many lanes then as a launch finds good (`map::steps::lanes`).

use crate::block_scalars::copy_of;
use crate::build::Builder;
use crate::context::Context;
use crate::levels::{has_sizes, is_irregular};
use crate::map::indices::trips;
use crate::map::linearise;
use crate::pass::Pass;
use crate::regions::{self, Asks};
use accl_analysis::data::Summary;
use accl_ir::rewrite::{mentions, rewrite_exprs};
use accl_ir::{Body, ExprKind, Handle, Local, Loop, Module, Region, RegionKind, Stmt, Types, visit};
use std::collections::BTreeMap;

pub const PASS: Pass =
    Pass { name: "row_nests", promise: "Joined loops around rows whose lengths data say are one loop.", run };

/// Loops that a clause may join here.
const MOST: usize = 3;

fn run(module: &mut Module, cx: &mut Context<'_>) {
    regions::each_compute(module, Asks::Nothing, &mut |module, body, region, site| {
        let Some(nest) = nest(body, region) else { return };
        let summary = cx.analyses.summary(site.construct, module, body, region, &site.around);
        let found = are_fixed(&summary, &nest) && has_rows_alone(&summary, nest[nest.len() - 1]);
        drop(summary);
        if found {
            let nest: Vec<Loop> = nest.into_iter().cloned().collect();
            region.body[0].kind = Stmt::For(Box::new(one_loop(&mut module.types, body, &nest)));
            cx.analyses.forget(site.construct);
        }
    });
}

/// The joined loops that are all of the construct, where the compiler chooses how they run.
fn nest<'r>(body: &Body, region: &'r Region) -> Option<Vec<&'r Loop>> {
    let first = visit::only_loop(&region.body).filter(|_| region.body.len() == 1)?;
    let d = first.directive.as_ref().filter(|d| !d.seq && (!d.auto || d.independent))?;
    let count = d.collapse as usize;
    let open = d.worker.is_none()
        && d.vector.is_none()
        && d.tile.is_empty()
        && d.schedule.is_none()
        && !has_sizes(region, Some(d));
    if region.kind != RegionKind::Parallel || !open || !(2..=MOST).contains(&count) {
        return None;
    }
    let mut all = vec![first];
    while all.len() < count {
        let inner = visit::only_loop(&all[all.len() - 1].body)?;
        let fixed =
            |l: &&Loop| [inner.lower, inner.bound, inner.step].iter().all(|e| !mentions(body, *e, l.var));
        all.iter().all(fixed).then(|| all.push(inner))?;
    }
    Some(all)
}

/// The host knows how often the loops run, whatever the construct does.
fn are_fixed(summary: &Summary<'_>, nest: &[&Loop]) -> bool {
    let polys = summary.polys();
    let fixed = |e| polys.poly(e).atoms().all(|atom| summary.is_fixed(atom));
    nest.iter().all(|l| [l.lower, l.bound, l.step].into_iter().all(fixed))
}

/// Each loop inside that was found to be parallel has a length that data say.
fn has_rows_alone(summary: &Summary<'_>, last: &Loop) -> bool {
    let (mut rows, mut others) = (0, 0);
    visit::for_each_loop(&last.body, &mut |l, _| {
        if let Some(d) = l.directive.as_ref().filter(|d| !d.seq) {
            let count =
                if d.found && d.independent && is_irregular(summary, l) { &mut rows } else { &mut others };
            *count += 1;
        }
    });
    rows > 0 && others == 0
}

fn one_loop(types: &mut Types, body: &mut Body, nest: &[Loop]) -> Loop {
    let b = &mut Builder { types, body };
    let long = b.types.int(64, true);
    let counts: Vec<_> = nest.iter().map(|l| trips(b, l)).collect();
    let iteration = b.body.temp("row", long);
    let renamed: BTreeMap<Handle<Local>, Handle<Local>> =
        nest.iter().rev().map(|l| (l.var, copy_of(b.body, l.var))).collect();
    let mut nest: Vec<Loop> = nest.iter().map(|l| Loop { var: renamed[&l.var], ..l.clone() }).collect();
    if let Some(d) = &mut nest[0].directive {
        d.private.retain(|l| !renamed.contains_key(l));
    }
    if let Some(last) = nest.last_mut() {
        rewrite_exprs(b.body, &mut last.body, &mut |body, e| match body.exprs[e].kind {
            ExprKind::Local(l) => renamed.get(&l).map_or(e, |own| body.place(*own)),
            _ => e,
        });
    }
    linearise::over(b, &nest, &counts, iteration)
}
