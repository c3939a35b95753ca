//! `private(p[a:n])` of a pointer where only the launch knows the length: the construct's memory has a row for each iteration of a
//! parallel loop.
//!
//! ```text
//! #pragma acc parallel loop private(p[0:n])        one more data item: private, m * n elements at `rows_p`
//! for (i = 0; i < m; i++) { p[k] = …; }            for (i = 0; i < m; i++) { T *p = rows_p + i * n; p[k] = …; }
//! ```
//!
//! A `firstprivate` section that iterations change stays beside its rows: each row begins as its copy.
//!
//! A section that gangs have for themselves is one of the iterations that they share, where nothing but loops uses it: what one
//! iteration leaves in it the others cannot count on. The host has to know how many iterations there are before the construct begins;
//! otherwise the transforms have to prove that iterations can share the section (`private_section`).

use super::Lowered;
use super::function::{Binding, Fun, Variable};
use super::scope::Named;
use super::walk;
use crate::ast::{DeclId, Expr, ExprKind, Stmt as Ast, StmtKind, Ty};
use crate::clang::fold;
use accl_directives::{CExpr, CExprKind, Clause, ClauseKind, DeviceKind, Directive, Section};
use accl_ir::{
    BinaryOp, Compare, DataFlags, DataItem, DataKind, DataVar, Expr as IrExpr, ExprKind as Ir, Handle,
    HostExpr, Local, LocalKind, Loop, SectionDim, Stmt,
};
use accl_source::Span;

/// A section, and the local that stands for the construct's memory.
#[derive(Clone)]
pub struct Rows {
    pub section: Section,
    pub local: Handle<Local>,
    /// They start with the section's values.
    starts: bool,
}

impl Fun<'_, '_> {
    /// The sections of pointers that a construct's loops alone use, and change, and that start with the host's values.
    pub fn first_sections_of_loops(&mut self, d: &Directive, combined: bool, body: &Ast) -> Vec<Section> {
        let mut found = vec![];
        for section in d.clauses.iter().filter_map(|c| match &c.kind {
            ClauseKind::Firstprivate(sections) => Some(sections),
            _ => None,
        }) {
            found.extend(section.iter().filter(|section| {
                let Some(Named::Variable(id, _)) = self.lookup(&section.base.root.name) else { return false };
                let of_loops = combined || self.only_loops_use(id, body);
                of_loops && self.is_private_section(section) && changes_elements(body, id)
            }));
        }
        found.into_iter().cloned().collect()
    }

    /// The directive of a construct without the private sections of pointers that only its parallel loops use.
    pub fn without_sections_of_loops(&mut self, d: &Directive, body: &Ast) -> (Directive, Vec<Section>) {
        self.take_sections(d, |f, section| {
            let Some(Named::Variable(id, _)) = f.lookup(&section.base.root.name) else { return false };
            f.is_private_section(section) && f.only_loops_use(id, body)
        })
    }

    /// The directive without private sections that one asks for, and these.
    fn take_sections(
        &mut self,
        d: &Directive,
        mut wanted: impl FnMut(&mut Self, &Section) -> bool,
    ) -> (Directive, Vec<Section>) {
        let (mut rest, mut taken) = (d.clone(), vec![]);
        for clause in &mut rest.clauses {
            let ClauseKind::Private(sections) = &mut clause.kind else { continue };
            sections.retain(|section| {
                let is_wanted = wanted(self, section);
                taken.extend(is_wanted.then(|| section.clone()));
                !is_wanted
            });
        }
        let is_empty = |c: &Clause| matches!(&c.kind, ClauseKind::Private(sections) if sections.is_empty());
        rest.clauses.retain(|c| !is_empty(c));
        (rest, taken)
    }

    fn only_loops_use(&self, id: DeclId, s: &Ast) -> bool {
        if let StmtKind::Directed { directive, .. } = &s.kind {
            let levels = self.cx.pragmas[*directive].directive.clauses_for(DeviceKind::Cuda).levels;
            if !levels.seq {
                return true;
            }
        }
        walk::own_exprs(s).into_iter().all(|e| walk::uses(e, id) == 0)
            && walk::children(s).into_iter().all(|inner| self.only_loops_use(id, inner))
    }

    /// The directive of a loop without the private sections that get rows, and these. `of_gangs`: sections of the construct, and
    /// those of them that start with values.
    pub fn with_rows(
        &mut self,
        d: &Directive,
        (of_gangs, first): (&[Section], &[Section]),
        loops: u32,
        body: &Ast,
    ) -> (Directive, Vec<Rows>) {
        let tiled = d.clauses.iter().any(|c| matches!(c.kind, ClauseKind::Tile(_)));
        let inside = self.parallel_loops_around > 0 || self.construct.is_nowhere();
        let count = if tiled || inside { None } else { self.iterations_on_host(body, loops) };
        let mut rows = vec![];
        for section in of_gangs {
            let used = match self.lookup(&section.base.root.name) {
                Some(Named::Variable(id, _)) => walk::uses_within(body, id) > 0,
                _ => false,
            };
            let made = used.then(|| count.as_ref().and_then(|count| self.rows_of(section, false, count)));
            match made {
                Some(Some(made)) => rows.push(made),
                Some(None) => {
                    if let Err(refused) = self.private_section(section, "private") {
                        self.report(refused);
                    }
                }
                None => {}
            }
        }
        let Some(count) = count else { return (d.clone(), rows) };
        for section in first {
            let Some(Named::Variable(id, _)) = self.lookup(&section.base.root.name) else { continue };
            if changes_elements(body, id) {
                rows.extend(self.rows_of(section, true, &count));
            }
        }
        let (rest, _) = self.take_sections(d, |f, section| {
            let made = f.rows_of(section, false, &count);
            let is_made = made.is_some();
            rows.extend(made);
            is_made
        });
        (rest, rows)
    }

    /// Memory for so many iterations.
    fn rows_of(&mut self, section: &Section, starts: bool, count: &str) -> Option<Rows> {
        let [dim] = &section.dims[..] else { return None };
        let length = dim.length.as_ref()?;
        let known =
            self.is_private_section(section) && dim.exprs().into_iter().all(|e| self.is_known_on_host(e));
        let Some(Named::Variable(_, variable)) = self.lookup(&section.base.root.name).filter(|_| known)
        else {
            return None;
        };
        let ty = self.ty(variable.ty.referred());
        let lower = dim.lower.as_ref().map(|lower| self.host_expr(lower));
        let length = self.host_expr(length).text;
        let local =
            self.local(&format!("rows_{}", section.base.root.name), ty, LocalKind::Auto, section.span);
        let text = format!("({count} * (long long)({length}))");
        self.private_sections.push(DataItem {
            flags: DataFlags { private: true, rows: true, ..DataFlags::default() },
            section: vec![SectionDim {
                lower,
                length: Some(HostExpr { text, span: section.span, value: None }),
            }],
            ..DataItem::new(
                DataKind::Create,
                DataVar::Local(local),
                self.text(section.span),
                self.text(section.base.span),
                ty,
                section.span,
            )
        });
        Some(Rows { section: section.clone(), local, starts })
    }

    /// Declares the row of an iteration of this number, which has the pointer's name from here on.
    pub fn own_row(
        &mut self,
        rows: &Rows,
        number: Handle<IrExpr>,
    ) -> Lowered<Option<(DeclId, Variable, Handle<Local>)>> {
        let span = rows.section.span;
        let name = &rows.section.base.root.name;
        let Some(Named::Variable(id, original)) = self.lookup(name) else { return Ok(None) };
        let Some((length, start)) =
            rows.section.dims.first().and_then(|dim| Some((dim.length.clone()?, dim.lower.clone())))
        else {
            return Ok(None);
        };
        let long = self.i64();
        let length = self.clause_value(&length, span)?;
        let length = self.convert(length, long, span);
        let right = self.expr(Ir::Binary { op: BinaryOp::Mul, left: number, right: length }, long, span);
        let left = self.load_local(rows.local, span);
        let ty = self.ty_of(left);
        let row = self.expr(Ir::Binary { op: BinaryOp::Add, left, right }, ty, span);
        let local = self.local(name, ty, LocalKind::Auto, span);
        self.emit(Stmt::Declare { local, init: Some(row) }, span);
        if rows.starts {
            let start = match start {
                Some(start) => self.clause_value(&start, span)?,
                None => self.int(0, long, span),
            };
            let start = self.convert(start, long, span);
            let place = self.var_place(id, name, span)?;
            self.copy_elements(local, place, [start, length], span)?;
        }
        let of = original.ty.referred().clone();
        self.vars.insert(id, Variable { binding: Binding::Local(local), ty: of, ..original.clone() });
        Ok(Some((id, original, local)))
    }

    /// So many elements from the first one on, of what a pointer points to.
    fn copy_elements(
        &mut self,
        to: Handle<Local>,
        from: Handle<IrExpr>,
        [first, count]: [Handle<IrExpr>; 2],
        span: Span,
    ) -> Lowered<()> {
        let long = self.i64();
        let at = self.temp("at", long, span);
        let (body, ()) = self.try_block(|f| {
            let (to, index) = (f.local_place(to, span), f.load_local(at, span));
            let target = f.element(to, index, span)?;
            let source = f.element(from, index, span)?;
            let value = f.load(source, span);
            f.emit(Stmt::Store { place: target, op: None, value }, span);
            Ok(())
        })?;
        let end = self.expr(Ir::Binary { op: BinaryOp::Add, left: first, right: count }, long, span);
        let one = self.int(1, long, span);
        self.emit(Stmt::For(Box::new(Loop::counting(at, first, end, one, body))), span);
        Ok(())
    }

    /// The number of an iteration among those of all joined loops, from that of the loops around.
    pub fn joined_number(
        &mut self,
        around: Option<Handle<IrExpr>>,
        span: Span,
        var: Handle<Local>,
        compare: Compare,
        [lower, bound, step]: [Handle<IrExpr>; 3],
    ) -> Handle<IrExpr> {
        let long = self.i64();
        let at = self.load_local(var, span);
        let [at, first, by] = [at, lower, step].map(|value| self.convert(value, long, span));
        let binary = |f: &mut Self, op, left, right| f.expr(Ir::Binary { op, left, right }, long, span);
        let past = binary(self, BinaryOp::Sub, at, first);
        let number = binary(self, BinaryOp::Div, past, by);
        let Some(around) = around else { return number };
        let count = self.iterations_of([lower, bound, step], compare, span);
        let before = binary(self, BinaryOp::Mul, around, count);
        binary(self, BinaryOp::Add, before, number)
    }

    /// How many iterations so many joined loops have, as the host computes it before the construct.
    fn iterations_on_host(&mut self, nest: &Ast, loops: u32) -> Option<String> {
        let (mut at, mut counts) = (nest, vec![]);
        for level in 0..loops.max(1) {
            if level > 0 {
                at = super::loops::first_loop(at)?;
            }
            let header = self.header(at, true).ok()?;
            let step = header.step.map_or(Some(1), fold).filter(|step| *step > 0)?;
            let counts_up = matches!(header.compare, Compare::Lt | Compare::Le);
            let known = [Some(header.lower), header.bound].into_iter().flatten();
            let known = known.into_iter().all(|e| self.is_fixed_on_host(e));
            if !known || counts_up == header.subtract || header.in_condition.is_some() {
                return None;
            }
            let lower = self.text(header.lower.span);
            let bound = header.bound.map_or("0".to_owned(), |bound| self.text(bound.span));
            let (first, end) = if counts_up { (lower, bound) } else { (bound, lower) };
            let whole = match header.compare {
                Compare::Lt | Compare::Gt => step - 1,
                Compare::Le | Compare::Ge => step,
                _ => return None,
            };
            counts.push(format!("(((long long)({end}) - (long long)({first}) + {whole}) / {step})"));
            at = header.body;
        }
        // Lengths are not negative.
        let count = |count: &String| format!("accl_larger(0, {count})");
        Some(counts.iter().map(count).collect::<Vec<_>>().join(" * "))
    }

    /// A number that is the same where the construct begins and everywhere in it.
    fn is_fixed_on_host(&self, e: &Expr) -> bool {
        let own = match &e.kind {
            ExprKind::Var(id, name) => {
                self.has_one_value(*id, name) && matches!(*e.ty.referred().ty, Ty::Int { .. })
            }
            ExprKind::Int(_) | ExprKind::Cast { .. } | ExprKind::Binary { .. } | ExprKind::Unary { .. } => {
                true
            }
            _ => fold(e).is_some(),
        };
        own && walk::operands(e).into_iter().all(|operand| self.is_fixed_on_host(operand))
    }

    pub fn is_known_on_host(&mut self, e: &CExpr) -> bool {
        let simple = matches!(
            e.kind,
            CExprKind::Int { .. } | CExprKind::Ident(_) | CExprKind::Paren(_) | CExprKind::Binary { .. }
        );
        let fixed = e.identifiers().into_iter().all(|(name, _)| match self.lookup(name) {
            Some(Named::Variable(id, variable)) => {
                self.has_one_value(id, name) && matches!(*variable.ty.referred().ty, Ty::Int { .. })
            }
            Some(Named::Constant(_)) => true,
            _ => false,
        });
        simple && fixed && e.children().into_iter().all(|inner| self.is_known_on_host(inner))
    }

    /// Outside of the construct and in it the variable has the same value.
    fn has_one_value(&self, id: DeclId, name: &str) -> bool {
        let outside = self.vars.get(&id).is_none_or(|variable| match variable.binding {
            Binding::Local(local) => local.index() < self.outer_locals,
            Binding::Global(_) => true,
            Binding::Argument(_) => false,
        });
        // On the device it may have another value where a directive puts it there.
        let names = |s: &Section| s.base.root.name == name;
        let moved = |clause: &Clause| match &clause.kind {
            ClauseKind::Data(data) => data.sections.iter().any(names),
            ClauseKind::UpdateDevice(list) => list.iter().any(names),
            _ => false,
        };
        outside
            && !self.changed.contains(&id)
            && !self.cx.pragmas.iter().flat_map(|p| &p.directive.clauses).any(moved)
    }
}

/// Whether a statement may change what the variable points to.
fn changes_elements(s: &Ast, id: DeclId) -> bool {
    let mut found = false;
    walk::exprs(s, &mut |e| {
        let changed = match &e.kind {
            ExprKind::Assign { place, .. } | ExprKind::CompoundAssign { place, .. } => Some(place),
            ExprKind::Step { operand, .. } => Some(operand),
            ExprKind::Call { args, .. } => {
                found |= args.iter().any(|arg| walk::uses(arg, id) > 0);
                None
            }
            _ => None,
        };
        found |= changed.is_some_and(|place| walk::uses(place, id) > 0);
    });
    found
}
