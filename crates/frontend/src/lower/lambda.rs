//! Lambdas in compute regions.
//!
//! A lambda's object never exists on the device. A call of one is replaced by its body, in which captured variables
//! are those of the enclosing function. What was captured by copy and may have changed since gets a local of its
//! own where the lambda is made. A function that takes a lambda is replaced by its body, too, since only there it
//! is known what the parameter calls. So analysis sees loops over lambdas as if they had been written without them.
//!
//! A lambda made outside of the region contains copies that the region cannot access. The variables are used in
//! their place, and must not have changed.

use super::expr::unsupported;
use super::function::{Binding, Fun, This, Variable};
use super::{Lowered, Refused, walk};
use crate::ast::{
    Capture, DeclId, Expr, ExprKind, Function, FunctionKind, Lambda, Qual, Stmt as Ast, StmtKind, Storage,
    Ty, Var,
};
use accl_ir::{Block, Expr as IrExpr, ExprKind as Ir, Handle, Local, Stmt};
use accl_source::{Diagnostic, Span, codes::frontend as codes};
use std::rc::Rc;

type Value = Handle<IrExpr>;

/// The depth up to which lambdas that call functions with lambdas are traced.
const DEPTH: u32 = 24;

/// The value of a variable whose type is a lambda's.
#[derive(Debug)]
pub struct Closure {
    lambda: Lambda,
    /// Variables in its bodies that are no longer the ones of that name in scope.
    bound: Vec<(DeclId, Variable)>,
    /// Lambdas among what it captured.
    inner: Vec<(DeclId, Rc<Closure>)>,
    /// Variables that the capture list declares, of a lambda made outside of regions: made anew for each call.
    declared: Vec<Var>,
    /// Why a region cannot use it.
    refused: Option<(String, Span)>,
    /// It has a copy of the method's object, for which that is used: OpenMP maps it.
    keeps_this: Option<Span>,
    this: Option<This>,
    /// Made outside of regions.
    host: bool,
}

/// Where the results of an inlined body are stored.
#[derive(Clone, Debug)]
pub struct Inlining {
    result: Option<Handle<Local>>,
    ty: Qual,
    /// Within a loop or `switch` that returns: set where it did, so that what is around it is left, too.
    returned: Option<Handle<Local>>,
}

/// A body that replaces a call.
struct Callable<'a> {
    name: &'a str,
    params: &'a [Var],
    body: &'a Ast,
    result: &'a Qual,
}

pub fn is_closure(ty: &Qual) -> bool {
    matches!(&*ty.referred().ty, Ty::Opaque(name) if name.contains("(lambda at "))
}

impl<'p> Fun<'_, 'p> {
    /// The call of a lambda, or of a function that takes one; `None`: any other call.
    pub fn closure_call(
        &mut self,
        e: &Expr,
        id: DeclId,
        object: Option<&Expr>,
        args: &[Expr],
    ) -> Lowered<Option<Option<Value>>> {
        if let Some(object) = object.filter(|o| is_closure(&o.ty)) {
            // A lambda made here is called at once, so nothing changes in between.
            let later = self.later.replace(walk::Writes::default());
            let closure = self.closure_of(object);
            self.later = later;
            let closure = closure?;
            return self.call_lambda(&closure, id, args, e.span).map(Some);
        }
        let Some(function) = self.cx.function_decl(id).filter(|_| args.iter().any(|a| is_closure(&a.ty)))
        else {
            return Ok(None);
        };
        self.call_with_lambdas(function, object, args, e).map(Some)
    }

    fn call_lambda(
        &mut self,
        closure: &Closure,
        id: DeclId,
        args: &[Expr],
        span: Span,
    ) -> Lowered<Option<Value>> {
        let unreached = closure.keeps_this.filter(|_| !self.is_openmp(self.construct));
        let unreached = unreached.map(|at| (not_reached("*this"), at));
        if let Some((why, place)) = closure.refused.as_ref().or(unreached.as_ref()) {
            return Err(Box::new(
                Diagnostic::error(
                    codes::UNSUPPORTED,
                    format!("this lambda cannot be called in a compute region: {why}"),
                )
                .label(span, "called here")
                .label(*place, "captured here"),
            ));
        }
        let Some(call) = closure.lambda.calls.iter().find(|c| c.id == id) else {
            return Err(unsupported("a lambda whose body is not known here", span));
        };
        if closure.host {
            self.visible(closure, &call.body, span)?;
        }
        let call =
            Callable { name: "a lambda", params: &call.params, body: &call.body, result: &call.result };
        self.inline(&call, args, span, |f| {
            f.vars.extend(closure.bound.iter().cloned());
            f.closures.extend(closure.inner.iter().cloned());
            f.this = closure.this.or(f.this);
            closure.declared.iter().try_for_each(|var| f.declare_var(var))
        })
    }

    fn call_with_lambdas(
        &mut self,
        function: &'p Function,
        object: Option<&Expr>,
        args: &[Expr],
        e: &Expr,
    ) -> Lowered<Option<Value>> {
        self.call_in_place(function, object.map(|o| (o, false)), args, e, |_| {})
    }

    /// A call of a function whose code depends on the team that runs it, or on containers of the host. What its clauses name are its own
    /// variables.
    pub fn call_in_team(
        &mut self,
        function: &'p Function,
        object: Option<(&Expr, bool)>,
        args: &[Expr],
        e: &Expr,
    ) -> Lowered<Option<Value>> {
        if self.in_threads && !self.one_thread && self.cx.team_work(function.id).shares {
            return Err(Box::new(
                Diagnostic::error(
                    codes::NOT_IMPLEMENTED,
                    "threads of a team share work in a function that is called within a statement",
                )
                .label(e.span, "called here")
                .with_help("make the call a statement of its own, of a function without a result"),
            ));
        }
        if self.in_place.contains(&function.id) {
            let message = format!("`{}` calls itself, and its code depends on the team", function.name);
            return Err(Box::new(Diagnostic::error(codes::NOT_IMPLEMENTED, message).at(e.span)));
        }
        self.in_place.push(function.id);
        let (record, scopes, outside) = (self.record, self.scopes.clone(), self.region_scopes);
        let result = self.call_in_place(function, object, args, e, |f| {
            if let FunctionKind::Method { record, .. } = function.kind {
                f.record = Some(record);
            }
            // Its parameters are the names of the last scope.
            let own = f.scopes.split_off(f.scopes.len() - 1);
            (f.scopes, f.region_scopes) = (own, 0);
        });
        (self.record, self.scopes, self.region_scopes) = (record, scopes, outside);
        self.in_place.pop();
        result
    }

    fn call_in_place(
        &mut self,
        function: &'p Function,
        object: Option<(&Expr, bool)>,
        args: &[Expr],
        e: &Expr,
        enter: impl FnOnce(&mut Self),
    ) -> Lowered<Option<Value>> {
        let Some(body) = &function.body else {
            return Err(self.no_definition(Some(function.id), &function.name, e.span));
        };
        self.check_callee(function, e.span)?;
        let this = match (&function.kind, object) {
            (FunctionKind::Free, _) | (FunctionKind::Method { is_static: true, .. }, _) => self.this,
            (FunctionKind::Method { .. }, Some((object, arrow))) => {
                let address = self.object_address(object, arrow)?;
                let call = Ast { kind: StmtKind::Expr(e.clone()), span: e.span };
                let writes = self.writes_of(std::slice::from_ref(&call));
                let stays = self.reads_only(address, &|local| !self.may_move(local, &writes));
                Some(if stays {
                    This::Value(address)
                } else {
                    This::Local(self.spill("object", address, object.span))
                })
            }
            (FunctionKind::Method { .. } | FunctionKind::Constructor { .. }, _) => {
                return Err(unsupported("a constructor that is given a lambda", e.span));
            }
        };
        let call =
            Callable { name: &function.name, params: &function.params, body, result: &function.result };
        self.inline(&call, args, e.span, |f| {
            f.this = this;
            enter(f);
            Ok(())
        })
    }

    /// The body that replaces the call: `enter` gives its names their meaning there, after the arguments are
    /// evaluated.
    fn inline(
        &mut self,
        call: &Callable<'_>,
        args: &[Expr],
        span: Span,
        enter: impl FnOnce(&mut Self) -> Lowered<()>,
    ) -> Lowered<Option<Value>> {
        if self.inlined >= DEPTH {
            return Err(unsupported(format_args!("{} that calls itself", call.name), span));
        }
        if args.len() != call.params.len() {
            return Err(unsupported(format_args!("{} with a variable number of arguments", call.name), span));
        }
        let outer =
            (self.vars.clone(), self.closures.clone(), self.this, self.later.take(), self.inlining.take());
        let writes = self.writes_of(std::slice::from_ref(call.body));
        self.scopes.push(vec![]);
        let mut passed = vec![];
        for (param, arg) in call.params.iter().zip(args) {
            let arg = match (&arg.kind, &param.init) {
                (ExprKind::DefaultArg, Some(default)) => default,
                _ => arg,
            };
            self.pass(param, arg, &writes)?;
            passed.push((self.vars.get(&param.id).cloned(), self.closures.get(&param.id).cloned()));
        }
        enter(self)?;
        // A call among the arguments may have been of the same function.
        for (param, (variable, closure)) in call.params.iter().zip(passed) {
            self.vars.extend(variable.map(|v| (param.id, v)));
            self.closures.extend(closure.map(|c| (param.id, c)));
        }
        self.inlined += 1;
        let value = self.inlined_body(call, span);
        self.scopes.pop();
        self.inlined -= 1;
        (self.vars, self.closures, self.this, self.later, self.inlining) = outer;
        value
    }

    fn pass(&mut self, param: &Var, arg: &Expr, writes: &walk::Writes) -> Lowered<()> {
        let var = Var { storage: Storage::Auto, init: Some(arg.clone()), extent: None, ..param.clone() };
        let changes = writes.vars.contains(&param.id);
        if !is_closure(&arg.ty) && !param.ty.is_reference() && !changes {
            let (effects, value) = self.try_block(|f| f.value(arg))?;
            if effects.is_empty() && self.stays(value, writes) {
                self.bring(&Var { init: None, ..var }, Binding::Argument(value));
                return Ok(());
            }
            self.extend(effects);
            let local = self.declare(&Var { init: None, ..var.clone() }, accl_ir::LocalKind::Auto);
            let ty = self.body.locals[local].ty;
            let value = self.convert_pointer(value, ty);
            self.emit(Stmt::Declare { local, init: Some(value) }, var.decl_span);
            return Ok(());
        }
        self.later = Some(writes.clone());
        let declared = self.declare_var(&var);
        self.later = None;
        declared
    }

    /// Whether an argument is simple enough, and certain not to change, so that it may be substituted for its
    /// parameter.
    fn stays(&self, value: Value, writes: &walk::Writes) -> bool {
        match &self.body.exprs[value].kind {
            Ir::Int(_) | Ir::Float(_) => true,
            Ir::Load(place) => match self.body.exprs[*place].kind {
                Ir::Local(local) => !self.may_move(local, writes),
                _ => false,
            },
            _ => false,
        }
    }

    /// If the only `return` is at its end, the body's value may be an expression that is used in place of the call.
    fn inlined_body(&mut self, call: &Callable<'_>, span: Span) -> Lowered<Option<Value>> {
        let StmtKind::Compound(items) = &call.body.kind else {
            return Err(unsupported(call.name, span));
        };
        let void = matches!(&*call.result.ty, Ty::Void);
        let (last, before) = match items.split_last() {
            Some((last, before)) if matches!(&last.kind, StmtKind::Return(Some(_))) && !void => {
                (Some(last), before)
            }
            _ => (None, &items[..]),
        };
        if is_closure(call.result) {
            return Err(unsupported("a lambda as the result of a function", span));
        }
        if let Some(Ast { kind: StmtKind::Return(Some(value)), .. }) = last
            && !before.iter().any(walk::returns)
        {
            self.items(before);
            let ty = self.ty(call.result);
            let (effects, result) = self.try_block(|f| f.result(value, call.result))?;
            let plain = before.is_empty() && effects.is_empty();
            self.extend(effects);
            let result = self.convert_pointer(result, ty);
            if plain {
                return Ok(Some(result));
            }
            let local = self.spill("result", result, span);
            return Ok(Some(self.load_local(local, span)));
        }
        let result = match void {
            true => None,
            false => {
                self.usable(call.result.referred(), span)?;
                let ty = self.ty(call.result);
                let local = self.temp("result", ty, span);
                self.emit(Stmt::Declare { local, init: None }, span);
                Some(local)
            }
        };
        self.inlining = Some(Inlining { result, ty: call.result.clone(), returned: None });
        let items: Vec<&Ast> = items.iter().collect();
        self.until_return(&items)?;
        Ok(result.map(|local| self.load_local(local, span)))
    }

    fn result(&mut self, value: &Expr, ty: &Qual) -> Lowered<Value> {
        if ty.is_reference() { self.address(value, value.span) } else { self.owned_value(value) }
    }

    /// Statements that contain `return`s: what follows a condition that returns becomes its other branch.
    fn until_return(&mut self, items: &[&Ast]) -> Lowered<()> {
        let Some(at) = items.iter().position(|s| walk::returns(s)) else {
            items.iter().for_each(|s| self.stmt(s));
            return Ok(());
        };
        let (item, rest) = (items[at], &items[at + 1..]);
        items[..at].iter().for_each(|s| self.stmt(s));
        match &item.kind {
            StmtKind::Return(value) => self.inlined_return(value.as_ref()),
            StmtKind::Compound(inner) => {
                let all: Vec<&Ast> = inner.iter().chain(rest.iter().copied()).collect();
                self.until_return(&all)
            }
            StmtKind::If { init: None, cond, then, otherwise } => {
                let cond = self.cond(cond)?;
                let both = falls_through(then) && otherwise.as_ref().is_none_or(|o| falls_through(o));
                if both && !rest.is_empty() {
                    return Err(unsupported(
                        "a `return` within several conditions of a lambda, or of a function given one,",
                        item.span,
                    ));
                }
                let then = self.branch(Some(then), rest)?;
                let otherwise = self.branch(otherwise.as_deref(), rest)?;
                self.emit(Stmt::If { cond, then, otherwise }, item.span);
                Ok(())
            }
            _ if leaves_by_break(item) => self.returning_loop(item, rest),
            _ => Err(unsupported(
                "a `return` within this statement of a lambda, or of a function given one,",
                item.span,
            )),
        }
    }

    /// A loop or `switch` that returns, and what follows it: a `return` leaves it by `break`.
    fn returning_loop(&mut self, item: &Ast, rest: &[&Ast]) -> Lowered<()> {
        let (int, span) = (self.i32(), item.span);
        let returned = self.temp("returned", int, span);
        let init = Some(self.int(0, int, span));
        self.emit(Stmt::Declare { local: returned, init }, span);
        let outside = self.returned_by(Some(returned));
        let left = self.whole_stmt(item);
        self.returned_by(outside);
        left?;
        let otherwise = self.try_block(|f| f.until_return(rest))?.0;
        if !otherwise.is_empty() {
            let cond = self.load_local(returned, span);
            self.emit(Stmt::If { cond, then: vec![], otherwise }, span);
        }
        Ok(())
    }

    fn returned_by(&mut self, returned: Option<Handle<Local>>) -> Option<Handle<Local>> {
        self.inlining.as_mut().and_then(|i| std::mem::replace(&mut i.returned, returned))
    }

    /// A `return` within a loop or `switch` of a body that stands in place of its call: whether this is one.
    pub fn return_by_break(&mut self, value: Option<&Expr>, span: Span) -> Lowered<bool> {
        let Some(returned) = self.inlining.as_ref().and_then(|i| i.returned) else { return Ok(false) };
        self.inlined_return(value)?;
        let (place, int) = (self.local_place(returned, span), self.i32());
        let yes = self.int(1, int, span);
        self.store(place, yes, span);
        self.emit(Stmt::Break, span);
        Ok(true)
    }

    /// Behind a loop or `switch` in one that returns: where it did, the one around it is left, too.
    pub fn leave_after_return(&mut self, s: &Ast) {
        if let Some(returned) = self.inlining.as_ref().and_then(|i| i.returned)
            && leaves_by_break(s)
        {
            let cond = self.load_local(returned, s.span);
            let then = self.block(|f| f.emit(Stmt::Break, s.span));
            self.emit(Stmt::If { cond, then, otherwise: vec![] }, s.span);
        }
    }

    fn branch(&mut self, branch: Option<&Ast>, rest: &[&Ast]) -> Lowered<Block> {
        let goes_on = branch.is_none_or(falls_through);
        let rest = if goes_on { rest } else { &[] };
        let all: Vec<&Ast> = branch.into_iter().chain(rest.iter().copied()).collect();
        self.try_block(|f| f.until_return(&all)).map(|(block, ())| block)
    }

    fn inlined_return(&mut self, value: Option<&Expr>) -> Lowered<()> {
        let Some(inlining) = self.inlining.clone() else { return Ok(()) };
        match (inlining.result, value) {
            (Some(local), Some(value)) => {
                let result = self.result(value, &inlining.ty)?;
                let place = self.local_place(local, value.span);
                let ty = self.body.locals[local].ty;
                let result = self.convert_pointer(result, ty);
                self.store(place, result, value.span);
                Ok(())
            }
            (None, Some(value)) => self.effect(value),
            (_, None) => Ok(()),
        }
    }

    /// What an expression of a lambda's type stands for.
    pub fn closure_of(&mut self, e: &Expr) -> Lowered<Rc<Closure>> {
        match &e.kind {
            ExprKind::Var(id, name) => match self.closures.get(id) {
                Some(known) => Ok(known.clone()),
                None => Err(unsupported(
                    format_args!("`{name}`, of which it is not known here what lambda it holds,"),
                    e.span,
                )),
            },
            ExprKind::Lambda(lambda) => self.make(lambda).map(Rc::new),
            ExprKind::Cast { operand, .. } => self.closure_of(operand),
            ExprKind::Construct { args, .. } => match &args[..] {
                [source] => {
                    let closure = self.closure_of(source)?;
                    if closure.lambda.mutable && source.place {
                        return Err(unsupported("a copy of a mutable lambda", e.span));
                    }
                    Ok(closure)
                }
                _ => Err(unsupported("this lambda", e.span)),
            },
            ExprKind::Call { callee, args } => match (&walk::bare_function(callee).kind, &args[..]) {
                (ExprKind::Function(_, name), [source]) if matches!(&**name, "move" | "forward") => {
                    self.closure_of(source)
                }
                _ => Err(unsupported("a lambda as the result of a function", e.span)),
            },
            _ => {
                Err(unsupported("a lambda that is part of another object, or chosen by a condition,", e.span))
            }
        }
    }

    fn make(&mut self, lambda: &Lambda) -> Lowered<Closure> {
        let mut closure = Closure {
            lambda: lambda.clone(),
            bound: vec![],
            inner: vec![],
            declared: vec![],
            refused: None,
            keeps_this: None,
            this: self.this,
            host: !self.device,
        };
        for capture in &lambda.captures {
            if self.device {
                self.capture(capture, &mut closure)?
            } else {
                self.capture_outside(capture, &mut closure)
            }
        }
        Ok(closure)
    }

    /// A lambda made in a region.
    fn capture(&mut self, capture: &Capture, closure: &mut Closure) -> Lowered<()> {
        let Some(id) = capture.id else {
            return match capture.init.kind {
                ExprKind::This => Ok(()),
                // One that is declared and not used, or `*this`.
                _ if capture.declares => self.effect(&capture.init),
                _ => Err(unsupported(
                    "a lambda that captures `*this`, or a part of an object,",
                    capture.init.span,
                )),
            };
        };
        if is_closure(&capture.ty) {
            closure.inner.push((id, self.closure_of(&capture.init)?));
            return Ok(());
        }
        let by_copy = !capture.ty.is_reference();
        if by_copy && self.ends_seen(&capture.init) {
            return Err(unsupported(
                "a lambda with an object whose destructor has effects",
                capture.init.span,
            ));
        }
        let is_constructed = by_copy && !capture.declares && self.fills_in_place(&capture.init);
        let own: Vec<Ast> = closure.bodies().into_iter().cloned().collect();
        let own = self.writes_of(&own);
        let other_names = self.has_other_names(id);
        let changes = |writes: &walk::Writes| {
            writes.vars.contains(&id) || other_names && writes.may_reach(&capture.ty.referred().ty)
        };
        let changes = closure.lambda.mutable
            || self.addressed.contains(&id)
            || self.later.as_ref().is_none_or(changes)
            || changes(&own);
        if !(capture.declares || is_constructed || by_copy && changes) {
            closure.bound.extend(self.vars.get(&id).map(|v| (id, v.clone())));
            return Ok(());
        }
        let (before, later) = (self.vars.get(&id).cloned(), self.later.take());
        let var = capture_var(id, capture);
        let declared = match is_constructed {
            true => self.declare_copy(&var, &capture.init),
            false => self.declare_var(&var),
        };
        self.later = later;
        declared?;
        closure.bound.extend(self.vars.get(&id).map(|v| (id, v.clone())));
        match before {
            Some(before) => self.vars.insert(id, before),
            None => self.vars.remove(&id),
        };
        Ok(())
    }

    /// A copy that has its original's name: it takes the name when it is made.
    fn declare_copy(&mut self, var: &Var, of: &Expr) -> Lowered<()> {
        let ty = self.usable(&var.ty, var.span)?;
        let local = self.local(&var.name, ty, accl_ir::LocalKind::Auto, var.span);
        self.emit(Stmt::Declare { local, init: None }, var.decl_span);
        let place = self.local_place(local, var.span);
        self.initialize(place, of)?;
        self.bring(var, Binding::Local(local));
        Ok(())
    }

    /// A lambda made by the host: the variables must still have their values.
    fn capture_outside(&mut self, capture: &Capture, closure: &mut Closure) {
        let (name, span) = (&capture.name, capture.init.span);
        let by_copy = !capture.ty.is_reference();
        let Some(id) = capture.id else {
            if self.keeps_this(capture) {
                closure.keeps_this = Some(span);
            } else if !(capture.declares || matches!(capture.init.kind, ExprKind::This)) {
                let name = if name.is_empty() { "*this" } else { name };
                closure.refused = Some((not_reached(name), span));
            }
            return;
        };
        if is_closure(&capture.ty) {
            match self.closure_of(&capture.init) {
                Ok(inner) => closure.inner.push((id, inner)),
                Err(_) => {
                    closure.refused = Some((format!("what lambda `{name}` is, is not known here"), span))
                }
            }
            return;
        }
        if by_copy && closure.lambda.mutable {
            closure.refused = Some((format!("it is mutable, and has one `{name}` for all iterations"), span));
        }
        let mut read = vec![];
        // `[self = *this]`: a copy of an object that stands before the lambda.
        let value = match &walk::bare(&capture.init).kind {
            ExprKind::Construct { args, .. }
                if args.len() == 1 && self.cx.is_copied_by_bytes(&capture.ty) =>
            {
                &args[0]
            }
            _ => &capture.init,
        };
        let mut simple = walk::is_plain(value);
        walk::within(&capture.init, &mut |e| match &e.kind {
            ExprKind::Var(id, _) => read.push(*id),
            ExprKind::Call { .. } | ExprKind::Index { .. } | ExprKind::Deref(_) | ExprKind::Member { .. } => {
                simple = false
            }
            _ => {}
        });
        if capture.declares && !simple {
            closure.refused =
                Some((format!("the region cannot reach `{name}`, which its capture list computes"), span));
        }
        let named = self.decl.body.as_ref().map(walk::named_by_references).unwrap_or_default();
        let object = |id: &DeclId| *named.get(id).unwrap_or(id);
        let changes = |id: &DeclId| {
            let is_it = |written: &DeclId| object(written) == object(id);
            self.addressed.contains(id)
                || self.later.as_ref().is_none_or(|l| l.vars.iter().chain(&l.objects).any(is_it))
        };
        if by_copy && read.iter().any(changes) {
            let why = format!("`{name}` may have changed since it was captured by copy");
            closure.refused = Some((why, span));
        }
        if capture.declares {
            closure.declared.push(capture_var(id, capture));
        } else {
            closure.bound.extend(self.vars.get(&id).map(|v| (id, v.clone())));
        }
    }

    /// A copy of the method's object, `[*this]`, where the object itself stays the same.
    fn keeps_this(&self, capture: &Capture) -> bool {
        let ExprKind::Construct { args, .. } = &walk::bare(&capture.init).kind else { return false };
        let is_this = |e: &Expr| match &walk::same_place(e).kind {
            ExprKind::Deref(of) => matches!(walk::bare(of).kind, ExprKind::This),
            _ => false,
        };
        matches!(&args[..], [one] if is_this(one))
            && self.cx.is_copied_by_bytes(&capture.ty)
            && self.decl.body.as_ref().is_some_and(|body| !walk::may_change_this(body))
    }

    /// The host's text of the region names captured variables: none may be hidden where the region stands.
    fn visible(&self, closure: &Closure, body: &Ast, span: Span) -> Lowered<()> {
        let outside = &self.scopes[..self.region_scopes.min(self.scopes.len())];
        let mut hidden: Option<String> = None;
        walk::exprs(body, &mut |e| {
            if let ExprKind::Var(id, name) = &e.kind
                && closure.lambda.captures.iter().any(|c| c.id == Some(*id) && !c.declares)
            {
                let innermost =
                    outside.iter().rev().flat_map(|s| s.iter().rev()).find(|(n, _)| **n == **name);
                if innermost.is_some_and(|(_, found)| found != id) {
                    hidden.get_or_insert(name.to_string());
                }
            }
        });
        match hidden {
            None => Ok(()),
            Some(name) => {
                let message = format!(
                    "this lambda cannot be called in a compute region: its `{name}` is hidden by another"
                );
                Err(Box::new(
                    Diagnostic::error(codes::UNSUPPORTED, message)
                        .at(span)
                        .with_help("give one of the two another name"),
                ) as Refused)
            }
        }
    }
}

fn not_reached(name: &str) -> String {
    format!("it captures a copy, `{name}`, that the region cannot reach")
}

/// A variable with what the lambda keeps.
fn capture_var(id: DeclId, capture: &Capture) -> Var {
    Var {
        id,
        name: capture.name.clone(),
        ty: capture.ty.clone(),
        type_text: "".into(),
        span: capture.init.span,
        decl_span: capture.init.span,
        storage: Storage::Auto,
        extent: None,
        init: Some(capture.init.clone()),
        link_name: None,
    }
}

/// A loop or `switch` that holds a `return`, and no directive around it.
fn leaves_by_break(s: &Ast) -> bool {
    let is_left = matches!(
        s.kind,
        StmtKind::For { .. }
            | StmtKind::RangeFor { .. }
            | StmtKind::While { .. }
            | StmtKind::DoWhile { .. }
            | StmtKind::Switch { .. }
    );
    is_left && walk::returns(s) && !returns_from_directive(s)
}

fn returns_from_directive(s: &Ast) -> bool {
    match &s.kind {
        StmtKind::Directed { .. } => walk::returns(s),
        _ => walk::children(s).into_iter().any(returns_from_directive),
    }
}

fn falls_through(s: &Ast) -> bool {
    match &s.kind {
        StmtKind::Return(_) => false,
        StmtKind::Compound(items) => items.iter().all(falls_through),
        StmtKind::If { then, otherwise: Some(otherwise), .. } => {
            falls_through(then) || falls_through(otherwise)
        }
        _ => true,
    }
}

impl Fun<'_, '_> {
    /// The lambdas made before a statement that the statement names.
    pub fn lambdas_named(&self, s: &Ast) -> Vec<Rc<Closure>> {
        let mut named = vec![];
        walk::exprs(s, &mut |e| {
            if let ExprKind::Var(id, _) = &e.kind {
                named.extend(self.closures.get(id).cloned());
            }
        });
        named
    }
}

impl Closure {
    /// Its own, and those of the lambdas that it calls.
    pub fn bodies(&self) -> Vec<&Ast> {
        let own = self.lambda.calls.iter().map(|c| &c.body);
        own.chain(self.inner.iter().flat_map(|(_, inner)| inner.bodies())).collect()
    }
}
