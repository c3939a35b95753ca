//! Calls: the mathematical functions, the user's own, and the refusal of all others.

use super::Lowered;
use super::expr::unsupported;
use super::function::{Binding, Fun, This, Variable};
use super::{scope, walk};
use crate::ast::{CastKind, DeclId, Expr, ExprKind, Function, FunctionKind, Ty};
use accl_ir::{Expr as IrExpr, ExprKind as Ir, Handle, Stmt, TypeKind};
use accl_source::{Diagnostic, Span, codes::frontend as codes};

type Value = Handle<IrExpr>;

/// The depth up to which methods that call methods are inlined.
const INLINE_DEPTH: u32 = 8;

/// The function called, and the object it is called on.
pub enum Callee<'e> {
    Function(DeclId, &'e str),
    Method { object: &'e Expr, arrow: bool, member: DeclId, name: &'e str },
}

/// What a call passes.
enum Operand<'e> {
    Object { object: &'e Expr, arrow: bool },
    Argument { index: usize, value: &'e Expr },
}

impl Operand<'_> {
    /// The argument's position among the parameters; the object is the first.
    fn position(&self) -> usize {
        match self {
            Operand::Object { .. } => 0,
            Operand::Argument { index, .. } => index + 1,
        }
    }
}

fn operands<'e>(object: Option<(&'e Expr, bool)>, args: &'e [Expr]) -> Vec<Operand<'e>> {
    let object = object.map(|(object, arrow)| Operand::Object { object, arrow });
    let args = args.iter().enumerate().map(|(index, value)| Operand::Argument { index, value });
    object.into_iter().chain(args).collect()
}

/// An operator written between its operands evaluates the right one first.
fn is_assignment(name: &str) -> bool {
    match name.strip_prefix("operator").and_then(|op| op.strip_suffix('=')) {
        Some(op) => !matches!(op, "=" | "!" | "<" | ">"),
        None => false,
    }
}

impl<'p> Fun<'_, 'p> {
    /// Performs a call. Returns its value, unless it has none or `dest` took it.
    pub fn call(
        &mut self,
        e: &Expr,
        callee: &Expr,
        args: &[Expr],
        dest: Option<Value>,
    ) -> Lowered<Option<Value>> {
        let target = match self.callee(callee)? {
            Callee::Function(id, name) if self.device => {
                Callee::Function(self.cx.variant_of(id, e.span)?, name)
            }
            other => other,
        };
        if self.device {
            self.needs_no_dispatch(&target, args, e.span)?;
        }
        if let Some(done) = self.standard_call(e, &target, args)? {
            return Ok(done);
        }
        if let Some(assigned) = self.defaulted_assignment(&target, args, e)? {
            return Ok(Some(assigned));
        }
        let (id, object, rest) = match &target {
            // Operators name their function, and have their object among the arguments.
            Callee::Function(id, "operator()") => (*id, args.first(), args.get(1..).unwrap_or_default()),
            Callee::Function(id, _) => (*id, None, args),
            Callee::Method { object, arrow: false, member, .. } => (*member, Some(*object), args),
            Callee::Method { member, .. } => (*member, None, args),
        };
        if self.device
            && let Some(value) = self.closure_call(e, id, object, rest)?
        {
            return Ok(value);
        }
        if self.device
            && let Some(function) = self.cx.function_decl(id).filter(|f| f.body.is_some())
            && (!self.one_thread && self.cx.team_work(id).depends
                || self.region && self.cx.uses_containers(id))
        {
            let object = match &target {
                Callee::Method { object, arrow: true, .. } => Some((*object, true)),
                _ => object.map(|object| (object, false)),
            };
            return self.call_in_team(function, object, rest, e);
        }
        match target {
            Callee::Function(id, name) => {
                let id = self.cx.bound.get(&id).copied().filter(|_| self.device).unwrap_or(id);
                let known = |f: &&Function| {
                    f.body.is_some() || self.cx.is_routine(f.id) || self.device && self.cx.is_external(f)
                };
                match self.cx.function_decl(id).filter(known) {
                    Some(function) => {
                        let is_member =
                            matches!(function.kind, FunctionKind::Method { is_static: false, .. });
                        let mut operands = match args {
                            [object, rest @ ..] if is_member => operands(Some((object, false)), rest),
                            _ => operands(None, args),
                        };
                        if is_assignment(name) {
                            operands.reverse();
                        }
                        self.user_call(e, function, operands, dest)
                    }
                    None => {
                        if let ("operator[]", [object, index]) = (name, args)
                            && let Some(element) = self.host_element(object, index, e)?
                        {
                            return Ok(Some(element));
                        }
                        self.library_call(e, id, name, args)
                    }
                }
            }
            Callee::Method { object, arrow, member, name } => match self.cx.function_decl(member) {
                Some(function) => {
                    let is_static = matches!(function.kind, FunctionKind::Method { is_static: true, .. });
                    let object = (!is_static).then_some((object, arrow));
                    self.user_call(e, function, operands(object, args), dest)
                }
                None => match self.unknown_object(&object.ty, name, e.span) {
                    Some(refused) => match self.host_answer(object, arrow, name, args, e) {
                        Some(size) => Ok(Some(size)),
                        None => Err(refused),
                    },
                    None => Err(self.no_definition(None, name, e.span)),
                },
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
        let by_bytes = |f: &Function| match f.kind {
            FunctionKind::Method { record, .. } => f.defaulted && !self.cx.runs_code_for_parts(record, true),
            FunctionKind::Free | FunctionKind::Constructor { .. } => f.defaulted,
        };
        if !self.cx.function_decl(id).is_none_or(by_bytes) {
            return Ok(None);
        }
        if let Ty::Record(class) = &*e.ty.referred().ty
            && self.cx.record(*class).is_some_and(|record| record.is_polymorphic)
        {
            return Err(unsupported("an assignment of an object with virtual functions", e.span));
        }
        let of = e.ty.referred();
        if self.cx.library_record(of).is_some() && self.cx.runs_code_in_copy(of, true) {
            let (from, pointer) = self.pair(|f| f.place(source), |f| f.object_address(object, arrow))?;
            let place = self.deref(pointer, of, e.span);
            self.copied_into([place, from], of, true, e.span)?;
            return Ok(Some(pointer));
        }
        let (value, pointer) = self.pair(|f| f.value(source), |f| f.object_address(object, arrow))?;
        let place = self.deref(pointer, &e.ty, e.span);
        self.store(place, value, e.span);
        Ok(Some(pointer))
    }

    /// A device has no tables of virtual functions. So it must be certain which one is called: the object is a variable.
    fn needs_no_dispatch(&self, callee: &Callee<'_>, args: &[Expr], span: Span) -> Lowered<()> {
        let (id, object) = match callee {
            Callee::Function(id, _) => (*id, args.first()),
            Callee::Method { object, arrow, member, .. } => (*member, (!arrow).then_some(*object)),
        };
        let Some(function) = self.cx.function_decl(id) else { return Ok(()) };
        let FunctionKind::Method { record, is_static: false } = function.kind else { return Ok(()) };
        let name = scope::short_name(&function.name);
        if !self.cx.is_virtual(record, name) {
            return Ok(());
        }
        let variable = match object.map(|object| &walk::bare(object).kind) {
            Some(ExprKind::Var(id, _)) => self.vars.get(id),
            _ => None,
        };
        let certain = variable.is_some_and(|variable| match &*variable.ty.ty {
            Ty::Record(class) => !self.cx.overrides(*class, record, name),
            _ => false,
        });
        match certain {
            true => Ok(()),
            false => {
                let what = format_args!(
                    "a call of `{}`, a virtual function, for an object of unknown class",
                    function.name
                );
                Err(unsupported(what, span))
            }
        }
    }

    pub fn callee<'e>(&self, callee: &'e Expr) -> Lowered<Callee<'e>> {
        match &callee.kind {
            ExprKind::Cast { kind: CastKind::Function | CastKind::NoOp, operand, .. } => self.callee(operand),
            ExprKind::Function(id, name) => Ok(Callee::Function(*id, name)),
            ExprKind::Member { base, arrow, member, name } => {
                Ok(Callee::Method { object: base, arrow: *arrow, member: *member, name })
            }
            ExprKind::Deref(inner) => self.callee(inner),
            _ => Err(self.call_through_pointer(callee.span)),
        }
    }

    fn call_through_pointer(&self, span: Span) -> super::Refused {
        let refused = unsupported("a call through a pointer", span);
        match self.cx.source.chosen.iter().find(|chosen| chosen.others.contains(&span.start)) {
            Some(chosen) => {
                Box::new(refused.with_note(format!("where {}, the device runs it", chosen.functions)))
            }
            None => refused,
        }
    }

    pub fn object_address(&mut self, object: &Expr, arrow: bool) -> Lowered<Value> {
        if arrow { self.value(object) } else { self.address(object, object.span) }
    }

    /// The function is not defined in this file. `id`: where it is declared here.
    pub fn no_definition(&mut self, id: Option<DeclId>, name: &str, span: Span) -> super::Refused {
        if let Some(decl) = id.and_then(|id| self.cx.function_decl(id)) {
            self.cx.note_undefined(decl, span);
        }
        let diagnostic =
            Diagnostic::error(codes::CALL, format!("`{name}` cannot be called in a compute region"))
                .label(span, "its definition is not in this file");
        let declared = self.cx.program.functions.iter().find(|f| f.name == name && !f.span.is_nowhere());
        let diagnostic = match declared {
            Some(declaration) => diagnostic.label(declaration.span, "only declared here"),
            None => diagnostic,
        };
        Box::new(
            diagnostic
                .with_note("device code calls a function of another file where that file marks it for devices")
                .with_help(
                    "write `#pragma acc routine seq` (or `#pragma omp declare target`) before its definition, and compile that file \
                     by accl, too; or define it in a header as `static inline`",
                ),
        )
    }

    /// The operands in the order in which they are evaluated.
    fn user_call(
        &mut self,
        e: &Expr,
        function: &'p Function,
        operands: Vec<Operand<'_>>,
        dest: Option<Value>,
    ) -> Lowered<Option<Value>> {
        if !self.device {
            return Err(unsupported("a call", e.span));
        }
        if function.body.is_none() && !self.cx.is_external(function) {
            return Err(self.no_definition(Some(function.id), &function.name, e.span));
        }
        self.check_callee(function, e.span)?;
        let values = self.in_order(vec![], &operands, |f, operand| match operand {
            Operand::Object { object, arrow } => f.object_address(object, *arrow),
            Operand::Argument { index, value } => f.argument(function, *index, value),
        })?;
        let mut passed: Vec<_> = operands.iter().zip(values).collect();
        passed.sort_by_key(|(operand, _)| operand.position());
        let values: Vec<Value> = passed.into_iter().map(|(_, value)| value).collect();
        if let Some(value) = self.inlined(function, &values) {
            return Ok(Some(value));
        }
        let handle = self.cx.function(function);
        let result = self.cx.module.functions[handle].result;
        if self.cx.module.types.kind(result) == &TypeKind::Void {
            self.emit(Stmt::Call { dest: None, function: handle, args: values }, e.span);
            return Ok(None);
        }
        if self.cx.pure(function.id) {
            return Ok(Some(self.pure_call(handle, values, result, e.span)));
        }
        if let Some(dest) = dest.filter(|d| self.ty_of(*d) == result && !self.call_moves(*d)) {
            self.emit(Stmt::Call { dest: Some(dest), function: handle, args: values }, e.span);
            return Ok(None);
        }
        let local = self.temp(crate::lower::scope::short_name(&function.name), result, e.span);
        self.emit(Stmt::Declare { local, init: None }, e.span);
        let place = self.local_place(local, e.span);
        self.emit(Stmt::Call { dest: Some(place), function: handle, args: values }, e.span);
        Ok(Some(self.load_local(local, e.span)))
    }

    /// The value of a small method, or of a function that returns a reference, substituted for the call: that makes
    /// `m(i, j)` a subscript which analysis understands. `None` where that is not possible.
    fn inlined(&mut self, function: &'p Function, values: &[Value]) -> Option<Value> {
        let is_method = matches!(function.kind, FunctionKind::Method { is_static: false, .. });
        if !(is_method || function.result.is_reference()) || self.inlined >= INLINE_DEPTH {
            return None;
        }
        let result = walk::single_return(function.body.as_ref()?).filter(|e| walk::is_plain(e))?;
        let (this, args) = if is_method { values.split_first()? } else { (values.first()?, values) };
        let uses = |param: &crate::ast::Var| walk::uses(result, param.id);
        if args.len() != function.params.len() {
            return None;
        }
        let mut args = args.to_vec();
        for (param, arg) in function.params.iter().zip(&mut args) {
            if uses(param) > 1 && !self.is_cheap(*arg) {
                if !function.result.is_reference() {
                    return None;
                }
                *arg = self.named_once(*arg);
            }
        }
        let object = is_method.then(|| self.nameable(*this));
        let outer = self.this;
        if let Some(object) = object {
            self.this = Some(This::Value(object));
        }
        for (param, arg) in function.params.iter().zip(&args) {
            let variable = Variable {
                binding: Binding::Argument(*arg),
                ty: param.ty.clone(),
                value: None,
                extent: None,
            };
            self.vars.insert(param.id, variable);
        }
        self.inlined += 1;
        let lowered = self.try_branch(|f| {
            if function.result.is_reference() { f.address(result, result.span) } else { f.value(result) }
        });
        self.inlined -= 1;
        self.this = outer;
        // A function with statements of its own stays a call. But a reference is not passed through one whose
        // statements only copy what it refers to.
        let copies = function.result.is_reference();
        let (effects, value) = lowered.ok().filter(|(effects, _)| copies || effects.is_empty())?;
        let changes = self.changes_of(&effects);
        if args.iter().chain(&object).any(|arg| self.is_changed(*arg, &changes)) {
            return None;
        }
        self.extend(effects);
        Some(value)
    }

    /// Whether evaluating a value several times costs nothing.
    fn is_cheap(&self, value: Value) -> bool {
        match &self.body.exprs[value].kind {
            Ir::Int(_) | Ir::Float(_) | Ir::AddrOf(_) => true,
            Ir::Cast(of) => matches!(self.kind_of(value), TypeKind::Pointer { .. }) && self.is_cheap(*of),
            Ir::Load(place) => matches!(self.body.exprs[*place].kind, Ir::Local(_)),
            Ir::Select { cond, yes, no } => [cond, yes, no].into_iter().all(|part| self.is_cheap(*part)),
            _ => false,
        }
    }

    /// The same value, evaluated here; for a choice between objects only the condition is evaluated.
    fn named_once(&mut self, value: Value) -> Value {
        let named = self.nameable(value);
        if named != value {
            return named;
        }
        let span = self.body.exprs[value].span;
        let local = self.spill("argument", value, span);
        self.load_local(local, span)
    }

    /// A function that launches kernels cannot run inside one.
    pub fn check_callee(&mut self, function: &Function, span: Span) -> Lowered<()> {
        if super::is_host(function, self.cx.pragmas) {
            let message = format!("`{}` cannot be called in a compute region", function.name);
            return Err(Box::new(
                Diagnostic::error(codes::CALL, message)
                    .label(span, "called here")
                    .label(function.span, "it contains directives for the host")
                    .with_help("call a function without compute constructs and data directives"),
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
        self.argument_ends(function, param, arg.span)?;
        let ty = self.cx.ty(&param.ty);
        // Devices have no strings, but messages for the host are given to functions that leave them alone on devices.
        if walk::is_text(arg) && function.body.as_ref().is_some_and(|body| walk::discards(body, param.id)) {
            return self.zero(&param.ty, arg.span);
        }
        let value = if param.ty.is_reference() { self.address(arg, arg.span)? } else { self.value(arg)? };
        let is_number = |kind: &TypeKind| matches!(kind, TypeKind::Int { .. } | TypeKind::Float { .. });
        // What a function without a prototype is given was promoted, as `float` to `double` (C17 6.5.2.2, 6.9.1).
        if is_number(self.kind_of(value)) && is_number(self.cx.module.types.kind(ty)) {
            return Ok(self.convert(value, ty, arg.span));
        }
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
        let this = self.expr(Ir::AddrOf(place), ty, e.span);
        let values = self.in_order(vec![this], args.iter().enumerate(), |f, (index, arg)| {
            f.argument(constructor, index, arg)
        })?;
        self.emit(Stmt::Call { dest: None, function: handle, args: values }, e.span);
        Ok(())
    }
}
