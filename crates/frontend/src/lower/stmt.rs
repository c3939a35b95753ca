//! Statements of device code, lowered exactly; `host` lowers host statements.

use super::expr::unsupported;
use super::function::{Binding, Fun, Variable};
use super::goto::Nest;
use super::lambda::{Closure, is_closure};
use super::loops::Header;
use super::{Lowered, walk};
use crate::ast::{Expr, ExprKind, Len, Library, Stmt as Ast, StmtKind, Ty, Var};
use accl_ir::{
    Block, Case, Compare, Expr as IrExpr, ExprKind as Ir, Handle, Loop, LoopDirective, Stmt, StmtNode,
    UnaryOp,
};
use accl_source::{Diagnostic, Span, codes::frontend as codes};
use std::ops::Range;
use std::rc::Rc;

/// How many values a `case low ... high` may have.
const CASE_RANGE: i64 = 1024;

impl Fun<'_, '_> {
    /// Lowers a statement into the current block; reports what cannot be lowered.
    pub fn stmt(&mut self, s: &Ast) {
        let result = if self.device { self.device_stmt(s) } else { self.host_stmt(s) };
        if let Err(refused) = result {
            self.report(refused);
        }
    }

    /// The statement as a block; a compound statement becomes its own list.
    pub fn stmt_block(&mut self, s: &Ast) -> Block {
        self.block(|f| match &s.kind {
            StmtKind::Compound(items) => f.items(items),
            _ => f.stmt(s),
        })
    }

    /// The statements of a list; a declaration may depend on what the later ones change.
    pub fn items(&mut self, items: &[Ast]) {
        let destroyed = self.destroyed_behind(items);
        self.run_of_items(items, 0..items.len());
        for var in destroyed {
            self.destroy(var);
            self.destroyed.remove(&var.id);
        }
    }

    /// The same for some of the list's.
    pub fn run_of_items(&mut self, items: &[Ast], range: Range<usize>) {
        let labelled = |item: &Ast| matches!(item.kind, StmtKind::Label(_));
        if self.device
            && items[range.clone()].iter().any(labelled)
            && self.items_with_jumps(items, range.clone())
        {
            return;
        }
        for (index, item) in items.iter().enumerate().take(range.end).skip(range.start) {
            if let StmtKind::Directed { directive, body: None } = item.kind
                && self.device
                && self.is_cache(directive)
            {
                self.cache(directive, &items[index + 1..]);
                break;
            }
            let any =
                |what: fn(&Var) -> bool| matches!(&item.kind, StmtKind::Decl(vars) if vars.iter().any(what));
            let wants = self.device && any(|v| v.ty.is_reference())
                || any(|v| v.init.as_ref().is_some_and(|i| is_closure(&i.ty)));
            self.later = wants.then(|| self.writes_of(&items[index + 1..]));
            self.stmt(item);
        }
        self.later = None;
    }

    /// What statements may change, the lambdas that they call included.
    pub fn writes_of(&mut self, items: &[Ast]) -> walk::Writes {
        let lambdas: Vec<Rc<Closure>> = items.iter().flat_map(|item| self.lambdas_named(item)).collect();
        let cx = &mut *self.cx;
        let mut pure = |id| cx.function_decl(id).is_none() || cx.pure(id);
        let mut all = walk::Writes::default();
        for item in items.iter().chain(lambdas.iter().flat_map(|lambda| lambda.bodies())) {
            all.add(walk::writes(item, &mut pure));
            all.objects.extend(walk::objects_of_methods(item));
        }
        all
    }

    pub fn device_stmt(&mut self, s: &Ast) -> Lowered<()> {
        let nest = match s.kind {
            StmtKind::For { .. }
            | StmtKind::RangeFor { .. }
            | StmtKind::While { .. }
            | StmtKind::DoWhile { .. } => Some(Nest::Loop),
            StmtKind::Switch { .. } => Some(Nest::Switch),
            _ => None,
        };
        self.nest.extend(nest);
        let around = self.temporaries.take();
        let lowered = self.whole_stmt(s);
        self.temporaries = around;
        self.nest.truncate(self.nest.len() - nest.iter().len());
        lowered?;
        self.leave_after_return(s);
        if nest.is_some() && !self.jumps.is_empty() {
            self.jump_on(std::slice::from_ref(s), s.span);
        }
        Ok(())
    }

    /// The same, without leaving what is around a loop that returned.
    pub fn whole_stmt(&mut self, s: &Ast) -> Lowered<()> {
        match &s.kind {
            StmtKind::Compound(items) if items.len() == 1 && !matches!(items[0].kind, StmtKind::Decl(_)) => {
                self.device_stmt(&items[0])
            }
            StmtKind::Compound(items) => {
                let block = self.block(|f| f.items(items));
                if !block.is_empty() {
                    self.emit(Stmt::Block(block), s.span);
                }
                Ok(())
            }
            StmtKind::Decl(vars) => {
                for var in vars {
                    if let Err(refused) = self.declare_var(var) {
                        self.report(refused);
                        self.refused.insert(var.name.clone());
                    }
                }
                Ok(())
            }
            StmtKind::Expr(e) => self.attempt(|f| match f.reduced_in_place(s)? {
                true => Ok(()),
                false => f.with_temporaries(|f| f.effect(e)),
            }),
            StmtKind::If { .. } if self.reduced_in_place(s)? => Ok(()),
            // `if constexpr`: what it discards may call what does not exist.
            StmtKind::If { init: None, cond: Expr { kind: ExprKind::Int(value), .. }, then, otherwise }
                if self.device =>
            {
                match (*value != 0, otherwise) {
                    (true, _) => self.device_stmt(then),
                    (false, Some(otherwise)) => self.device_stmt(otherwise),
                    (false, None) => Ok(()),
                }
            }
            StmtKind::If { init, cond, then, otherwise } => {
                let Some(init) = init else { return self.if_stmt(cond, then, otherwise.as_deref(), s.span) };
                let (block, ()) = self.try_block(|f| {
                    f.stmt(init);
                    f.if_stmt(cond, then, otherwise.as_deref(), s.span)
                })?;
                self.emit(Stmt::Block(block), s.span);
                Ok(())
            }
            StmtKind::For { .. } => self.for_stmt(s, None),
            StmtKind::RangeFor { setup, var, body, .. } if self.array_range(setup).is_some() => {
                self.array_range_for((setup, var, body), None, s.span)
            }
            StmtKind::RangeFor { setup, cond, step, var, body } => {
                let (block, ()) = self.try_block(|f| {
                    f.later = Some(f.writes_of(std::slice::from_ref(body)));
                    setup.iter().for_each(|s| f.stmt(s));
                    f.while_loop(Some(cond), Some(step), &[var, body], false, s.span)
                })?;
                self.emit(Stmt::Block(block), s.span);
                Ok(())
            }
            StmtKind::While { cond, body } => self.while_loop(Some(cond), None, &[body], false, s.span),
            StmtKind::DoWhile { body, cond } => self.while_loop(Some(cond), None, &[body], true, s.span),
            StmtKind::Switch { value, body } => self.switch(value, body, s.span),
            StmtKind::Break => self.leave_by_break(s.span),
            StmtKind::Continue => self.leave_by_continue(s.span),
            StmtKind::Return(value) if self.return_by_break(value.as_ref(), s.span)? => Ok(()),
            StmtKind::Return(value) => self.return_stmt(value.as_ref(), s.span),
            StmtKind::Null => Ok(()),
            StmtKind::Label(body) => self.device_stmt(body),
            StmtKind::Goto => self.jump(s),
            StmtKind::Case { .. } | StmtKind::Default(_) => {
                Err(unsupported("a case label inside another statement", s.span))
            }
            StmtKind::Unsupported(what, _) => Err(unsupported(what, s.span)),
            StmtKind::Directed { directive, body } => self.device_directive(*directive, body.as_deref()),
        }
    }

    pub fn if_stmt(&mut self, cond: &Expr, then: &Ast, otherwise: Option<&Ast>, span: Span) -> Lowered<()> {
        // Code that a constant switches off may do what no device can. A jump may lead into it.
        let jumped_to = |s: &Ast| walk::has_labels(s);
        if crate::clang::fold(cond) == Some(0) && !jumped_to(then) {
            otherwise.iter().for_each(|s| self.stmt(s));
            return Ok(());
        }
        let cond = self.full_expression(|f| f.cond(cond))?;
        let then = self.stmt_block(then);
        let otherwise = otherwise.map(|s| self.stmt_block(s)).unwrap_or_default();
        self.emit(Stmt::If { cond, then, otherwise }, span);
        Ok(())
    }

    /// A loop that is not canonical.
    pub fn while_loop(
        &mut self,
        cond: Option<&Expr>,
        step: Option<&Expr>,
        parts: &[&Ast],
        test_last: bool,
        span: Span,
    ) -> Lowered<()> {
        let test = cond.map(|c| self.try_block(|f| f.full_expression(|f| f.cond(c)))).transpose()?;
        let body = self.block(|f| {
            for part in parts {
                match &part.kind {
                    StmtKind::Compound(items) => f.items(items),
                    _ => f.stmt(part),
                }
            }
        });
        let step = match step {
            Some(step) => self.try_block(|f| f.effect(step))?.0,
            None => Block::new(),
        };
        self.loop_while(test, body, step, test_last, span);
        Ok(())
    }

    /// The loop around these statements. A condition with effects is computed in it.
    pub fn loop_while(
        &mut self,
        test: Option<(Block, Handle<IrExpr>)>,
        mut body: Block,
        mut step: Block,
        test_last: bool,
        span: Span,
    ) {
        let (mut effects, mut cond) = match test {
            Some((effects, cond)) => (effects, Some(cond)),
            None => (Block::new(), None),
        };
        if !effects.is_empty() && test_last {
            // Runs after `continue`, too. The temporaries it declares are read by the condition, so they
            // live outside.
            self.hoist_declarations(&mut effects);
            step.append(&mut effects);
        } else if let (false, Some(test)) = (effects.is_empty(), cond) {
            let int = self.i32();
            let stop = self.expr(Ir::Unary { op: UnaryOp::Not, operand: test }, int, span);
            let leave = vec![StmtNode { kind: Stmt::Break, span }];
            effects.push(StmtNode { kind: Stmt::If { cond: stop, then: leave, otherwise: vec![] }, span });
            effects.append(&mut body);
            body = effects;
            cond = None;
        }
        self.emit(Stmt::While { cond, body, step, test_last }, span);
    }

    /// Moves declarations to the front, and leaves stores in their place.
    pub fn hoist_declarations(&mut self, block: &mut Block) {
        let old = std::mem::take(block);
        for node in old {
            match node.kind {
                Stmt::Declare { local, init } => {
                    self.emit(Stmt::Declare { local, init: None }, node.span);
                    if let Some(value) = init {
                        let place = self.local_place(local, node.span);
                        let kind = Stmt::Store { place, op: None, value };
                        block.push(StmtNode { kind, span: node.span });
                    }
                }
                _ => block.push(node),
            }
        }
    }

    /// The range and iterator variables of a `for (var : array)`, and the array's length.
    pub fn array_range<'s>(&self, setup: &'s [Ast]) -> Option<(&'s Var, &'s Var, u64)> {
        let [range, begin, _end] = range_variables(setup)?;
        if !range.ty.is_reference() {
            return None;
        }
        let array = match self.cx.library_record(&range.ty) {
            Some((record, Library::Array)) => &record.fields[0].ty,
            _ => range.ty.referred(),
        };
        match &*array.ty {
            Ty::Array { len: Len::Const(n), .. } => Some((range, begin, *n)),
            _ => None,
        }
    }

    /// `for (var : array)` counts: its iterator is the address of an element.
    pub fn array_range_for(
        &mut self,
        (setup, var, body): (&[Ast], &Ast, &Ast),
        directive: Option<LoopDirective>,
        span: Span,
    ) -> Lowered<()> {
        let Some((range, begin, count)) = self.array_range(setup) else {
            return Err(unsupported("this loop", span));
        };
        let Some(array) = &range.init else { return Err(unsupported("this loop", span)) };
        let mut array = self.place(array)?;
        if self.cx.library_record(&range.ty).is_some() {
            array = self.array_in(array, &range.ty, span)?;
        }
        let Some(element) = self.cx.module.types.element(self.ty_of(array)) else {
            return Err(unsupported("this loop", span));
        };
        let int = self.i32();
        let index = self.temp("index", int, span);
        let [lower, bound, step] = [0, count.into(), 1].map(|v| self.int(v, int, span));
        let body = self.block(|f| {
            let at = f.load_local(index, span);
            let place = f.expr(Ir::Index { base: array, index: at }, element, span);
            let ty = f.cx.module.types.pointer(element);
            let address = f.expr(Ir::AddrOf(place), ty, span);
            let iterator = Variable {
                binding: Binding::Argument(address),
                ty: begin.ty.clone(),
                value: None,
                extent: None,
            };
            f.vars.insert(begin.id, iterator);
            f.later = Some(f.writes_of(std::slice::from_ref(body)));
            f.stmt(var);
            let inner = f.stmt_block(body);
            f.blocks.last_mut().into_iter().for_each(|b| b.extend(inner.clone()));
        });
        let counting = Loop { directive, ..Loop::counting(index, lower, bound, step, body) };
        self.emit_loop(vec![], counting, span);
        Ok(())
    }

    /// The range and iterator variables of a `for (var : range)` that goes through memory by a pointer.
    pub fn pointer_range<'s>(&self, setup: &'s [Ast]) -> Option<[&'s Var; 3]> {
        let vars = range_variables(setup)?;
        matches!(*vars[1].ty.ty, Ty::Pointer { .. }).then_some(vars)
    }

    /// `for (var : range)` with such a range counts elements.
    pub fn pointer_range_for(
        &mut self,
        [range, begin, end]: [&Var; 3],
        (var, body): (&Ast, &Ast),
        directive: Option<LoopDirective>,
        span: Span,
    ) -> Lowered<()> {
        let (Some(lower), Some(bound)) = (&begin.init, &end.init) else {
            return Err(unsupported("this loop", span));
        };
        self.later = Some(self.writes_of(std::slice::from_ref(body)));
        self.declare_var(range)?;
        let kind = StmtKind::Compound(vec![var.clone(), body.clone()]);
        let body = Ast { kind, span: body.span };
        let header = Header {
            var: begin.id,
            declared: Some(begin),
            lower,
            compare: Compare::Lt,
            bound: Some(bound),
            step: None,
            subtract: false,
            in_condition: None,
            wraps: false,
            body: &body,
            span,
        };
        self.counted(&header, directive)
    }

    fn return_stmt(&mut self, value: Option<&Expr>, span: Span) -> Lowered<()> {
        if self.region {
            return Err(Box::new(
                Diagnostic::error(codes::BRANCH_OUT, "`return` leaves a compute region")
                    .label(span, "a region is left at its end only")
                    .label(self.construct, "this construct begins the region")
                    .with_help("set a variable that the code behind the region looks at"),
            ));
        }
        let result = self.decl.result.clone();
        let value = match value {
            None => None,
            Some(e) if matches!(&*result.ty, crate::ast::Ty::Void) => {
                self.effect(e)?;
                None
            }
            Some(e) => {
                let ty = self.cx.ty(&result);
                let value = match result.is_reference() {
                    true => self.address(e, e.span)?,
                    false => self.full_expression(|f| f.owned_value(f.returned(e)))?,
                };
                Some(self.convert_pointer(value, ty))
            }
        };
        self.emit(Stmt::Return(value), span);
        Ok(())
    }

    fn switch(&mut self, value: &Expr, body: &Ast, span: Span) -> Lowered<()> {
        let value = self.full_expression(|f| f.value(value))?;
        let StmtKind::Compound(items) = &body.kind else {
            return Err(unsupported("a switch without braces", span));
        };
        let mut cases: Vec<Case> = Vec::new();
        self.scopes.push(Vec::new());
        let result = items.iter().try_for_each(|item| {
            let rest = self.labels(item, &mut cases)?;
            let Some(case) = cases.last_mut() else {
                return Err(unsupported("a statement in front of the first case", item.span));
            };
            let mut filled = std::mem::take(&mut case.body);
            let mut added = Block::new();
            if let Some(rest) = rest {
                self.blocks.push(Block::new());
                self.stmt(rest);
                added = self.blocks.pop().unwrap_or_default();
            }
            filled.append(&mut added);
            if let Some(case) = cases.last_mut() {
                case.body = filled;
            }
            Ok(())
        });
        self.scopes.pop();
        result?;
        self.emit(Stmt::Switch { value, cases }, span);
        Ok(())
    }

    /// Opens a case for the labels of a statement; returns the statement after the labels.
    fn labels<'s>(&mut self, item: &'s Ast, cases: &mut Vec<Case>) -> Lowered<Option<&'s Ast>> {
        let mut fresh = Case { values: Vec::new(), default: false, body: Block::new() };
        let mut item = item;
        let mut labelled = false;
        loop {
            match &item.kind {
                StmtKind::Case { range: Some((low, high)), body } if high - low < CASE_RANGE => {
                    fresh.values.extend(*low..=*high);
                    item = body;
                }
                StmtKind::Case { .. } => return Err(unsupported("this case label", item.span)),
                StmtKind::Default(body) => {
                    fresh.default = true;
                    item = body;
                }
                _ => break,
            }
            labelled = true;
        }
        if labelled {
            cases.push(fresh);
        }
        Ok((!matches!(item.kind, StmtKind::Null)).then_some(item))
    }
}

/// What a `for (var : range)` declares: the range, the first iterator, the last one.
fn range_variables(setup: &[Ast]) -> Option<[&Var; 3]> {
    let declared = setup.iter().filter_map(|s| match &s.kind {
        StmtKind::Decl(vars) => vars.first(),
        _ => None,
    });
    declared.collect::<Vec<_>>().try_into().ok()
}

/// Device code keeps the structure of the source, which `goto` does not have.
pub fn no_goto(span: Span) -> Diagnostic {
    Diagnostic::error(codes::GOTO, "this `goto` cannot be used in a compute region")
        .label(span, "device code consists of loops and conditionals")
        .with_help("use `if`, `break` and `continue`, or move the code into a function and `return` there")
}

impl Fun<'_, '_> {
    /// Why the body of a parallel loop may not be left early.
    pub fn leaves_loop(&self, body: &Ast, header: Span) -> Option<Diagnostic> {
        let (how, span) = walk::leaves_loop(body, self.cx.source.buffer)?;
        if how == "goto" {
            return Some(no_goto(span));
        }
        let help = match how {
            "return" => {
                "set a variable in the loop, as with `reduction(max:found)`, and return behind the region"
            }
            _ => "let a condition guard the rest of the body, or run the loop in order: `loop seq`",
        };
        Some(
            Diagnostic::error(codes::BRANCH_OUT, format!("`{how}` leaves a parallel loop"))
                .label(span, "iterations run at the same time, so none of them can end the others")
                .label(header, "this loop is parallel")
                .with_help(help),
        )
    }

    /// Why a region may not be left early (OpenACC 3.3 §2.5.4, §2.6.5).
    pub fn leaves_region(&self, body: &Ast, region: &str, directive: Span) -> Option<Diagnostic> {
        let (how, span) = walk::leaves_loop(body, self.cx.source.buffer)?;
        Some(
            Diagnostic::error(codes::BRANCH_OUT, format!("`{how}` leaves a {region}"))
                .label(span, "a region is left at its end only")
                .label(directive, "this directive begins the region")
                .with_help(format!("set a variable, and `{how}` behind the region")),
        )
    }
}
