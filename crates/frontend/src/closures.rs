//! Lambdas given to templates whose regions are not written out where they are called (`given`): their types are arguments of
//! classes, whose methods have the regions.
//!
//! Such a lambda becomes an object of a class with a name, before the function that has it, so that a specialisation
//! (`specialize`) can name it:
//!
//! ```text
//! For<decltype(f)> loop(n, [=](int i) { a[i] = i; });
//!
//! namespace { struct accl_closure_7 { double *a; auto operator()(int i) const { a[i] = i; } }; }
//! For<decltype(f)> loop(n, accl_closure_7{a});
//! ```
//!
//! A lambda that OpenMP maps has its pointers mapped as sections without elements (OpenMP 5.2 §5.8.3), which its class's mapper says.
//!
//! Not done: generic lambdas, those that capture an object's members, and captures that are declared or are arrays. Clang, which
//! reads the result, decides whether it is right.

use crate::ast::{DeclId, Expr, ExprKind, Lambda, Program, Ty, Var};
use crate::bind::is_inside;
use crate::given::LAMBDA;
use crate::lower::{edits_host, walk};
use crate::pragmas::Pragma;
use crate::specialize::{all_arguments, has_word, is_outside_classes, marker, with_outer_edits};
use accl_directives::Sentinel;
use accl_source::LineMap;
use std::collections::{BTreeMap, BTreeSet};

struct Source<'a> {
    buffer: &'a str,
    lines: &'a LineMap,
    pragmas: &'a [Pragma],
    /// Constructs map objects by OpenMP's rules.
    maps: bool,
}

/// What a class has of a lambda's variables.
struct Member {
    ty: String,
    name: String,
    /// It points to objects, and is kept by value.
    points: bool,
}

/// The buffer with classes for such lambdas; `None` if there are none. `by_clauses`: data are where clauses bring them.
pub fn expand(
    buffer: &str,
    program: &Program,
    pragmas: &[Pragma],
    lines: &LineMap,
    by_clauses: bool,
) -> Option<String> {
    let maps = by_clauses && pragmas.iter().any(|p| p.directive.origin == Sentinel::Omp);
    let source = Source { buffer, lines, pragmas, maps };
    let wanted = source.nameless_arguments(program);
    if wanted.is_empty() {
        return None;
    }
    // What stands in place of a part of the buffer.
    let mut edits: BTreeMap<(usize, usize), String> = BTreeMap::new();
    for function in program.functions.iter().filter(|f| f.instance.is_none() && is_outside_classes(f)) {
        let Some(body) = &function.body else { continue };
        let mut variables: Vec<&Var> = function.params.iter().collect();
        walk::vars(body, &mut |var| variables.push(var));
        let mut classes = String::new();
        walk::exprs(body, &mut |e| {
            if let ExprKind::Lambda(lambda) = &e.kind
                && !e.span.is_nowhere()
                && wanted.contains(&source.type_of(e))
                && let Some((class, object)) = source.closure(e, lambda, &variables)
            {
                classes.push_str(&class);
                edits.insert((e.span.start as usize, e.span.end as usize), object);
            }
        });
        let start = function.definition.start as usize;
        if !classes.is_empty() {
            edits.insert((start, start), format!("\nnamespace {{ {classes} }}\n{}", marker(lines, start)));
        }
    }
    // A lambda in another one waits for the next round.
    with_outer_edits(buffer, edits)
}

impl Source<'_> {
    fn holds_region(&self, span: accl_source::Span) -> bool {
        self.pragmas.iter().any(|p| is_inside(span, p.span) && edits_host(p))
    }

    /// The types of lambdas that instances of templates with regions are made for.
    fn nameless_arguments(&self, program: &Program) -> BTreeSet<String> {
        let mut found = BTreeSet::new();
        for function in &program.functions {
            let (Some(instance), Some(body)) = (&function.instance, &function.body) else { continue };
            if self.holds_region(body.span) {
                for argument in all_arguments(instance) {
                    let types = argument.match_indices(LAMBDA).map(|(at, _)| &argument[at..]);
                    found.extend(types.filter_map(|t| Some(t[..=t.find(')')?].to_owned())));
                }
            }
        }
        found
    }

    /// As Clang prints it.
    fn type_of(&self, lambda: &Expr) -> String {
        let place = self.lines.locate(lambda.span.start);
        format!("{LAMBDA}{}:{}:{})", place.file, place.line, place.column)
    }

    /// The class and the object.
    fn closure(&self, e: &Expr, lambda: &Lambda, variables: &[&Var]) -> Option<(String, String)> {
        let (start, end) = (e.span.start as usize, e.span.end as usize);
        let body = lambda.body.span;
        let head = self.buffer.get(start..body.start as usize)?;
        let head = head[closing(head)? + 1..].trim_start();
        let (params, qualifiers) = match head.starts_with('(') {
            true => head.split_at(closing(head)? + 1),
            false => ("()", head),
        };
        if self.holds_region(body)
            || has_word(params, "auto")
            || params.contains("\n#")
            || head.starts_with('<')
        {
            return None;
        }
        let name = format!("accl_closure_{start}");
        let members = self.members(lambda, variables)?;
        let fields: String = members.iter().map(|m| format!("{} {}; ", m.ty, m.name)).collect();
        let values: Vec<&str> = members.iter().map(|m| m.name.as_str()).collect();
        let constant = if lambda.mutable { "" } else { " const" };
        let qualifiers = qualifiers.replace("mutable", "");
        let class = format!(
            "{}struct {name} {{ {fields}auto operator(){params}{constant} {qualifiers}\n{}{} }};\n",
            self.mapper(&name, &members, lambda),
            marker(self.lines, body.start as usize),
            &self.buffer[body.start as usize..body.end as usize]
        );
        let behind =
            if self.buffer[start..end].contains('\n') { marker(self.lines, end) } else { String::new() };
        let line_end = if behind.is_empty() { "" } else { "\n" };
        Some((class, format!("{name}{{{}}}{line_end}{behind}", values.join(", "))))
    }

    /// It stands before the class, as specialisations may be put directly behind that.
    fn mapper(&self, name: &str, members: &[Member], lambda: &Lambda) -> String {
        let pointers: Vec<String> =
            members.iter().filter(|m| m.points).map(|m| format!("object.{}[:0]", m.name)).collect();
        if !self.maps || pointers.is_empty() {
            return String::new();
        }
        let kind = if lambda.mutable { "tofrom" } else { "to" };
        let pointers = pointers.join(", ");
        format!("\n#pragma omp declare mapper({name} object) map({kind}: object) map(alloc: {pointers})\n")
    }

    /// What it captures, and the constants that it names without capturing them: types and names.
    fn members(&self, lambda: &Lambda, variables: &[&Var]) -> Option<Vec<Member>> {
        let of = |id: DeclId| variables.iter().find(|v| v.id == id);
        let mut members = vec![];
        for capture in &lambda.captures {
            let var = capture.id.filter(|_| !capture.declares).and_then(of)?;
            let by_reference = capture.ty.is_reference();
            let by = if by_reference { " &" } else { "" };
            let points = match &*var.ty.referred().ty {
                Ty::Pointer { to, .. } => !by_reference && !matches!(&*to.ty, Ty::Void | Ty::Function),
                _ => false,
            };
            let ty = format!("{}{by}", var.type_text.trim_end_matches(['&', ' ']));
            members.push(Member { ty, name: capture.name.clone(), points });
        }
        let mut own: BTreeSet<DeclId> = lambda.params.iter().map(|p| p.id).collect();
        walk::vars(&lambda.body, &mut |var| {
            own.insert(var.id);
        });
        walk::exprs(&lambda.body, &mut |e| {
            if let ExprKind::Var(id, name) = &e.kind
                && let Some(var) = of(*id).filter(|_| !own.contains(id))
                && members.iter().all(|m| *m.name != **name)
            {
                members.push(Member { ty: var.type_text.to_string(), name: name.to_string(), points: false });
            }
        });
        let plain = members.iter().all(|m| !m.ty.contains(['[', '(']));
        plain.then_some(members)
    }
}

/// Where the bracket closes that the text begins with.
fn closing(text: &str) -> Option<usize> {
    let mut depth = 0;
    text.char_indices().find_map(|(at, c)| {
        depth += i32::from(matches!(c, '[' | '(' | '{')) - i32::from(matches!(c, ']' | ')' | '}'));
        (depth == 0).then_some(at)
    })
}
