//! The verifier: what the IR promises, checked.
//!
//! It runs before and after the pipeline, and after each pass in debug builds. What it finds is a bug of
//! the compiler, never of the user's program, so each error quotes the statement and names the rule.
//! Back ends rely on a verified module and do not check again.
//!
//! Types are compared up to the qualifiers of pointers (`const`, `restrict`, the address space), which
//! mapping changes freely.

mod divergence;
mod expr;
mod kernel;
mod stmt;

use crate::{
    Body, Expr, Function, Handle, Kernel, Local, LocalKind, Module, StmtNode, StructDef, Type, TypeKind,
    print, visit,
};
use accl_source::Span;
use std::collections::BTreeMap;

/// A broken promise of the IR.
#[derive(Clone, Debug, PartialEq)]
pub struct VerifyError {
    /// "function `f`", "variant `f_3_v` of kernel `f_3`"
    pub place: String,
    /// The first line of the statement, where one is to blame.
    pub statement: Option<String>,
    pub rule: String,
    pub span: Span,
}

impl std::fmt::Display for VerifyError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "compiler bug: {}", self.place)?;
        if let Some(statement) = &self.statement {
            write!(f, ", at `{statement}`")?;
        }
        write!(f, ": {}", self.rule)
    }
}

impl std::error::Error for VerifyError {}

/// Checks every rule; all errors are reported, in the order of the module.
///
/// ```
/// # use accl_ir::*;
/// let m = Module::from_text("fn f(i32 n, f64* p) -> void { p[0] = n; }").unwrap();
/// let errors = verify(&m).unwrap_err();
/// assert_eq!(
///     errors[0].to_string(),
///     "compiler bug: function `f`, at `p[0] = n;`: the value `n` has type i32, not f64",
/// );
/// ```
pub fn verify(module: &Module) -> Result<(), Vec<VerifyError>> {
    let mut errors = Vec::new();
    types(module, &mut errors);
    functions(module, &mut errors);
    for (_, kernel) in module.kernels.iter() {
        kernel::kernel(module, kernel, &mut errors);
    }
    unique("kernel", module.kernels.iter().map(|(_, k)| k.name.as_str()), &mut errors);
    let variants = module.kernels.iter().flat_map(|(_, k)| &k.variants);
    unique("variant", variants.map(|v| v.symbol.as_str()), &mut errors);
    if errors.is_empty() { Ok(()) } else { Err(errors) }
}

fn module_error(rule: String) -> VerifyError {
    VerifyError { place: "module".to_owned(), statement: None, rule, span: Span::default() }
}

fn unique<'a>(what: &str, names: impl Iterator<Item = &'a str>, errors: &mut Vec<VerifyError>) {
    let mut count: BTreeMap<&str, usize> = BTreeMap::new();
    names.for_each(|name| *count.entry(name).or_default() += 1);
    for (name, _) in count.iter().filter(|(_, n)| **n > 1) {
        errors.push(module_error(format!("two of the {what}s are named `{name}`")));
    }
}

fn types(module: &Module, errors: &mut Vec<VerifyError>) {
    let count = module.types.iter().count();
    for (handle, ty) in module.types.iter() {
        let bad = match &ty.kind {
            TypeKind::Pointer { to, .. } => to.index() >= count,
            TypeKind::Array { of, .. } => of.index() >= count,
            TypeKind::Struct(def) => module.types.structs.get(*def).is_none(),
            TypeKind::Int { bits, .. } => ![8, 16, 32, 64].contains(bits),
            TypeKind::Float { bits } => ![32, 64].contains(bits),
            TypeKind::Compressed { of, format } => !is_compressible(module, *of, *format),
            TypeKind::Void | TypeKind::Bool | TypeKind::Opaque(_) => false,
        };
        if bad {
            errors.push(module_error(format!("type {} is malformed: {:?}", handle.index(), ty.kind)));
        }
    }
    unique("structure", module.types.structs.iter().map(|(_, s)| s.name.as_str()), errors);
    if errors.is_empty() {
        module.types.structs.iter().for_each(|(_, def)| structure(module, def, errors));
    }
}

/// From 4 bits up to the mantissa's.
fn is_compressible(module: &Module, of: crate::Handle<crate::Type>, format: crate::Format) -> bool {
    if !format.scheme.has_width() && format.bits != 16 {
        return false;
    }
    match module.types.get(of) {
        Some(TypeKind::Float { bits: 32 }) => (4..=23).contains(&format.bits),
        Some(TypeKind::Float { bits: 64 }) => (4..=52).contains(&format.bits),
        _ => false,
    }
}

/// Fields lie in order, in the structure, and do not overlap (but for tail padding, which C++ reuses).
fn structure(module: &Module, def: &StructDef, errors: &mut Vec<VerifyError>) {
    let mut report = |rule: String| errors.push(module_error(format!("structure `{}`: {rule}", def.name)));
    if !def.align.is_power_of_two() || !def.size.is_multiple_of(def.align) {
        report(format!("size {} does not go with alignment {}", def.size, def.align));
    }
    let mut end = 0;
    for field in &def.fields {
        if module.types.get(field.ty).is_none() {
            report(format!("field `{}` has no type", field.name));
            continue;
        }
        // Size 0: the layout is not known, and only the host uses the type.
        if field.offset < end && def.size > 0 {
            report(format!("field `{}` at {} begins before {end}", field.name, field.offset));
        }
        end = field.offset + data_size(module, field.ty, 0);
    }
    if end > def.size && def.size > 0 {
        report(format!("its fields end at {end}, past its size {}", def.size));
    }
}

/// Bytes up to the last one that holds data.
fn data_size(module: &Module, ty: Handle<Type>, depth: u32) -> u64 {
    match module.types.get(ty) {
        // A structure that holds itself has no size; the front end cannot make one.
        Some(TypeKind::Struct(def)) if depth < 100 => {
            let def = &module.types.structs[*def];
            let ends = def.fields.iter().map(|f| f.offset + data_size(module, f.ty, depth + 1));
            ends.max().unwrap_or(0)
        }
        Some(_) => module.types.size_of(ty).unwrap_or(0),
        None => 0,
    }
}

fn functions(module: &Module, errors: &mut Vec<VerifyError>) {
    unique("function symbol", module.functions.iter().map(|(_, f)| f.symbol.as_str()), errors);
    for (_, f) in module.functions.iter() {
        let Some(body) = &f.body else { continue };
        let place = format!("function `{}`", f.symbol);
        let mut checker = Checker::new(module, body, place, Stage::Function(f));
        checker.function(f);
        errors.append(&mut checker.errors);
    }
}

/// What body is being checked: some statements are for some bodies only.
#[derive(Clone, Copy)]
enum Stage<'a> {
    Function(&'a Function),
    /// `Kernel::body`: loops as scheduled.
    Scheduled(&'a Kernel),
    /// A GPU variant.
    Variant(&'a Kernel),
    Cpu(&'a Kernel),
}

impl<'a> Stage<'a> {
    fn kernel(self) -> Option<&'a Kernel> {
        match self {
            Stage::Function(_) => None,
            Stage::Scheduled(k) | Stage::Variant(k) | Stage::Cpu(k) => Some(k),
        }
    }
    fn is_mapped(self) -> bool {
        match self {
            Stage::Function(_) | Stage::Scheduled(_) => false,
            Stage::Variant(_) | Stage::Cpu(_) => true,
        }
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Seen {
    No,
    /// Its operands are being checked: reaching it again means a cycle.
    Open,
    Done,
}

/// Checks one body.
struct Checker<'a> {
    module: &'a Module,
    body: &'a Body,
    place: String,
    stage: Stage<'a>,
    /// The statement being checked.
    node: Option<&'a StmtNode>,
    /// By expression.
    seen: Vec<Seen>,
    errors: Vec<VerifyError>,
}

impl<'a> Checker<'a> {
    fn new(module: &'a Module, body: &'a Body, place: String, stage: Stage<'a>) -> Self {
        let seen = vec![Seen::No; body.exprs.len()];
        Checker { module, body, place, stage, node: None, seen, errors: Vec::new() }
    }

    fn report(&mut self, rule: impl Into<String>) {
        let statement = self.node.map(|n| print::stmt_head(self.module, self.body, n));
        let span = self.node.map(|n| n.span).unwrap_or_default();
        self.errors.push(VerifyError { place: self.place.clone(), statement, rule: rule.into(), span });
    }

    /// Reports `rule` unless it is kept.
    fn rule(&mut self, kept: bool, rule: impl FnOnce(&Self) -> String) {
        if !kept {
            let rule = rule(self);
            self.report(rule);
        }
    }

    fn text(&self, e: Handle<Expr>) -> String {
        print::expr(self.module, self.body, e)
    }

    fn type_text(&self, ty: Handle<Type>) -> String {
        print::ty(self.module, ty)
    }

    fn function(&mut self, f: &'a Function) {
        self.rule(self.module.types.get(f.result).is_some(), |_| "its result has no type".to_owned());
        for param in &f.params {
            let fits = self.body.locals.get(*param);
            let fits = fits.is_some_and(|l| matches!(l.kind, LocalKind::Param | LocalKind::This));
            self.rule(fits, |_| format!("parameter {} is no local of kind param", param.index()));
        }
        for (param, extent) in &self.body.extents {
            let ty = self.body.exprs.get(*extent).map(|e| e.ty);
            let fits = f.params.contains(param) && ty.is_some_and(|ty| self.is_integer(ty));
            self.rule(fits, |_| format!("local {} has an extent that is no integer", param.index()));
        }
        self.whole_body();
    }

    /// Locals, statements, and barriers if they are sound.
    fn whole_body(&mut self) {
        self.locals();
        self.block(&self.body.block, stmt::Around::default());
        if self.errors.is_empty() && self.stage.is_mapped() {
            divergence::check(self);
        }
    }

    fn locals(&mut self) {
        let mut names = BTreeMap::new();
        let used = self.used_locals();
        for (handle, local) in self.body.locals.iter().filter(|(h, _)| used[h.index()]) {
            let known = self.module.types.get(local.ty).is_some();
            self.rule(known, |_| format!("local `{}` has no type", local.name));
            let other = names.insert(local.name.as_str(), handle);
            self.rule(other.is_none(), |_| format!("two locals are named `{}`", local.name));
        }
    }

    /// Names need only differ among locals that the body mentions.
    fn used_locals(&self) -> Vec<bool> {
        let mut used = vec![false; self.body.locals.len()];
        let mut mark = |l: Handle<Local>| {
            if let Some(slot) = used.get_mut(l.index()) {
                *slot = true;
            }
        };
        for (_, e) in self.body.exprs.iter() {
            if let crate::ExprKind::Local(l) = e.kind {
                mark(l);
            }
        }
        visit::for_each_stmt(&self.body.block, &mut |node| {
            node.kind.locals().into_iter().for_each(|(l, _)| mark(l));
        });
        used
    }

    /// Equal up to the qualifiers of pointers.
    fn same(&self, a: Handle<Type>, b: Handle<Type>) -> bool {
        if a == b {
            return true;
        }
        match (self.module.types.get(a), self.module.types.get(b)) {
            (Some(TypeKind::Pointer { to: a, .. }), Some(TypeKind::Pointer { to: b, .. })) => {
                self.same(*a, *b)
            }
            (Some(TypeKind::Array { of: a, len: m }), Some(TypeKind::Array { of: b, len: n })) => {
                m == n && self.same(*a, *b)
            }
            _ => false,
        }
    }

    fn is_integer(&self, ty: Handle<Type>) -> bool {
        self.module.types.get(ty).is_some() && self.module.types.is_integer(ty)
    }
    fn is_float(&self, ty: Handle<Type>) -> bool {
        self.module.types.get(ty).is_some() && self.module.types.is_float(ty)
    }
    fn is_arithmetic(&self, ty: Handle<Type>) -> bool {
        self.module.types.get(ty).is_some() && self.module.types.is_arithmetic(ty)
    }
    fn is_pointer(&self, ty: Handle<Type>) -> bool {
        matches!(self.module.types.get(ty), Some(TypeKind::Pointer { .. }))
    }
    fn is_scalar(&self, ty: Handle<Type>) -> bool {
        self.module.types.get(ty).is_some() && self.module.types.is_scalar(ty)
    }
    fn is_array(&self, ty: Handle<Type>) -> bool {
        matches!(self.module.types.get(ty), Some(TypeKind::Array { .. }))
    }
}
