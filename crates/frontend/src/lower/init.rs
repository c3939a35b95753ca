//! Declarations with initialisers, and objects made in expressions.

use super::expr::unsupported;
use super::function::{Binding, Fun, Variable};
use super::lambda::is_closure;
use super::{Lowered, walk};
use crate::ast::{DeclId, Expr, ExprKind, FunctionKind, Storage, Ty, Var};
use accl_ir::{Expr as IrExpr, ExprKind as Ir, Handle, Local, LocalKind, Loop, Stmt, TypeKind};
use accl_source::Span;

type PlaceExpr = Handle<IrExpr>;

/// Arrays up to this length are initialised element by element.
const UNROLLED: u64 = 16;

impl<'p> Fun<'_, 'p> {
    /// A copy of each call's own does for a static variable: it is never written, and no address of it outlives the call.
    fn may_be_local(&self, var: &Var) -> bool {
        let returns_addresses =
            matches!(&*self.decl.result.ty, Ty::Pointer { .. } | Ty::Reference(_) | Ty::Record(_));
        if var.ty.constant && (self.region || !returns_addresses) {
            return true;
        }
        let Some(body) = &self.decl.body else { return var.ty.constant };
        // A lambda's variables are no others' either, but its body may stand elsewhere.
        let mut is_own = false;
        walk::vars(body, &mut |own| is_own |= own.id == var.id);
        is_own && walk::is_only_loaded(body, var.id)
    }

    /// A variable declared in device code.
    pub fn declare_var(&mut self, var: &Var) -> Lowered<()> {
        if let Some(init) = var.init.as_ref().filter(|init| is_closure(&init.ty)) {
            let closure = self.closure_of(init)?;
            self.closures.insert(var.id, closure);
            return Ok(());
        }
        match var.storage {
            // A table that nothing changes may be local to each call.
            Storage::Static if self.may_be_local(var) => {}
            Storage::Static => {
                return Err(unsupported(
                    format_args!("{}, a static variable that all threads would share,", var.name),
                    var.span,
                ));
            }
            Storage::Extern | Storage::Param => {
                self.static_local(var);
                return Ok(());
            }
            Storage::Auto => {}
        }
        self.usable(&var.ty, var.span)?;
        self.has_end(var)?;
        if self.declare_shared(var)? {
            return Ok(());
        }
        let span = var.decl_span;
        let Some(init) = &var.init else {
            let local = self.declare(var, LocalKind::Auto);
            self.emit(Stmt::Declare { local, init: None }, span);
            return Ok(());
        };
        if var.ty.is_reference() {
            let address = self.address(init, init.span)?;
            let address = self.nameable(address);
            if self.is_fixed(address) {
                self.bring(var, Binding::Argument(address));
                return Ok(());
            }
            if let Some(kept) = self.kept_choice(address, init.span) {
                self.bring(var, Binding::Argument(kept));
                return Ok(());
            }
            let local = self.declare(var, LocalKind::Auto);
            let ty = self.body.locals[local].ty;
            let address = self.convert_pointer(address, ty);
            self.emit(Stmt::Declare { local, init: Some(address) }, span);
            return Ok(());
        }
        if self.fills_in_place(init) {
            let local = self.declare(var, LocalKind::Auto);
            self.emit(Stmt::Declare { local, init: None }, span);
            let place = self.local_place(local, var.span);
            return self.initialize(place, init);
        }
        let value = self.full_expression(|f| f.owned_value(init))?;
        let local = self.declare(var, LocalKind::Auto);
        let ty = self.body.locals[local].ty;
        let value = self.convert_pointer(value, ty);
        self.emit(Stmt::Declare { local, init: Some(value) }, span);
        Ok(())
    }

    /// Whether an address stays the same until the end of the scope: a reference to it is another name for
    /// its object, and analysis sees the object itself.
    fn is_fixed(&self, address: PlaceExpr) -> bool {
        let Some(later) = &self.later else { return false };
        self.reads_only(address, &|local| !self.may_move(local, later))
    }

    /// Whether statements that write these places may change a local.
    pub fn may_move(&self, local: Handle<Local>, writes: &walk::Writes) -> bool {
        let is_it = |id: &&DeclId| matches!(self.vars.get(*id), Some(Variable { binding: Binding::Local(l), .. }) if *l == local);
        writes.vars.iter().chain(&self.addressed).any(|id| is_it(&id))
    }

    /// Whether an expression depends on nothing but locals of which `holds` is true.
    pub fn reads_only(&self, e: PlaceExpr, holds: &dyn Fn(Handle<Local>) -> bool) -> bool {
        match &self.body.exprs[e].kind {
            Ir::Int(_) | Ir::Float(_) | Ir::Local(_) | Ir::Global(_) => true,
            Ir::Load(place) => match self.body.exprs[*place].kind {
                Ir::Local(local) => holds(local),
                _ => false,
            },
            Ir::AddrOf(of) | Ir::Decay(of) | Ir::Deref(of) | Ir::Cast(of) | Ir::Member { base: of, .. } => {
                self.reads_only(*of, holds)
            }
            Ir::Unary { operand, .. } => self.reads_only(*operand, holds),
            Ir::Index { base: a, index: b } | Ir::Binary { left: a, right: b, .. } => {
                self.reads_only(*a, holds) && self.reads_only(*b, holds)
            }
            Ir::Select { cond, yes, no } => {
                [cond, yes, no].into_iter().all(|part| self.reads_only(*part, holds))
            }
            Ir::Math { .. } | Ir::Call { .. } | Ir::Checked { .. } | Ir::Builtin(_) => false,
        }
    }

    /// Whether an initialiser writes the object part by part.
    pub fn fills_in_place(&self, init: &Expr) -> bool {
        if self.is_complex(&init.ty) {
            return true;
        }
        if self.is_vector(&init.ty) {
            return false;
        }
        let aggregate = matches!(&*init.ty.ty, Ty::Record(_) | Ty::Array { .. });
        match &init.kind {
            ExprKind::InitList(_) | ExprKind::Zero | ExprKind::Str(_) => aggregate,
            ExprKind::Construct { args, .. } => self.copied(init, args).is_none(),
            _ => false,
        }
    }

    /// An object made by an expression: a temporary.
    pub fn object(&mut self, e: &Expr) -> Lowered<Handle<IrExpr>> {
        if let ExprKind::Construct { args, .. } = &e.kind
            && let Some(source) = self.copied(e, args)
        {
            return self.owned_value(source);
        }
        let ty = self.value_type(e)?;
        let local = self.temp("object", ty, e.span);
        self.emit(Stmt::Declare { local, init: None }, e.span);
        let place = self.local_place(local, e.span);
        self.initialize(place, e)?;
        Ok(self.load_local(local, e.span))
    }

    /// What a `return` gives: a variable of the function becomes the result without a copy (C++17 [class.copy.elision]).
    pub fn returned<'e>(&self, e: &'e Expr) -> &'e Expr {
        let ExprKind::Construct { args, .. } = &e.kind else { return e };
        let [source] = &args[..] else { return e };
        let is_own = |id: &DeclId| match self.vars.get(id) {
            Some(Variable { binding: Binding::Local(local), ty, .. }) => {
                self.body.locals[*local].kind == LocalKind::Auto && *ty.ty == *e.ty.ty
            }
            _ => false,
        };
        let variable = walk::bare(source);
        if matches!(&variable.kind, ExprKind::Var(id, _) if is_own(id)) { variable } else { e }
    }

    /// Stores the values of the initialiser into a place.
    pub fn initialize(&mut self, place: PlaceExpr, init: &Expr) -> Lowered<()> {
        if let Some(number) = self.complex_value(init)? {
            return self.store_complex(place, number, init.span);
        }
        if let Some(vector) = self.vector_value(init)? {
            self.store(place, vector, init.span);
            return Ok(());
        }
        match &init.kind {
            ExprKind::InitList(items) if matches!(&*init.ty.ty, Ty::Array { .. }) => {
                self.initialize_array(place, items, init.span)
            }
            ExprKind::InitList(items) if matches!(&*init.ty.ty, Ty::Record(_)) => {
                self.initialize_record(place, items, init)
            }
            ExprKind::Zero => self.zero_fill(place, init.span),
            ExprKind::Construct { signature, args } if self.copied(init, args).is_none() => {
                self.initialize_class(place, signature, args, init)
            }
            ExprKind::Str(bytes) if matches!(&*init.ty.ty, Ty::Array { .. }) => match bytes {
                Some(bytes) => self.initialize_characters(place, bytes, init.span),
                None => Err(unsupported("a string of wide characters", init.span)),
            },
            _ => {
                let value = self.owned_value(init)?;
                self.store(place, value, init.span);
                Ok(())
            }
        }
    }

    fn initialize_array(&mut self, place: PlaceExpr, items: &[Expr], span: Span) -> Lowered<()> {
        let int = self.i32();
        let Some(element) = self.cx.module.types.element(self.ty_of(place)) else {
            return Err(unsupported("this initialiser", span));
        };
        let size = match self.kind_of(place) {
            TypeKind::Array { len: accl_ir::ArrayLen::Const(n), .. } => *n,
            _ => items.len() as u64,
        };
        for (index, item) in items.iter().enumerate() {
            let index = self.int(index as i128, int, item.span);
            let target = self.expr(Ir::Index { base: place, index }, element, item.span);
            self.initialize(target, item)?;
        }
        self.zero_elements(place, items.len() as u64, size, span)
    }

    /// As many characters as the array can hold, and zeros after them.
    fn initialize_characters(&mut self, place: PlaceExpr, bytes: &[u8], span: Span) -> Lowered<()> {
        let int = self.i32();
        let (Some(element), TypeKind::Array { len: accl_ir::ArrayLen::Const(size), .. }) =
            (self.cx.module.types.element(self.ty_of(place)), self.kind_of(place).clone())
        else {
            return Err(unsupported("this initialiser", span));
        };
        let signed = matches!(self.cx.module.types.kind(element), TypeKind::Int { signed: true, .. });
        let given = bytes.len().min(size as usize);
        for (index, byte) in bytes[..given].iter().enumerate() {
            let index = self.int(index as i128, int, span);
            let target = self.expr(Ir::Index { base: place, index }, element, span);
            let value = if signed { i128::from(*byte as i8) } else { i128::from(*byte) };
            let value = self.int(value, element, span);
            self.store(target, value, span);
        }
        self.zero_elements(place, given as u64, size, span)
    }

    fn zero_elements(&mut self, place: PlaceExpr, from: u64, to: u64, span: Span) -> Lowered<()> {
        self.fill_elements(place, from, to, span, &mut |f, target| f.zero_fill(target, span))
    }

    /// Fills elements of an array.
    pub fn fill_elements(
        &mut self,
        place: PlaceExpr,
        from: u64,
        to: u64,
        span: Span,
        fill: &mut dyn FnMut(&mut Self, PlaceExpr) -> Lowered<()>,
    ) -> Lowered<()> {
        let int = self.i32();
        let Some(element) = self.cx.module.types.element(self.ty_of(place)) else {
            return Err(unsupported("this initialiser", span));
        };
        if to - from.min(to) <= UNROLLED {
            for index in from..to {
                let index = self.int(index.into(), int, span);
                let target = self.expr(Ir::Index { base: place, index }, element, span);
                fill(self, target)?;
            }
            return Ok(());
        }
        let var = self.temp("index", int, span);
        let (body, ()) = self.try_branch(|f| {
            let index = f.load_local(var, span);
            let target = f.expr(Ir::Index { base: place, index }, element, span);
            fill(f, target)
        })?;
        let [lower, bound, step] = [from.into(), to.into(), 1].map(|v| self.int(v, int, span));
        let filling = Loop::counting(var, lower, bound, step, body);
        self.emit(Stmt::For(Box::new(filling)), span);
        Ok(())
    }

    /// Stores what one place holds in another of the same type, an array element by element.
    pub fn copy_object(&mut self, to: PlaceExpr, from: PlaceExpr, span: Span) -> Lowered<()> {
        let TypeKind::Array { of, len } = self.kind_of(to).clone() else {
            let value = self.load(from, span);
            self.emit(Stmt::Store { place: to, op: None, value }, span);
            return Ok(());
        };
        let accl_ir::ArrayLen::Const(n) = len else {
            return Err(unsupported("a copy of an array of a length that is not constant", span));
        };
        let int = self.i32();
        let var = self.temp("index", int, span);
        let (body, ()) = self.try_block(|f| {
            let index = f.load_local(var, span);
            let [to, from] = [to, from].map(|base| f.expr(Ir::Index { base, index }, of, span));
            f.copy_object(to, from, span)
        })?;
        let [lower, bound, step] = [0, n.into(), 1].map(|v| self.int(v, int, span));
        self.emit(Stmt::For(Box::new(Loop::counting(var, lower, bound, step, body))), span);
        Ok(())
    }

    /// Stores zeros everywhere in a place.
    pub fn zero_fill(&mut self, place: PlaceExpr, span: Span) -> Lowered<()> {
        let ty = self.ty_of(place);
        match self.kind_of(place).clone() {
            TypeKind::Array { len: accl_ir::ArrayLen::Const(n), .. } => self.zero_elements(place, 0, n, span),
            TypeKind::Struct(def) => {
                let fields = self.cx.module.types.structs[def].fields.clone();
                for (index, field) in fields.iter().enumerate() {
                    let target = Ir::Member { base: place, field: index as u32 };
                    let target = self.expr(target, field.ty, span);
                    self.zero_fill(target, span)?;
                }
                Ok(())
            }
            TypeKind::Float { .. } => {
                let value = self.expr(Ir::Float(0.0), ty, span);
                self.emit(Stmt::Store { place, op: None, value }, span);
                Ok(())
            }
            TypeKind::Bool | TypeKind::Int { .. } | TypeKind::Pointer { .. } => {
                let value = self.int(0, ty, span);
                self.emit(Stmt::Store { place, op: None, value }, span);
                Ok(())
            }
            TypeKind::Array { .. } | TypeKind::Void | TypeKind::Compressed { .. } | TypeKind::Opaque(_) => {
                Err(unsupported("this initialiser", span))
            }
        }
    }

    fn initialize_record(&mut self, place: PlaceExpr, items: &[Expr], init: &Expr) -> Lowered<()> {
        let Ty::Record(id) = &*init.ty.ty else { return Err(unsupported("this initialiser", init.span)) };
        let Some(record) = self.cx.record(*id) else {
            return Err(unsupported("a structure of a system header", init.span));
        };
        if record.is_union {
            return self.initialize_union(place, record, items, init);
        }
        // What initialises the bases comes first (C++17 [dcl.init.aggr]).
        let (bases, items) = items.split_at(record.bases.len().min(items.len()));
        for (base, item) in record.bases.iter().zip(bases.iter().map(Some).chain(std::iter::repeat(None))) {
            if matches!(*base.ty, Ty::Record(class) if self.cx.is_empty_class(class)) {
                continue;
            }
            let target = self.base_object(place, &init.ty, base, init.span)?;
            match item {
                Some(item) => self.initialize(target, item)?,
                None => self.zero_fill(target, init.span)?,
            }
        }
        for (index, field) in record.fields.iter().enumerate() {
            if field.ty.is_reference() {
                let Some(item) = items.get(index) else {
                    return Err(unsupported("this initialiser", init.span));
                };
                self.bind_member(place, record, index as u32, item)?;
                continue;
            }
            let target = self.field(place, record, index as u32, init.span)?;
            match (items.get(index), &field.init) {
                (Some(Expr { kind: ExprKind::DefaultArg, .. }), Some(default)) => {
                    self.initialize(target, default)?
                }
                (Some(item), _) => self.initialize(target, item)?,
                (None, _) => self.zero_fill(target, init.span)?,
            }
        }
        Ok(())
    }

    /// One member has the value, and what the others have besides is zero, as host compilers make it. Members of one type are the same memory.
    fn initialize_union(
        &mut self,
        place: PlaceExpr,
        record: &'p crate::ast::Record,
        items: &[Expr],
        init: &Expr,
    ) -> Lowered<()> {
        for index in 0..record.fields.len() {
            let member = self.field(place, record, index as u32, init.span)?;
            self.zero_fill(member, init.span)?;
        }
        let Some(item) = items.first() else { return Ok(()) };
        let of_type = record.fields.iter().position(|field| *field.ty.ty == *item.ty.ty);
        let index = of_type.ok_or_else(|| unsupported("this initialiser of a union", init.span))?;
        let member = self.field(place, record, index as u32, init.span)?;
        self.initialize(member, item)
    }

    /// A constructor that leaves the object as it is: it has no statements, and those of the members that it calls have none.
    pub fn constructs_nothing(&self, init: &Expr) -> bool {
        let ExprKind::Construct { signature, args } = &init.kind else { return false };
        let mut object = &init.ty;
        while let Ty::Array { of, .. } = &*object.ty {
            object = of;
        }
        let object = Expr { ty: object.clone(), ..init.clone() };
        let acts = self.cx.constructor(&object, signature).is_some_and(|f| {
            let FunctionKind::Constructor { inits, .. } = &f.kind else { return true };
            let has_statements = f.body.as_ref().is_some_and(|body| !walk::children(body).is_empty());
            has_statements || !inits.iter().all(|init| self.constructs_nothing(&init.value))
        });
        args.is_empty() && !acts && self.cx.library_record(&object.ty).is_none()
    }

    /// The object that a copy or move constructor without a body of its own copies.
    fn copied<'e>(&self, init: &Expr, args: &'e [Expr]) -> Option<&'e Expr> {
        let [source] = args else { return None };
        let ExprKind::Construct { signature, .. } = &init.kind else { return None };
        if *source.ty.referred().ty != *init.ty.ty {
            return None;
        }
        match self.cx.constructor(init, signature) {
            Some(f) => match &f.kind {
                FunctionKind::Constructor { record, .. } => {
                    (f.defaulted && !self.cx.runs_code_for_parts(*record, false)).then_some(source)
                }
                FunctionKind::Free | FunctionKind::Method { .. } => None,
            },
            None => (!self.cx.runs_code_in_copy(&init.ty, false)).then_some(source),
        }
    }

    fn initialize_class(
        &mut self,
        place: PlaceExpr,
        signature: &str,
        args: &[Expr],
        init: &Expr,
    ) -> Lowered<()> {
        match &*init.ty.ty {
            _ if self.constructs_nothing(init) => Ok(()),
            // An array of objects, or an object without anything to construct.
            Ty::Array { .. } if args.iter().all(is_default) => {
                self.construct_elements(place, signature, init)
            }
            _ if self.cx.library_record(&init.ty).is_some() => self.construct_library(place, args, init),
            _ => match self.cx.constructor(init, signature) {
                Some(f) if f.body.is_some() => {
                    if !self.device {
                        return Err(unsupported("a constructor", init.span));
                    }
                    self.construct(place, f, args, init)
                }
                _ if args.is_empty() => Ok(()),
                _ => Err(unsupported("this constructor, whose definition is not in this file,", init.span)),
            },
        }
    }

    fn construct_elements(&mut self, place: PlaceExpr, signature: &str, init: &Expr) -> Lowered<()> {
        let (Ty::Array { of, .. }, Some(element)) =
            (&*init.ty.ty, self.cx.module.types.element(self.ty_of(place)))
        else {
            return Ok(());
        };
        let one = Expr { ty: of.clone(), ..init.clone() };
        if self.cx.constructor(&one, signature).is_none_or(|f| f.body.is_none()) {
            return Ok(());
        }
        let count = match self.kind_of(place) {
            TypeKind::Array { len: accl_ir::ArrayLen::Const(n), .. } if *n <= UNROLLED => *n,
            _ => return Err(unsupported("a large array of objects with a constructor", init.span)),
        };
        let int = self.i32();
        for index in 0..count {
            let index = self.int(index.into(), int, init.span);
            let target = self.expr(Ir::Index { base: place, index }, element, init.span);
            self.initialize(target, &one)?;
        }
        Ok(())
    }

    /// The member initialisers of the constructor being lowered, in the order of the members.
    pub fn constructor_inits(&mut self) {
        let FunctionKind::Constructor { record, inits, .. } = &self.decl.kind else { return };
        let Some(record) = self.cx.record(*record) else { return };
        for init in inits {
            if let Err(refused) = self.member_init(record, init.field, &init.value) {
                self.cx.error(*refused);
            }
        }
    }

    fn member_init(
        &mut self,
        record: &'p crate::ast::Record,
        field: Option<DeclId>,
        value: &Expr,
    ) -> Lowered<()> {
        let Some(pointer) = self.this_pointer(value.span) else {
            return Err(unsupported("this", value.span));
        };
        let object = self.deref(pointer, &value.ty, value.span);
        let index = record.fields.iter().position(|f| Some(f.id) == field);
        let Some(index) = index else {
            // A base class, or another constructor of this one.
            let own = crate::ast::Qual::new(Ty::Record(record.id));
            let base = self.base_object(object, &own, &value.ty, value.span)?;
            return self.initialize(base, value);
        };
        let value = match (&value.kind, &record.fields[index].init) {
            (ExprKind::DefaultArg, Some(default)) => default,
            _ => value,
        };
        if record.fields[index].ty.is_reference() {
            return self.bind_member(object, record, index as u32, value);
        }
        let place = self.field(object, record, index as u32, value.span)?;
        self.initialize(place, value)
    }

    /// A member that is a reference refers to `value` from now on.
    fn bind_member(
        &mut self,
        object: PlaceExpr,
        record: &crate::ast::Record,
        index: u32,
        value: &Expr,
    ) -> Lowered<()> {
        let place = self.field_itself(object, record, index, value.span)?;
        let address = self.address(value, value.span)?;
        let ty = self.ty_of(place);
        let address = self.convert_pointer(address, ty);
        self.store(place, address, value.span);
        Ok(())
    }

    /// Declares a variable of the host program; its value only if it is plain.
    pub fn declare_host_var(&mut self, var: &Var) {
        let lambda = var.init.as_ref().filter(|init| is_closure(&init.ty));
        if let Some(Ok(closure)) = lambda.map(|init| self.closure_of(init)) {
            self.closures.insert(var.id, closure);
        }
        if var.storage != Storage::Auto {
            self.static_local(var);
            return;
        }
        let lower = |f: &mut Self, e: &Expr| {
            let (effects, value) = f.try_block(|f| f.value(e))?;
            if effects.is_empty() { Ok(value) } else { Err(unsupported("an effect", e.span)) }
        };
        let scalar = matches!(&*var.ty.ty, Ty::Int { .. } | Ty::Bool | Ty::Float { .. } | Ty::Pointer { .. });
        let plain = |e: &&Expr| {
            let mut calls = false;
            walk::within(e, &mut |e| calls |= matches!(e.kind, ExprKind::Call { .. }));
            scalar && !calls
        };
        let init = var.init.as_ref().filter(plain).and_then(|e| lower(self, e).ok());
        let local = self.declare(var, LocalKind::Auto);
        let ty = self.body.locals[local].ty;
        let init = init.map(|value| self.convert_pointer(value, ty));
        self.emit(Stmt::Declare { local, init }, var.decl_span);
    }
}

/// An argument that is left out.
pub fn is_default(arg: &Expr) -> bool {
    matches!(arg.kind, ExprKind::DefaultArg)
}
