//! Loops whose iterations numbered teams or threads deal among themselves: each begins with its number and goes on by how many
//! there are.

use super::{Count, Runners, independent};
use crate::ast::Stmt as Ast;
use crate::lower::Lowered;
use crate::lower::function::Fun;
use crate::lower::iteration_copies::IterationCopies;
use crate::pragmas::Pragma;
use accl_directives::{DeviceKind, Directive};
use accl_ir::{BinaryOp, Expr as IrExpr, ExprKind as Ir, Handle, Local, LocalKind, LoopDirective};
use accl_source::{Diagnostic, Span, codes::frontend as codes};

/// Among whom the next loop is shared; the outer ones first.
#[derive(Clone, Debug)]
pub struct Share(Vec<(Handle<Local>, Count)>);

impl Fun<'_, '_> {
    /// A loop that the current team's threads share, or all teams, or the threads of all: within the loop over threads that
    /// this makes, unless one is around it already.
    pub fn shared_loop(
        &mut self,
        d: &Directive,
        pragma: &Pragma,
        body: &Ast,
        by_teams: bool,
        by_threads: bool,
    ) -> Lowered<()> {
        let numbered = |runners: &Runners| match runners {
            Runners::Numbered(local, count) => Some((*local, count.clone())),
            Runners::One | Runners::Unknown => None,
        };
        let team = numbered(&self.team).filter(|_| by_teams);
        if !by_threads {
            return self.dealt(d, pragma, body, team.into_iter().collect());
        }
        if let Some(thread) = numbered(&self.thread) {
            return self.dealt(d, pragma, body, team.into_iter().chain([thread]).collect());
        }
        let count = self.threads_of(d);
        self.threads_loop(d, &count, |f| {
            let thread = numbered(&f.thread);
            f.dealt(d, pragma, body, team.into_iter().chain(thread).collect())
        })
    }

    /// The loop over a team's threads, each of which runs what `inside` makes.
    pub fn threads_loop(
        &mut self,
        d: &Directive,
        count: &Count,
        inside: impl FnOnce(&mut Self) -> Lowered<()>,
    ) -> Lowered<()> {
        let reductions = self.reductions_of(d);
        let directive = LoopDirective { vector: Some(None), reductions, ..independent(d.name_span) };
        self.loop_over_threads(count, directive, inside)
    }

    pub(super) fn loop_over_threads(
        &mut self,
        count: &Count,
        directive: LoopDirective,
        inside: impl FnOnce(&mut Self) -> Lowered<()>,
    ) -> Lowered<()> {
        let int = self.i32();
        let thread = self.local("thread", int, LocalKind::Auto, directive.span);
        let vars = self.vars.clone();
        let outside = std::mem::replace(&mut self.thread, Runners::Numbered(thread, count.clone()));
        let in_threads = std::mem::replace(&mut self.in_threads, true);
        let body = self.try_block(inside);
        (self.thread, self.in_threads, self.vars) = (outside, in_threads, vars);
        let (body, ()) = body?;
        self.numbered_loop(thread, count, body, directive)
    }

    fn dealt(
        &mut self,
        d: &Directive,
        pragma: &Pragma,
        body: &Ast,
        among: Vec<(Handle<Local>, Count)>,
    ) -> Lowered<()> {
        let view = d.clauses_for(DeviceKind::Cuda);
        if view.levels.collapse.is_some() {
            let message =
                "`collapse` on a loop whose threads are asked for their numbers is not implemented yet";
            return Err(Box::new(Diagnostic::error(codes::NOT_IMPLEMENTED, message).at(d.name_span)));
        }
        let seq = LoopDirective { seq: true, independent: false, ..independent(pragma.span) };
        self.iteration_copies = IterationCopies::of(&view.privates, &view.privates.private, 1);
        self.share = Some(Share(among));
        let result = self.for_stmt(only_loop(body), Some(seq));
        (self.share, self.iteration_copies) = (None, None);
        result
    }

    /// Where the loop begins and how far it goes each time, for the one who runs it.
    pub fn dealt_bounds(
        &mut self,
        share: &Share,
        lower: Handle<IrExpr>,
        step: Handle<IrExpr>,
        span: Span,
    ) -> Lowered<(Handle<IrExpr>, Handle<IrExpr>)> {
        let int = self.i32();
        let mut number = self.int(0, int, span);
        let mut count = self.int(1, int, span);
        for (place, (local, of)) in share.0.iter().enumerate() {
            let (own, many) = (self.load_local(*local, span), self.count_value(of, span)?);
            (number, count) = match place {
                0 => (own, many),
                _ => {
                    let before = self.combined(BinaryOp::Mul, number, many, span);
                    (
                        self.combined(BinaryOp::Add, before, own, span),
                        self.combined(BinaryOp::Mul, count, many, span),
                    )
                }
            };
        }
        let ty = self.ty_of(lower);
        let [number, count] = [number, count].map(|v| self.convert(v, ty, span));
        let ahead = self.combined(BinaryOp::Mul, number, step, span);
        Ok((
            self.combined(BinaryOp::Add, lower, ahead, span),
            self.combined(BinaryOp::Mul, count, step, span),
        ))
    }

    fn combined(
        &mut self,
        op: BinaryOp,
        left: Handle<IrExpr>,
        right: Handle<IrExpr>,
        span: Span,
    ) -> Handle<IrExpr> {
        let ty = self.ty_of(left);
        self.expr(Ir::Binary { op, left, right }, ty, span)
    }
}

/// The loop in braces that a macro may have put around it.
fn only_loop(body: &Ast) -> &Ast {
    match &body.kind {
        crate::ast::StmtKind::Compound(items) if items.len() == 1 => only_loop(&items[0]),
        _ => body,
    }
}
