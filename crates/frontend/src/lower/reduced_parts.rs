//! Reductions of parts of variables: array elements and members (OpenACC 3.3 §2.5.15, §2.9.11).
//!
//! A local stands for the part, so that it is reduced as any scalar is. For what a compute construct reduces, the local has the
//! part's memory: a data item names it, and is found present where the whole variable is. What a loop inside of a loop reduces is
//! read before that loop and stored after it.
//!
//! Members that are private in a method's construct have copies, which stand for them in the same way.

use super::Lowered;
use super::function::Fun;
use super::scope::Named;
use super::walk;
use crate::ast::{DeclId, Stmt as Ast, StmtKind, Ty};
use accl_directives::{ClauseKind, DeviceKind, Directive, DirectiveKind, Reduction, Section};
use accl_ir::{
    DataFlags, DataItem, DataKind, DataVar, Expr as IrExpr, Handle, Local, LocalKind, Stmt, TypeKind, visit,
};
use std::collections::BTreeSet;

/// A part of a variable, and the local that stands for it.
#[derive(Clone, Copy, Debug)]
pub struct ReducedPart {
    place: Handle<IrExpr>,
    local: Handle<Local>,
    /// The local is a copy, which the part does not get back.
    private: bool,
}

impl Fun<'_, '_> {
    /// The local that stands for the place, else the place.
    pub fn or_reduced_part(&mut self, place: Handle<IrExpr>) -> Handle<IrExpr> {
        let found = self.reduced_parts.iter().find(|part| visit::same_expr(&self.body, part.place, place));
        match found.map(|part| part.local) {
            Some(local) => self.local_place(local, self.body.exprs[place].span),
            None => place,
        }
    }

    /// The local that stands for the part that a clause names.
    pub fn reduced_part(&mut self, section: &Section) -> Option<Handle<Local>> {
        if self.reduced_parts.is_empty() {
            return None;
        }
        let place = self.part(section)?;
        self.reduced_parts.iter().find(|p| visit::same_expr(&self.body, p.place, place)).map(|p| p.local)
    }

    /// Locals stand for the parts that a compute construct reduces, or the outermost of its loops.
    pub fn parts_of_construct(&mut self, d: &Directive, body: &Ast) -> Vec<DataItem> {
        let mut declared = BTreeSet::new();
        walk::vars(body, &mut |var| {
            declared.insert(var.name.to_string());
        });
        for copied in self.copied_variables(d) {
            declared.insert(copied.section.base.root.name.clone());
        }
        let mut sections = sections_of(d);
        let mut inner = vec![];
        self.sections_of_loops(body, &mut inner);
        inner.retain(|s| !s.identifiers().iter().any(|(name, _)| declared.contains(*name)));
        inner.retain(|s| !self.is_used_elsewhere(s, body));
        sections.append(&mut inner);
        let mut items = vec![];
        for section in sections {
            if self.reduced_part(&section).is_some() || !self.is_steady(&section, body) {
                continue;
            }
            let Some(place) = self.part(&section) else { continue };
            let local = self.stand_for(place, &section);
            let text = self.text(section.span);
            items.push(DataItem {
                kind: DataKind::Copy,
                flags: DataFlags { implicit: true, ..DataFlags::default() },
                var: DataVar::Local(local),
                name: text.clone(),
                base: text,
                ty: self.body.locals[local].ty,
                section: vec![],
                compression: None,
                row: None,
                span: section.span,
            });
        }
        items
    }

    /// A loop inside of others, or of a routine: `local = part; loop; part = local;`.
    pub fn with_parts_of_loop(
        &mut self,
        d: &Directive,
        body: &Ast,
        inside: impl FnOnce(&mut Self) -> Lowered<()>,
    ) -> Lowered<()> {
        let known = self.reduced_parts.len();
        let levels = d.clauses_for(DeviceKind::Cuda).levels;
        // Of what gangs share, each would have a sum of its own.
        let in_routine = self.construct.is_nowhere();
        let within_gang = levels.gang.is_none()
            && (self.shared_by_gangs
                || levels.seq
                || in_routine && (levels.worker.is_some() || levels.vector.is_some()));
        let outside = self.shared_by_gangs;
        self.shared_by_gangs |= !levels.seq && !in_routine;
        for section in sections_of(d).into_iter().filter(|_| within_gang) {
            if self.reduced_part(&section).is_some() || !self.is_steady(&section, body) {
                continue;
            }
            let Some(place) = self.part(&section) else { continue };
            let value = self.load(place, section.span);
            let local = self.stand_for(place, &section);
            self.emit(Stmt::Declare { local, init: Some(value) }, section.span);
        }
        let result = inside(self);
        self.shared_by_gangs = outside;
        let parts = self.reduced_parts.split_off(known).into_iter().filter(|part| !part.private);
        for ReducedPart { place, local, .. } in parts {
            let span = self.body.exprs[place].span;
            let value = self.load_local(local, span);
            self.emit(Stmt::Store { place, op: None, value }, span);
        }
        result
    }

    fn stand_for(&mut self, place: Handle<IrExpr>, section: &Section) -> Handle<Local> {
        let text = self.text(section.span);
        let words: Vec<&str> =
            text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
        let local = self.local(&words.join("_"), self.ty_of(place), LocalKind::Auto, section.span);
        self.reduced_parts.push(ReducedPart { place, local, private: false });
        local
    }

    /// A copy of a member, in a method: the member's name means the copy until the construct ends.
    pub fn private_member(&mut self, section: &Section) -> Lowered<Handle<Local>> {
        let (_, place) = self.try_block(|f| f.part_place(section))?;
        let same = |part: &&ReducedPart| part.private && visit::same_expr(&self.body, part.place, place);
        if let Some(known) = self.reduced_parts.iter().find(same) {
            return Ok(known.local);
        }
        let name = self.text(section.span);
        let local = self.local(&name, self.ty_of(place), LocalKind::Auto, section.span);
        self.reduced_parts.push(ReducedPart { place, local, private: true });
        Ok(local)
    }

    /// The scalar that a clause names as an element, a member, or through a pointer.
    fn part(&mut self, section: &Section) -> Option<Handle<IrExpr>> {
        let base = &section.base;
        let is_member =
            matches!(self.lookup(&base.root.name), Some(Named::Member)) || base.root.name == "this";
        let is_part = is_member || base.derefs > 0 || !base.path.is_empty() || !section.dims.is_empty();
        if !is_part || !section.dims.iter().all(|dim| dim.is_index) {
            return None;
        }
        let reported = self.cx.diagnostics.len();
        let (_, place) = self.try_block(|f| f.part_place(section)).ok()?;
        self.cx.diagnostics.truncate(reported);
        let kind = self.kind_of(place);
        matches!(kind, TypeKind::Int { .. } | TypeKind::Bool | TypeKind::Float { .. }).then_some(place)
    }

    fn part_place(&mut self, section: &Section) -> Lowered<Handle<IrExpr>> {
        let mut place = self.lvalue(&section.base)?;
        for index in section.dims.iter().filter_map(|dim| dim.lower.as_ref()) {
            let index = self.clause_value(index, section.span)?;
            place = self.element(place, index, section.span)?;
        }
        Ok(place)
    }

    /// The body changes nothing of what tells which part is meant.
    fn is_steady(&mut self, section: &Section, body: &Ast) -> bool {
        let root = section.base.root.name.as_str();
        section.identifiers().into_iter().enumerate().all(|(at, (name, _))| {
            let Some(Named::Variable(id, variable)) = self.lookup(name) else { return true };
            let is_pointer = matches!(*variable.ty.referred().ty, Ty::Pointer { .. });
            at == 0 && name == root && !is_pointer || !self.sets(body, id)
        })
    }

    /// Whether the statement gives the variable itself another value.
    fn sets(&self, body: &Ast, id: DeclId) -> bool {
        let mut found = false;
        walk::each_change(body, &mut |changed, _| found |= changed == id);
        found
    }

    /// Whether something but loops that reduce a part of the variable names it: they might meet another part, and this one.
    fn is_used_elsewhere(&mut self, section: &Section, s: &Ast) -> bool {
        let Some(Named::Variable(id, _)) = self.lookup(&section.base.root.name) else { return true };
        if let StmtKind::Directed { directive, .. } = &s.kind {
            let reduced = sections_of(&self.cx.pragmas[*directive].directive);
            if reduced.iter().any(|other| other.base.root.name == section.base.root.name) {
                return false;
            }
        }
        walk::own_exprs(s).into_iter().any(|e| walk::uses(e, id) > 0)
            || walk::children(s).into_iter().any(|inner| self.is_used_elsewhere(section, inner))
    }

    fn sections_of_loops(&self, s: &Ast, found: &mut Vec<Section>) {
        match &s.kind {
            StmtKind::Directed { directive, .. }
                if self.cx.pragmas[*directive].directive.kind == DirectiveKind::Loop =>
            {
                found.append(&mut sections_of(&self.cx.pragmas[*directive].directive));
            }
            _ => walk::children(s).into_iter().for_each(|inner| self.sections_of_loops(inner, found)),
        }
    }
}

fn sections_of(d: &Directive) -> Vec<Section> {
    let reductions = d.clauses.iter().filter_map(|c| match &c.kind {
        ClauseKind::Reduction(Reduction { vars, .. }) => Some(vars),
        _ => None,
    });
    reductions.flatten().cloned().collect()
}
