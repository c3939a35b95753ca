//! Loops of the host that stand between launches: they run where their data are.
//!
//! A step of a program often has loops that threads do not share: a boundary, a sum over a window, a block that one thread
//! factorises. On the host each of them would bring home what kernels wrote, and send it again. So such a loop becomes a `kernels`
//! construct with a condition, that the device has newer contents of what it uses than the host. What stays sequential there is the
//! host's again, unless it is short (`transforms::host_device_partition`). Sums are added in another order on the device, as those of
//! other loops are.

use super::canonical::canonical;
use super::edits::TextEdit;
use super::pointers;
use super::region::cannot_stand_twice;
use super::unit::{RunBy, SourceFile};
use super::{OnCpu, RegionLines};
use crate::ast::{DeclId, Function, Stmt, StmtKind, Ty};
use crate::lower::walk;
use accl_ir::DEVICE_IS_NEWER;
use std::collections::{BTreeMap, BTreeSet};

struct Followers<'u, 's> {
    unit: &'u SourceFile<'s>,
    is_launch: &'u dyn Fn(&Stmt) -> bool,
    /// Functions with launches in them, and those that call these.
    launching: BTreeSet<DeclId>,
    /// Functions that a step calls.
    visited: BTreeSet<DeclId>,
    /// By where they begin.
    found: BTreeMap<u32, &'s Stmt>,
}

/// The loops, and the texts before them. `is_launch`: the directive's region, or loop, has launches.
pub fn edits(
    unit: &SourceFile<'_>,
    on_cpu: &OnCpu,
    is_launch: &dyn Fn(&Stmt) -> bool,
    lines: &dyn Fn(&Stmt) -> RegionLines,
    place: &dyn Fn(u32) -> String,
) -> Vec<(RegionLines, TextEdit)> {
    let functions = || unit.program.functions.iter().filter(|f| f.instance.is_none());
    let mut launching: BTreeSet<DeclId> =
        functions().filter(|f| f.body.as_ref().is_some_and(|b| holds(b, is_launch))).map(|f| f.id).collect();
    let mut todo: Vec<DeclId> = launching.iter().copied().collect();
    while let Some(called) = todo.pop() {
        let callers =
            unit.calls_of(called).iter().map(|(caller, _)| *caller).filter(|f| f.instance.is_none());
        todo.extend(callers.map(|caller| caller.id).filter(|id| launching.insert(*id)));
    }
    let mut followers =
        Followers { unit, is_launch, launching, visited: BTreeSet::new(), found: BTreeMap::new() };
    let alone = |f: &&Function| !unit.called_by_threads.contains(&f.id);
    for function in functions().filter(alone) {
        let Some(body) = &function.body else { continue };
        followers.steps(body);
        // Other files may call it again and again.
        let is_called_elsewhere = function.link_name.is_some() && function.name != "main";
        if is_called_elsewhere && followers.launching.contains(&function.id) {
            followers.between(body);
        }
    }
    let made = followers.found.values().filter_map(|s| {
        let at = lines(s);
        let text = if on_cpu.contains_key(&at) { None } else { followers.construct(s) }?;
        let line = place(s.span.start);
        Some((at, TextEdit::insert(s.span.start, format!("\n{line}{text}\n{line}"))))
    });
    made.collect()
}

fn holds(s: &Stmt, is_launch: &dyn Fn(&Stmt) -> bool) -> bool {
    is_launch(s) || walk::children(s).into_iter().any(|s| holds(s, is_launch))
}

impl<'s> Followers<'_, 's> {
    /// Finds loops with launches.
    fn steps(&mut self, s: &'s Stmt) {
        let body = match &s.kind {
            StmtKind::For { body, .. } | StmtKind::While { body, .. } | StmtKind::DoWhile { body, .. } => {
                body
            }
            StmtKind::Directed { .. } => return,
            _ => return walk::children(s).into_iter().for_each(|s| self.steps(s)),
        };
        match self.launches(body) {
            true => self.between(body),
            false => self.steps(body),
        }
    }

    fn launches(&self, s: &Stmt) -> bool {
        holds(s, self.is_launch) || walk::called(s).iter().any(|called| self.launching.contains(called))
    }

    /// Code of a step, and of the functions that it calls.
    fn between(&mut self, s: &'s Stmt) {
        self.find(s);
        for called in walk::called(s) {
            if let Some(function) = self.unit.function(called)
                && function.instance.is_none()
                && !self.unit.called_by_threads.contains(&called)
                && self.visited.insert(called)
                && let Some(body) = &function.body
            {
                self.between(body);
            }
        }
    }

    /// Finds loops without launches.
    fn find(&mut self, s: &'s Stmt) {
        match &s.kind {
            StmtKind::Directed { .. } => {}
            StmtKind::For { .. } if !self.launches(s) => _ = self.found.insert(s.span.start, s),
            _ => walk::children(s).into_iter().for_each(|s| self.find(s)),
        }
    }

    /// The directive of a loop that the device can run.
    fn construct(&self, s: &Stmt) -> Option<String> {
        let unit = self.unit;
        canonical(unit, s)?;
        let has_directive = holds(s, &|s| matches!(s.kind, StmtKind::Directed { .. }));
        let of_threads = |id: &DeclId| unit.of_threads.contains(id);
        let used = unit.used(s);
        let changes_pointer = used.iter().any(|(id, ..)| unit.is_pointer(*id) && unit.changes(s, *id));
        if has_directive
            || cannot_stand_twice(s).is_some()
            || walk::leaves_loop(s, unit.buffer).is_some()
            || unit.check_calls(s, RunBy::OnDevice, &BTreeSet::new()).is_err()
            || pointers::check(unit, s, &[]).is_err()
            || used.iter().any(|(id, ..)| of_threads(id))
            || changes_pointer
        {
            return None;
        }
        let is_array = |id: DeclId| unit.var(id).is_some_and(|var| matches!(&*var.ty.ty, Ty::Array { .. }));
        let data = used.iter().filter(|(id, ..)| unit.is_pointer(*id) || is_array(*id));
        let newer: Vec<String> = data.map(|(_, name, _)| format!("{DEVICE_IS_NEWER}({name})")).collect();
        let known = pointers::known(unit, s, &[]);
        let conditions: Vec<String> = std::iter::once(newer.join(" || ")).chain(known).collect();
        (!newer.is_empty()).then(|| format!("#pragma acc kernels if(({}))", conditions.join(") && (")))
    }
}
