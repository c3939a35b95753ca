//! Compute constructs that call through a pointer: `f(a[i])`, where `f` is a parameter.
//!
//! Device code has no addresses of the host's functions. But the functions that a pointer may lead to are known: the program takes
//! the address of each somewhere. So the host chooses between constructs that call them by their names:
//!
//! ```text
//! { if (f == square) {
//! #pragma acc parallel loop
//!   for (…) a[i] = square(a[i]);
//! } else {
//! #pragma acc parallel loop
//!   for (…) a[i] = f(a[i]);
//! } }
//! ```
//!
//! The last one is for functions of other files. It cannot be translated, so the host runs it, with a warning that says for which
//! functions the device does. Clang, which reads the result, decides whether it is right.
//!
//! Not done: pointers that are members or elements of arrays, that are volatile, or that the construct changes, and functions that are
//! declared further down.

use crate::ast::{DeclId, Expr, ExprKind, Function, FunctionKind, Program, Stmt, StmtKind, Var};
use crate::bind;
use crate::lower::walk;
use crate::pragmas::Pragma;
use crate::specialize::{marker, visible};
use accl_directives::DirectiveKind;
use accl_source::{LineMap, Span};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// Constructs that may be made of one: more functions would make the program large.
const MOST: usize = 8;

/// The construct that is left for other functions, and what was made of it for these.
pub struct Chosen {
    pub others: Range<u32>,
    /// `f` is `square` or `cube`.
    pub functions: String,
}

/// The buffer with choices between constructs; `None` if there are none.
pub fn expand(
    buffer: &str,
    program: &Program,
    pragmas: &[Pragma],
    lines: &LineMap,
) -> Option<(String, Vec<Chosen>)> {
    let mut constructs = BTreeMap::new();
    let addressed = addressed(program);
    if addressed.is_empty() {
        return None;
    }
    let source = Source { buffer, program, lines, pragmas, addressed, volatile: volatile(program) };
    for function in &program.functions {
        let Some(body) = &function.body else { continue };
        // Those of templates have specialisations.
        let is_written =
            function.instance.is_none() && pragmas.iter().any(|p| bind::is_inside(body.span, p.span));
        if is_written {
            let mut body = body.clone();
            bind::bind(&mut body, pragmas, vec![], &mut vec![]);
            source.constructs(&body, &mut constructs);
        }
    }
    let (mut result, mut chosen, mut from) = (String::new(), vec![], 0);
    for (start, (end, Choice { ways, functions })) in constructs {
        result.push_str(&buffer[from..start]);
        result.push_str(&ways);
        let others = result.len() as u32;
        result.push_str(&buffer[start..end]);
        chosen.push(Chosen { others: others..result.len() as u32, functions });
        result.push_str(&format!("\n}} }}\n{}", marker(lines, end)));
        from = end;
    }
    result.push_str(&buffer[from..]);
    (!chosen.is_empty()).then_some((result, chosen))
}

/// What is written before a construct.
struct Choice {
    ways: String,
    functions: String,
}

/// The functions of which the program takes the address.
pub fn addressed(program: &Program) -> BTreeSet<DeclId> {
    let (mut used, mut called) = (vec![], BTreeSet::new());
    let mut note = |e: &Expr| match &e.kind {
        ExprKind::Function(id, _) => used.push((*id, e.span)),
        ExprKind::Call { callee, .. } => _ = called.insert(walk::bare_function(callee).span),
        _ => {}
    };
    program.functions.iter().filter_map(|f| f.body.as_ref()).for_each(|body| walk::exprs(body, &mut note));
    program.globals.iter().filter_map(|v| v.init.as_ref()).for_each(|init| walk::within(init, &mut note));
    used.into_iter().filter(|(_, span)| !called.contains(span)).map(|(id, _)| id).collect()
}

/// The variables that may have another value each time they are read.
fn volatile(program: &Program) -> BTreeSet<DeclId> {
    let mut found = BTreeSet::new();
    let mut note = |var: &Var| {
        if var.type_text.contains("volatile") {
            found.insert(var.id);
        }
    };
    program.globals.iter().for_each(&mut note);
    for function in &program.functions {
        function.params.iter().for_each(&mut note);
        function.body.iter().for_each(|body| walk::vars(body, &mut note));
    }
    found
}

struct Source<'a> {
    buffer: &'a str,
    program: &'a Program,
    lines: &'a LineMap,
    pragmas: &'a [Pragma],
    addressed: BTreeSet<DeclId>,
    /// Variables that may have another value each time they are read.
    volatile: BTreeSet<DeclId>,
}

impl<'a> Source<'a> {
    fn constructs(&self, stmt: &Stmt, found: &mut BTreeMap<usize, (usize, Choice)>) {
        if let StmtKind::Directed { directive, body: Some(body) } = &stmt.kind
            && matches!(self.pragmas[*directive].directive.kind, DirectiveKind::Compute { .. })
        {
            let (start, end) = (self.pragmas[*directive].span.start as usize, stmt.span.end as usize);
            if let Some(choice) = self.choice(body, start, end) {
                found.insert(start, (end, choice));
            }
            return;
        }
        walk::children(stmt).into_iter().for_each(|inner| self.constructs(inner, found));
    }

    fn choice(&self, body: &Stmt, start: usize, end: usize) -> Option<Choice> {
        let pointers = self.pointers(body, start);
        let ways: usize = pointers.values().map(|pointer| pointer.functions.len()).product();
        if pointers.is_empty() || ways > MOST || walk::has_labels(body) {
            return None;
        }
        let (mut text, mut functions) = (String::from("{ "), vec![]);
        for way in 0..ways {
            let (mut rest, mut conditions, mut edits) = (way, vec![], BTreeMap::new());
            for Pointer { name, functions, uses, .. } in pointers.values() {
                let function = &functions[rest % functions.len()];
                rest /= functions.len();
                conditions.push(format!("{name} == {function}"));
                edits.extend(uses.iter().map(|at| (*at, (name.len(), function))));
            }
            text += &format!("if ({}) {{\n{}", conditions.join(" && "), marker(self.lines, start));
            let mut from = start;
            for (at, (length, function)) in edits {
                text += &self.buffer[from..at];
                text += function;
                from = at + length;
            }
            text += &format!("{}\n}} else ", &self.buffer[from..end]);
        }
        for Pointer { name, functions: of, .. } in pointers.values() {
            let names: Vec<String> = of.iter().map(|function| format!("`{function}`")).collect();
            functions.push(format!("`{name}` is {}", names.join(" or ")));
        }
        text += &format!("{{\n{}", marker(self.lines, start));
        Some(Choice { ways: text, functions: functions.join(" and ") })
    }

    /// The pointers to functions that a statement calls through.
    fn pointers(&self, body: &Stmt, start: usize) -> BTreeMap<DeclId, Pointer> {
        let mut pointers: BTreeMap<DeclId, Pointer> = BTreeMap::new();
        walk::exprs(body, &mut |e| {
            if let ExprKind::Call { callee, args } = &e.kind
                && let Some((id, name)) = variable(callee)
                && !walk::may_change(body, id)
                && !self.volatile.contains(&id)
            {
                let functions = || self.functions(e, args, start);
                pointers.entry(id).or_insert_with(|| Pointer {
                    name: name.to_owned(),
                    functions: functions(),
                    uses: BTreeSet::new(),
                    is_whole: true,
                });
            }
        });
        let mut declared = vec![];
        walk::vars(body, &mut |var| declared.push(var.id));
        pointers.retain(|id, pointer| !pointer.functions.is_empty() && !declared.contains(id));
        walk::exprs(body, &mut |e| {
            if let ExprKind::Var(id, _) = &e.kind
                && let Some(pointer) = pointers.get_mut(id)
            {
                let Span { start, end, .. } = e.span;
                let is_written = self.buffer.get(start as usize..end as usize) == Some(&pointer.name);
                pointer.is_whole &= is_written;
                pointer.uses.insert(start as usize);
            }
        });
        pointers.retain(|_, pointer| pointer.is_whole);
        pointers
    }

    /// The functions, by name, that a call may be one of.
    fn functions(&self, call: &Expr, args: &[Expr], before: usize) -> Vec<String> {
        let has_type = |f: &&Function| {
            let same = |(param, arg): (&Var, &Expr)| {
                param.ty.referred().ty == arg.ty.ty && param.ty.is_reference() == arg.place
            };
            f.params.len() == args.len()
                && f.result.referred().ty == call.ty.ty
                && f.result.is_reference() == call.place
                && f.params.iter().zip(args).all(same)
        };
        let is_free = |f: &&Function| {
            matches!(f.kind, FunctionKind::Free | FunctionKind::Method { is_static: true, .. })
                && f.instance.is_none()
                && !f.span.is_nowhere()
        };
        let of_program = self.program.functions.iter().filter(|f| self.addressed.contains(&f.id));
        let known = |f: &&Function| {
            let mut all = self.program.functions.iter().filter(|other| other.id == f.id);
            all.clone().any(|other| other.body.is_some()) && all.any(|other| other.span.start < before as u32)
        };
        let mut names: Vec<String> = vec![];
        for function in of_program.filter(is_free).filter(has_type).filter(known) {
            let name = visible(&function.name);
            if !names.contains(&name) {
                names.push(name);
            }
        }
        names
    }
}

/// A variable that constructs call through.
struct Pointer {
    name: String,
    functions: Vec<String>,
    /// Where its name stands in the construct.
    uses: BTreeSet<usize>,
    /// It stands there as it is named.
    is_whole: bool,
}

/// The variable that a callee is: `f`, `*f`.
fn variable(callee: &Expr) -> Option<(DeclId, &str)> {
    match &callee.kind {
        ExprKind::Var(id, name) => Some((*id, name)),
        ExprKind::Cast { operand, .. } | ExprKind::Deref(operand) => variable(operand),
        _ => None,
    }
}
