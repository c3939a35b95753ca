//! Which variables the names in clauses refer to.

use super::function::{Fun, Variable};
use crate::ast::{DeclId, Qual, Ty};
use accl_directives::closest;
use accl_source::{Diagnostic, Span, codes::frontend as codes};

/// What a name in a clause refers to.
#[derive(Clone, Debug)]
pub enum Named {
    Variable(DeclId, Variable),
    /// A member of the class whose method this is.
    Member,
    Constant(i128),
    Function,
}

impl Fun<'_, '_> {
    pub fn lookup(&mut self, name: &str) -> Option<Named> {
        let in_scope = self.scopes.iter().rev().flat_map(|s| s.iter().rev()).find(|(n, _)| n == name);
        if let Some(id) = in_scope.map(|(_, id)| *id) {
            return self.variable(id).map(|v| Named::Variable(id, v));
        }
        let class = |record| Qual::new(Ty::Record(record));
        if self.record.is_some_and(|record| self.field_type(&class(record), name).is_some()) {
            return Some(Named::Member);
        }
        let class = self.record.and_then(|r| self.cx.record(r)).map(|r| &*r.name);
        let around = class.into_iter().flat_map(scopes).chain(scopes(&self.decl.name));
        let globals = &self.cx.program.globals;
        let within = |scope: &str| globals.iter().find(|g| is_member(&g.name, scope, name));
        let global = around.chain([""]).find_map(within);
        // A name from another namespace, through a using directive.
        let global = global.or_else(|| globals.iter().find(|g| short_name(&g.name) == short_name(name)));
        if let Some(id) = global.map(|g| g.id) {
            return self.variable(id).map(|v| Named::Variable(id, v));
        }
        if let Some(value) = self.cx.program.enumerator_names.get(short_name(name)) {
            return Some(Named::Constant(*value));
        }
        let is_function = |f: &crate::ast::Function| f.name == name || short_name(&f.name) == name;
        self.cx.program.functions.iter().any(is_function).then_some(Named::Function)
    }

    /// The diagnostic for a name that refers to nothing here.
    pub fn unknown_name(&self, name: &str, span: Span) -> Diagnostic {
        let locals = self.scopes.iter().flatten().map(|(n, _)| n.as_str());
        let record = self.record.and_then(|r| self.cx.record(r));
        let members = record.into_iter().flat_map(|r| r.fields.iter().map(|f| f.name.as_str()));
        let globals = self.cx.program.globals.iter().map(|g| g.name.as_str());
        let similar = closest(name, locals.chain(members).chain(globals));
        let diagnostic =
            Diagnostic::error(codes::UNKNOWN_NAME, format!("no variable named `{name}` is in scope here"))
                .label(span, "unknown name");
        match similar {
            Some(similar) => diagnostic.with_help(format!("did you mean `{similar}`?")),
            None => diagnostic,
        }
    }
}

/// "x" of "ns::x".
pub fn short_name(name: &str) -> &str {
    name.rsplit("::").next().unwrap_or(name)
}

/// The scopes in which a qualified name lies, from the inside out, starting with itself: `a::b::c`, `a::b`, `a`.
fn scopes(name: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(name), |inner| inner.rsplit_once("::").map(|(outer, _)| outer))
}

fn is_member(global: &str, scope: &str, name: &str) -> bool {
    match scope {
        "" => global == name,
        _ => global.strip_prefix(scope).and_then(|rest| rest.strip_prefix("::")) == Some(name),
    }
}
