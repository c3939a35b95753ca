//! Prints IR in its text form: whole modules to read back, single pieces for debugging.
//!
//! Printing never fails and never panics, even on IR that the verifier rejects: what names nothing is
//! printed as `<bad local 7>`, which does not parse.

mod clause;
mod expr;
mod kernel;
mod stmt;

pub(crate) use clause::{usual_item_name, var_base_and_type};
pub(crate) use stmt::has_directives;

use super::words::{self, name, quoted, word};
use crate::{
    ArrayLen, Body, ConstValue, Expr, Function, Global, Handle, Kernel, Local, LocalKind, Module, Named,
    Space, Stmt, StmtNode, StructDef, Type, TypeKind,
};
use std::collections::HashSet;
use std::fmt::Write as _;

impl Module {
    /// The module in its text form; [`Module::from_text`] reads it back.
    pub fn to_text(&self) -> String {
        module(self)
    }
}

impl std::fmt::Display for Module {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.to_text())
    }
}

/// The whole module.
pub fn module(module: &Module) -> String {
    let mut pieces = Vec::new();
    if !module.file.is_empty() {
        pieces.push(format!("file {}\n", quoted(&module.file)));
    }
    let structs: String = module.types.structs.iter().map(|(_, s)| structure(module, s)).collect();
    let globals: String = module.globals.iter().map(|(h, g)| global(module, h, g)).collect();
    pieces.push(structs);
    pieces.push(globals);
    pieces.extend(module.functions.handles().map(|f| function(module, f)));
    pieces.extend(module.kernels.iter().map(|(_, k)| kernel::kernel(module, k)));
    pieces.retain(|p| !p.is_empty());
    pieces.join("\n")
}

/// A function with its body.
pub fn function(module: &Module, function: Handle<Function>) -> String {
    let Some(f) = module.functions.get(function) else {
        return format!("<bad function {}>\n", function.index());
    };
    let empty = Body::default();
    let mut p = Printer::new(module, f.body.as_ref().unwrap_or(&empty));
    let params: Vec<String> = f.params.iter().map(|l| p.parameter(*l)).collect();
    let mut out = format!("fn {}", function_name(module, function));
    if f.name != f.symbol {
        let _ = write!(out, " {}", quoted(&f.name));
    }
    let _ = write!(out, "({}) -> {}", params.join(", "), p.ty(f.result));
    if let Some(level) = &f.routine {
        let _ = write!(out, " routine {}", word(words::LEVEL, level));
    }
    out += &link_name(f.link_name.as_deref());
    let Some(body) = &f.body else { return out + ";\n" };
    if f.has_regions != stmt::has_directives(&body.block) {
        out += if f.has_regions { " regions" } else { " no_regions" };
    }
    let inner = p.body_of(|p| {
        for (_, k) in module.kernels.iter().filter(|(_, k)| k.function == function) {
            kernel::mention_host(p, k);
        }
    });
    out + " {\n" + &inner + "}\n"
}

/// A kernel with all its bodies.
pub fn kernel(module: &Module, kernel: &Kernel) -> String {
    kernel::kernel(module, kernel)
}

/// A body without a header: its locals that no statement declares, then its statements.
pub fn body(module: &Module, body: &Body) -> String {
    let mut p = Printer::new(module, body);
    p.indent = 0;
    p.body_of(|_| ())
}

/// One statement of `body`.
pub fn stmt(module: &Module, body: &Body, stmt: &StmtNode) -> String {
    let mut p = Printer::snippet(module, body);
    p.stmt(stmt);
    p.out
}

/// The first line of a statement: what a message can quote.
pub fn stmt_head(module: &Module, body: &Body, node: &StmtNode) -> String {
    let text = stmt(module, body, node);
    let text = text.trim_start();
    text.lines().next().unwrap_or(text).to_owned()
}

/// One expression of `body`.
pub fn expr(module: &Module, body: &Body, expr: Handle<Expr>) -> String {
    Printer::snippet(module, body).any(expr)
}

/// A type.
pub fn ty(module: &Module, ty: Handle<Type>) -> String {
    Printer::snippet(module, &Body::default()).ty(ty)
}

fn structure(module: &Module, def: &StructDef) -> String {
    let empty = Body::default();
    let mut p = Printer::new(module, &empty);
    let fields: String = def
        .fields
        .iter()
        .map(|f| {
            let unnamed = match f.named {
                Named::Everywhere => "",
                Named::InDerived => " protected",
                Named::InClass => " private",
                Named::Nowhere => " unnamed",
            };
            let reference = if f.reference { " ref" } else { "" };
            format!(" {} @{}{unnamed}{reference};", p.declarator(f.ty, &name(&f.name)), f.offset)
        })
        .collect();
    format!("struct {} {{{fields} }} size {} align {}\n", name(&def.name), def.size, def.align)
}

fn global(module: &Module, handle: Handle<Global>, global: &Global) -> String {
    let empty = Body::default();
    let mut p = Printer::new(module, &empty);
    let constant = if global.constant { "const " } else { "" };
    let decl = p.declarator(global.ty, &global_name(module, handle));
    let value = match global.value {
        None => String::new(),
        Some(ConstValue::Int(v)) => format!(" = {v}"),
        Some(ConstValue::Float(v)) => format!(" = {}", expr::float(v)),
    };
    let reference = if global.reference { " ref" } else { "" };
    let link_name = link_name(global.link_name.as_deref());
    format!("global {constant}{decl}{reference}{value}{link_name};\n")
}

fn link_name(name: Option<&str>) -> String {
    name.map(|name| format!(" link_name {}", quoted(name))).unwrap_or_default()
}

/// Two locals of the same name are told apart by their numbers.
fn unique_name(text: &str, index: usize, mut earlier: impl Iterator<Item = bool>) -> String {
    if earlier.any(|same| same) { name(&format!("{text}#{index}")) } else { name(text) }
}

fn global_name(module: &Module, global: Handle<Global>) -> String {
    let Some(g) = module.globals.get(global) else {
        return format!("<bad global {}>", global.index());
    };
    let earlier = module.globals.iter().take(global.index()).map(|(_, other)| other.name == g.name);
    unique_name(&g.name, global.index(), earlier)
}

fn function_name(module: &Module, function: Handle<Function>) -> String {
    let Some(f) = module.functions.get(function) else {
        return format!("<bad function {}>", function.index());
    };
    let earlier = module.functions.iter().take(function.index()).map(|(_, other)| other.symbol == f.symbol);
    unique_name(&f.symbol, function.index(), earlier)
}

fn kernel_name(module: &Module, kernel: Handle<Kernel>) -> String {
    module.kernels.get(kernel).map_or(format!("<bad kernel {}>", kernel.index()), |k| name(&k.name))
}

/// Prints the pieces of one body.
struct Printer<'a> {
    module: &'a Module,
    body: &'a Body,
    out: String,
    indent: usize,
    /// The next line continues the last: `} else {`.
    joined: bool,
    /// As printed, by handle.
    names: Vec<String>,
    /// Locals that the text so far has introduced.
    known: HashSet<usize>,
    /// Declarations of locals that were mentioned before any statement declared them.
    header: Vec<String>,
}

impl<'a> Printer<'a> {
    fn new(module: &'a Module, body: &'a Body) -> Self {
        let mut seen = HashSet::new();
        let mut local_name = |(handle, local): (Handle<Local>, &'a Local)| {
            if seen.insert(local.name.as_str()) {
                name(&local.name)
            } else {
                name(&format!("{}#{}", local.name, handle.index()))
            }
        };
        let names = body.locals.iter().map(&mut local_name).collect();
        Printer {
            module,
            body,
            out: String::new(),
            indent: 1,
            joined: false,
            names,
            known: HashSet::new(),
            header: Vec::new(),
        }
    }

    /// For a piece on its own: every local counts as introduced.
    fn snippet(module: &'a Module, body: &'a Body) -> Self {
        let mut p = Printer::new(module, body);
        p.indent = 0;
        p.known.extend(0..body.locals.len());
        p
    }

    /// Prints the statements, calls `more` (which may mention more locals), and returns the text with
    /// the header before it.
    fn body_of(&mut self, more: impl FnOnce(&mut Self)) -> String {
        let before = std::mem::take(&mut self.out);
        let body = self.body;
        self.stmts(&body.block);
        let block = std::mem::replace(&mut self.out, before);
        more(self);
        let pad = "    ".repeat(self.indent);
        let header: String = self.header.drain(..).map(|line| format!("{pad}{line}\n")).collect();
        header + &block
    }

    fn line(&mut self, text: &str) {
        if std::mem::take(&mut self.joined) && self.out.ends_with('\n') {
            self.out.pop();
            self.out.push(' ');
        } else {
            self.out.push_str(&"    ".repeat(self.indent));
        }
        self.out.push_str(text);
        self.out.push('\n');
    }

    /// The name of a local, which is put into the header if nothing has introduced it.
    fn local(&mut self, local: Handle<Local>) -> String {
        if self.body.locals.get(local).is_none() {
            return format!("<bad local {}>", local.index());
        }
        if self.known.insert(local.index()) {
            let line = format!("local {};", self.declaration(local, LocalKind::Auto));
            self.header.push(line);
        }
        self.names[local.index()].clone()
    }

    fn locals(&mut self, locals: &[Handle<Local>]) -> String {
        let names: Vec<String> = locals.iter().map(|l| self.local(*l)).collect();
        names.join(", ")
    }

    /// Declares a parameter where it stands.
    fn parameter(&mut self, local: Handle<Local>) -> String {
        self.known.insert(local.index());
        let mut text = self.declaration(local, LocalKind::Param);
        if let Some(extent) = self.body.extents.get(&local) {
            let _ = write!(text, " elements({})", self.value(*extent, 0));
        }
        text
    }

    /// `kind? type name`, the kind only where it is not the usual one of its place.
    fn declaration(&mut self, local: Handle<Local>, usual: LocalKind) -> String {
        let Some(l) = self.body.locals.get(local) else {
            return format!("#{}", local.index());
        };
        let usual = if l.name == "this" { LocalKind::This } else { usual };
        let text = self.names[local.index()].clone();
        let decl = self.declarator(l.ty, &text);
        let decl =
            if l.kind == usual { decl } else { format!("{} {decl}", word(words::LOCAL_KIND, &l.kind)) };
        if l.reference { format!("ref {decl}") } else { decl }
    }

    /// `type name[extent]…`
    fn declarator(&mut self, ty: Handle<Type>, name: &str) -> String {
        let (element, extents) = self.extents(ty);
        format!("{} {name}{extents}", self.ty(element))
    }

    /// What the outermost arrays hold, and their extents.
    fn extents(&mut self, mut ty: Handle<Type>) -> (Handle<Type>, String) {
        let mut text = String::new();
        while let Some(TypeKind::Array { of, len }) = self.module.types.get(ty) {
            let extent = match len {
                ArrayLen::Const(n) => n.to_string(),
                ArrayLen::Unknown => String::new(),
                ArrayLen::Expr(e) => self.extent(*e),
            };
            let _ = write!(text, "[{extent}]");
            ty = *of;
        }
        (ty, text)
    }

    /// A literal extent of a variable-length array is told from a constant one by its parentheses.
    fn extent(&mut self, e: Handle<Expr>) -> String {
        if self.body.exprs.get(e).is_none() {
            return "?".to_owned();
        }
        let text = self.value(e, 0);
        // With its type, where it is not the usual one.
        let literal = text.starts_with(|c: char| c.is_ascii_digit()) && !text.contains(' ');
        if literal { format!("({text})") } else { text }
    }

    fn ty(&mut self, ty: Handle<Type>) -> String {
        let Some(kind) = self.module.types.get(ty) else {
            return format!("<bad type {}>", ty.index());
        };
        match kind {
            TypeKind::Void => "void".to_owned(),
            TypeKind::Bool => "bool".to_owned(),
            TypeKind::Int { bits, signed: true } => format!("i{bits}"),
            TypeKind::Int { bits, signed: false } => format!("u{bits}"),
            TypeKind::Float { bits } => format!("f{bits}"),
            TypeKind::Pointer { to, constant, restrict, space } => {
                let constant = if *constant { " const" } else { "" };
                let restrict = if *restrict { " restrict" } else { "" };
                let gap = if *space == Space::Generic { "" } else { " " };
                format!("{}{constant}{gap}{}*{restrict}", self.ty(*to), word(words::SPACE, space))
            }
            TypeKind::Array { .. } => {
                let (element, extents) = self.extents(ty);
                self.ty(element) + &extents
            }
            TypeKind::Struct(def) => match self.module.types.structs.get(*def) {
                Some(def) => format!("struct {}", name(&def.name)),
                None => format!("<bad struct {}>", def.index()),
            },
            TypeKind::Compressed { of, format } => {
                format!("compressed {} {}", clause::format(*format), self.ty(*of))
            }
            TypeKind::Opaque(spelling) => format!("opaque {}", quoted(spelling)),
        }
    }
}

/// Whether a directive stands anywhere in these statements.
fn is_directive(stmt: &Stmt) -> bool {
    matches!(stmt, Stmt::Region(_) | Stmt::Directive(_))
}
