//! Compute constructs that the host runs, since they cannot be translated for a device.
//!
//! Their data clauses are acted on as ever, and the runtime gives the host the device's contents of what is present while the
//! construct runs (`accl_host_begin`). The construct itself stays text, which threads of the host run (`super::host_threads`), or
//! one: then the host crate takes the directives from it, and so here are determined the variables of which it has copies of its own.

use super::Lowered;
use super::expr::unsupported;
use super::function::Fun;
use super::one_thread::{loop_variables, outer_loop_variables, without_copies};
use super::region::runs_on_ancestor;
use super::scope::Named;
use super::target::Joined;
use super::walk;
use crate::ast::{DeclId, ExprKind, Qual, Stmt as Ast, StmtKind, Ty};
use crate::pragmas::Pragma;
use accl_directives::{
    self as acc, ClauseKind, Construct, DeviceKind, Directive, DirectiveKind, MapBehavior, PrivateClauses,
    Section, Sentinel, ThreadsKind, VariableCategory,
};
use accl_ir::{
    DataItem, DataKind, DataVar, HostCopies, HostCopy, RegionClauses, RegionKind, Stmt, StmtNode, TypeKind,
};
use std::collections::{BTreeMap, BTreeSet};

impl Fun<'_, '_> {
    pub fn compute_on_host(&mut self, joined: &Joined<'_>, pragma: &Pragma, outer: &Ast) -> Lowered<()> {
        let (d, span) = (&joined.directive, pragma.span);
        let inside = self.directives_in(outer);
        if let Some(diagnostic) = self.leaves_region(joined.body, "compute region", span) {
            return Err(Box::new(diagnostic));
        }
        let clauses = match runs_on_ancestor(d) {
            true => RegionClauses { self_: Some(None), ..RegionClauses::default() },
            false => self.clauses_on_host(joined)?,
        };
        let mut copies = self.all_copies_of_host(joined, outer, &inside);
        copies.threads = self.host_threads(joined, pragma, outer, &copies);
        if copies.threads.is_none() {
            for (inner, body) in [(d.clone(), joined.body)].iter().chain(&inside) {
                self.is_right_in_order(inner, body)?;
            }
        }
        self.cx.module.host_copies.insert(span.end, copies);
        let text = vec![StmtNode { kind: Stmt::Host, span: outer.span }];
        self.emit_construct((RegionKind::OnHost, joined.loop_), d.origin, clauses, text, span, outer.span);
        Ok(())
    }

    /// What the host has copies of where it runs a construct of OpenACC, or the sequential loops of one. Copies of what never
    /// changes are left out.
    pub fn openacc_copies_of_host(&mut self, joined: &Joined<'_>, outer: &Ast) -> HostCopies {
        let inside = self.directives_in(outer);
        let mut copies = self.all_copies_of_host(joined, outer, &inside);
        copies.of_construct.retain(|copy| match self.lookup(&copy.name) {
            Some(Named::Variable(id, _)) => !copy.starts || walk::may_change(outer, id),
            _ => true,
        });
        copies
    }

    fn all_copies_of_host(
        &mut self,
        joined: &Joined<'_>,
        outer: &Ast,
        inside: &[(Directive, &Ast)],
    ) -> HostCopies {
        let of_construct = self.copies_of_construct(joined, outer, inside);
        let inside = inside.iter().map(|(d, body)| (body.span, self.copies_of_loop(d, body, outer)));
        HostCopies { of_construct, inside: inside.collect(), ..HostCopies::default() }
    }

    /// Those that clauses name, and in OpenACC what the loops of a directive count with (OpenACC 3.3 §2.6.1).
    fn copies_of_loop(&mut self, d: &Directive, body: &Ast, outer: &Ast) -> Vec<HostCopy> {
        let mut copies = self.copies_of_statement(d, outer);
        if d.origin == Sentinel::Omp
            || !matches!(d.kind, DirectiveKind::Loop | DirectiveKind::Compute { loop_: true, .. })
        {
            return copies;
        }
        for (_, name, _) in outer_loop_variables(body, self.governed_loops(d)) {
            if !copies.iter().any(|copy| copy.name == name) {
                copies.push(HostCopy { name, is_array: false, starts: false, restored: false });
            }
        }
        copies
    }

    /// Those about data, and when the construct is run.
    fn clauses_on_host(&mut self, joined: &Joined<'_>) -> Lowered<RegionClauses> {
        let d = &joined.directive;
        // As of a combined construct: the host reduces the variable itself.
        let mut clauses = self.region_clauses(&without_copies(d), true);
        if d.origin == Sentinel::Omp {
            self.target_clauses(joined, false, &mut clauses);
        }
        if !clauses.compression.is_empty() {
            return Err(unsupported("a compressed array", d.name_span));
        }
        // Variables have copies, members have none; and only what is an array or a pointer has a name that denotes the device's.
        let kind = |item: &DataItem| self.cx.module.types.kind(item.ty);
        let is_usable = |item: &DataItem| {
            !matches!(item.var, DataVar::Member(_))
                && matches!(kind(item), TypeKind::Array { .. } | TypeKind::Pointer { .. })
        };
        if clauses.data.iter().any(|item| item.kind == DataKind::Deviceptr && !is_usable(item)) {
            return Err(unsupported("an object at a device's address", d.name_span));
        }
        let RegionClauses { if_, self_, async_, waits, data, list, .. } = clauses;
        Ok(RegionClauses { if_, self_, async_, waits, data, list, ..RegionClauses::default() })
    }

    /// The directives in a statement and what they govern, outer ones first.
    fn directives_in<'b>(&mut self, s: &'b Ast) -> Vec<(Directive, &'b Ast)> {
        let mut found = vec![];
        if let StmtKind::Directed { directive, body: Some(body) } = &s.kind {
            let d = self.cx.pragmas[*directive].directive.clone();
            found.push((self.with_default_copies(&d, body), &**body));
        }
        found.extend(walk::children(s).into_iter().flat_map(|inner| self.directives_in(inner)));
        found
    }

    /// Without its directives the statement does what it does with them.
    fn is_right_in_order(&mut self, d: &Directive, body: &Ast) -> Lowered<()> {
        let view = d.clauses_for(DeviceKind::Cuda);
        let counting = loop_variables(body);
        let counts = |s: &Section| counting.iter().any(|(_, name)| s.as_variable() == Some(name));
        let mut linear = view.privates.linear.iter().flat_map(|(list, _)| list.iter());
        if let Some(section) = linear.find(|s| !counts(s)) {
            return Err(unsupported("a `linear` variable", section.span));
        }
        let mut copied = view.privates.private.iter().chain(&view.privates.firstprivate);
        if let Some(section) = copied.find(|section| self.is_private_section(section)) {
            return Err(unsupported("a private section", section.span));
        }
        if d.kind == DirectiveKind::Threads(ThreadsKind::Masked)
            && let Some(filter) = view.conditions.filter
        {
            return Err(unsupported("a `filter`", filter.span));
        }
        Ok(())
    }

    /// Variables of `private` and `firstprivate`, and those that no clause names and constructs have copies of by rule (OpenMP 5.2
    /// §5.1.1, OpenACC 3.3 §2.6.2). Copies that change nothing do no harm.
    fn copies_of_construct(
        &mut self,
        joined: &Joined<'_>,
        outer: &Ast,
        inside: &[(Directive, &Ast)],
    ) -> Vec<HostCopy> {
        let d = &joined.directive;
        let mut copies = self.copies_of_loop(d, joined.body, outer);
        if joined.construct == Construct::Kernels {
            return copies;
        }
        let mut named: BTreeSet<String> = d.clauses.iter().flat_map(|c| names_of_wholes(&c.kind)).collect();
        named.extend(inside.iter().flat_map(|(d, _)| results(d)));
        named.extend(copies.iter().map(|copy| copy.name.clone()));
        if d.origin != Sentinel::Omp {
            named.extend(self.visible_names.iter().cloned());
        }
        let restored = self.restored_on_host(d, outer);
        copies.extend(restored.values().cloned());
        let text = self.text(outer.span);
        for name in self.words(outer.span) {
            if named.contains(&name) || !stands_alone(&text, &name) {
                continue;
            }
            let Some(Named::Variable(id, variable)) = self.lookup(&name) else { continue };
            if restored.contains_key(&id) {
                continue;
            }
            if self.category(&variable).is_some_and(|category| is_copied_by_rule(d, category)) {
                let is_array = matches!(*variable.ty.referred().ty, Ty::Array { .. });
                copies.push(HostCopy { name, is_array, starts: true, restored: false });
            }
        }
        copies
    }

    /// Variables that a construct has copies of by rule, that it changes, and that it names by their class or namespace.
    pub fn restored_on_host(&mut self, d: &Directive, outer: &Ast) -> BTreeMap<DeclId, HostCopy> {
        let mut found: BTreeMap<DeclId, String> = BTreeMap::new();
        walk::exprs(outer, &mut |e| {
            if let ExprKind::Var(id, _) = &e.kind
                && let name = self.text(e.span)
                && name.contains("::")
            {
                found.entry(*id).or_insert(name);
            }
        });
        let named: BTreeSet<String> = d.clauses.iter().flat_map(|c| names_of_wholes(&c.kind)).collect();
        found.retain(|id, name| {
            let variable =
                self.variable(*id).filter(|_| !named.contains(name) && walk::may_change(outer, *id));
            let category = variable.and_then(|variable| self.category(&variable));
            category.is_some_and(|category| is_copied_by_rule(d, category))
        });
        let copy = |name| HostCopy { name, is_array: false, starts: true, restored: true };
        found.into_iter().map(|(id, name)| (id, copy(name))).collect()
    }

    /// Variables of `private` and `firstprivate`, which may be declared in the construct.
    pub fn copies_of_statement(&mut self, d: &Directive, outer: &Ast) -> Vec<HostCopy> {
        let PrivateClauses { private, firstprivate, .. } = d.clauses_for(DeviceKind::Cuda).privates;
        let results = results(d);
        let listed = private.into_iter().map(|s| (s, false));
        let mut copies: Vec<HostCopy> = vec![];
        for (section, starts) in listed.chain(firstprivate.into_iter().map(|s| (s, true))) {
            let Some(name) = section.as_variable().filter(|name| !results.iter().any(|r| r == name)) else {
                continue;
            };
            let mut ty = None;
            walk::vars(outer, &mut |var| {
                if var.name == name {
                    ty = Some(var.ty.clone());
                }
            });
            let of_scope = || match self.lookup(name) {
                Some(Named::Variable(_, variable)) => Some(variable.ty),
                Some(Named::Member) => {
                    let class = Qual::new(Ty::Record(self.record?));
                    self.field_type(&class, name)
                }
                _ => None,
            };
            if let Some(ty) = ty.or_else(of_scope)
                && !ty.referred().constant
                && !copies.iter().any(|c| c.name == name)
            {
                let is_array = matches!(*ty.referred().ty, Ty::Array { .. });
                copies.push(HostCopy { name: name.to_owned(), is_array, starts, restored: false });
            }
        }
        copies
    }
}

/// Whether a name stands somewhere without the class or namespace that it is a member of: only then a copy can have the name.
pub fn stands_alone(text: &str, name: &str) -> bool {
    let is_letter = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(name).any(|(at, _)| {
        let (before, after) = (&text[..at], &text[at + name.len()..]);
        let is_word = !before.ends_with(is_letter) && !after.starts_with(is_letter);
        is_word && !before.trim_end().ends_with("::")
    })
}

/// Whether a construct has copies of variables of this category that no clause names.
pub fn is_copied_by_rule(d: &Directive, category: VariableCategory) -> bool {
    let rules = d.clauses_for(DeviceKind::Cuda).data.defaultmaps;
    let rule = rules.iter().rev().find(|rule| rule.category.is_none_or(|of| of == category));
    match rule.map_or(MapBehavior::Default, |rule| rule.behavior) {
        MapBehavior::Firstprivate => true,
        MapBehavior::Default => matches!(category, VariableCategory::Scalar | VariableCategory::Pointer),
        _ => false,
    }
}

/// Variables that have their last value when the statement ends: reduced ones and those of `lastprivate`.
fn results(d: &Directive) -> Vec<String> {
    let is_result = |kind: &&ClauseKind| {
        matches!(
            kind,
            ClauseKind::Reduction(_)
                | ClauseKind::ReductionInOrder(..)
                | ClauseKind::DeclaredReduction(..)
                | ClauseKind::Lastprivate(_)
                | ClauseKind::Linear(..)
        )
    };
    d.clauses.iter().map(|c| &c.kind).filter(is_result).flat_map(names_of_wholes).collect()
}

/// The variables that a clause names as a whole.
fn names_of_wholes(kind: &ClauseKind) -> Vec<String> {
    let list = match kind {
        ClauseKind::Private(list)
        | ClauseKind::Firstprivate(list)
        | ClauseKind::Lastprivate(list)
        | ClauseKind::Linear(list, _)
        | ClauseKind::ReductionInOrder(_, list)
        | ClauseKind::DeclaredReduction(_, list) => list,
        ClauseKind::Reduction(reduction) => &reduction.vars,
        // The address itself is the construct's own.
        ClauseKind::Data(data) if data.kind != acc::DataKind::Deviceptr => &data.sections,
        _ => return vec![],
    };
    list.iter().filter(|s| s.is_whole()).filter_map(|s| s.as_variable()).map(str::to_owned).collect()
}
