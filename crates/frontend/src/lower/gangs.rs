//! Gangs: how iterations are assigned to them (`static`), and gangs of several dimensions (OpenACC 3.3 §2.5.10,
//! §2.9.2).
//!
//! A nest of loops over the gangs of several dimensions becomes one loop over all gangs, as if it had `collapse`.
//! The gangs of dimensions that a loop does not name would repeat its iterations; they run once instead.

use super::function::Fun;
use super::target_defaults::Used;
use super::team::{Count, Runners, Share};
use super::{Lowered, walk};
use crate::ast::{DeclId, ExprKind, Stmt as Ast, StmtKind};
use crate::pragmas::Pragma;
use accl_directives::table::{DirectiveName, lookup_clause};
use accl_directives::{
    CExpr, Clause, ClauseKind, DeviceKind, Directive, DirectiveKind, GangArgs, Section, SizeClauses,
    StaticSize, VariableCategory,
};
use accl_ir::{Block, Handle, HostExpr, Local, Loop, LoopDirective, Stmt};
use accl_source::{Diagnostic, Span, codes::frontend as codes};
use std::collections::BTreeSet;

/// A `loop` directive that no other loop of the construct encloses.
struct OuterLoop<'a> {
    directive: Directive,
    inner: &'a Ast,
}

impl OuterLoop<'_> {
    fn chunk(&self) -> Option<CExpr> {
        let view = self.directive.clauses_for(DeviceKind::Cuda);
        match view.levels.gang?.static_.as_ref()? {
            StaticSize::Star => None,
            StaticSize::Expr(chunk) => Some(chunk.clone()),
        }
    }

    /// Its iterations are those of several loops, or what they add up is not the gang's own.
    fn is_joined_or_reduces(&self) -> bool {
        let view = self.directive.clauses_for(DeviceKind::Cuda);
        view.levels.collapse.is_some() || !view.levels.tile.is_empty() || !view.privates.reductions.is_empty()
    }
}

impl Fun<'_, '_> {
    /// A program can tell which gang got which iterations where a loop that deals them in chunks changes what each gang has for
    /// itself. Then the construct's gangs are numbered ([`super::team`]), and this is its directive, which names what they have by rule.
    pub fn deals_chunks(&mut self, d: &Directive, body: &Ast) -> Option<Directive> {
        let d = self.with_scalars_by_rule(d, body);
        let mut loops = vec![];
        self.outer_loops(body, &mut loops);
        let mut own = BTreeSet::new();
        walk::vars(body, &mut |var| {
            own.insert(var.id);
        });
        for outer in &loops {
            walk::vars(outer.inner, &mut |var| {
                own.remove(&var.id);
            });
        }
        own.extend(self.copied_variables(&d).into_iter().filter_map(|copied| Some(copied.named?.0)));
        let tells =
            |l: &&OuterLoop<'_>| l.chunk().is_some() && own.iter().any(|id| walk::may_change(l.inner, *id));
        let chunk = loops.iter().find(tells).and_then(OuterLoop::chunk)?;
        if loops.iter().any(OuterLoop::is_joined_or_reduces) {
            self.warn_of_chunks(&chunk, "a loop of the construct has `collapse`, `tile` or `reduction`");
            return None;
        }
        Some(d)
    }

    /// The directive of a parallel construct, with `firstprivate` for the scalars that it changes and that no clause names
    /// (OpenACC 3.3 §2.6.2).
    fn with_scalars_by_rule(&mut self, d: &Directive, body: &Ast) -> Directive {
        let is_copied = |f: &Self, used: &Used| {
            used.category == VariableCategory::Scalar
                && !f.visible_names.contains(&used.name)
                && walk::may_change(body, used.id)
                && !begins_anew(body, used.id)
        };
        let used = self.unnamed(d, body, false);
        let copied = used.iter().filter(|used| is_copied(self, used));
        let list = copied.map(|used| Section::variable(&used.name, used.span)).collect();
        let mut all = d.clone();
        let (kind, span) = (ClauseKind::Firstprivate(list), d.name_span);
        all.clauses.extend(lookup_clause("firstprivate", DirectiveName::Parallel).map(|spec| Clause {
            kind,
            span,
            name_span: span,
            spec,
            device_types: vec![],
        }));
        all
    }

    fn outer_loops<'a>(&self, s: &'a Ast, found: &mut Vec<OuterLoop<'a>>) {
        match &s.kind {
            StmtKind::Directed { directive, body: Some(inner) }
                if self.cx.pragmas[*directive].directive.kind == DirectiveKind::Loop =>
            {
                found.push(OuterLoop { directive: self.cx.pragmas[*directive].directive.clone(), inner });
            }
            _ => walk::children(s).into_iter().for_each(|inner| self.outer_loops(inner, found)),
        }
    }

    /// A loop of which each gang gets its chunks; the gang's lanes share these.
    pub fn loop_of_gangs(
        &mut self,
        (number, count): (Handle<Local>, Count),
        d: &Directive,
        pragma: &Pragma,
        body: &Ast,
    ) -> Lowered<()> {
        let mut directive = self.loop_directive(d, pragma.span);
        (directive.gang, directive.schedule) = (None, pragma.schedule.clone());
        // A gang runs its iterations one after the other, so that they may use what it has for itself in turn. Lanes share them
        // where that makes no difference.
        directive.auto |= directive.worker.is_none() && directive.vector.is_none() && !directive.independent;
        let outside = std::mem::replace(&mut self.team, Runners::Unknown);
        if !directive.seq {
            let chunk = OuterLoop { directive: d.clone(), inner: body }.chunk();
            let chunk = chunk.filter(|chunk| self.constant(chunk) != Some(1));
            self.share = Some(Share::among_gangs(number, count, chunk));
        }
        let result = self.loop_under(body, directive, d);
        (self.share, self.team) = (None, outside);
        result
    }

    pub fn warn_of_chunks(&mut self, size: &CExpr, why: &str) {
        let message = format!("iterations are not dealt to gangs in chunks of {}", self.text(size.span));
        self.cx.error(
            Diagnostic::warning(codes::STATIC_GANGS, message)
                .label(size.span, "another chunk is taken")
                .with_note(why)
                .with_help("write `gang(static: *)` where any fixed dealing will do"),
        );
    }

    /// Notes the dimension; a gang loop without one has the first.
    pub fn gang_dimension(&mut self, dim: Option<&CExpr>, gang: bool) {
        let known = dim.map_or(Some(1), |dim| self.constant(dim));
        if let (Some(dim), None) = (dim, known) {
            let message = "the dimension of a gang must be a constant";
            let error = Diagnostic::error(codes::GANG_DIMENSION, message);
            self.cx.error(
                error.label(dim.span, "its value is not known to the compiler").with_help("write 1, 2 or 3"),
            );
        }
        self.gang_dims.extend(known.filter(|_| gang));
    }

    /// At the end of a compute construct with `num_gangs`.
    pub fn unused_gang_dimensions(&mut self, d: &Directive) {
        let view = d.clauses_for(DeviceKind::Cuda);
        let SizeClauses { num_gangs, num_workers: _, vector_length: _ } = view.sizes;
        let used = std::mem::take(&mut self.gang_dims);
        let left_out = num_gangs.iter().zip(1i64..).find(|(count, dim)| {
            num_gangs.len() > 1 && !used.contains(dim) && self.constant(count) != Some(1)
        });
        let Some((count, dim)) = left_out.filter(|_| !used.is_empty()) else { return };
        let message = format!("no loop of the construct is for the gangs of dimension {dim}");
        self.cx.error(
            Diagnostic::warning(codes::GANG_DIMENSION, message)
                .label(count.span, "this many of them")
                .with_note("iterations of its gang loops are run once, not once by each of these gangs")
                .with_help(format!("write `loop gang(dim: {dim})` around them, or give one number of gangs")),
        );
    }

    /// A loop over gangs directly inside one over gangs of a higher dimension: the iterations of both are
    /// distributed over all gangs together. Where something stands between the two, workers and lanes run the inner
    /// one.
    pub fn join_dimensions(&mut self, directive: &mut LoopDirective, body: &mut Block) {
        let Some(outer) = self.dimension_of(directive.span).filter(|_| directive.gang.is_some()) else {
            return;
        };
        let tight = is_one_loop(body);
        let Some(inner) = first_gang_loop(body) else { return };
        let Some(of) = &mut inner.directive else { return };
        if self.dimension_of(of.span).is_none_or(|dim| dim >= outer) {
            return;
        }
        let counts = [directive.gang.take(), of.gang.take()].map(Option::flatten);
        directive.gang = Some(product(counts.into_iter().flatten()));
        if tight && directive.tile.is_empty() && of.tile.is_empty() {
            directive.collapse = directive.collapse.max(1) + of.collapse.max(1);
            directive.worker = directive.worker.take().or(of.worker.take());
            directive.vector = directive.vector.take().or(of.vector.take());
            directive.private.append(&mut of.private);
            directive.reductions.append(&mut of.reductions);
            inner.directive = None;
        }
    }

    fn dimension_of(&mut self, directive: Span) -> Option<i64> {
        let pragma = self.cx.pragma_at(directive)?;
        let GangArgs { num: _, static_: _, dim } =
            pragma.directive.clauses_for(DeviceKind::Cuda).levels.gang?;
        dim.as_ref().map_or(Some(1), |dim| self.constant(dim))
    }
}

/// The only statement that mentions a variable is a loop, or a block, that begins with giving it a value: what it had, and what it
/// has afterwards, is not used.
fn begins_anew(s: &Ast, var: DeclId) -> bool {
    let mentions = |s: &Ast| {
        let mut found = false;
        walk::exprs(s, &mut |e| found |= matches!(e.kind, ExprKind::Var(id, _) if id == var));
        found
    };
    let inside = |s: &Ast| match &s.kind {
        StmtKind::Compound(items) => {
            let mentioning: Vec<&Ast> = items.iter().filter(|item| mentions(item)).collect();
            match mentioning.as_slice() {
                [one] => begins_anew(one, var),
                [first, ..] => gives_value(first, var),
                [] => true,
            }
        }
        _ => begins_anew(s, var) || gives_value(s, var),
    };
    match &s.kind {
        StmtKind::Compound(_) => inside(s),
        StmtKind::Directed { body: Some(body), .. } => begins_anew(body, var),
        StmtKind::For { body, .. } => {
            let head = walk::own_exprs(s).into_iter().any(|e| walk::uses(e, var) > 0);
            !head && inside(body)
        }
        _ => false,
    }
}

/// `var = value;`, where the value is not made of the variable's.
fn gives_value(s: &Ast, var: DeclId) -> bool {
    let StmtKind::Expr(e) = &s.kind else { return false };
    let ExprKind::Assign { place, value } = &e.kind else { return false };
    matches!(place.kind, ExprKind::Var(id, _) if id == var) && walk::uses(value, var) == 0
}

/// How many gangs of several dimensions there are.
pub fn product(counts: impl IntoIterator<Item = HostExpr>) -> Option<HostExpr> {
    counts.into_iter().reduce(|a, b| HostExpr {
        text: format!("({}) * ({})", a.text, b.text),
        span: a.span.to(b.span),
        value: a.value.zip(b.value).and_then(|(a, b)| a.checked_mul(b)),
    })
}

fn is_one_loop(block: &Block) -> bool {
    match block.as_slice() {
        [one] => match &one.kind {
            Stmt::Block(inner) => is_one_loop(inner),
            kind => matches!(kind, Stmt::For(_)),
        },
        _ => false,
    }
}

fn first_gang_loop(block: &mut Block) -> Option<&mut Loop> {
    let is_it = |l: &Loop| l.directive.as_ref().is_some_and(|d| d.gang.is_some());
    block.iter_mut().find_map(|node| match (matches!(&node.kind, Stmt::For(l) if is_it(l)), &mut node.kind) {
        (true, Stmt::For(l)) => Some(&mut **l),
        (_, other) => other.blocks_mut().into_iter().find_map(first_gang_loop),
    })
}
