//! Reductions of parts of variables: array elements and members (OpenACC 3.3 §2.5.15, §2.9.11).
//!
//! A local stands for the part, so that it is reduced as any scalar is. For what a compute construct reduces, the local has the
//! part's memory: a data item names it, and is found present where the whole variable is. What a loop inside of a loop reduces is
//! read before that loop and stored after it.
//!
//! A sum of complex numbers is two sums, those of its parts. Nothing but complex arithmetic may use the number then: this knows the parts.
//!
//! Members that are private in a method's construct have copies, which stand for them in the same way.

use super::Lowered;
use super::function::Fun;
use super::scope::Named;
use super::walk;
use crate::ast::{CastKind, DeclId, Expr, ExprKind, Library, Stmt as Ast, StmtKind, Ty};
use accl_directives::{
    ClauseKind, DeviceKind, Directive, DirectiveKind, PathStep, Reduction, ReductionOp, Section, Sentinel,
};
use accl_ir::{
    Block, DataFlags, DataItem, DataKind, DataVar, Expr as IrExpr, ExprKind as Ir, Handle, Local, LocalKind,
    Stmt, TypeKind, visit,
};
use accl_source::{Diagnostic, codes::frontend as codes};
use std::collections::BTreeSet;

/// A part of a variable, and the local that stands for it.
#[derive(Clone, Copy, Debug)]
pub struct ReducedPart {
    place: Handle<IrExpr>,
    local: Handle<Local>,
    /// The local is a copy, which the part does not get back.
    private: bool,
    /// The complex number that it is one of the two parts of.
    number: Option<Handle<IrExpr>>,
}

/// The place of a part that a clause names. Of a complex number both are meant.
#[derive(Clone, Copy)]
struct Part {
    place: Handle<IrExpr>,
    number: Option<(Handle<IrExpr>, usize)>,
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

    /// A local stands for the part that a clause names.
    pub fn is_reduced_part(&mut self, section: &Section) -> bool {
        !self.reduced_parts_of(section).is_empty()
    }

    /// The locals that stand for the part that a clause names: two of a complex number.
    pub fn reduced_parts_of(&mut self, section: &Section) -> Vec<Handle<Local>> {
        if self.reduced_parts.is_empty() {
            return vec![];
        }
        let parts = self.named_parts(section, true);
        let local = |part: &Part| {
            let same = |p: &&ReducedPart| visit::same_expr(&self.body, p.place, part.place);
            self.reduced_parts.iter().find(same).map(|p| p.local)
        };
        parts.iter().filter_map(local).collect()
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
        inner.retain(|(s, _)| !s.identifiers().iter().any(|(name, _)| declared.contains(*name)));
        inner.retain(|(s, _)| !self.is_used_elsewhere(s, body));
        sections.append(&mut inner);
        let mut items = vec![];
        for (section, is_sum) in sections {
            if self.is_reduced_part(&section) || !self.is_steady(&section, body) {
                continue;
            }
            let is_sum = is_sum && d.origin != Sentinel::Omp && self.needs_parts_alone(&section, body);
            for part in self.named_parts(&section, is_sum) {
                let local = self.stand_for(part, &section);
                let name = self.text(section.span);
                let base = match part.number {
                    None => name.clone(),
                    // As both languages lay it out.
                    Some((_, k)) => {
                        let double = self.cx.module.types.size_of(self.ty_of(part.place)) == Some(8);
                        format!("((({} *)&({name}))[{k}])", if double { "double" } else { "float" })
                    }
                };
                items.push(DataItem {
                    flags: DataFlags { implicit: true, ..DataFlags::default() },
                    ..DataItem::new(
                        DataKind::Copy,
                        DataVar::Local(local),
                        name,
                        base,
                        self.body.locals[local].ty,
                        section.span,
                    )
                });
            }
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
        for (section, is_sum) in sections_of(d).into_iter().filter(|_| within_gang) {
            if self.is_reduced_part(&section) || !self.is_steady(&section, body) {
                continue;
            }
            let is_sum = is_sum && self.needs_parts_alone(&section, body);
            for part in self.named_parts(&section, is_sum) {
                let value = self.load(part.place, section.span);
                let local = self.stand_for(part, &section);
                self.emit(Stmt::Declare { local, init: Some(value) }, section.span);
            }
        }
        let result = self.try_block(inside).and_then(|(block, ())| {
            self.no_whole_number(&block, known)?;
            self.extend(block);
            Ok(())
        });
        self.shared_by_gangs = outside;
        let parts = self.reduced_parts.split_off(known).into_iter().filter(|part| !part.private);
        for ReducedPart { place, local, .. } in parts {
            let span = self.body.exprs[place].span;
            let value = self.load_local(local, span);
            self.emit(Stmt::Store { place, op: None, value }, span);
        }
        result
    }

    /// Complex arithmetic alone uses the variable.
    fn needs_parts_alone(&mut self, section: &Section, s: &Ast) -> bool {
        let Some(Named::Variable(id, _)) = self.lookup(&section.base.root.name) else { return false };
        walk::own_exprs(s).into_iter().all(|e| self.uses_parts(e, id))
            && walk::children(s).into_iter().all(|inner| self.needs_parts_alone(section, inner))
    }

    fn uses_parts(&self, e: &Expr, id: DeclId) -> bool {
        let arithmetic = match &e.kind {
            ExprKind::Assign { .. }
            | ExprKind::CompoundAssign { .. }
            | ExprKind::Binary { .. }
            | ExprKind::Unary { .. } => true,
            ExprKind::Call { callee, .. } => match walk::bare_function(callee).kind {
                ExprKind::Function(callee, _) => self.cx.function_decl(callee).is_none(),
                _ => false,
            },
            _ => false,
        };
        walk::operands(e).into_iter().all(|operand| {
            let object = match &operand.kind {
                ExprKind::Cast { kind: CastKind::Load, operand } => operand,
                _ => operand,
            };
            let is_number = object.place && self.is_complex(&object.ty);
            match is_number && walk::leads_to(object, &|of| of == id) {
                true => arithmetic,
                false => self.uses_parts(operand, id),
            }
        })
    }

    /// What was lowered has no other use of the complex numbers for whose parts locals stand. `known`: so many parts belong to
    /// others.
    pub fn no_whole_number(&self, block: &Block, known: usize) -> Lowered<()> {
        let numbers: Vec<_> = self.reduced_parts[known..].iter().filter_map(|part| part.number).collect();
        let mut used = None;
        if !numbers.is_empty() {
            visit::all_exprs(&self.body.exprs, block, &mut |e| {
                if numbers.iter().any(|number| visit::same_expr(&self.body, *number, e)) {
                    used.get_or_insert(e);
                }
            });
        }
        match used {
            None => Ok(()),
            Some(e) => {
                let message = "a reduced complex number is used otherwise than by complex arithmetic";
                let error = Diagnostic::error(codes::NOT_IMPLEMENTED, message);
                Err(Box::new(error.at(self.body.exprs[e].span)))
            }
        }
    }

    fn stand_for(&mut self, Part { place, number }: Part, section: &Section) -> Handle<Local> {
        let text = self.text(section.span);
        let words: Vec<&str> =
            text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
        let name = match number {
            None => words.join("_"),
            Some((_, part)) => format!("{}_{}", words.join("_"), ["re", "im"][part]),
        };
        let local = self.local(&name, self.ty_of(place), LocalKind::Auto, section.span);
        let number = number.map(|(number, _)| number);
        self.reduced_parts.push(ReducedPart { place, local, private: false, number });
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
        self.reduced_parts.push(ReducedPart { place, local, private: true, number: None });
        Ok(local)
    }

    /// The scalar that a clause names as an element, a member, or through a pointer. `is_sum`: a complex number is two.
    fn named_parts(&mut self, section: &Section, is_sum: bool) -> Vec<Part> {
        let base = &section.base;
        let named = self.lookup(&base.root.name);
        let is_number = match &named {
            Some(Named::Variable(_, v)) if is_sum => {
                let mut members = base.path.iter().filter_map(|step| match step {
                    PathStep::Member { name, .. } => Some(&name.name),
                    _ => None,
                });
                let mut ty = members.try_fold(v.ty.clone(), |ty, name| self.field_type(&ty, name));
                for _ in &section.dims {
                    if let Some((record, Library::Array)) =
                        ty.as_ref().and_then(|ty| self.cx.library_record(ty))
                    {
                        ty = Some(record.fields[0].ty.clone());
                    }
                    ty = ty.map(|ty| match &*ty.referred().ty {
                        Ty::Array { of, .. } | Ty::Pointer { to: of, .. } => of.clone(),
                        _ => ty,
                    });
                }
                ty.is_some_and(|ty| self.is_complex(&ty))
            }
            _ => false,
        };
        let is_member = matches!(named, Some(Named::Member)) || base.root.name == "this";
        let is_part = is_member || base.derefs > 0 || !base.path.is_empty() || !section.dims.is_empty();
        if !(is_part || is_number) || !section.dims.iter().all(|dim| dim.is_index) {
            return vec![];
        }
        let reported = self.cx.diagnostics.len();
        let Ok((_, place)) = self.try_block(|f| f.part_place(section)) else { return vec![] };
        self.cx.diagnostics.truncate(reported);
        match self.kind_of(place) {
            TypeKind::Int { .. } | TypeKind::Bool | TypeKind::Float { .. } => {
                vec![Part { place, number: None }]
            }
            TypeKind::Struct(def) if is_number => {
                let fields = &self.cx.module.types.structs[*def].fields;
                let types: Vec<_> = fields.iter().map(|field| field.ty).collect();
                let part = |(k, ty): (usize, _)| {
                    let member = Ir::Member { base: place, field: k as u32 };
                    Part { place: self.expr(member, ty, section.span), number: Some((place, k)) }
                };
                types.into_iter().enumerate().map(part).collect()
            }
            _ => vec![],
        }
    }

    fn part_place(&mut self, section: &Section) -> Lowered<Handle<IrExpr>> {
        let mut place = self.lvalue(&section.base)?;
        if let Some(Named::Variable(_, v)) = self.lookup(&section.base.root.name)
            && section.base.path.is_empty()
            && matches!(self.cx.library_record(&v.ty), Some((_, Library::Array)))
        {
            place = self.array_in(place, &v.ty, section.span)?;
        }
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
            if reduced.iter().any(|(other, _)| other.base.root.name == section.base.root.name) {
                return false;
            }
        }
        walk::own_exprs(s).into_iter().any(|e| walk::uses(e, id) > 0)
            || walk::children(s).into_iter().any(|inner| self.is_used_elsewhere(section, inner))
    }

    fn sections_of_loops(&self, s: &Ast, found: &mut Vec<(Section, bool)>) {
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

/// What the directive reduces, and whether it is added up.
fn sections_of(d: &Directive) -> Vec<(Section, bool)> {
    let reductions = d.clauses.iter().filter_map(|c| match &c.kind {
        ClauseKind::Reduction(Reduction { op, vars }) => Some((vars, *op == ReductionOp::Add)),
        _ => None,
    });
    reductions.flat_map(|(vars, is_sum)| vars.iter().map(move |s| (s.clone(), is_sum))).collect()
}
