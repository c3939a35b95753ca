//! Methods that are given lambdas: their bodies name the object where they named `this`.
//!
//! ```text
//! exec.run(n, [=](int i) { a[i] = i; });
//!
//! { auto accl_lambda_7 = …; auto &&accl_object_7 = (exec);
//!   [&](Exec<double> &accl_object_7_of, int n, F f) -> void { … accl_object_7_of.scale … }(accl_object_7, n, accl_lambda_7); }
//! ```
//!
//! The object is given by reference, so that a construct maps it as it maps what `this` points to. Names of private members
//! are outside of their class now: such a buffer is read and compiled without access control, which the user's own text has passed.

use crate::ast::{DeclId, Expr, ExprKind, Function, FunctionKind, Program, Record, Stmt, Ty};
use crate::lower::walk;
use crate::specialize::{class_start, result_and_qualifiers, visible};
use std::collections::{BTreeSet, HashMap};

/// The class of a method that is being written out.
pub struct Class<'p> {
    record: &'p Record,
    program: &'p Program,
    /// As the program names it.
    pub name: String,
    pub is_static: bool,
}

impl<'p> Class<'p> {
    /// `Err` where the method cannot be written out; `Ok(None)` for what is no method.
    pub fn of(function: &Function, program: &'p Program) -> Result<Option<Class<'p>>, ()> {
        let (record, is_static) = match &function.kind {
            FunctionKind::Free => return Ok(None),
            FunctionKind::Method { record, is_static } => (*record, *is_static),
            FunctionKind::Constructor { .. } => return Err(()),
        };
        let record = program.records.iter().find(|r| r.id == record && !r.nameless).ok_or(())?;
        let name = visible(&record.name);
        // A class made for a lambda has no name either.
        let named = !name.contains(super::LAMBDA);
        named.then_some(Some(Class { record, program, name, is_static })).ok_or(())
    }

    /// The scope around the outermost class: "a::b".
    pub fn scope(&self) -> &str {
        self.name[..class_start(self.program, &self.name)].trim_end_matches("::")
    }

    /// The parameter that stands for the object.
    pub fn parameter(&self, function: &Function, name: &str) -> Option<String> {
        let (_, qualifiers) = result_and_qualifiers(&function.signature)?;
        let is_const = if qualifiers.contains("const") { "const " } else { "" };
        Some(format!("{is_const}{} &{name}", self.name))
    }

    /// What names of members, and `this`, become in the body. `own` are the names that the body declares, which hide members.
    pub fn names(&self, body: &Stmt, own: &BTreeSet<&str>, object: &str) -> Option<HashMap<String, String>> {
        let mut members = BTreeSet::new();
        let mut is_clear = true;
        walk::exprs(body, &mut |e| match &e.kind {
            ExprKind::Member { base, name, .. } if is_this(base) => {
                let is_implicit =
                    base.span.is_nowhere() || base.span.start == e.span.start && base.span.end == e.span.end;
                is_clear &= !(is_implicit && own.contains(&**name));
                members.insert(name.to_string());
            }
            // What it keeps is the pointer, not the object.
            ExprKind::Lambda(lambda) => {
                is_clear &= lambda.captures.iter().all(|c| c.id.is_some() || c.declares)
            }
            _ => {}
        });
        if !is_clear {
            return None;
        }
        // In a template a name is not looked up in bases that depend on its parameters: a global variable may be meant.
        let mut fields = BTreeSet::new();
        self.fields(self.record, &mut fields);
        let is_global = |name: &str| {
            self.program
                .globals
                .iter()
                .any(|g| g.name.rsplit("::").next().is_some_and(|simple| simple == name))
        };
        let in_base = |name: &String| self.record.fields.iter().all(|f| *f.name != **name);
        if fields.iter().any(|name| in_base(name) && is_global(name)) {
            return None;
        }
        members.extend(fields);
        let named = members.into_iter().filter(|m| !m.is_empty() && !own.contains(m.as_str()));
        let mut names: HashMap<String, String> =
            named.map(|m| (m.clone(), format!("{object}.{m}"))).collect();
        let mut statics = vec![];
        self.statics(self.record, &mut statics);
        for (name, of_class) in statics.into_iter().filter(|(name, _)| !own.contains(name.as_str())) {
            names.entry(name).or_insert(of_class);
        }
        names.insert("this".to_owned(), object.to_owned());
        Some(names)
    }

    /// Whether a directive in the text makes copies of what `names` replaces by members: these clauses take whole variables.
    pub fn copies_members(text: &str, names: &HashMap<String, String>) -> bool {
        let directives =
            text.lines().filter(|l| l.trim_start().strip_prefix('#').is_some_and(|l| l.contains("pragma")));
        directives.into_iter().any(|line| {
            ["private", "reduction", "linear"].iter().any(|clause| {
                line.split(clause).skip(1).any(|behind| {
                    let list = behind.trim_start().strip_prefix('(').and_then(|list| list.split_once(')'));
                    list.is_some_and(|(list, _)| {
                        list.split(|c| !is_letter(c)).any(|word| names.contains_key(word))
                    })
                })
            })
        })
    }

    /// Static members of a class and its bases, and what names them from outside.
    fn statics(&self, record: &Record, found: &mut Vec<(String, String)>) {
        let class = visible(&record.name);
        let methods = self.program.functions.iter().filter(
            |f| matches!(f.kind, FunctionKind::Method { record: of, is_static: true } if of == record.id),
        );
        let names = self.program.globals.iter().map(|g| &g.name).chain(methods.map(|f| &f.name));
        for full in names {
            let full = visible(full);
            if let Some(name) = full.strip_prefix(&*class).and_then(|rest| rest.strip_prefix("::"))
                && is_name(name)
            {
                found.push((name.to_owned(), format!("{class}::{name}")));
            }
        }
        self.bases(record).for_each(|base| self.statics(base, found));
    }

    fn bases(&self, record: &Record) -> impl Iterator<Item = &'p Record> {
        let ids: Vec<DeclId> = record.bases.iter().filter_map(|b| record_of(&b.ty)).collect();
        self.program.records.iter().filter(move |r| ids.contains(&r.id))
    }

    /// Directives name members that the body may not name.
    fn fields(&self, record: &Record, found: &mut BTreeSet<String>) {
        found.extend(record.fields.iter().map(|f| f.name.to_string()));
        self.bases(record).for_each(|base| self.fields(base, found));
    }

    /// `using real = Exec<double>::real;` for the types that the class's text declares and the body names, and constants for
    /// such enumerators.
    pub fn types(&self, class: &str, body: &str, own: &BTreeSet<&str>) -> String {
        let words: BTreeSet<&str> = body.split(|c| !is_letter(c)).collect();
        let is_meant = |name: &&str| {
            words.contains(name)
                && !own.contains(name)
                && self.name.split(|c| !is_letter(c)).all(|w| w != *name)
        };
        let types: BTreeSet<&str> = declared_types(class).into_iter().filter(is_meant).collect();
        let constants: BTreeSet<&str> = enumerators(class).into_iter().filter(is_meant).collect();
        let of = &self.name;
        let types = types.into_iter().map(|name| format!("using {name} = {of}::{name}; "));
        types
            .chain(constants.into_iter().map(|name| format!("constexpr auto {name} = {of}::{name}; ")))
            .collect()
    }
}

fn is_letter(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

fn is_name(word: &str) -> bool {
    word.starts_with(|c: char| c.is_alphabetic() || c == '_') && word.chars().all(is_letter)
}

/// Names of types that a class's text gives: aliases, and classes and enumerations that it defines.
fn declared_types(class: &str) -> Vec<&str> {
    let aliases = class.match_indices("using ").filter_map(|(at, _)| {
        let (name, _) = class[at + 6..].split_once('=')?;
        Some(name.trim())
    });
    let typedefs = class.match_indices("typedef ").filter_map(|(at, _)| {
        let (text, _) = class[at..].split_once(';')?;
        text.rsplit(|c| !is_letter(c)).next()
    });
    let defined = ["struct ", "class ", "union ", "enum "].into_iter().flat_map(|word| {
        class.match_indices(word).filter_map(move |(at, _)| {
            let text = class[at + word.len()..].trim_start();
            let (name, after) = text.split_at(text.find(|c| !is_letter(c))?);
            after.trim_start().starts_with(['{', ':']).then_some(name)
        })
    });
    aliases.chain(typedefs).chain(defined).filter(|name| is_name(name)).collect()
}

/// Those of enumerations without a scope.
fn enumerators(class: &str) -> Vec<&str> {
    let bodies = class.match_indices("enum ").filter_map(|(at, _)| {
        let (head, rest) = class[at..].split_once('{')?;
        let is_plain =
            !head.contains([';', '(', ')']) && !head.contains("class ") && !head.contains("struct ");
        is_plain.then_some(rest.split_once('}')?.0)
    });
    bodies
        .flat_map(|body| body.split(','))
        .filter_map(|item| item.split('=').next().map(str::trim))
        .filter(|name| is_name(name))
        .collect()
}

fn is_this(base: &Expr) -> bool {
    match &base.kind {
        ExprKind::This => true,
        ExprKind::Cast { operand, .. } => is_this(operand),
        _ => false,
    }
}

fn record_of(ty: &Ty) -> Option<DeclId> {
    match ty {
        Ty::Record(id) => Some(*id),
        _ => None,
    }
}
