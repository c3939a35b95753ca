//! Templates with regions that are called with lambdas: their calls are replaced by the template's body.
//!
//! A lambda's type has no name, so no specialisation can be written for it (`specialize`). What can be written is the template's
//! body where it is called, as a lambda called at once, whose parameters have the types of this call:
//!
//! ```text
//! forall(n, [=](int i) { a[i] = i; });
//!
//! { auto accl_lambda_7 = [=](int i) { a[i] = i; }; using T = decltype(accl_lambda_7);
//!   [&](int n, T f) -> void { using namespace par; using F = T; … }(n, accl_lambda_7); }
//! ```
//!
//! Line markers give the body the template's lines. The template's own names that would hide what a lambda captures
//! are renamed. A template that passes its lambda on to another template is expanded first, and then the other one
//! in it: the buffer is read again after each round. Methods get their object by reference (`object`). Not done:
//! calls in conditions and in the headers of loops. Clang, which reads the result, decides whether it is right.

mod object;

use crate::ast::{DeclId, Expr, ExprKind, Function, Program, Stmt, StmtKind, Storage, Var};
use crate::bind::is_inside;
use crate::lower::{edits_host, walk};
use crate::pragmas::Pragma;
use crate::specialize::packs::Packs;
use crate::specialize::{declared, marker, result_and_qualifiers, visible, with_scopes};
use accl_source::{LineMap, Span};
use object::Class;
use std::collections::{BTreeSet, HashMap};
use std::fmt::Write;

/// How a lambda's type is printed.
pub const LAMBDA: &str = "(lambda at ";

/// Templates' instances by what is to be done about them.
pub struct Given<'p> {
    functions: HashMap<DeclId, &'p Function>,
    /// Templates with regions, in themselves or in what they pass their lambdas to.
    regions: BTreeSet<DeclId>,
    program: &'p Program,
    buffer: &'p str,
    lines: &'p LineMap,
    /// What lambdas capture, anywhere.
    captured: BTreeSet<String>,
}

/// A replacement of a part of the buffer.
struct Edit {
    at: usize,
    end: usize,
    text: String,
}

impl<'p> Given<'p> {
    pub fn new(buffer: &'p str, program: &'p Program, pragmas: &[Pragma], lines: &'p LineMap) -> Given<'p> {
        let with_body = program.functions.iter().filter(|f| f.body.is_some() && f.instance.is_some());
        let functions: HashMap<DeclId, &Function> = with_body.map(|f| (f.id, f)).collect();
        let holds = |f: &Function| {
            f.body
                .as_ref()
                .is_some_and(|b| pragmas.iter().any(|p| is_inside(b.span, p.span) && edits_host(p)))
        };
        let mut regions: BTreeSet<DeclId> =
            functions.values().filter(|f| takes_lambda(f) && holds(f)).map(|f| f.id).collect();
        if regions.is_empty() {
            return Given { functions, regions, program, buffer, lines, captured: BTreeSet::new() };
        }
        // The templates that call them, repeated until there are no more.
        loop {
            let calls = |f: &Function| {
                f.body.as_ref().is_some_and(|b| walk::called(b).iter().any(|id| regions.contains(id)))
            };
            let more: Vec<DeclId> =
                functions.values().filter(|f| !regions.contains(&f.id) && calls(f)).map(|f| f.id).collect();
            if more.is_empty() {
                break;
            }
            regions.extend(more);
        }
        let mut captured = BTreeSet::new();
        for body in program.functions.iter().filter_map(|f| f.body.as_ref()) {
            walk::exprs(body, &mut |e| {
                if let ExprKind::Lambda(lambda) = &e.kind {
                    captured.extend(lambda.captures.iter().map(|c| c.name.clone()));
                }
            });
        }
        Given { functions, regions, program, buffer, lines, captured }
    }

    /// Whether the instance of a template has to become a function of its own because it passes lambdas to others.
    pub fn calls_region(&self, function: &Function) -> bool {
        self.regions.contains(&function.id) && !takes_lambda(function)
    }

    /// The buffer with calls written out; `None` if there are none.
    pub fn expand(&self) -> Option<String> {
        let mut edits = vec![];
        if !self.regions.is_empty() {
            let ordinary = self.program.functions.iter().filter(|f| f.instance.is_none());
            ordinary.filter_map(|f| f.body.as_ref()).for_each(|body| self.stmt(body, false, &mut edits));
        }
        edits.sort_by_key(|e| (e.at, e.end));
        let apart = edits.windows(2).all(|w| w[0].end <= w[1].at);
        if edits.is_empty() || !apart {
            return None;
        }
        let mut result = String::with_capacity(self.buffer.len() * 2);
        let mut from = 0;
        for edit in edits {
            result.push_str(&self.buffer[from..edit.at]);
            result.push_str(&edit.text);
            from = edit.end;
        }
        result.push_str(&self.buffer[from..]);
        Some(result)
    }

    fn stmt(&self, s: &Stmt, listed: bool, edits: &mut Vec<Edit>) {
        let exprs: Vec<&Expr> = match &s.kind {
            StmtKind::Expr(e) | StmtKind::Return(Some(e)) => vec![e],
            StmtKind::Decl(vars) if listed => vars.iter().filter_map(|v| v.init.as_ref()).collect(),
            _ => vec![],
        };
        let calls: Vec<(&Expr, &Function)> = exprs.into_iter().flat_map(|e| self.calls(e)).collect();
        // One in a statement: more wait for the next round.
        if let Some((call, function)) = calls.first() {
            edits.extend(self.written_out(s, call, function).unwrap_or_default());
        } else {
            walk::own_exprs(s).into_iter().for_each(|e| {
                walk::outer(e, &mut |e| {
                    if let ExprKind::Lambda(lambda) = &e.kind {
                        self.stmt(&lambda.body, false, edits);
                    }
                })
            });
        }
        let listed = matches!(s.kind, StmtKind::Compound(_));
        walk::children(s).into_iter().for_each(|inner| self.stmt(inner, listed, edits));
    }

    fn calls<'e>(&self, e: &'e Expr) -> Vec<(&'e Expr, &'p Function)> {
        let mut found = vec![];
        walk::outer(e, &mut |e| {
            if let ExprKind::Call { callee, .. } = &e.kind
                && let Some(id) = walk::callee(callee).filter(|id| self.regions.contains(id))
                && let Some(function) = self.functions.get(&id).filter(|f| takes_lambda(f))
            {
                found.push((e, *function));
            }
        });
        found
    }

    fn text(&self, span: Span) -> Option<&'p str> {
        self.buffer.get(span.start as usize..span.end as usize).filter(|_| !span.is_nowhere())
    }

    fn marker(&self, offset: u32) -> String {
        format!("\n{}", marker(self.lines, offset as usize))
    }

    /// The object of a method's call, as an expression, and the other arguments.
    fn object<'e>(&self, call: &'e Expr, class: Option<&Class<'_>>) -> Option<(Option<String>, &'e [Expr])> {
        let ExprKind::Call { callee, args } = &call.kind else { return None };
        if class.is_none_or(|c| c.is_static) {
            return Some((None, args));
        }
        if let ExprKind::Member { base, arrow, .. } = &callee.kind {
            let object = match self.text(base.span) {
                Some(text) if base.span.end < callee.span.end => text,
                // The caller's own object, which is not written.
                _ => "this",
            };
            let follow = if *arrow || object == "this" { "*" } else { "" };
            return Some((Some(format!("{follow}({object})")), args));
        }
        // Of an operator the object is the first argument.
        let (object, others) = args.split_first()?;
        Some((Some(format!("({})", self.text(object.span)?)), others))
    }

    fn written_out(&self, s: &Stmt, call: &Expr, function: &Function) -> Option<Vec<Edit>> {
        let class = Class::of(function, self.program).ok()?;
        let (object, args) = self.object(call, class.as_ref())?;
        let (body, instance) = (function.body.as_ref()?, function.instance.as_ref()?);
        if instance.args.len() != instance.params.len()
            || args.len() != function.params.len()
            || has_statics(body)
        {
            return None;
        }
        let mut front = String::new();
        // The types of lambdas, and what names them here.
        let mut lambdas: Vec<(String, String)> = vec![];
        let (mut params, mut values) = (vec![], vec![]);
        let packs = Packs::of(function, instance);
        for ((param, own), arg) in function.params.iter().zip(&packs.params).zip(args) {
            let given = match (&arg.kind, &param.init) {
                (ExprKind::DefaultArg, Some(default)) => self.text(default.span)?,
                _ => self.text(arg.span)?,
            };
            let Some(ty) = lambda_type(&param.type_text) else {
                values.push(given.to_owned());
                params.push((own, with_scopes(&visible(&param.type_text), instance)));
                continue;
            };
            let (computed, given) = self.captures_before(arg, given.to_owned());
            front.push_str(&computed);
            let name = format!("accl_lambda_{}", arg.span.start);
            // A name for the type: `decltype` is how Clang would print it otherwise.
            let of_it = format!("accl_type_of_{name}");
            let _ = write!(
                front,
                "{}auto {name} = {given}; using {of_it} = decltype({name});",
                self.marker(arg.span.start)
            );
            lambdas.push((ty.to_owned(), of_it));
            values.push(name);
            params.push((own, param.type_text.replace("&&", "&")));
        }
        let named =
            |text: &str| lambdas.iter().fold(text.to_owned(), |t, (ty, name)| t.replace(ty.as_str(), name));
        let own = own_names(function, body);
        let mut renamed = self.hidden_names(&own);
        let mut list = vec![];
        if let (Some(object), Some(class)) = (&object, &class) {
            let name = format!("accl_object_{}", call.span.start);
            let _ = write!(front, "{}auto &&{name} = {object};", self.marker(call.span.start));
            let parameter = format!("{name}_of");
            list.push(class.parameter(function, &parameter)?);
            values.insert(0, name);
            let members = class.names(body, &own, &parameter)?;
            if Class::copies_members(self.text(body.span)?, &members) {
                return None;
            }
            renamed.extend(members);
        }
        for (param, ty) in params {
            let ty = named(&visible(&ty));
            let own = renamed.get(param).unwrap_or(param);
            if ty.contains(LAMBDA) {
                return None;
            }
            if ty.contains(['(', '[']) {
                let alias = format!("accl_type_{param}_{}", call.span.start);
                let _ = write!(front, " using {alias} = {ty};");
                list.push(format!("{alias} {own}"));
            } else {
                list.push(format!("{ty} {own}"));
            }
        }
        let (result, _) = result_and_qualifiers(&function.signature)?;
        let mut inside = match &class {
            Some(class) => using(class.scope()),
            None => scopes(&function.name),
        };
        for (param, arg) in instance.params.iter().zip(&instance.args) {
            inside.push_str(&declared(param, &named(&visible(arg))));
        }
        if let Some(class) = &class {
            let text = self.text(instance.span).unwrap_or_default();
            inside.push_str(&class.types(text, self.text(body.span)?, &own));
        }
        let result = named(&with_scopes(&visible(result), instance));
        if inside.contains(LAMBDA) || result.contains(LAMBDA) {
            return None;
        }
        let text = with_names(&packs.expanded(&self.text(body.span)?[1..])?, &renamed);
        let replacement = format!(
            "[&]({}) -> {result} {{ {inside}{}{text}({}){}",
            list.join(", "),
            self.marker(body.span.start),
            values.join(", "),
            self.marker(call.span.end)
        );
        let (start, end) = (s.span.start as usize, s.span.end as usize);
        let braces = !matches!(s.kind, StmtKind::Decl(_));
        let (open, close) = if braces { ("{ ", " }") } else { ("", "") };
        let front = format!("{open}{front}{}", self.marker(s.span.start));
        Some(vec![
            Edit { at: start, end: start, text: front },
            Edit { at: call.span.start as usize, end: call.span.end as usize, text: replacement },
            Edit { at: end, end, text: close.to_owned() },
        ])
    }

    /// What a lambda's capture list computes (`[n = this->count]`) is computed before it, as the region cannot reach all that the list
    /// names: declarations, and the lambda's text with their names.
    fn captures_before(&self, arg: &Expr, given: String) -> (String, String) {
        let (mut declared, mut text) = (String::new(), given);
        let ExprKind::Lambda(lambda) = &walk::bare(arg).kind else { return (declared, text) };
        let mut inits: Vec<Span> = lambda
            .captures
            .iter()
            .filter(|c| c.declares && !c.ty.is_reference())
            .map(|c| c.init.span)
            .collect();
        inits.sort_by_key(|span| std::cmp::Reverse(span.start));
        for span in inits {
            let Some(init) =
                self.text(span).filter(|_| span.start >= arg.span.start && span.end <= arg.span.end)
            else {
                continue;
            };
            let (start, end) = ((span.start - arg.span.start) as usize, (span.end - arg.span.start) as usize);
            if !text[..start].trim_end().ends_with('=') {
                continue;
            }
            let name = format!("accl_capture_{}", span.start);
            let _ = write!(declared, "{}auto {name} = {init};", self.marker(span.start));
            text.replace_range(start..end, &name);
        }
        (declared, text)
    }

    /// New names for those of the template's own that equal names of captured variables.
    fn hidden_names(&self, own: &BTreeSet<&str>) -> HashMap<String, String> {
        let hides = |name: &&&str| self.captured.contains(**name);
        own.iter().filter(hides).map(|name| (name.to_string(), format!("{name}_of_template"))).collect()
    }
}

/// The names of a function's parameters and of its variables.
fn own_names<'f>(function: &'f Function, body: &'f Stmt) -> BTreeSet<&'f str> {
    let mut own: BTreeSet<&str> = function.params.iter().map(|p| p.name.as_str()).collect();
    walk::vars(body, &mut |var: &Var| {
        own.insert(&var.name);
    });
    own
}

fn takes_lambda(function: &Function) -> bool {
    function.params.iter().any(|p| p.type_text.contains(LAMBDA))
}

fn has_statics(body: &Stmt) -> bool {
    let mut found = false;
    walk::vars(body, &mut |var| found |= var.storage == Storage::Static);
    found
}

/// "(lambda at x.cpp:3:7)" of a type's text.
fn lambda_type(text: &str) -> Option<&str> {
    let start = text.find(LAMBDA)?;
    let end = text[start..].find(')')?;
    Some(&text[start..start + end + 1])
}

/// `using namespace a::b;` for a template's `a::b::f`: what its body names is found there.
fn scopes(name: &str) -> String {
    let plain = visible(name);
    using(plain.rsplit_once("::").map_or("", |(scope, _)| scope))
}

fn using(scope: &str) -> String {
    if scope.is_empty() { String::new() } else { format!("using namespace {scope}; ") }
}

/// The text with other names, directives' clauses included; not for members, or names with a scope of their own. `this`
/// stands for the pointer to what it is replaced by.
fn with_names(text: &str, names: &HashMap<String, String>) -> String {
    let mut result = String::with_capacity(text.len());
    let mut rest = text;
    // How many brackets are open in the directive that is being read.
    let mut directive: Option<u32> = None;
    while let Some(first) = rest.chars().next() {
        let starts_line = result.trim_end_matches([' ', '\t']).ends_with('\n');
        let line_marker = starts_line && rest.starts_with("# ");
        if starts_line && first == '#' && rest[1..].trim_start().starts_with("pragma") {
            directive = Some(0);
        }
        directive = match (first, directive) {
            ('\n', _) => None,
            ('(' | '[', Some(open)) => Some(open + 1),
            (')' | ']', Some(open)) => Some(open.saturating_sub(1)),
            (_, open) => open,
        };
        let length = if line_marker && directive.is_none() {
            rest.find('\n').unwrap_or(rest.len())
        } else if first == '"' || first == '\'' {
            quoted(rest)
        } else if first.is_alphanumeric() || first == '_' {
            rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len())
        } else {
            first.len_utf8()
        };
        let (word, after) = rest.split_at(length);
        rest = after;
        let before = result.trim_end();
        let of_another = before.ends_with('.') || before.ends_with("->") || before.ends_with("::");
        let follows = after.trim_start();
        let keyword = directive == Some(0)
            || directive == Some(1) && follows.starts_with(':') && !follows.starts_with("::");
        match names.get(word).filter(|_| !of_another && !keyword) {
            Some(object) if word == "this" => match follows.strip_prefix("->") {
                Some(member) => {
                    result.push_str(object);
                    result.push('.');
                    rest = member;
                }
                // In the list of a clause, with a section or without, the object is meant.
                None if directive == Some(1) && follows.starts_with([',', ')', '[']) => {
                    result.push_str(object);
                    let section = follows.find(']').filter(|_| follows.starts_with('['));
                    rest = section.map_or(follows, |end| &follows[end + 1..]);
                }
                None => {
                    let _ = write!(result, "(&{object})");
                }
            },
            Some(name) => result.push_str(name),
            None => result.push_str(word),
        }
    }
    result
}

/// How long a literal in quotes is.
fn quoted(text: &str) -> usize {
    let quote = text.as_bytes()[0];
    let mut at = 1;
    while at < text.len() {
        match text.as_bytes()[at] {
            b'\\' => at += 2,
            c if c == quote => return at + 1,
            b'\n' => return at,
            _ => at += 1,
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_replaced_but_not_those_of_members_or_in_strings() {
        let names = HashMap::from([("n".to_owned(), "m".to_owned())]);
        let text =
            "n = a.n + p -> n + x::n + nn; s = \"n\";\n#pragma acc loop vector_length(n)\n# 3 \"n\"\nn";
        let expected =
            "m = a.n + p -> n + x::n + nn; s = \"n\";\n#pragma acc loop vector_length(m)\n# 3 \"n\"\nm";
        assert_eq!(with_names(text, &names), expected);
    }

    #[test]
    fn words_of_directives_stay_and_this_is_the_object() {
        let list = [("data", "o.data"), ("to", "o.to"), ("n", "o.n"), ("this", "o")];
        let names: HashMap<String, String> =
            list.iter().map(|(from, to)| (from.to_string(), to.to_string())).collect();
        let text = "\n#pragma omp target data map(to: data[n:to]) if(to)\nthis->n = f(*this, data);\n\
                    #pragma acc parallel present(this) copyin(this[0:1], n)";
        let expected = "\n#pragma omp target data map(to: o.data[o.n:o.to]) if(o.to)\no.n = f(*(&o), o.data);\n\
             #pragma acc parallel present(o) copyin(o, o.n)";
        assert_eq!(with_names(text, &names), expected);
    }
}
