//! The state of one function while it is lowered: its body so far, the meaning of names, and the position in it.

use super::choice::Memory;
use super::context::{Concerned, Context};
use super::goto::{Jump, Nest};
use super::lambda::{Closure, Inlining};
use super::math::has_effects;
use super::order::Addressed;
use super::team::Runners;
use super::{Lowered, Refused, types, walk};
use crate::ast::{self, DeclId, Expr, ExprKind, FunctionKind, Qual, Storage, Ty};
use accl_ir::{
    ArrayLen, Block, Body, ConstValue, DefaultData, Expr as IrExpr, ExprKind as Ir, Function, Global, Handle,
    Local, LocalKind, Stmt, StmtNode, Type, TypeKind,
};
use accl_source::{Diagnostic, Span, codes::frontend as codes, without_line_markers};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::rc::Rc;

/// What a name denotes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Binding {
    Local(Handle<Local>),
    Global(Handle<Global>),
    /// A parameter of a function that is being inlined: the argument, or its address.
    Argument(Handle<IrExpr>),
}

/// The variable of which a stand-in is a copy.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Original {
    Global(Handle<Global>),
    /// The object that the reference refers to, through a pointer.
    Referred(Handle<Local>),
}

#[derive(Clone, Debug)]
pub struct Variable {
    pub binding: Binding,
    pub ty: Qual,
    /// Of a constant local.
    pub value: Option<ConstValue>,
    /// Of an array parameter, whose type is a pointer.
    pub extent: Option<ast::Len>,
}

/// The object of a method.
#[derive(Clone, Copy, Debug)]
pub enum This {
    Local(Handle<Local>),
    /// The object's address, in a method that is being inlined.
    Value(Handle<IrExpr>),
}

pub struct Fun<'c, 'p> {
    pub cx: &'c mut Context<'p>,
    pub body: Body,
    /// The blocks being filled, innermost last.
    pub blocks: Vec<Block>,
    pub vars: HashMap<DeclId, Variable>,
    /// The scopes in which clauses look up names, innermost last.
    pub scopes: Vec<Vec<(String, DeclId)>>,
    names: HashSet<String>,
    /// Everything is lowered exactly, or refused.
    pub device: bool,
    /// Inside a compute construct of a host function, which a `return` cannot leave.
    pub region: bool,
    pub decl: &'p ast::Function,
    pub this: Option<This>,
    /// Locals that stand for other variables where these are private or reduced; they have the same names.
    pub stand_ins: HashMap<Original, Handle<Local>>,
    /// Sections of pointers that clauses of the current construct make private.
    pub private_sections: Vec<accl_ir::DataItem>,
    /// Those that the current construct leaves to its parallel loops.
    pub sections_of_loops: Vec<accl_directives::Section>,
    /// Those that loops change copies of, each with the section's values at its start.
    pub first_sections: Vec<accl_directives::Section>,
    /// How many parallel loops with directives are around what is being lowered.
    pub parallel_loops_around: u32,
    /// What the statements after the one being lowered change, where it is known.
    pub later: Option<walk::Writes>,
    /// Locals whose address is taken somewhere.
    pub addressed: HashSet<DeclId>,
    /// What the pointers that locals were declared with point to.
    pub points_to: HashMap<Handle<Local>, Memory>,
    /// Locals that pointers may point to.
    pub addressed_locals: Addressed,
    /// How many inlined calls enclose the current position.
    pub inlined: u32,
    pub record: Option<DeclId>,
    /// Variables whose values are lambdas.
    pub closures: HashMap<DeclId, Rc<Closure>>,
    /// The body of the current inlined call.
    pub inlining: Option<Inlining>,
    /// The labels that a `goto` may lead to from the current position, and what is around that.
    pub jumps: Vec<Jump>,
    pub nest: Vec<Nest>,
    /// How many of the scopes lie outside of the current compute construct.
    pub region_scopes: usize,
    /// How many locals there are that are not the construct's own.
    pub outer_locals: usize,
    /// Variables of the construct that have a value besides those that loops count with.
    pub valued: BTreeSet<DeclId>,
    /// Variables that the construct changes.
    pub changed: BTreeSet<DeclId>,
    /// The directive of the current compute construct.
    pub construct: Span,
    /// Variables whose declarations were refused: errors in their uses follow from that and are not reported.
    pub refused: HashSet<String>,
    /// The argument of the `default` clause of the enclosing data construct.
    pub visible_default: Option<DefaultData>,
    /// The host runs the compute construct.
    pub on_host: bool,
    /// What the data constructs of OpenACC around name.
    pub visible_names: Vec<String>,
    /// The dimensions of the gang loops of the current compute construct.
    pub gang_dims: Vec<i64>,
    /// How many `fcw` statements enclose the current position.
    pub windows: u32,
    /// The threads of a team are at work: inside an OpenMP construct that divides or repeats work among them.
    pub in_threads: bool,
    /// One thread after the other runs the code.
    pub in_turn: bool,
    /// How many `parallel` constructs are around the code at hand.
    pub parallel_depth: u32,
    /// The functions whose bodies are being put in place of calls.
    pub in_place: Vec<DeclId>,
    /// Who runs the code at hand, where it asks for numbers.
    pub team: Runners,
    pub thread: Runners,
    /// The compute construct is translated for one thread.
    pub one_thread: bool,
    /// Where loops begin that a directive further out joins, and so calls countable.
    pub joined_loops: Vec<u32>,
    /// The construct's `thread_limit`.
    pub thread_limit: Option<accl_directives::CExpr>,
    /// Variables of the threads of the current `parallel` block that outlive a barrier.
    pub thread_values: Vec<super::team::ThreadValue>,
    /// Variables that `parallel` blocks of the construct change, declared outside of these.
    pub shared_scalars: std::collections::BTreeSet<DeclId>,
    /// Among whom the next loop is shared.
    pub share: Option<super::team::Share>,
    /// Reductions of the current loop directive for which each of those who share the loop has a copy.
    pub array_reductions: Vec<super::team::ArrayReduction>,
    /// Variables whose values the current target construct returns.
    pub mapped_back: std::collections::BTreeSet<DeclId>,
    /// What only the host knows, by the words that ask for it.
    pub brought: BTreeMap<String, Handle<Local>>,
    /// The code at hand is an explicit task.
    pub in_task: bool,
    /// Variables whose elements the statements at hand update atomically.
    pub updated_in_place: Vec<DeclId>,
    /// Variables that `scope` constructs of the block at hand reduce: updates of them are atomic.
    pub combined_by_scopes: Vec<DeclId>,
    /// Objects whose destructors are called at the end of their blocks.
    pub destroyed: HashSet<DeclId>,
    /// Temporaries whose destructors are called at the end of the full expression, where that is in sight.
    pub temporaries: Option<super::destructors::Temporaries<'p>>,
    /// Inside a loop of OpenACC whose iterations gangs may share.
    pub shared_by_gangs: bool,
    /// Elements and members for which locals stand.
    pub reduced_parts: Vec<super::reduced_parts::ReducedPart>,
    /// Copies that the current loop directive asks for.
    pub iteration_copies: Option<Box<super::iteration_copies::IterationCopies>>,
    /// Determined when the first array of variable extent occurs.
    pub extents: Option<Rc<super::extents::Extents>>,
}

/// Lowers a function with directives.
pub fn lower_host<'p>(cx: &mut Context<'p>, decl: &'p ast::Function) {
    let handle = cx.declare_function(decl);
    let mut fun = Fun::new(cx, decl, false);
    let params = fun.params();
    if let Some(body) = &decl.body {
        fun.stmt(body);
    }
    let body = fun.finish();
    let function = &mut cx.module.functions[handle];
    function.params = params;
    function.body = Some(body);
    function.has_regions = true;
}

/// Lowers a function that regions call.
pub fn lower_device<'p>(cx: &mut Context<'p>, handle: Handle<Function>, decl: &'p ast::Function) {
    // Where many threads run, the body of such a function stands in place of each call.
    let one_thread = cx.team_work(decl.id).depends;
    cx.concerned = Some(Concerned::Function(decl.id));
    let mut fun = Fun::new(cx, decl, true);
    if one_thread {
        (fun.one_thread, fun.team, fun.thread) = (true, Runners::One, Runners::One);
    }
    let params = fun.params();
    fun.constructor_inits();
    if let Some(body) = &decl.body {
        fun.stmt(body);
    }
    let body = fun.finish();
    cx.concerned = None;
    let function = &mut cx.module.functions[handle];
    function.params = params;
    function.body = Some(body);
}

impl<'c, 'p> Fun<'c, 'p> {
    fn new(cx: &'c mut Context<'p>, decl: &'p ast::Function, device: bool) -> Fun<'c, 'p> {
        let record = match decl.kind {
            FunctionKind::Free => None,
            FunctionKind::Method { record, .. } | FunctionKind::Constructor { record, .. } => Some(record),
        };
        Fun {
            cx,
            body: Body::default(),
            blocks: vec![Block::new()],
            vars: HashMap::new(),
            scopes: vec![Vec::new()],
            names: HashSet::new(),
            device,
            region: false,
            decl,
            this: None,
            points_to: HashMap::new(),
            addressed_locals: Addressed::default(),
            inlined: 0,
            stand_ins: HashMap::new(),
            private_sections: vec![],
            sections_of_loops: vec![],
            first_sections: vec![],
            parallel_loops_around: 0,
            later: None,
            addressed: decl.body.as_ref().map(walk::addressed).unwrap_or_default(),
            record,
            closures: HashMap::new(),
            inlining: None,
            jumps: vec![],
            nest: vec![],
            region_scopes: 0,
            outer_locals: 0,
            valued: BTreeSet::new(),
            changed: BTreeSet::new(),
            construct: Span::NOWHERE,
            refused: HashSet::new(),
            visible_default: None,
            on_host: false,
            visible_names: vec![],
            gang_dims: vec![],
            windows: 0,
            in_threads: false,
            in_turn: false,
            parallel_depth: 0,
            in_place: vec![],
            team: Runners::Unknown,
            thread: Runners::Unknown,
            one_thread: false,
            joined_loops: vec![],
            thread_limit: None,
            thread_values: vec![],
            array_reductions: vec![],
            updated_in_place: vec![],
            combined_by_scopes: vec![],
            destroyed: HashSet::new(),
            temporaries: None,
            shared_by_gangs: false,
            reduced_parts: vec![],
            brought: BTreeMap::new(),
            in_task: false,
            mapped_back: Default::default(),
            shared_scalars: Default::default(),
            share: None,
            iteration_copies: None,
            extents: None,
        }
    }

    fn finish(mut self) -> Body {
        // The outermost statement is the function's compound, already a list.
        let mut block = self.blocks.pop().unwrap_or_default();
        if let [StmtNode { kind: Stmt::Block(_), .. }] = &block[..]
            && let Some(StmtNode { kind: Stmt::Block(inner), .. }) = block.pop()
        {
            block = inner;
        }
        self.body.block = block;
        self.body
    }

    fn params(&mut self) -> Vec<Handle<Local>> {
        let mut params = Vec::new();
        let is_method = match self.decl.kind {
            FunctionKind::Method { is_static, .. } => !is_static,
            FunctionKind::Constructor { .. } => true,
            FunctionKind::Free => false,
        };
        if let (true, Some(record)) = (is_method, self.record) {
            let record = self.cx.ty(&Qual::new(Ty::Record(record)));
            let ty = self.cx.module.types.pointer(record);
            let this = self.local("this", ty, LocalKind::This, self.decl.span);
            self.this = Some(This::Local(this));
            params.push(this);
        }
        for param in &self.decl.params {
            params.push(self.declare(param, LocalKind::Param));
        }
        if !self.device {
            self.note_extents(&params);
        }
        params
    }

    /// Makes a local; a name that is taken already gets a number.
    pub fn local(&mut self, name: &str, ty: Handle<Type>, kind: LocalKind, span: Span) -> Handle<Local> {
        let base = if name.is_empty() { "unnamed" } else { name };
        let mut unique = base.to_owned();
        let mut count = 1;
        while !self.names.insert(unique.clone()) {
            count += 1;
            unique = format!("{base}_{count}");
        }
        self.body.locals.append(Local { name: unique, ty, kind, reference: false, span })
    }

    pub fn temp(&mut self, name: &str, ty: Handle<Type>, span: Span) -> Handle<Local> {
        let is_word = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        let name = if is_word { name } else { "result" };
        self.local(&format!("{name}_tmp"), ty, LocalKind::Temp, span)
    }

    /// Makes the local of a variable and brings its name into scope.
    pub fn declare(&mut self, var: &ast::Var, kind: LocalKind) -> Handle<Local> {
        let ty = self.ty(&var.ty);
        let local = self.local(&var.name, ty, kind, var.span);
        self.body.locals[local].reference = var.ty.is_reference();
        self.bring(var, Binding::Local(local));
        local
    }

    pub fn bring(&mut self, var: &ast::Var, binding: Binding) {
        let constant = var.ty.constant && var.storage == Storage::Auto;
        let value = var.init.as_ref().filter(|_| constant).and_then(super::context::constant);
        let (ty, extent) = (var.ty.clone(), var.extent.clone());
        self.vars.insert(var.id, Variable { binding, ty, value, extent });
        if let Some(scope) = self.scopes.last_mut() {
            scope.push((var.name.clone(), var.id));
        }
    }

    /// The variable of a declaration that follows: a local in scope, or a global.
    pub fn variable(&mut self, id: DeclId) -> Option<Variable> {
        if let Some(known) = self.vars.get(&id) {
            return Some(known.clone());
        }
        let var = self.cx.global_var(id)?;
        let binding = Binding::Global(self.cx.global(var));
        Some(Variable { binding, ty: var.ty.clone(), value: None, extent: None })
    }

    pub fn static_local(&mut self, var: &ast::Var) {
        debug_assert!(var.storage != Storage::Auto);
        let global = self.cx.global(var);
        self.bring(var, Binding::Global(global));
    }

    pub fn expr(&mut self, kind: Ir, ty: Handle<Type>, span: Span) -> Handle<IrExpr> {
        self.body.expr(kind, ty, span)
    }

    /// A statement about an object that a condition selects becomes a choice between two statements.
    pub fn emit(&mut self, kind: Stmt, span: Span) {
        if let Some((cond, sides)) = self.either_statement(&kind) {
            let [then, otherwise] = sides.map(|side| self.block(|f| f.emit(side, span)));
            return self.emit(Stmt::If { cond, then, otherwise }, span);
        }
        if let Stmt::Declare { local, init: Some(value) } = kind
            && matches!(self.kind_of(value), TypeKind::Pointer { .. })
        {
            let memory = self.memory_of(value);
            self.points_to.insert(local, memory);
        }
        if let Some(block) = self.blocks.last_mut() {
            block.push(StmtNode { kind, span });
        }
    }

    /// Emits statements that were set aside.
    pub fn extend(&mut self, statements: Block) {
        if let Some(block) = self.blocks.last_mut() {
            block.extend(statements);
        }
    }

    /// The statements that `fill` emits, in a scope of their own.
    pub fn block(&mut self, fill: impl FnOnce(&mut Self)) -> Block {
        self.blocks.push(Block::new());
        self.scopes.push(Vec::new());
        fill(self);
        self.scopes.pop();
        self.blocks.pop().unwrap_or_default()
    }

    /// As [`Fun::block`]; nothing is emitted when `fill` refuses.
    pub fn try_block<T>(&mut self, fill: impl FnOnce(&mut Self) -> Lowered<T>) -> Lowered<(Block, T)> {
        let mut result = None;
        let block = self.block(|f| result = Some(fill(f)));
        match result {
            Some(Ok(value)) => Ok((block, value)),
            Some(Err(refused)) => Err(refused),
            None => Ok((block, unreachable_value()?)),
        }
    }

    pub fn attempt<T>(&mut self, lower: impl FnOnce(&mut Self) -> Lowered<T>) -> Lowered<T> {
        let (block, value) = self.try_block(lower)?;
        self.extend(block);
        Ok(value)
    }

    /// Extents of variable-length arrays are resolved here, in the scope of their use.
    pub fn ty(&mut self, qual: &Qual) -> Handle<Type> {
        if !types::is_vla(qual) {
            return self.cx.ty(qual);
        }
        let of = self.cx.ty(types::flat_element(qual));
        let len = match self.flat_count_here(qual) {
            Ok(count) => ArrayLen::Expr(count),
            Err(_) => ArrayLen::Unknown,
        };
        self.cx.module.types.intern(TypeKind::Array { of, len })
    }

    pub fn int(&mut self, value: i128, ty: Handle<Type>, span: Span) -> Handle<IrExpr> {
        self.expr(Ir::Int(value), ty, span)
    }
    pub fn i32(&mut self) -> Handle<Type> {
        self.cx.module.types.i32()
    }
    pub fn i64(&mut self) -> Handle<Type> {
        self.cx.module.types.int(64, true)
    }

    /// Reads a place.
    pub fn load(&mut self, place: Handle<IrExpr>, span: Span) -> Handle<IrExpr> {
        let ty = self.body.exprs[place].ty;
        if let Some(choice) = self.chosen_place(place) {
            return self.select(choice, ty, span, |f, side| f.load(side, span));
        }
        self.expr(Ir::Load(place), ty, span)
    }

    pub fn local_place(&mut self, local: Handle<Local>, span: Span) -> Handle<IrExpr> {
        let ty = self.body.locals[local].ty;
        self.expr(Ir::Local(local), ty, span)
    }

    /// The pointer `this`.
    pub fn this_pointer(&mut self, span: Span) -> Option<Handle<IrExpr>> {
        match self.this? {
            This::Local(local) => Some(self.load_local(local, span)),
            This::Value(pointer) => Some(pointer),
        }
    }

    pub fn load_local(&mut self, local: Handle<Local>, span: Span) -> Handle<IrExpr> {
        let place = self.local_place(local, span);
        self.load(place, span)
    }

    /// A temporary that holds the value from here on.
    pub fn spill(&mut self, name: &str, value: Handle<IrExpr>, span: Span) -> Handle<Local> {
        let ty = self.body.exprs[value].ty;
        let local = self.temp(name, ty, span);
        self.emit(Stmt::Declare { local, init: Some(value) }, span);
        local
    }

    pub fn ty_of(&self, expr: Handle<IrExpr>) -> Handle<Type> {
        self.body.exprs[expr].ty
    }
    pub fn kind_of(&self, expr: Handle<IrExpr>) -> &TypeKind {
        self.cx.module.types.kind(self.body.exprs[expr].ty)
    }

    /// Reports what was refused, unless it concerns something whose declaration was refused already.
    pub fn report(&mut self, refused: Refused) {
        if !self.follows_from_another(&refused) {
            self.cx.error(*refused);
        }
    }

    /// Its place names a variable whose declaration was refused.
    fn follows_from_another(&self, refused: &Diagnostic) -> bool {
        let Some((span, _)) = refused.labels.first().filter(|_| !self.refused.is_empty()) else {
            return false;
        };
        !self.words(*span).is_disjoint(&self.refused)
    }

    /// The words of the source's text, each once.
    pub fn words(&self, span: Span) -> HashSet<String> {
        let text = without_line_markers(&self.text(span));
        let words = text.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty());
        words.map(str::to_owned).collect()
    }
}

fn unreachable_value<T>() -> Lowered<T> {
    Err(Box::new(Diagnostic::error(codes::UNSUPPORTED, "internal: a block was not filled")))
}

/// Whether the function writes nothing but its own locals, and neither do those it calls.
pub fn is_pure(cx: &mut Context<'_>, function: &ast::Function) -> bool {
    let Some(body) = &function.body else { return false };
    let returns_value = !matches!(&*function.result.ty, Ty::Void);
    if !returns_value || matches!(function.kind, FunctionKind::Constructor { .. }) {
        return false;
    }
    let mut own: HashSet<DeclId> = HashSet::new();
    let mut declare = |var: &ast::Var| {
        if var.storage == Storage::Auto && !var.ty.is_reference() {
            own.insert(var.id);
        }
    };
    let by_value = |p: &&ast::Var| !p.ty.is_reference();
    function
        .params
        .iter()
        .filter(by_value)
        .for_each(|p| declare(&ast::Var { storage: Storage::Auto, ..p.clone() }));
    walk::vars(body, &mut declare);
    let mut pure = true;
    let mut called = Vec::new();
    walk::exprs(body, &mut |expr: &Expr| match &expr.kind {
        ExprKind::Assign { place, .. }
        | ExprKind::CompoundAssign { place, .. }
        | ExprKind::Step { operand: place, .. } => {
            pure &= walk::root(place).is_some_and(|id| own.contains(&id))
        }
        ExprKind::Call { callee, args } => match walk::callee(callee) {
            Some(id) => {
                // The variables and memory that the function may write.
                let (object, pointed) = match &walk::bare_function(callee).kind {
                    ExprKind::Member { base, arrow: false, .. } => (Some(&**base), false),
                    ExprKind::Member { base, .. } => {
                        (None, !matches!(&*base.ty.ty, Ty::Pointer { to, .. } if to.constant))
                    }
                    _ => (None, false),
                };
                let mut places = args.iter().chain(object).filter(|e| e.place && !e.ty.constant);
                let own = |e: &Expr| walk::root(e).is_some_and(|id| own.contains(&id));
                let changes =
                    pointed || !places.all(own) || walk::library_name(callee).is_some_and(has_effects);
                called.push((id, changes));
            }
            None => pure = false,
        },
        ExprKind::Construct { .. } => pure = false,
        ExprKind::Unsupported(..) => pure = false,
        _ => {}
    });
    pure && called.into_iter().all(|(id, changes)| match cx.function_decl(id) {
        Some(decl) if decl.body.is_some() => cx.pure(id),
        Some(_) => false,
        // A library function: harmless except through its arguments, or refused when it is lowered.
        None => !changes,
    })
}
