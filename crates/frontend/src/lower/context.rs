//! What all functions of the translation unit share while they are lowered.

use super::routine::{self, Routine};
use super::variants::Variants;
use super::{Source, Undefined, function, memberwise};
use crate::ast::{self, DeclId, Library, Program, Qual};
use crate::pragmas::Pragma;
use accl_directives::{DeviceKind, DirectiveKind, Section, Sentinel};
use accl_ir::{ConstValue, Function, Global, Handle, Level, Module, StructDef};
use accl_source::{Diagnostic, Span, codes::frontend as codes};
use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};
use std::rc::Rc;

/// Part of the program that is translated for devices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Concerned {
    /// The construct with this directive.
    Construct(Span),
    Function(DeclId),
}

pub struct Context<'p> {
    pub program: &'p Program,
    pub pragmas: &'p [Pragma],
    pub source: Source<'p>,
    pub module: &'p mut Module,
    pub diagnostics: Vec<Diagnostic>,
    /// What the errors that are met now concern.
    pub concerned: Option<Concerned>,
    pub concerns: Vec<(Concerned, Diagnostic)>,
    /// Who calls which functions on the device.
    callers: Vec<(Concerned, DeclId)>,
    /// Device functions still to be lowered.
    pub todo: VecDeque<(Handle<Function>, &'p ast::Function)>,
    functions: HashMap<DeclId, &'p ast::Function>,
    records: HashMap<DeclId, &'p ast::Record>,
    fields: HashMap<DeclId, (&'p ast::Record, u32)>,
    vars: HashMap<DeclId, &'p ast::Var>,
    function_handles: HashMap<DeclId, Handle<Function>>,
    globals: HashMap<DeclId, Handle<Global>>,
    pub(super) structs: HashMap<DeclId, Option<Handle<StructDef>>>,
    /// Where the last field of each structure ends.
    pub(super) ends: HashMap<DeclId, u64>,
    /// How many structures are being laid out, each for one before it; and those that hold one of them.
    pub(super) open_structs: usize,
    pub(super) unfinished_structs: Vec<(&'p ast::Record, Handle<StructDef>)>,
    /// Why a record became an opaque type.
    pub(super) opaque: BTreeMap<String, super::types::Unusable>,
    pub(super) routines: HashMap<DeclId, Level>,
    /// The functions that device code calls in place of these (`bind`).
    pub(super) bound: HashMap<DeclId, DeclId>,
    /// Functions that the host program must not call, and the directives that say so.
    pub(super) nohost: HashMap<DeclId, Span>,
    /// Global pointers that hold addresses of the device, and the directives that say so.
    pub(super) device_pointers: Vec<(DeclId, Section)>,
    /// The program is for this kind of device alone.
    pub only_device: Option<DeviceKind>,
    /// Functions that device code calls, and that this file only declares.
    pub undefined: Vec<Undefined>,
    pure: HashMap<DeclId, bool>,
    /// Bodies of lambdas, by the functions that calls name.
    pub(super) lambda_calls: OnceCell<HashMap<DeclId, &'p ast::LambdaCall>>,
    /// The functions of the program's own that copy or assign objects, by their class.
    own_copies: OnceCell<HashMap<DeclId, Vec<&'p ast::Function>>>,
    pub(super) team_functions: super::team::TeamFunctions,
    pub(super) container_users: super::host_container::ContainerUsers,
    pub(super) variants: Variants,
    /// Names of functions and structures, which share a scope in device code.
    pub(super) symbols: HashSet<String>,
}

impl<'p> Context<'p> {
    pub fn new(
        program: &'p Program,
        pragmas: &'p [Pragma],
        source: Source<'p>,
        module: &'p mut Module,
        diagnostics: Vec<Diagnostic>,
    ) -> Context<'p> {
        let mut functions: HashMap<DeclId, &ast::Function> = HashMap::new();
        for function in &program.functions {
            let slot = functions.entry(function.id).or_insert(function);
            if slot.body.is_none() {
                *slot = function;
            }
        }
        let fields = program.records.iter().flat_map(|record| {
            record.fields.iter().enumerate().map(move |(i, field)| (field.id, (record, i as u32)))
        });
        let mut vars: HashMap<DeclId, &ast::Var> = HashMap::new();
        for var in &program.globals {
            let slot = vars.entry(var.id).or_insert(var);
            let completes = is_incomplete(&slot.ty) || !is_incomplete(&var.ty);
            if slot.init.is_none() && completes {
                *slot = var;
            }
        }
        Context {
            program,
            pragmas,
            source,
            module,
            diagnostics,
            concerned: None,
            concerns: vec![],
            callers: vec![],
            todo: VecDeque::new(),
            functions,
            records: program.records.iter().map(|r| (r.id, r)).collect(),
            fields: fields.collect(),
            vars,
            function_handles: HashMap::new(),
            globals: HashMap::new(),
            structs: HashMap::new(),
            ends: HashMap::new(),
            open_structs: 0,
            unfinished_structs: Vec::new(),
            opaque: BTreeMap::new(),
            routines: HashMap::new(),
            bound: HashMap::new(),
            nohost: HashMap::new(),
            device_pointers: vec![],
            only_device: source.only_device,
            undefined: vec![],
            pure: HashMap::new(),
            lambda_calls: OnceCell::new(),
            own_copies: OnceCell::new(),
            team_functions: Default::default(),
            container_users: Default::default(),
            variants: Variants::new(source.variants, source.buffer),
            symbols: HashSet::new(),
        }
    }

    pub fn function_decl(&self, id: DeclId) -> Option<&'p ast::Function> {
        self.functions.get(&id).copied()
    }
    pub fn record(&self, id: DeclId) -> Option<&'p ast::Record> {
        self.records.get(&id).copied()
    }
    /// Objects of the type are made and assigned without code of the program's.
    pub fn is_copied_by_bytes(&self, ty: &Qual) -> bool {
        self.copies_bytes(ty, true)
    }
    /// The same of an object that has been made.
    pub fn is_assigned_by_bytes(&self, ty: &Qual) -> bool {
        self.copies_bytes(ty, false)
    }
    fn copies_bytes(&self, ty: &Qual, from_nothing: bool) -> bool {
        match &*ty.referred().ty {
            ast::Ty::Array { of, .. } => self.copies_bytes(of, from_nothing),
            ast::Ty::Record(id) => self.record(*id).is_some_and(|record| {
                let fields = record.fields.iter().map(|field| &field.ty);
                !record.is_polymorphic
                    && !self.own_copies(*id).iter().any(|f| from_nothing || !f.params.is_empty())
                    && fields.chain(&record.bases).all(|part| self.copies_bytes(part, from_nothing))
            }),
            _ => true,
        }
    }
    /// The program's own functions that make an object of the class from nothing or from another, or assign it, but those that do
    /// what the compiler's would.
    pub fn own_copies(&self, class: DeclId) -> &[&'p ast::Function] {
        let index = self.own_copies.get_or_init(|| {
            let mut index = HashMap::<_, Vec<_>>::new();
            for function in self.program.functions.iter().filter(|f| !f.defaulted) {
                let own = |class: &DeclId| {
                    let known = self.record(*class);
                    known.is_none_or(|record| !memberwise::copies_all_members(function, record))
                };
                if let Some(class) = copied_class(function).filter(own) {
                    index.entry(class).or_default().push(function);
                }
            }
            index
        });
        index.get(&class).map_or(&[], Vec::as_slice)
    }
    /// The class, or a base of it, has a virtual function of this name.
    pub fn is_virtual(&self, class: DeclId, name: &str) -> bool {
        self.record(class).is_some_and(|record| record.is_polymorphic)
            && (self.methods(class, name).any(|f| f.is_virtual)
                || self.bases(class).any(|base| self.is_virtual(base, name)))
    }
    /// The class, or one between it and its base `of`, has a function of its own of this name.
    pub fn overrides(&self, class: DeclId, of: DeclId, name: &str) -> bool {
        class != of
            && (self.methods(class, name).next().is_some()
                || self.bases(class).any(|base| self.overrides(base, of, name)))
    }
    fn methods<'n>(
        &self,
        class: DeclId,
        name: &'n str,
    ) -> impl Iterator<Item = &'p ast::Function> + use<'n, 'p> {
        self.program.functions.iter().filter(move |f| {
            matches!(f.kind, ast::FunctionKind::Method { record, .. } if record == class)
                && super::scope::short_name(&f.name) == name
        })
    }
    fn bases(&self, class: DeclId) -> impl Iterator<Item = DeclId> + use<'p> {
        self.record(class).into_iter().flat_map(|record| &record.bases).filter_map(|base| match &*base.ty {
            ast::Ty::Record(base) => Some(*base),
            _ => None,
        })
    }
    pub fn field(&self, id: DeclId) -> Option<(&'p ast::Record, u32)> {
        self.fields.get(&id).copied()
    }
    /// The structure that stands for a type of the standard library.
    pub fn library_record(&self, ty: &Qual) -> Option<(&'p ast::Record, Library)> {
        let ast::Ty::Record(id) = &*ty.referred().ty else { return None };
        let record = self.record(*id)?;
        Some((record, record.library?))
    }

    /// The member of a type of the library, or of what a pointer to one points to, whose declaration was not read.
    pub fn library_field(&self, base: &ast::Expr, name: &str) -> Option<(&'p ast::Record, u32)> {
        let ty = match &*base.ty.referred().ty {
            ast::Ty::Pointer { to, .. } => to,
            _ => &base.ty,
        };
        let (record, _) = self.library_record(ty)?;
        let field = record.fields.iter().position(|f| f.name == name)?;
        Some((record, field as u32))
    }

    pub fn global_var(&self, id: DeclId) -> Option<&'p ast::Var> {
        self.vars.get(&id).copied()
    }

    pub fn error(&mut self, diagnostic: Diagnostic) {
        if let Some(concerned) = self.concerned.filter(|_| diagnostic.is_error()) {
            self.concerns.push((concerned, diagnostic.clone()));
        }
        // A mistake in a text that is lowered twice is reported once.
        if !self.diagnostics.contains(&diagnostic) {
            self.diagnostics.push(diagnostic);
        }
    }

    /// For each error, by its number, the compute constructs that it concerns.
    pub fn concerned_constructs(&self) -> BTreeMap<usize, BTreeSet<Span>> {
        let mut found: BTreeMap<usize, BTreeSet<Span>> = BTreeMap::new();
        for (concerned, diagnostic) in &self.concerns {
            if let Some(number) = self.diagnostics.iter().position(|d| d == diagnostic) {
                found.entry(number).or_default().extend(self.constructs_of(*concerned));
            }
        }
        found
    }

    /// The constructs from which calls lead here.
    fn constructs_of(&self, concerned: Concerned) -> Vec<Span> {
        let (mut reached, mut at) = (vec![concerned], 0);
        while let Some(concerned) = reached.get(at).copied() {
            at += 1;
            for (caller, callee) in &self.callers {
                if concerned == Concerned::Function(*callee) && !reached.contains(caller) {
                    reached.push(*caller);
                }
            }
        }
        let construct = |concerned: &Concerned| match concerned {
            Concerned::Construct(span) => Some(*span),
            Concerned::Function(_) => None,
        };
        reached.iter().filter_map(construct).collect()
    }

    /// The handle of a function; a new one is declared, and lowered later.
    pub fn function(&mut self, decl: &'p ast::Function) -> Handle<Function> {
        self.callers.extend(self.concerned.map(|caller| (caller, decl.id)));
        if let Some(handle) = self.function_handles.get(&decl.id) {
            return *handle;
        }
        let handle = self.declare_function(decl);
        self.module.functions[handle].routine =
            Some(self.routines.get(&decl.id).copied().unwrap_or(Level::Seq));
        if decl.body.is_some() {
            self.todo.push_back((handle, decl));
        }
        handle
    }

    pub fn declare_function(&mut self, decl: &'p ast::Function) -> Handle<Function> {
        let result = self.ty(&decl.result);
        let symbol = self.symbol(&decl.name);
        let handle = self.module.functions.append(Function {
            name: decl.name.clone(),
            symbol,
            params: Vec::new(),
            result,
            body: None,
            routine: self.routines.get(&decl.id).copied(),
            has_regions: false,
            link_name: self.link_name(&decl.link_name),
            span: decl.span,
        });
        self.function_handles.insert(decl.id, handle);
        handle
    }

    /// A unit that knows of no others has no need of these names.
    fn link_name(&self, name: &Option<Rc<str>>) -> Option<String> {
        name.as_deref().filter(|_| !self.source.externals.are_none()).map(str::to_owned)
    }

    /// The directive whose line this is.
    pub fn pragma_at(&self, span: Span) -> Option<&'p Pragma> {
        self.pragmas.iter().find(|p| p.span == span)
    }

    /// A function that the device's library has.
    pub fn device_library(&mut self, symbol: &str, result: Handle<accl_ir::Type>) -> Handle<Function> {
        self.symbols.insert(symbol.to_owned());
        let handle = Function::of_library(&mut self.module.functions, symbol, result);
        self.module.functions[handle].routine = Some(Level::Seq);
        handle
    }

    /// Whether the function is another unit's, which may be called.
    pub fn is_external(&self, decl: &ast::Function) -> bool {
        decl.body.is_none() && decl.link_name.as_ref().is_some_and(|name| self.source.externals.holds(name))
    }

    /// Refusals that concern a function, or one that it calls.
    pub fn refusal(&self, function: DeclId) -> Option<&Diagnostic> {
        let (mut reached, mut at) = (vec![Concerned::Function(function)], 0);
        while let Some(concerned) = reached.get(at).copied() {
            at += 1;
            let called = self.callers.iter().filter(|(caller, _)| *caller == concerned);
            for callee in called.map(|(_, callee)| Concerned::Function(*callee)) {
                if !reached.contains(&callee) {
                    reached.push(callee);
                }
            }
        }
        self.concerns.iter().find(|(concerned, _)| reached.contains(concerned)).map(|(_, d)| d)
    }

    /// The function, or one that it calls, uses a variable of the file that is no constant.
    pub fn uses_variables(&self, decl: &ast::Function) -> bool {
        let Some(handle) = self.function_handles.get(&decl.id) else { return false };
        let Some(body) = &self.module.functions[*handle].body else { return false };
        let reached = accl_ir::calls::reached(self.module, body, &body.block);
        let bodies = reached.into_iter().filter_map(|f| self.module.functions[f].body.as_ref());
        bodies.chain([body]).any(|body| {
            let mut found = false;
            accl_ir::visit::all_exprs(&body.exprs, &body.block, &mut |e| {
                if let accl_ir::ExprKind::Global(global) = body.exprs[e].kind {
                    found |= !self.module.globals[global].constant;
                }
            });
            found
        })
    }

    /// Whether a `routine` directive names the function.
    pub fn is_routine(&self, id: DeclId) -> bool {
        self.routines.contains_key(&id)
    }

    /// A routine, or called from a region.
    pub fn runs_on_device(&self, id: DeclId) -> bool {
        let lowered = self.function_handles.get(&id).map(|h| &self.module.functions[*h]);
        self.is_routine(id) || lowered.is_some_and(|f| !f.has_regions)
    }

    pub fn pure(&mut self, id: DeclId) -> bool {
        if let Some(known) = self.pure.get(&id) {
            return *known;
        }
        // A function that calls itself is not pure unless proven so.
        self.pure.insert(id, false);
        let decl = self.functions.get(&id).copied();
        let pure = decl.is_some_and(|f| function::is_pure(self, f));
        self.pure.insert(id, pure);
        pure
    }

    /// The constructor a signature names, before an instance of a template with this signature; copies are not constructions.
    pub fn constructor(&self, init: &ast::Expr, signature: &str) -> Option<&'p ast::Function> {
        let ast::Ty::Record(id) = &*init.ty.ty else { return None };
        let functions = &self.program.functions;
        // An inherited constructor's type says of exceptions what the base class's does not.
        fn plain(signature: &str) -> &str {
            signature.split(" noexcept").next().unwrap_or(signature)
        }
        let matches = |f: &&ast::Function| match &f.kind {
            ast::FunctionKind::Constructor { record, .. } => {
                *record == *id && plain(&f.signature) == plain(signature)
            }
            ast::FunctionKind::Free | ast::FunctionKind::Method { .. } => false,
        };
        let of_template =
            |f: &&ast::Function| (f.instance.as_ref().is_some_and(|i| i.own > 0), f.body.is_none());
        let found = functions.iter().filter(matches).min_by_key(of_template)?;
        self.function_decl(found.id)
    }

    /// A C identifier not used before in the module.
    fn symbol(&mut self, name: &str) -> String {
        let plain: String = name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
        let mut symbol = plain.clone();
        let mut count = 1;
        while !self.symbols.insert(symbol.clone()) {
            count += 1;
            symbol = format!("{plain}_{count}");
        }
        symbol
    }

    pub fn global(&mut self, var: &ast::Var) -> Handle<Global> {
        if let Some(handle) = self.globals.get(&var.id) {
            return *handle;
        }
        let ty = self.ty(&var.ty);
        let value = var.init.as_ref().filter(|_| var.ty.constant).and_then(constant);
        let constant = var.ty.constant;
        let (name, span, reference) = (name_in_text(&var.name), var.span, var.ty.is_reference());
        let (link_name, foreign) = (self.link_name(&var.link_name), None);
        let global = Global { name, ty, span, reference, constant, value, link_name, foreign };
        let handle = self.module.globals.append(global);
        self.globals.insert(var.id, handle);
        handle
    }

    /// Loop directives in functions that no region calls and that are no routines do nothing.
    pub fn unused_loop_directives(&mut self) {
        for function in self.program.functions.iter().filter(|f| f.instance.is_none()) {
            let Some(body) = &function.body else { continue };
            if self.function_handles.contains_key(&function.id) || self.is_routine(function.id) {
                continue;
            }
            let is_loop = |p: &&Pragma| {
                matches!(p.directive.kind, DirectiveKind::Loop) && p.directive.origin == Sentinel::Acc
            };
            let inside = |p: &&Pragma| crate::bind::is_inside(body.span, p.span);
            if let Some(pragma) = self.pragmas.iter().filter(is_loop).find(inside) {
                let message = format!("the `loop` directive in `{}` has no effect", function.name);
                let diagnostic = Diagnostic::warning(codes::MISPLACED, message)
                    .at(pragma.directive.name_span)
                    .with_note(
                        "it stands in no compute construct, and no compute construct calls the function",
                    )
                    .with_help("write `parallel loop`, or mark the function with a `routine` directive");
                self.diagnostics.push(diagnostic);
            }
        }
    }

    /// `routine` and `declare` outside functions.
    pub fn file_scope_directives(&mut self) {
        for (index, pragma) in self.pragmas.iter().enumerate() {
            if let DirectiveKind::Routine(name) = &pragma.directive.kind {
                self.routine(index, name.as_ref().map(|n| n.name.as_str()));
                continue;
            }
            let mut bodies = self.program.functions.iter().filter_map(|f| f.body.as_ref());
            let in_body = bodies.any(|body| crate::bind::is_inside(body.span, pragma.span));
            let mut templates = self.program.templates.iter();
            let in_template = templates.any(|span| crate::bind::is_inside(*span, pragma.span));
            match pragma.directive.kind {
                // In classes, too, it may stand before functions and `end declare target` behind them.
                DirectiveKind::DeclareTarget { .. } if !in_body && pragma.directive.clauses.is_empty() => {}
                DirectiveKind::DeclareTarget { .. } if in_body || in_template => {
                    self.error(super::declare_target::refused_in_function(pragma));
                    continue;
                }
                _ if in_body || in_template => continue,
                _ => {}
            }
            match pragma.directive.kind {
                DirectiveKind::Declare => super::standalone::declare_at_file_scope(self, pragma),
                DirectiveKind::DeclareTarget { .. } => super::declare_target::declare(self, index),
                // Nothing is left of it.
                DirectiveKind::DeclareMapper(_) => {
                    super::standalone::push_declared(self, vec![], pragma.span)
                }
                DirectiveKind::EndDeclareTarget => super::declare_target::end(self, index),
                DirectiveKind::Threads(_) => {}
                _ if pragma.directive.origin == Sentinel::Omp && !pragma.directive.is_for_devices() => {}
                _ => self.error(outside_function(pragma)),
            }
        }
    }

    fn routine(&mut self, index: usize, name: Option<&str>) {
        let pragma = &self.pragmas[index];
        let Routine { level, bind, nohost } = routine::read(self, &pragma.directive);
        let functions = &self.program.functions;
        let targets: Vec<DeclId> = match name {
            Some(name) => {
                let named = |f: &&ast::Function| f.name == name || f.name.ends_with(&format!("::{name}"));
                functions.iter().filter(named).map(|f| f.id).collect()
            }
            None => {
                let after = |f: &&ast::Function| f.span.start > pragma.span.end && !f.span.is_nowhere();
                let next = functions.iter().filter(after).map(|f| f.span.start).min();
                functions.iter().filter(|f| Some(f.span.start) == next).map(|f| f.id).collect()
            }
        };
        if targets.is_empty() {
            let message = match name {
                Some(name) => format!("no function named `{name}` is declared in this file"),
                None => "expected a function after the `routine` directive".to_owned(),
            };
            let at = pragma.directive.span;
            self.error(Diagnostic::error(codes::ROUTINE_TARGET, message).at(at));
        }
        routine::note(self, &targets, bind, nohost, level);
        self.routines.extend(targets.into_iter().map(|id| (id, level)));
    }
}

/// A name by which the program's text denotes a variable: members of a namespace without a name are those of the one around.
pub fn name_in_text(name: &str) -> String {
    name.replace("(anonymous namespace)::", "")
}

/// An array of unknown extent, `extern int a[];`.
pub fn is_incomplete(ty: &Qual) -> bool {
    matches!(&*ty.ty, ast::Ty::Array { len: ast::Len::Unknown, .. })
}

fn outside_function(pragma: &Pragma) -> Diagnostic {
    let name = crate::bind::name_of(pragma);
    Diagnostic::error(codes::MISPLACED, format!("the `{name}` directive stands outside any function"))
        .at(pragma.directive.name_span)
        .with_note("only `routine` and `declare` may stand there")
}

/// The value of a constant initialiser.
pub fn constant(init: &ast::Expr) -> Option<ConstValue> {
    if let Some(value) = crate::clang::fold(init) {
        return match &*init.ty.ty {
            ast::Ty::Float { .. } => Some(ConstValue::Float(value as f64)),
            _ => Some(ConstValue::Int(value)),
        };
    }
    float_constant(init).map(|v| match &*init.ty.ty {
        ast::Ty::Int { .. } | ast::Ty::Bool => ConstValue::Int(v as i128),
        _ => ConstValue::Float(v),
    })
}

fn float_constant(init: &ast::Expr) -> Option<f64> {
    let round = |v: f64, ty: &Qual| match &*ty.ty {
        ast::Ty::Float { bits: 32 } => f64::from(v as f32),
        ast::Ty::Int { .. } => v.trunc(),
        _ => v,
    };
    match &init.kind {
        ast::ExprKind::Float(value) => Some(*value),
        ast::ExprKind::Cast { kind: ast::CastKind::Convert, operand, .. } => {
            let value = match crate::clang::fold(operand) {
                Some(value) => value as f64,
                None => float_constant(operand)?,
            };
            Some(round(value, &init.ty))
        }
        ast::ExprKind::Cast { kind: ast::CastKind::NoOp, operand, .. } => float_constant(operand),
        ast::ExprKind::Unary { op: ast::UnaryOp::Minus, operand } => float_constant(operand).map(|v| -v),
        ast::ExprKind::Binary { op, left, right } => {
            let (a, b) = (float_constant(left)?, float_constant(right)?);
            let value = match op {
                ast::BinaryOp::Add => a + b,
                ast::BinaryOp::Sub => a - b,
                ast::BinaryOp::Mul => a * b,
                ast::BinaryOp::Div => a / b,
                _ => return None,
            };
            Some(round(value, &init.ty))
        }
        _ => None,
    }
}

/// The class of which the function makes an object from nothing or from another, or which it assigns.
pub fn copied_class(function: &ast::Function) -> Option<DeclId> {
    match function.kind {
        ast::FunctionKind::Constructor { record, .. } => {
            let is_class = |ty: &Qual| matches!(*ty.referred().ty, ast::Ty::Record(id) if id == record);
            function.params.iter().all(|param| is_class(&param.ty)).then_some(record)
        }
        ast::FunctionKind::Method { record, .. } => function.name.ends_with("operator=").then_some(record),
        ast::FunctionKind::Free => None,
    }
}
