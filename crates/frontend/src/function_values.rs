//! Pointers to functions in code for devices: tables of them, parameters, what a condition chooses.
//!
//! Where the host can choose between constructs it does (`function_pointers`). What is left differs between iterations, or stands in
//! functions. There a pointer's value is the function's address on the host, a number, by which a call finds the function:
//!
//! ```text
//! op ops[2] = { add, mul };                     op ops[2] = { ((__typeof__(&add))accl_function_0), … };
//! a[i] = ops[i % 2](a[i], 2);                   a[i] = accl_call_2((unsigned long)(ops[i % 2]), a[i], 2);
//! ```
//!
//! `accl_call_2` compares the pointer with each function that the file takes the address of and that has this type. Where one of them is
//! of another file, or of the library, the host runs the construct; so it does in files without `main`, which are given pointers from
//! others. Should a pointer lead elsewhere nevertheless, the call ends the program. Clang, which reads the result, decides whether it is right.
//!
//! Not done: calls in methods and in instances of templates, volatile pointers, and functions with references as parameters.

use crate::ast::{DeclId, Expr, ExprKind, Function, FunctionKind, Program, Ty};
use crate::bind::is_inside;
use crate::function_pointers::{Chosen, Source};
use crate::library::{Edits, device_exprs, is_compute};
use crate::lower::{is_plain_math, walk};
use crate::pragmas::Pragma;
use crate::specialize::{marker, result_and_qualifiers, visible};
use accl_directives::{ClauseKind, DefaultKind};
use accl_source::{LineMap, Span};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// The buffer with numbers for these pointers, and where the constructs are in it that are left for other functions; `None`: it has no
/// such pointers.
pub fn expand(
    buffer: &str,
    program: &Program,
    pragmas: &[Pragma],
    lines: &LineMap,
    chosen: &[Chosen],
) -> Option<(String, Vec<Chosen>)> {
    let asks_for_clauses = |p: &Pragma| {
        p.directive.clauses.iter().any(|c| matches!(c.kind, ClauseKind::Default(DefaultKind::None)))
    };
    // Functions of files that another one calls are given pointers to that one's.
    let is_main = program.functions.iter().any(|f| f.name == "main" && f.body.is_some());
    if !is_main || pragmas.iter().any(|p| is_compute(p) && asks_for_clauses(p)) {
        return None;
    }
    let source = Source::new(buffer, program, pragmas, lines);
    let of_library = takes_library_functions(program);
    let mut names = Names {
        of_library,
        source: &source,
        edits: Edits::new(),
        declared: BTreeMap::new(),
        count: 0,
        values: HashMap::new(),
        no_values: BTreeSet::new(),
    };
    device_exprs(program, pragmas, &mut |e| {
        let is_left = chosen.iter().any(|c| c.others.contains(&e.span.start));
        if !is_left {
            names.expression(e);
        }
    });
    let Names { mut edits, declared, .. } = names;
    for (at, text) in declared {
        edits.insert((at, at), format!("\n{text}{}", marker(lines, at)));
    }
    let place = |at: u32| {
        let before = edits.iter().filter(|((start, _), _)| *start < at as usize);
        let longer: i64 = before.map(|((start, end), text)| text.len() as i64 - (end - start) as i64).sum();
        (i64::from(at) + longer) as u32
    };
    let moved = |c: &Chosen| Chosen {
        others: place(c.others.start)..place(c.others.end),
        functions: c.functions.clone(),
    };
    let chosen = chosen.iter().map(moved).collect();
    let (mut result, mut from) = (String::new(), 0);
    for ((start, end), text) in &edits {
        // One within another: the text is left as it is.
        if *start < from {
            return None;
        }
        result.push_str(&buffer[from..*start]);
        result.push_str(text);
        from = *end;
    }
    result.push_str(&buffer[from..]);
    (!edits.is_empty()).then_some((result, chosen))
}

struct Names<'a> {
    source: &'a Source<'a>,
    edits: Edits,
    /// What is declared before functions.
    declared: BTreeMap<usize, String>,
    count: usize,
    /// The number of a function's address, by where it is declared.
    values: HashMap<(usize, DeclId), usize>,
    /// The program takes the address of a function of the C library that computes a number.
    of_library: bool,
    /// Names behind `&`, and of functions that are called, `(*f)(x)`.
    no_values: BTreeSet<Span>,
}

impl Names<'_> {
    fn expression(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::Call { callee, args } => match named(callee) {
                Some(name) => _ = self.no_values.insert(name),
                None => _ = self.call(e, callee, args),
            },
            ExprKind::AddrOf(operand) => {
                if let ExprKind::Function(id, _) = walk::bare_function(operand).kind {
                    let name = walk::bare_function(operand).span;
                    self.no_values.insert(name);
                    self.value(id, e.span, name);
                }
            }
            ExprKind::Function(id, _)
                if !self.source.called.contains(&e.span) && !self.no_values.contains(&e.span) =>
            {
                self.value(*id, e.span, e.span)
            }
            _ => {}
        }
    }

    /// Where declarations for a place can stand: before the function, if that is one outside of classes that is written once.
    fn before(&self, place: Span) -> Option<usize> {
        let functions = self.source.program.functions.iter();
        let mut around = functions.filter(|f| f.body.as_ref().is_some_and(|b| is_inside(b.span, place)));
        let function = around.next().filter(|_| around.next().is_none())?;
        let is_free = matches!(function.kind, FunctionKind::Free) && function.instance.is_none();
        let start = function.definition.start as usize;
        is_free.then(|| self.source.buffer[..start].rfind('\n').map_or(0, |end| end + 1))
    }

    /// A function's address.
    fn value(&mut self, id: DeclId, place: Span, name: Span) {
        let Some(before) = self.before(place) else { return };
        let Some(name) = self.source.buffer.get(name.start as usize..name.end as usize) else { return };
        let mut functions = self.source.program.functions.iter().filter(|f| f.id == id);
        let is_known = functions.any(|f| f.span.start < before as u32 && f.instance.is_none());
        if !is_known || name.contains(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | ':'))) {
            return;
        }
        let address = format!("((__typeof__(&{name}))accl_function_{})", self.number(before, id, name));
        self.edits.insert((place.start as usize, place.end as usize), address);
    }

    /// The number of the variable that has the function's address.
    fn number(&mut self, before: usize, id: DeclId, name: &str) -> usize {
        if let Some(number) = self.values.get(&(before, id)) {
            return *number;
        }
        let number = self.count;
        self.count += 1;
        self.values.insert((before, id), number);
        let text = self.declared.entry(before).or_default();
        *text += &format!("static unsigned long accl_function_{number} = (unsigned long)&{name};\n");
        number
    }

    /// The declaration of a function that is defined further down, outside of namespaces and classes, as is the place.
    fn declaration(&self, function: &Function, before: usize) -> Option<String> {
        let mut around =
            self.source.program.functions.iter().filter(|f| f.definition.start as usize >= before);
        let next = around.by_ref().min_by_key(|f| f.definition.start)?;
        let body = function.body.as_ref()?;
        let head = self.source.buffer.get(function.definition.start as usize..body.span.start as usize)?;
        let is_outside = !function.name.contains("::") && !next.name.contains("::");
        (is_outside && !head.contains(['#', '{'])).then(|| format!("{};\n", head.trim()))
    }

    fn call(&mut self, e: &Expr, callee: &Expr, args: &[Expr]) -> Option<()> {
        let is_pointer = matches!(&*callee.ty.ty, Ty::Pointer { to, .. } if *to.ty == Ty::Function);
        if !is_pointer {
            return None;
        }
        let mut is_volatile = false;
        walk::within(callee, &mut |e| {
            is_volatile |= matches!(&e.kind, ExprKind::Var(id, _) if self.source.volatile.contains(id));
        });
        let before = self.before(e.span).filter(|_| !is_volatile)?;
        let candidates = self.source.of_type(e, args);
        let first = *candidates.first()?;
        let takes_references =
            |f: &&Function| f.result.is_reference() || f.params.iter().any(|p| p.ty.is_reference());
        if candidates.iter().any(|f| f.body.is_none() || takes_references(f)) {
            return None;
        }
        if matches!(*first.result.ty, Ty::Float { .. }) && self.of_library {
            return None;
        }
        let declarations: Vec<String> = candidates
            .iter()
            .filter(|f| !self.source.is_declared(f.id, before))
            .map(|f| self.declaration(f, before))
            .collect::<Option<_>>()?;
        let open = opening(self.source.buffer, e.span)?;
        let name = format!("accl_call_{}", self.count);
        self.count += 1;
        let (result, _) = result_and_qualifiers(&first.signature)?;
        let types: Vec<String> = first.params.iter().map(|p| visible(&p.type_text)).collect();
        // Around a name of such a type there would be more.
        if types.iter().any(|ty| ty.contains(['(', '['])) {
            return None;
        }
        let params: String = types.iter().enumerate().map(|(k, ty)| format!(", {ty} a{k}")).collect();
        let given: Vec<String> = (0..args.len()).map(|k| format!("a{k}")).collect();
        let given = given.join(", ");
        let mut text = String::new();
        self.declared.entry(before).or_default().extend(declarations);
        let mut last = String::new();
        for function in candidates {
            let callee = visible(&function.name);
            let number = self.number(before, function.id, &callee);
            let call = format!("{callee}({given})");
            let call = if *first.result.ty == Ty::Void {
                format!("{{ {call}; return; }}")
            } else {
                format!("return {call};")
            };
            text += &format!("    if (p == accl_function_{number}) {call}\n");
            last = call;
        }
        let result = visible(result.trim());
        *self.declared.entry(before).or_default() += &format!(
            "static inline {result} {name}(unsigned long p{params}) {{\n{text}    __builtin_trap();\n    {last}\n}}\n"
        );
        let start = e.span.start as usize;
        self.edits.insert((start, start), format!("{name}((unsigned long)("));
        let between = if args.is_empty() { ")" } else { "), " };
        self.edits.insert((open, open + 1), between.to_owned());
        Some(())
    }
}

/// The program takes the address of a function of the C library that computes a number.
fn takes_library_functions(program: &Program) -> bool {
    let (mut used, mut called) = (vec![], BTreeSet::new());
    let mut note = |e: &Expr| match &e.kind {
        ExprKind::Function(_, name) if is_plain_math(name) => used.push(e.span),
        ExprKind::Call { callee, .. } => _ = called.insert(walk::bare_function(callee).span),
        _ => {}
    };
    program.functions.iter().filter_map(|f| f.body.as_ref()).for_each(|body| walk::exprs(body, &mut note));
    program.globals.iter().filter_map(|v| v.init.as_ref()).for_each(|init| walk::within(init, &mut note));
    used.iter().any(|span| !called.contains(span))
}

/// The name by which a function is called.
fn named(callee: &Expr) -> Option<Span> {
    match &callee.kind {
        ExprKind::Function(..) => Some(callee.span),
        ExprKind::Cast { operand, .. } | ExprKind::Deref(operand) => named(operand),
        _ => None,
    }
}

/// The parenthesis before a call's arguments.
fn opening(buffer: &str, call: Span) -> Option<usize> {
    let text = buffer.get(call.start as usize..call.end as usize).filter(|text| text.ends_with(')'))?;
    if text.contains(['"', '\'']) {
        return None;
    }
    let mut depth = 0;
    for (at, c) in text.char_indices().rev() {
        depth += match c {
            ')' => 1,
            '(' => -1,
            _ => 0,
        };
        if depth == 0 {
            return Some(call.start as usize + at);
        }
    }
    None
}
