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
//! Not done: pointers that are elements of what pointers point to or differ between iterations, that are volatile, or that the
//! construct changes, and functions that are declared further down.

use crate::ast::{DeclId, Expr, ExprKind, Function, FunctionKind, Program, Stmt, StmtKind, Ty, Var};
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
    let source = Source::new(buffer, program, pragmas, lines);
    if source.addressed.is_empty() {
        return None;
    }
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
    addressed_and_called(program).0
}

/// And where functions are called by their names.
fn addressed_and_called(program: &Program) -> (BTreeSet<DeclId>, BTreeSet<Span>) {
    let (mut used, mut called) = (vec![], BTreeSet::new());
    let mut note = |e: &Expr| match &e.kind {
        ExprKind::Function(id, _) => used.push((*id, e.span)),
        ExprKind::Call { callee, .. } => _ = called.insert(walk::bare_function(callee).span),
        _ => {}
    };
    program.functions.iter().filter_map(|f| f.body.as_ref()).for_each(|body| walk::exprs(body, &mut note));
    program.globals.iter().filter_map(|v| v.init.as_ref()).for_each(|init| walk::within(init, &mut note));
    let addressed = used.into_iter().filter(|(_, span)| !called.contains(span)).map(|(id, _)| id).collect();
    (addressed, called)
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

pub struct Source<'a> {
    pub buffer: &'a str,
    pub program: &'a Program,
    lines: &'a LineMap,
    pragmas: &'a [Pragma],
    pub addressed: BTreeSet<DeclId>,
    /// Where functions are called by their names.
    pub called: BTreeSet<Span>,
    /// Variables that may have another value each time they are read.
    pub volatile: BTreeSet<DeclId>,
}

impl<'a> Source<'a> {
    pub fn new(buffer: &'a str, program: &'a Program, pragmas: &'a [Pragma], lines: &'a LineMap) -> Self {
        let (addressed, called) = addressed_and_called(program);
        Source { buffer, program, lines, pragmas, addressed, called, volatile: volatile(program) }
    }

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
            for (name, Pointer { functions, guards, uses, .. }) in &pointers {
                let function = &functions[rest % functions.len()];
                rest /= functions.len();
                conditions.extend(guards.iter().map(|guard| (*guard).to_owned()));
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
        for (name, Pointer { functions: of, .. }) in &pointers {
            let names: Vec<String> = of.iter().map(|function| format!("`{function}`")).collect();
            functions.push(format!("`{name}` is {}", names.join(" or ")));
        }
        text += &format!("{{\n{}", marker(self.lines, start));
        Some(Choice { ways: text, functions: functions.join(" and ") })
    }

    /// The pointers to functions that a statement calls through, by their text.
    fn pointers(&self, body: &Stmt, start: usize) -> BTreeMap<&'a str, Pointer<'a>> {
        let mut pointers: BTreeMap<&str, Pointer> = BTreeMap::new();
        let mut declared = vec![];
        walk::vars(body, &mut |var| declared.push(var.id));
        let stays = |id: &DeclId| {
            !walk::may_change(body, *id) && !self.volatile.contains(id) && !declared.contains(id)
        };
        walk::exprs(body, &mut |e| {
            if let ExprKind::Call { callee, args } = &e.kind
                && let Some(place) = pointer(callee)
                && let Some(vars) = variables(place)
                && vars.iter().all(stays)
                && !changes_member(body, place)
            {
                let name = self.text(place);
                let functions = || self.functions(e, args, start);
                pointers.entry(name).or_insert_with(|| Pointer {
                    vars,
                    functions: functions(),
                    guards: self.guards(place),
                    uses: BTreeSet::new(),
                    is_whole: true,
                });
            }
        });
        pointers.retain(|name, pointer| !pointer.functions.is_empty() && !name.contains(['\n', '#']));
        walk::exprs(body, &mut |e| {
            let text = self.text(e);
            if let Some(pointer) = pointers.get_mut(text)
                && variables(e).as_ref() == Some(&pointer.vars)
            {
                pointer.uses.insert(e.span.start as usize);
            }
            // A name that stands there by a macro's means, or for another variable.
            if let ExprKind::Var(id, name) = &e.kind
                && let Some(pointer) = pointers.get_mut(&**name)
            {
                pointer.is_whole &= text == &**name && pointer.vars == [*id];
            }
        });
        pointers.retain(|_, pointer| pointer.is_whole);
        pointers
    }

    fn text(&self, e: &Expr) -> &'a str {
        self.buffer.get(e.span.start as usize..e.span.end as usize).unwrap_or_default()
    }

    /// The pointers that lead to the member that is called.
    fn guards(&self, place: &Expr) -> Vec<&'a str> {
        let mut found = vec![];
        walk::within(place, &mut |e| {
            if let ExprKind::Member { base, arrow: true, .. } = &e.kind
                && !matches!(walk::bare(base).kind, ExprKind::This)
            {
                found.insert(0, self.text(base));
            }
        });
        found
    }

    /// The functions, by name, that a call may be one of, declared before a place.
    fn functions(&self, call: &Expr, args: &[Expr], before: usize) -> Vec<String> {
        let functions = self.of_type(call, args).into_iter();
        let declared = functions.filter(|f| f.body.is_some() && self.is_declared(f.id, before));
        declared.map(|f| visible(&f.name)).collect()
    }

    /// The function has a declaration before a place.
    pub fn is_declared(&self, id: DeclId, before: usize) -> bool {
        self.program.functions.iter().any(|f| f.id == id && f.span.start < before as u32)
    }

    /// The functions of which the program takes the address that have a call's type, each by its definition if the file has one.
    pub fn of_type(&self, call: &Expr, args: &[Expr]) -> Vec<&'a Function> {
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
        let mut found: Vec<&Function> = vec![];
        for function in of_program.filter(is_free).filter(has_type) {
            match found.iter_mut().find(|known| visible(&known.name) == visible(&function.name)) {
                Some(known) if known.body.is_none() => *known = function,
                Some(_) => {}
                None => found.push(function),
            }
        }
        found
    }
}

/// A variable, a member or an element that constructs call through.
struct Pointer<'a> {
    /// The variables in its expression.
    vars: Vec<DeclId>,
    functions: Vec<String>,
    /// Pointers that lead to it, which may be null where the construct calls nothing.
    guards: Vec<&'a str>,
    /// Where it stands in the construct.
    uses: BTreeSet<usize>,
    /// It stands there as it is named.
    is_whole: bool,
}

/// The expression whose value a callee is: `f`, `*f`, `object.f`.
fn pointer(callee: &Expr) -> Option<&Expr> {
    match &callee.kind {
        ExprKind::Var(..) | ExprKind::Index { .. } => Some(callee),
        // That of a method has no type of a pointer.
        ExprKind::Member { .. } => matches!(*callee.ty.ty, Ty::Pointer { .. }).then_some(callee),
        ExprKind::Cast { operand, .. } | ExprKind::Deref(operand) => pointer(operand),
        _ => None,
    }
}

/// The variables of an expression that leads to the same place as long as they stay.
fn variables(place: &Expr) -> Option<Vec<DeclId>> {
    let (mut found, mut stays) = (vec![], true);
    walk::within(place, &mut |e| match &e.kind {
        ExprKind::Var(id, _) => found.push(*id),
        ExprKind::Member { .. } | ExprKind::Cast { .. } | ExprKind::Int(_) | ExprKind::This => {}
        // What an array's bounds are it says itself; a pointer may lead nowhere.
        ExprKind::Index { base, .. } => stays &= matches!(*walk::bare(base).ty.ty, Ty::Array { .. }),
        _ => stays = false,
    });
    stays.then_some(found)
}

/// Whether a statement changes members of the name that a place ends with, or whole objects.
fn changes_member(body: &Stmt, place: &Expr) -> bool {
    let mut members = vec![];
    let mut others = false;
    walk::within(place, &mut |e| match &e.kind {
        ExprKind::Member { member, .. } => members.push(*member),
        ExprKind::Index { .. } => others = true,
        _ => {}
    });
    let mut changes = false;
    walk::exprs(body, &mut |e| {
        if let ExprKind::Assign { place, .. } = &e.kind {
            let is_member =
                matches!(&place.kind, ExprKind::Member { member, .. } if members.contains(member));
            let is_object = matches!(*place.ty.ty, Ty::Record(_)) && !members.is_empty();
            changes |= is_member || is_object || others && matches!(*place.ty.ty, Ty::Pointer { .. });
        }
    });
    changes
}
