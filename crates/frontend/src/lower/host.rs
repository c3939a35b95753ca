//! Statements of the host program around regions.
//!
//! Only statements that contain a directive are lowered in their parts. The rest stays text, but its declarations
//! are recorded, so that clauses can name them. A condition or bound that IR cannot express stays text, too.

use super::Lowered;
use super::function::Fun;
use super::lambda::is_closure;
use super::walk::{self, bare};
use crate::ast::{Expr, ExprKind, Stmt as Ast, StmtKind, Var};
use crate::pragmas::Pragma;
use accl_directives::Sentinel;
use accl_ir::{Block, Expr as IrExpr, Handle, LocalKind, Stmt};
use accl_source::Span;

/// OpenMP's constructs for threads of the host are its compiler's.
fn concerns_host(pragma: &Pragma) -> bool {
    pragma.directive.origin != Sentinel::Omp || super::edits_host(pragma)
}

impl Fun<'_, '_> {
    pub fn host_stmt(&mut self, s: &Ast) -> Lowered<()> {
        if let StmtKind::Decl(vars) = &s.kind {
            let later = self.later.take();
            let inits = vars.iter().filter_map(|v| v.init.as_ref());
            inits.for_each(|init| self.lambdas(init));
            self.later = later;
            vars.iter().for_each(|var| self.declare_host_var(var));
            return Ok(());
        }
        if !self.holds_directive(s) {
            self.emit(Stmt::Host, s.span);
            return Ok(());
        }
        match &s.kind {
            StmtKind::Compound(items) => {
                let block = self.block(|f| f.items(items));
                self.emit(Stmt::Block(block), s.span);
                Ok(())
            }
            StmtKind::If { init, cond, then, otherwise } => {
                let block = self.block(|f| {
                    init.iter().for_each(|s| f.stmt(s));
                    let cond = f.host_cond(cond);
                    let then = f.stmt_block(then);
                    let otherwise = otherwise.as_ref().map(|s| f.stmt_block(s)).unwrap_or_default();
                    f.emit(Stmt::If { cond, then, otherwise }, s.span);
                });
                self.emit_opened(block, s.span);
                Ok(())
            }
            StmtKind::For { init, cond, step, body } => self.host_for(s, init.as_deref(), cond, step, body),
            StmtKind::RangeFor { setup, var, body, .. } => {
                let block = self.block(|f| {
                    setup.iter().for_each(|s| f.stmt(s));
                    let body = f.block(|f| {
                        f.stmt(var);
                        let inner = f.stmt_block(body);
                        f.emit(Stmt::Block(inner), s.span);
                    });
                    let cond = Some(f.unknown_cond(s.span));
                    f.emit(Stmt::While { cond, body, step: vec![], test_last: false }, s.span);
                });
                self.emit(Stmt::Block(block), s.span);
                Ok(())
            }
            StmtKind::While { cond, body } => {
                self.host_while(cond, body, false, s.span);
                Ok(())
            }
            StmtKind::DoWhile { body, cond } => {
                self.host_while(cond, body, true, s.span);
                Ok(())
            }
            StmtKind::Switch { body, .. } => {
                let inner = self.stmt_block(body);
                let cond = self.unknown_cond(s.span);
                self.emit(Stmt::If { cond, then: inner, otherwise: vec![] }, s.span);
                Ok(())
            }
            StmtKind::Case { body, .. } | StmtKind::Default(body) | StmtKind::Label(body) => {
                self.host_stmt(body)
            }
            StmtKind::Unsupported(_, items) => {
                let block = self.block(|f| items.iter().for_each(|item| f.stmt(item)));
                self.emit(Stmt::Block(block), s.span);
                Ok(())
            }
            StmtKind::Directed { directive, body } => self.host_directive(*directive, body.as_deref(), s),
            StmtKind::Expr(e) | StmtKind::Return(Some(e)) => {
                self.lambdas(e);
                self.emit(Stmt::Host, s.span);
                Ok(())
            }
            StmtKind::Return(None)
            | StmtKind::Decl(_)
            | StmtKind::Break
            | StmtKind::Continue
            | StmtKind::Null
            | StmtKind::Goto => {
                self.emit(Stmt::Host, s.span);
                Ok(())
            }
        }
    }

    pub fn holds_directive(&self, s: &Ast) -> bool {
        matches!(s.kind, StmtKind::Directed { directive, .. } if concerns_host(&self.cx.pragmas[directive]))
            || self.cx.pragmas.iter().any(|p| concerns_host(p) && crate::bind::is_inside(s.span, p.span))
    }

    /// The bodies of lambdas in an expression, where they hold directives: run now or later, they name
    /// this function's variables.
    fn lambdas(&mut self, e: &Expr) {
        let holds =
            |this: &Self, span: Span| this.cx.pragmas.iter().any(|p| crate::bind::is_inside(span, p.span));
        type Parts<'e> = (&'e [Var], &'e [Ast], &'e [Expr]);
        let mut found: Vec<Parts<'_>> = Vec::new();
        let mut called: &[Expr] = &[];
        walk::outer(e, &mut |e| match &e.kind {
            // A lambda called at once comes next.
            ExprKind::Call { args, .. }
                if args.first().is_some_and(|a| matches!(bare(a).kind, ExprKind::Lambda(_))) =>
            {
                called = &args[1..];
            }
            ExprKind::Lambda(lambda) if holds(self, lambda.body.span) => {
                let args = std::mem::take(&mut called);
                found.push((&lambda.params, std::slice::from_ref(&lambda.body), args));
            }
            ExprKind::Statements(body) if holds(self, body.span) => {
                found.push((&[], std::slice::from_ref(&**body), &[]));
            }
            ExprKind::Unsupported(_, stmts) if stmts.iter().any(|s| holds(self, s.span)) => {
                found.push((&[], stmts, &[]));
            }
            _ => {}
        });
        for (params, body, args) in found {
            for (param, arg) in params.iter().zip(args).filter(|(_, a)| is_closure(&a.ty)) {
                // Nothing happens between its making and the call.
                self.later = Some(walk::Writes::default());
                if let Ok(closure) = self.closure_of(arg) {
                    self.closures.insert(param.id, closure);
                }
                self.later = None;
            }
            let block = self.block(|f| {
                for param in params {
                    let local = f.declare(param, LocalKind::Auto);
                    f.emit(Stmt::Declare { local, init: None }, param.span);
                }
                body.iter().for_each(|s| f.stmt(s));
            });
            let cond = self.unknown_cond(e.span);
            self.emit(Stmt::If { cond, then: block, otherwise: vec![] }, e.span);
        }
    }

    /// The statement, without a block around it if it is alone.
    fn emit_opened(&mut self, mut block: Block, span: Span) {
        if block.len() == 1 {
            if let (Some(node), Some(current)) = (block.pop(), self.blocks.last_mut()) {
                current.push(node);
            }
        } else {
            self.emit(Stmt::Block(block), span);
        }
    }

    /// A condition without effects, or a placeholder for one that stays text.
    fn host_cond(&mut self, cond: &Expr) -> Handle<IrExpr> {
        match self.plain_cond(cond) {
            Some(cond) => cond,
            None => {
                self.emit(Stmt::Host, cond.span);
                self.unknown_cond(cond.span)
            }
        }
    }

    fn plain_cond(&mut self, cond: &Expr) -> Option<Handle<IrExpr>> {
        let lowered = self.try_block(|f| f.cond(cond)).ok();
        lowered.filter(|(effects, _)| effects.is_empty()).map(|(_, cond)| cond)
    }

    /// A condition that is not known: a temporary that is never written.
    fn unknown_cond(&mut self, span: Span) -> Handle<IrExpr> {
        let int = self.i32();
        let local = self.temp("condition", int, span);
        self.emit(Stmt::Declare { local, init: None }, span);
        self.load_local(local, span)
    }

    fn host_while(&mut self, cond: &Expr, body: &Ast, test_last: bool, span: Span) {
        let known = self.plain_cond(cond);
        let test = known.unwrap_or_else(|| self.unknown_cond(span));
        let body = self.block(|f| {
            if known.is_none() {
                f.emit(Stmt::Host, cond.span);
            }
            let inner = f.stmt_block(body);
            if let Some(current) = f.blocks.last_mut() {
                current.extend(inner);
            }
        });
        self.emit(Stmt::While { cond: Some(test), body, step: vec![], test_last }, span);
    }

    fn host_for(
        &mut self,
        s: &Ast,
        init: Option<&Ast>,
        cond: &Option<Expr>,
        step: &Option<Expr>,
        body: &Ast,
    ) -> Lowered<()> {
        if self.try_canonical(s)? {
            return Ok(());
        }
        let block = self.block(|f| {
            init.into_iter().for_each(|s| f.stmt(s));
            let known = cond.as_ref().and_then(|c| f.plain_cond(c));
            let test = match (known, cond) {
                (None, Some(cond)) => Some(f.unknown_cond(cond.span)),
                (known, _) => known,
            };
            let body = f.block(|f| {
                if let (None, Some(cond)) = (known, cond) {
                    f.emit(Stmt::Host, cond.span);
                }
                let inner = f.stmt_block(body);
                if let Some(current) = f.blocks.last_mut() {
                    current.extend(inner);
                }
            });
            let step = f.block(|f| {
                if let Some(step) = step {
                    f.emit(Stmt::Host, step.span);
                }
            });
            f.emit(Stmt::While { cond: test, body, step, test_last: false }, s.span);
        });
        self.emit(Stmt::Block(block), s.span);
        Ok(())
    }
}
