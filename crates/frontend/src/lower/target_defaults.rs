//! Variables that a target construct uses and no clause names: `defaultmap` and `default(none)` (OpenMP 5.2 §5.8.7, §5.4.1).
//!
//! What a clause says of a category becomes a clause for each of its variables. The rules that hold without one are those
//! of the transforms' implicit data.

use super::function::{Binding, Fun, Variable};
use super::lambda::is_closure;
use super::on_host::{is_copied_by_rule, stands_alone};
use super::one_thread::loop_variables;
use super::scope::{Named, short_name};
use super::target::Joined;
use super::walk;
use crate::ast::{DeclId, ExprKind, Qual, Stmt as Ast, Ty};
use accl_directives::table::{DirectiveName, lookup_clause};
use accl_directives::{
    Clause, ClauseKind, DataClause, DataModifier, DefaultKind, Defaultmap, Directive, MapBehavior, PathStep,
    Section, VariableCategory,
};
use accl_ir::{DataFlags, DataItem, DataKind, DataVar, ExprKind as Ir, HostCopy, LocalKind, RegionClauses};
use accl_source::codes::{
    frontend::{BAD_CLAUSE_VARIABLE, MISSING_SECTION},
    transforms::DEFAULT_NONE,
};
use accl_source::{Diagnostic, Span};
use std::collections::BTreeSet;

/// A variable from outside the construct.
pub struct Used {
    pub id: DeclId,
    pub name: String,
    pub category: VariableCategory,
    /// Of its first use.
    pub span: Span,
}

impl Fun<'_, '_> {
    pub fn default_clauses(&mut self, joined: &Joined<'_>, clauses: &mut RegionClauses) {
        self.map_this(joined.body, clauses);
        let d = &joined.directive;
        let view = d.clauses_for(accl_directives::DeviceKind::Cuda);
        let back = view.data.items.iter().filter(|item| item.kind.copies_out());
        let back = back.flat_map(|item| item.sections.iter().map(|section| (item.kind, section)));
        for (kind, section) in back.filter(|(_, section)| section.dims.is_empty()) {
            let named = section.as_variable().and_then(|name| self.lookup(name));
            if let Some(Named::Variable(id, _)) = &named {
                self.mapped_back.insert(*id);
            }
            if let Some(Named::Variable(id, variable)) = named
                && matches!(*variable.ty.referred().ty, Ty::Pointer { .. })
                && walk::may_change(joined.body, id)
            {
                let kind = if kind.copies_in() { DataKind::Copy } else { DataKind::Copyout };
                self.map_as_number(id, variable, kind, section, clauses);
            }
        }
        self.changed_pointers_on_device(&view.data.items, joined.body, clauses);
        let named_all = view.data.default == Some(DefaultKind::None);
        if !named_all && view.data.defaultmaps.is_empty() {
            return;
        }
        // Those that threads share are mapped by the same rules as others.
        let unlisted = if named_all { self.unnamed(d, joined.body, false) } else { vec![] };
        let unlisted: BTreeSet<DeclId> = unlisted.iter().map(|used| used.id).collect();
        for used in self.unnamed(d, joined.body, true) {
            let unlisted = unlisted.contains(&used.id);
            let fits = |m: &&Defaultmap| m.category.is_none_or(|c| c == used.category);
            let behavior = view.data.defaultmaps.iter().rev().find(fits).map(|m| m.behavior);
            if unlisted || behavior == Some(MapBehavior::None) {
                self.refuse_unnamed(&used, d.name_span, unlisted);
                continue;
            }
            self.default_clause(&used, behavior.unwrap_or(MapBehavior::Default), joined.body, clauses);
        }
    }

    /// A pointer is handed to kernels as the address that it holds, so one that itself lies on the device stays as it is there. What a
    /// reference means certainly lies there: its bytes are the kernel's.
    fn changed_pointers_on_device(&mut self, items: &[&DataClause], body: &Ast, clauses: &mut RegionClauses) {
        let on_device = |item: &&&DataClause| item.modifiers.contains(&DataModifier::ObjectOnDevice);
        let sections = items.iter().filter(on_device).flat_map(|item| &item.sections);
        for section in sections.filter(|section| section.dims.is_empty()) {
            if let Some(Named::Variable(id, variable)) = section.as_variable().and_then(|n| self.lookup(n))
                && matches!(*variable.ty.referred().ty, Ty::Pointer { .. })
            {
                if variable.ty.is_reference() {
                    clauses.data.retain(|item| item.base != section.base.root.name);
                    self.map_as_number(id, variable, DataKind::Deviceptr, section, clauses);
                    continue;
                }
                if !walk::assigns(body, id) {
                    continue;
                }
                let message = format!(
                    "the construct changes `{section}`, a pointer in the device's memory by `has_device_addr`"
                );
                self.cx.error(
                    Diagnostic::error(BAD_CLAUSE_VARIABLE, message)
                        .label(section.span, "this is not implemented")
                        .with_help("name a pointer to it in `is_device_ptr`, and assign through that"),
                );
            }
        }
    }

    /// A pointer that is mapped for itself and that the construct changes: its bytes are mapped, as those of any scalar.
    fn map_as_number(
        &mut self,
        id: DeclId,
        variable: Variable,
        kind: DataKind,
        section: &Section,
        clauses: &mut RegionClauses,
    ) {
        let (name, span) = (section.base.root.name.clone(), section.span);
        if clauses.data.iter().any(|item| item.base == name) {
            return self.not_implemented("a mapped pointer that the construct changes", span);
        }
        // There is nothing that it should point to.
        self.cx.diagnostics.retain(|d| {
            d.code != MISSING_SECTION || d.labels.first().is_none_or(|(label, _)| *label != span)
        });
        let (ty, number) = (self.ty(variable.ty.referred()), self.cx.module.types.int(64, false));
        let local = self.local(&name, number, LocalKind::Auto, span);
        clauses.data.push(DataItem::new(kind, DataVar::Local(local), name.clone(), name, number, span));
        let place = self.local_place(local, section.span);
        let pointer = self.cx.module.types.pointer(number);
        let address = self.expr(Ir::AddrOf(place), pointer, section.span);
        let pointer = self.cx.module.types.pointer(ty);
        let address = self.expr(Ir::Cast(address), pointer, section.span);
        let ty = Qual::new(Ty::Reference(variable.ty.referred().clone()));
        self.vars.insert(id, Variable { binding: Binding::Argument(address), ty, ..variable });
    }

    /// Methods that the construct calls are given the address of its function's object, which is mapped by rule (OpenMP 5.2
    /// §5.8.1). A class that devices cannot have is left to the error of the launch.
    fn map_this(&mut self, body: &Ast, clauses: &mut RegionClauses) {
        let named = clauses.data.iter().any(|item| item.base.trim_start_matches('*') == "this");
        if named {
            return;
        }
        let mut called = None;
        walk::exprs(body, &mut |e| {
            if let ExprKind::Call { callee, .. } = &e.kind
                && let ExprKind::Member { base, .. } = &walk::bare(callee).kind
                && let ExprKind::This = walk::bare(base).kind
            {
                called = called.or(Some(e.span));
            }
        });
        let Some(span) = called else { return };
        let flags = DataFlags { implicit: true, ..DataFlags::default() };
        let item = self.data_item(DataKind::Copy, flags, &Section::variable("this", span));
        clauses.data.extend(item.map(|item| accl_ir::DataItem { name: "this[0:1]".into(), ..item }));
    }

    fn default_clause(
        &mut self,
        used: &Used,
        behavior: MapBehavior,
        body: &Ast,
        clauses: &mut RegionClauses,
    ) {
        let section = Section::variable(&used.name, used.span);
        let (kind, must_be_present) = match (behavior, used.category) {
            (MapBehavior::Present, VariableCategory::Pointer) => (DataKind::Present, false),
            (MapBehavior::Present, _) => (DataKind::Create, true),
            (MapBehavior::Firstprivate, VariableCategory::Aggregate) => {
                let copies = self.privates(std::iter::once(&section), "firstprivate");
                return clauses.firstprivate.extend(copies);
            }
            (MapBehavior::Firstprivate | MapBehavior::Default | MapBehavior::None, _) => return,
            // The address on the host is of no use on the device, so only a change of the pointer could tell.
            (_, VariableCategory::Pointer) => {
                let kind = match behavior {
                    MapBehavior::To => DataKind::Copyin,
                    MapBehavior::From => DataKind::Copyout,
                    MapBehavior::Alloc => DataKind::Create,
                    _ => DataKind::Copy,
                };
                if let Some(variable) = self.variable(used.id)
                    && walk::may_change(body, used.id)
                {
                    self.map_as_number(used.id, variable, kind, &section, clauses);
                }
                return;
            }
            (MapBehavior::To, _) => (DataKind::Copyin, false),
            (MapBehavior::From, _) => (DataKind::Copyout, false),
            (MapBehavior::ToFrom, _) => (DataKind::Copy, false),
            (MapBehavior::Alloc, _) => (DataKind::Create, false),
        };
        let flags = DataFlags { implicit: true, must_be_present, ..DataFlags::default() };
        self.data_items(kind, flags, std::iter::once(&section), &mut clauses.data);
    }

    fn refuse_unnamed(&mut self, used: &Used, directive: Span, default: bool) {
        let (name, clause) = (&used.name, if default { "default(none)" } else { "defaultmap(none)" });
        let help = match used.category {
            VariableCategory::Scalar => {
                format!(
                    "add `firstprivate({name})`, or `map(tofrom: {name})` if its value is used afterwards"
                )
            }
            VariableCategory::Aggregate => format!("add `map(tofrom: {name})`"),
            VariableCategory::Pointer => format!("add `map(tofrom: {name}[start:length])`"),
        };
        self.cx.error(
            Diagnostic::error(
                DEFAULT_NONE,
                format!("`{name}` is in no clause of a construct with `{clause}`"),
            )
            .label(used.span, "used here")
            .label(directive, "asks for a clause for each variable")
            .with_help(help),
        );
    }

    /// The directive, with a clause for each variable of which `default(private)` or `default(firstprivate)` makes copies. What a
    /// lambda captures goes with each kernel that calls it: there is nothing else to copy of one.
    pub fn with_default_copies(&mut self, d: &Directive, body: &Ast) -> Directive {
        let mut all = d.clone();
        for clause in &mut all.clauses {
            if let ClauseKind::Firstprivate(list) = &mut clause.kind {
                list.retain(|section| !self.is_lambda(section));
            }
        }
        let kind = |c: &Clause| matches!(c.kind, ClauseKind::DefaultCopies { .. });
        let Some(at) = d.clauses.iter().position(kind) else { return all };
        let clause = all.clauses.remove(at);
        let starts = matches!(clause.kind, ClauseKind::DefaultCopies { start: true });
        // A pointer means the data on the device, whoever has a copy of it.
        let copied = |used: &Used| used.category != VariableCategory::Pointer;
        let used = self.unnamed(d, body, false);
        let list =
            used.iter().filter(|u| copied(u)).map(|u| Section::variable(&u.name, clause.span)).collect();
        let kind = if starts { ClauseKind::Firstprivate(list) } else { ClauseKind::Private(list) };
        all.clauses.push(Clause { kind, ..clause });
        all
    }

    /// Variables that the construct changes a copy of, where the host runs it as well: those of `private` and `firstprivate`, and
    /// those that no clause names and that it has copies of by rule.
    pub fn host_copies(&mut self, d: &Directive, body: &Ast) -> Vec<HostCopy> {
        let mut copies = self.copies_of_statement(d, body);
        copies.retain(|copy| match self.lookup(&copy.name) {
            Some(Named::Variable(id, _)) => walk::may_change(body, id),
            _ => true,
        });
        let restored = self.restored_on_host(d, body);
        copies.extend(restored.values().cloned());
        let text = self.text(body.span);
        for used in self.unnamed(d, body, true) {
            if !is_copied_by_rule(d, used.category) || !walk::may_change(body, used.id) {
                continue;
            }
            if let Some(variable) = self.variable(used.id).filter(|_| !restored.contains_key(&used.id))
                && matches!(variable.binding, Binding::Local(_) | Binding::Global(_))
                && stands_alone(&text, short_name(&used.name))
            {
                let is_array = matches!(*variable.ty.referred().ty, Ty::Array { .. });
                copies.push(HostCopy {
                    name: short_name(&used.name).to_owned(),
                    is_array,
                    starts: true,
                    restored: false,
                });
            }
        }
        copies
    }

    /// In the order of their first uses. `shared`: with those that a `shared` clause names.
    pub fn unnamed(&mut self, d: &Directive, body: &Ast, shared: bool) -> Vec<Used> {
        // Variables that loops count with are private.
        let mut seen: BTreeSet<DeclId> = loop_variables(body).into_iter().map(|(id, _)| id).collect();
        walk::vars(body, &mut |var| {
            seen.insert(var.id);
        });
        let inside = self.cx.pragmas.iter().filter(|p| crate::bind::is_inside(body.span, p.span));
        // What the copies of a construct inside begin with, or leave, is a use of the variable outside.
        let inside = inside.flat_map(|p| &p.directive.clauses);
        let inside = inside.filter(|c| !shared || matches!(c.kind, ClauseKind::Private(_)));
        let own = d.clauses.iter().filter(|c| !shared || !matches!(c.kind, ClauseKind::Shared(_)));
        let mut named: BTreeSet<String> = own
            .clone()
            .chain(inside)
            .flat_map(named_in)
            .map(|section| section.base.root.name.clone())
            .collect();
        // A mapper may leave the object itself away.
        let by_mappers = own.filter_map(|c| match &c.kind {
            ClauseKind::Mapped(list) => Some(list.sections.iter().filter_map(Section::as_variable)),
            _ => None,
        });
        named.extend(by_mappers.flatten().map(str::to_owned));
        let mut found = vec![];
        walk::exprs(body, &mut |e| {
            if let ExprKind::Var(id, name) = &e.kind
                && seen.insert(*id)
            {
                found.push((*id, name.to_string(), e.span));
            }
        });
        let mut used = vec![];
        for (id, name, span) in found {
            let is_named = named.contains(&name);
            let variable = match self.lookup(&name) {
                Some(Named::Variable(of, variable)) if of == id && !is_named => variable,
                _ => continue,
            };
            if let Some(category) = self.category(&variable) {
                used.push(Used { id, name, category, span });
            }
        }
        used
    }

    /// A construct that maps what members of an object point to, and hands the whole object to functions, has the object on the
    /// device before these, by rule (OpenMP 5.2 §5.8.1), so that the pointers in it are attached.
    pub fn map_objects_of_members(&mut self, d: &mut Directive, body: &Ast) {
        let is_member =
            |s: &&&Section| matches!(s.base.path.first(), Some(PathStep::Member { arrow: false, .. }));
        let (members, whole): (Vec<&Section>, Vec<&Section>) = d
            .clauses
            .iter()
            .flat_map(named_in)
            .partition(|s| is_member(&s) && s.base.derefs == 0 && !s.dims.is_empty());
        let mut named: BTreeSet<&str> = whole.iter().map(|s| s.base.root.name.as_str()).collect();
        let mut sections: Vec<Section> = vec![];
        for section in members {
            let name = section.base.root.name.as_str();
            let Some(Named::Variable(id, variable)) = self.lookup(name).filter(|_| !named.contains(name))
            else {
                continue;
            };
            if self.category(&variable) == Some(VariableCategory::Aggregate) && walk::uses_whole(body, id) {
                named.insert(name);
                sections.push(Section::variable(name, section.base.root.span));
            }
        }
        let Some(spec) = lookup_clause("copy", DirectiveName::Parallel).filter(|_| !sections.is_empty())
        else {
            return;
        };
        let data = DataClause {
            kind: accl_directives::DataKind::Copy,
            modifiers: vec![],
            compressed: None,
            sections,
        };
        let (span, name_span, device_types) = (d.span, d.name_span, vec![]);
        d.clauses.insert(0, Clause { kind: ClauseKind::Data(data), span, name_span, spec, device_types });
    }

    /// `None`: a constant, a lambda, or a variable that is on the device for good.
    pub fn category(&self, variable: &Variable) -> Option<VariableCategory> {
        let ty = variable.ty.referred();
        let declared = self.cx.module.declares.iter().flat_map(|d| &d.data);
        let mut declared = declared.map(|item| &item.var);
        let is_declared = match variable.binding {
            Binding::Global(global) => declared.any(|var| *var == DataVar::Global(global)),
            Binding::Local(_) | Binding::Argument(_) => false,
        };
        if ty.constant || is_declared || is_closure(ty) {
            return None;
        }
        match &*ty.ty {
            Ty::Int { .. } | Ty::Float { .. } | Ty::Bool => Some(VariableCategory::Scalar),
            Ty::Pointer { .. } => Some(VariableCategory::Pointer),
            Ty::Array { .. } | Ty::Record(_) | Ty::Opaque(_) => Some(VariableCategory::Aggregate),
            Ty::Void | Ty::Reference(_) | Ty::Function => None,
        }
    }
}

fn named_in(c: &Clause) -> &[Section] {
    match &c.kind {
        ClauseKind::Private(list)
        | ClauseKind::Firstprivate(list)
        | ClauseKind::Lastprivate(list)
        | ClauseKind::Shared(list)
        | ClauseKind::Linear(list, _)
        | ClauseKind::ReductionInOrder(_, list)
        | ClauseKind::DeclaredReduction(_, list) => list,
        ClauseKind::Reduction(reduction) => &reduction.vars,
        ClauseKind::Data(data) => &data.sections,
        _ => &[],
    }
}
