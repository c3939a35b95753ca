//! Calls: the mathematical functions, the user's own, and the refusal of all others.

use super::Lowered;
use super::expr::unsupported;
use super::function::Fun;
use crate::ast::{CastKind, DeclId, Expr, ExprKind, Function, FunctionKind};
use accl_ir::{Expr as IrExpr, ExprKind as Ir, Handle, Stmt, TypeKind};
use accl_source::{Diagnostic, Span, codes::frontend as codes};

type Value = Handle<IrExpr>;

/// What is called, and on which object.
enum Callee<'e> {
    Function(DeclId, &'e str),
    Method { object: &'e Expr, arrow: bool, member: DeclId, name: &'e str },
}

impl<'p> Fun<'_, 'p> {
    /// Performs a call. Its value, unless it has none or `dest` took it.
    pub fn call(
        &mut self,
        e: &Expr,
        callee: &Expr,
        args: &[Expr],
        dest: Option<Value>,
    ) -> Lowered<Option<Value>> {
        let target = self.callee(callee)?;
        if let Some(assigned) = self.defaulted_assignment(&target, args, e)? {
            return Ok(Some(assigned));
        }
        match target {
            Callee::Function(id, name) => {
                match self.cx.function_decl(id).filter(|f| f.body.is_some() || self.cx.is_routine(f.id)) {
                    Some(function) => {
                        let is_member =
                            matches!(function.kind, FunctionKind::Method { is_static: false, .. });
                        match args {
                            [object, rest @ ..] if is_member => {
                                let this = self.object_address(object, false)?;
                                self.user_call(e, function, Some(this), rest, dest)
                            }
                            _ => self.user_call(e, function, None, args, dest),
                        }
                    }
                    None => self.library_call(e, id, name, args),
                }
            }
            Callee::Method { object, arrow, member, name } => match self.cx.function_decl(member) {
                Some(function) => {
                    let is_static = matches!(function.kind, FunctionKind::Method { is_static: true, .. });
                    let this = if is_static { None } else { Some(self.object_address(object, arrow)?) };
                    self.user_call(e, function, this, args, dest)
                }
                None => Err(self.no_definition(name, e.span)),
            },
        }
    }

    /// `a = b` of a class whose assignment the compiler wrote: the bytes are copied.
    fn defaulted_assignment(
        &mut self,
        callee: &Callee<'_>,
        args: &[Expr],
        e: &Expr,
    ) -> Lowered<Option<Value>> {
        let (id, object, arrow, source) = match (callee, args) {
            (Callee::Function(id, "operator="), [object, source]) => (*id, object, false, source),
            (Callee::Method { object, arrow, member, name: "operator=" }, [source]) => {
                (*member, *object, *arrow, source)
            }
            _ => return Ok(None),
        };
        if !self.cx.function_decl(id).is_none_or(|f| f.defaulted) {
            return Ok(None);
        }
        let value = self.value(source)?;
        let pointer = self.object_address(object, arrow)?;
        let place = self.deref(pointer, &e.ty, e.span);
        self.store(place, value, e.span);
        Ok(Some(pointer))
    }

    fn callee<'e>(&self, callee: &'e Expr) -> Lowered<Callee<'e>> {
        match &callee.kind {
            ExprKind::Cast { kind: CastKind::Function | CastKind::NoOp, operand, .. } => self.callee(operand),
            ExprKind::Function(id, name) => Ok(Callee::Function(*id, name)),
            ExprKind::Member { base, arrow, member, name } => {
                Ok(Callee::Method { object: base, arrow: *arrow, member: *member, name })
            }
            ExprKind::Deref(inner) => self.callee(inner),
            _ => Err(unsupported("a call through a pointer", callee.span)),
        }
    }

    fn object_address(&mut self, object: &Expr, arrow: bool) -> Lowered<Value> {
        if arrow { self.value(object) } else { self.address(object, object.span) }
    }

    fn no_definition(&self, name: &str, span: Span) -> super::Refused {
        Box::new(
            Diagnostic::error(codes::CALL, format!("{name} cannot be called in a compute region"))
                .label(span, "its definition is not in this file")
                .with_help("define it in this file or a header, or name it in a routine directive"),
        )
    }

    fn user_call(
        &mut self,
        e: &Expr,
        function: &'p Function,
        this: Option<Value>,
        args: &[Expr],
        dest: Option<Value>,
    ) -> Lowered<Option<Value>> {
        if !self.device {
            return Err(unsupported("a call", e.span));
        }
        if function.body.is_none() && !self.cx.is_routine(function.id) {
            return Err(self.no_definition(&function.name, e.span));
        }
        self.check_callee(function, e.span)?;
        let handle = self.cx.function(function);
        let mut values: Vec<Value> = this.into_iter().collect();
        for (index, arg) in args.iter().enumerate() {
            values.push(self.argument(function, index, arg)?);
        }
        let result = self.cx.module.functions[handle].result;
        if self.cx.module.types.kind(result) == &TypeKind::Void {
            self.emit(Stmt::Call { dest: None, function: handle, args: values }, e.span);
            return Ok(None);
        }
        if self.cx.pure(function.id) {
            return Ok(Some(self.expr(Ir::Call { function: handle, args: values }, result, e.span)));
        }
        if let Some(dest) = dest.filter(|d| self.ty_of(*d) == result) {
            self.emit(Stmt::Call { dest: Some(dest), function: handle, args: values }, e.span);
            return Ok(None);
        }
        let local = self.temp(crate::lower::scope::short_name(&function.name), result, e.span);
        self.emit(Stmt::Declare { local, init: None }, e.span);
        let place = self.local_place(local, e.span);
        self.emit(Stmt::Call { dest: Some(place), function: handle, args: values }, e.span);
        Ok(Some(self.load_local(local, e.span)))
    }

    /// A function that launches kernels cannot run inside one.
    fn check_callee(&mut self, function: &Function, span: Span) -> Lowered<()> {
        if super::is_host(function, self.cx.pragmas) {
            let message = format!("{} cannot be called in a compute region", function.name);
            return Err(Box::new(
                Diagnostic::error(codes::CALL, message)
                    .label(span, "called here")
                    .label(function.span, "it contains directives for the host"),
            ));
        }
        Ok(())
    }

    fn argument(&mut self, function: &'p Function, index: usize, arg: &Expr) -> Lowered<Value> {
        let Some(param) = function.params.get(index) else {
            return Err(unsupported("a function with a variable number of arguments", arg.span));
        };
        let arg = match (&arg.kind, &param.init) {
            (ExprKind::DefaultArg, Some(default)) => default,
            _ => arg,
        };
        let ty = self.cx.ty(&param.ty);
        let value = if param.ty.is_reference() { self.address(arg, arg.span)? } else { self.value(arg)? };
        Ok(self.convert_pointer(value, ty))
    }

    /// Constructors of class types: `T(args)`.
    pub fn construct(
        &mut self,
        place: Value,
        constructor: &'p Function,
        args: &[Expr],
        e: &Expr,
    ) -> Lowered<()> {
        let handle = self.cx.function(constructor);
        let of = self.ty_of(place);
        let ty = self.cx.module.types.pointer(of);
        let mut values = vec![self.expr(Ir::AddrOf(place), ty, e.span)];
        for (index, arg) in args.iter().enumerate() {
            values.push(self.argument(constructor, index, arg)?);
        }
        self.emit(Stmt::Call { dest: None, function: handle, args: values }, e.span);
        Ok(())
    }
}
