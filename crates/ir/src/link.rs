//! Functions of other units become functions of a module.
//!
//! What: [`link`] gives each function that the module only declares, and that another unit defines for devices, its body, and
//! with it all that the body needs: functions, structures, global variables. Kernels then call it as if it stood in their file.
//!
//! Identity across units is the linker's: functions and variables are the same where their link names are. Structures are the
//! same where name and content are. Everything else of another unit (its static functions, its own structures) comes under a
//! name that the module does not use yet.
//!
//! A function whose parameters or types the two units see differently stays without a body, which a later pass refuses.

use crate::{
    ArrayLen, Body, DataItem, DataKind, DataVar, ExprKind, Field, ForeignObject, Function, Global, Handle,
    Module, Standalone, StandaloneKind, Stmt, StructDef, Type, TypeKind, Types, visit,
};
use accl_source::Span;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// What a unit offers to others.
#[derive(Clone, Debug, Default)]
pub struct Unit {
    /// Its functions for devices, with all that they need.
    pub module: Module,
    /// Where the addresses of its global variables are found by a linker, by their positions.
    pub addresses: Vec<String>,
    /// The variables that its directives put on devices.
    pub declared: BTreeSet<usize>,
}

/// Completes the functions that `module` declares and `units` define. `available` says which may be taken.
pub fn link(module: &mut Module, units: &[Unit], available: &BTreeSet<String>) {
    let mut linker = Linker {
        units,
        maps: units.iter().map(|_| Map::default()).collect(),
        declared: vec![],
        tried: BTreeSet::new(),
    };
    while let Some((name, span)) = linker.next(module, available) {
        linker.tried.insert(name.clone());
        let definition = units.iter().enumerate().find_map(|(at, u)| Some((at, defined(&u.module, &name)?)));
        if let Some((unit, function)) = definition {
            linker.function(module, unit, function, span);
        }
    }
    let linked = module.functions.iter().filter(|(_, f)| {
        f.body.is_some() && f.link_name.as_ref().is_some_and(|name| linker.tried.contains(name))
    });
    let linked: BTreeSet<Handle<Function>> = linked.map(|(handle, _)| handle).collect();
    calls::adapt(module, &linked);
    if !linker.declared.is_empty() {
        module.declares.push(Standalone {
            kind: StandaloneKind::Declare,
            if_: None,
            async_: None,
            waits: vec![],
            data: linker.declared,
            list: vec![],
            if_present: false,
            finalize: false,
            directive_span: Span::NOWHERE,
        });
    }
}

/// The function with this link name and a body.
pub fn defined(module: &Module, link_name: &str) -> Option<Handle<Function>> {
    let is = |f: &Function| f.body.is_some() && f.link_name.as_deref() == Some(link_name);
    module.functions.iter().find(|(_, f)| is(f)).map(|(handle, _)| handle)
}

/// What has become of a unit's items in the module.
#[derive(Default)]
struct Map {
    functions: HashMap<Handle<Function>, Handle<Function>>,
    globals: HashMap<Handle<Global>, Handle<Global>>,
    structs: HashMap<Handle<StructDef>, Handle<StructDef>>,
    types: HashMap<Handle<Type>, Handle<Type>>,
}

struct Linker<'u> {
    units: &'u [Unit],
    maps: Vec<Map>,
    /// Data items for the variables that directives of other units put on devices.
    declared: Vec<DataItem>,
    tried: BTreeSet<String>,
}

impl Linker<'_> {
    /// The next function to complete, and where it is declared.
    fn next(&self, module: &Module, available: &BTreeSet<String>) -> Option<(String, Span)> {
        module.functions.iter().filter(|(_, f)| f.body.is_none()).find_map(|(_, f)| {
            let name = f.link_name.as_ref().filter(|n| available.contains(*n) && !self.tried.contains(*n))?;
            Some((name.clone(), f.span))
        })
    }

    /// The function of a unit in the module. Its text is not there: all of it has the place `span`.
    fn function(
        &mut self,
        module: &mut Module,
        unit: usize,
        of_unit: Handle<Function>,
        span: Span,
    ) -> Handle<Function> {
        if let Some(known) = self.maps[unit].functions.get(&of_unit) {
            return *known;
        }
        let from = &self.units[unit].module.functions[of_unit];
        let known = match &from.link_name {
            Some(name) => module.functions.iter().find(|(_, f)| f.link_name.as_ref() == Some(name)),
            None => module.functions.iter().find(|(_, f)| from.body.is_none() && f.symbol == from.symbol),
        };
        let known = known.map(|(handle, _)| handle);
        let handle = known.unwrap_or_else(|| {
            let is_library = from.link_name.is_none() && from.body.is_none();
            let symbol = if is_library { from.symbol.clone() } else { unused_name(module, &from.symbol) };
            let result = self.ty(module, unit, from.result);
            module.functions.append(Function {
                symbol,
                result,
                body: None,
                span,
                params: vec![],
                ..from.clone()
            })
        });
        self.maps[unit].functions.insert(of_unit, handle);
        if module.functions[handle].body.is_some() {
            return handle;
        }
        let Some(body) = &from.body else { return handle };
        let declared_result = module.functions[handle].result;
        if self.ty(module, unit, from.result) != declared_result {
            return handle;
        }
        let span = if known.is_some() { module.functions[handle].span } else { span };
        // Before its body is there, calls of itself find it.
        module.functions[handle].routine = from.routine;
        let body = self.body(module, unit, body, span);
        let function = &mut module.functions[handle];
        (function.params, function.body) = (from.params.clone(), body);
        handle
    }

    /// None where a variable's type is not known here.
    fn body(&mut self, module: &mut Module, unit: usize, from: &Body, span: Span) -> Option<Body> {
        let mut body = from.clone();
        for (_, local) in body.locals.iter_mut() {
            (local.ty, local.span) = (self.ty(module, unit, local.ty), span);
        }
        for (_, e) in body.exprs.iter_mut() {
            (e.ty, e.span) = (self.ty(module, unit, e.ty), span);
            match &mut e.kind {
                ExprKind::Global(global) => {
                    *global = self.global(module, unit, *global, span)?;
                    e.ty = declared_type(module, *global, e.ty)?;
                }
                ExprKind::Call { function, .. } => *function = self.function(module, unit, *function, span),
                _ => {}
            }
        }
        visit::for_each_stmt_mut(&mut body.block, &mut |node| {
            node.span = span;
            match &mut node.kind {
                Stmt::Call { function, .. } => *function = self.function(module, unit, *function, span),
                Stmt::For(l) => {
                    if let Some(directive) = &mut l.directive {
                        directive.span = span;
                        directive.reductions.iter_mut().for_each(|reduction| reduction.span = span);
                    }
                }
                _ => {}
            }
        });
        Some(body)
    }

    fn global(
        &mut self,
        module: &mut Module,
        unit: usize,
        of_unit: Handle<Global>,
        span: Span,
    ) -> Option<Handle<Global>> {
        if let Some(known) = self.maps[unit].globals.get(&of_unit) {
            return Some(*known);
        }
        let from = &self.units[unit].module.globals[of_unit];
        let same = |g: &Global| g.link_name.is_some() && g.link_name == from.link_name;
        let known = module.globals.iter().find(|(_, g)| same(g)).map(|(handle, _)| handle);
        let handle = match known {
            Some(handle) => handle,
            None => {
                let ty = self.ty(module, unit, from.ty);
                let address =
                    self.units[unit].addresses.get(of_unit.index()).filter(|a| !a.is_empty())?.clone();
                let text = format!("(*({}){address})", spelled(&module.types, ty, "(*)".into())?);
                let foreign = Some(ForeignObject { address, text });
                module.globals.append(Global { ty, span, foreign, ..from.clone() })
            }
        };
        self.maps[unit].globals.insert(of_unit, handle);
        if self.units[unit].declared.contains(&of_unit.index()) {
            self.declare(module, handle, span);
        }
        Some(handle)
    }

    /// A directive of the variable's own unit puts it on devices.
    fn declare(&mut self, module: &Module, global: Handle<Global>, span: Span) {
        let var = DataVar::Global(global);
        let of_module = module.declares.iter().flat_map(|d| &d.data);
        if of_module.chain(&self.declared).any(|item| item.var == var) {
            return;
        }
        let of = &module.globals[global];
        self.declared.push(DataItem::new(
            DataKind::Create,
            var,
            of.name.clone(),
            of.host_text().to_owned(),
            of.ty,
            span,
        ));
    }

    fn ty(&mut self, module: &mut Module, unit: usize, of_unit: Handle<Type>) -> Handle<Type> {
        if let Some(known) = self.maps[unit].types.get(&of_unit) {
            return *known;
        }
        let mut kind = self.units[unit].module.types.kind(of_unit).clone();
        match &mut kind {
            TypeKind::Pointer { to: of, .. }
            | TypeKind::Array { of, .. }
            | TypeKind::Compressed { of, .. } => {
                *of = self.ty(module, unit, *of);
            }
            TypeKind::Struct(def) => *def = self.structure(module, unit, *def),
            TypeKind::Void
            | TypeKind::Bool
            | TypeKind::Int { .. }
            | TypeKind::Float { .. }
            | TypeKind::Opaque(_) => {}
        }
        let ty = module.types.intern(kind);
        self.maps[unit].types.insert(of_unit, ty);
        ty
    }

    fn structure(
        &mut self,
        module: &mut Module,
        unit: usize,
        of_unit: Handle<StructDef>,
    ) -> Handle<StructDef> {
        if let Some(known) = self.maps[unit].structs.get(&of_unit) {
            return *known;
        }
        let theirs = &self.units[unit].module.types;
        let from = &theirs.structs[of_unit];
        let same = |def: &Handle<StructDef>| {
            let mut met = BTreeMap::new();
            stem(&module.types.structs[*def].name) == stem(&from.name)
                && same_content((&module.types, *def), (theirs, of_unit), &mut met)
        };
        let found = module.types.structs.handles().find(same);
        if let Some(def) = found {
            self.maps[unit].structs.insert(of_unit, def);
            return def;
        }
        let name = unused_name(module, &from.name);
        let def = module.types.structs.append(StructDef { name, fields: vec![], ..from.clone() });
        // Its members may point to it.
        self.maps[unit].structs.insert(of_unit, def);
        let field = |f: &Field| Field { ty: self.ty(module, unit, f.ty), ..f.clone() };
        let fields = from.fields.iter().map(field).collect();
        module.types.structs[def].fields = fields;
        def
    }
}

/// A variable's type as the module declares it: one of the units may not know the extent of an array. None where they differ otherwise.
fn declared_type(module: &Module, global: Handle<Global>, ty: Handle<Type>) -> Option<Handle<Type>> {
    let declared = module.globals[global].ty;
    let kinds = [module.types.kind(declared), module.types.kind(ty)];
    let same = declared == ty
        || match kinds {
            [TypeKind::Array { of: a, len: m }, TypeKind::Array { of: b, len: n }] => {
                a == b && [m, n].contains(&&ArrayLen::Unknown)
            }
            _ => false,
        };
    same.then_some(declared)
}

/// A name without the number that tells it from others.
fn stem(name: &str) -> &str {
    let stem = name.trim_end_matches(|c: char| c.is_ascii_digit());
    if stem.len() < name.len() { stem.strip_suffix('_').unwrap_or(name) } else { name }
}

type Definition<'t> = (&'t Types, Handle<StructDef>);

/// Two structures have the same members. `met` are pairs that are being compared.
fn same_content(
    (a, left): Definition<'_>,
    (b, right): Definition<'_>,
    met: &mut BTreeMap<usize, usize>,
) -> bool {
    if let Some(other) = met.insert(left.index(), right.index()) {
        return other == right.index();
    }
    let (left, right) = (&a.structs[left], &b.structs[right]);
    let fields = left.fields.iter().zip(&right.fields);
    (left.size, left.align, left.fields.len()) == (right.size, right.align, right.fields.len())
        && fields
            .into_iter()
            .all(|(l, r)| (&l.name, l.offset) == (&r.name, r.offset) && same_type((a, l.ty), (b, r.ty), met))
}

fn same_type(
    (a, left): (&Types, Handle<Type>),
    (b, right): (&Types, Handle<Type>),
    met: &mut BTreeMap<usize, usize>,
) -> bool {
    match (a.kind(left), b.kind(right)) {
        (TypeKind::Struct(l), TypeKind::Struct(r)) => same_content((a, *l), (b, *r), met),
        (TypeKind::Pointer { to: l, constant: c, .. }, TypeKind::Pointer { to: r, constant: d, .. }) => {
            c == d && same_type((a, *l), (b, *r), met)
        }
        (TypeKind::Array { of: l, len: m }, TypeKind::Array { of: r, len: n }) => {
            m == n && same_type((a, *l), (b, *r), met)
        }
        (l, r) => l == r,
    }
}

/// The name, or one like it that no function and no structure has.
fn unused_name(module: &Module, name: &str) -> String {
    let taken = |name: &str| {
        module.functions.iter().any(|(_, f)| f.symbol == name)
            || module.types.structs.iter().any(|(_, s)| s.name == name)
    };
    let others = (2..).map(|number| format!("{name}_{number}"));
    std::iter::once(name.to_owned()).chain(others).find(|name| !taken(name)).unwrap_or_default()
}

/// A type in C and C++; `inner` is the declarator. A structure is so many bytes ([`bytes_type`]); a pointer in one points to bytes.
/// None where the size is not known.
fn spelled(types: &Types, ty: Handle<Type>, inner: String) -> Option<String> {
    let number = match types.kind(ty) {
        TypeKind::Bool => "unsigned char",
        TypeKind::Int { bits: 8, signed: true } => "signed char",
        TypeKind::Int { bits: 8, signed: false } => "unsigned char",
        TypeKind::Int { bits: 16, signed: true } => "short",
        TypeKind::Int { bits: 16, signed: false } => "unsigned short",
        TypeKind::Int { bits: 32, signed: true } => "int",
        TypeKind::Int { bits: 32, signed: false } => "unsigned",
        TypeKind::Int { signed: true, .. } => "long",
        TypeKind::Int { signed: false, .. } => "unsigned long",
        TypeKind::Float { bits: 32 } => "float",
        TypeKind::Float { .. } => "double",
        TypeKind::Array { of, len: ArrayLen::Const(n) } => {
            return spelled(types, *of, format!("{inner}[{n}]"));
        }
        TypeKind::Pointer { to, .. } => {
            let inner = format!("(*{inner})");
            return spelled(types, *to, inner.clone()).or(Some(format!("char {inner}")));
        }
        TypeKind::Struct(def) => {
            let size = types.structs[*def].size;
            return (size > 0).then(|| format!("{} {inner}", bytes_type(size)));
        }
        TypeKind::Void | TypeKind::Array { .. } | TypeKind::Compressed { .. } | TypeKind::Opaque(_) => {
            return None;
        }
    };
    Some(format!("{number} {inner}"))
}

const BYTES: &str = "struct accl_bytes_";

/// The name of a structure of so many bytes in the host's text.
pub fn bytes_type(size: u64) -> String {
    format!("{BYTES}{size}")
}

/// The sizes of such structures that a text names.
pub fn bytes_in(text: &str) -> Vec<u64> {
    let number = |rest: &str| rest.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok();
    text.split(BYTES).skip(1).filter_map(number).collect()
}

mod calls;
#[cfg(test)]
mod tests;
