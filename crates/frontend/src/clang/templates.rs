//! Classes whose template's parameters are not those that the arguments of their names stand for: partial specialisations make
//! them, or templates with packs; default arguments; and what the instances of functions return.

use super::decls::instances::template_argument;
use super::decls::{Converter, constant_value, is_value_param};
use super::json::Node;
use crate::ast::{DeclId, Expr, Instance, NamedClass, Program, Qual, Stmt, StmtKind, TemplateParam, Ty};
use crate::lower::walk;
use accl_source::Span;
use std::collections::{BTreeSet, HashSet};

/// `template <class F, class... T> struct For<F, Range<T...>, Device> { … };`
pub struct PartialSpecialization {
    span: Span,
    params: Vec<Param>,
    /// The arguments after its name, as Clang writes them, with `type-parameter-0-1` for the second parameter.
    pattern: Vec<String>,
}

pub struct Param {
    param: TemplateParam,
}

impl Param {
    /// Those of a template.
    pub fn all(template: &Node<'_>) -> Vec<Param> {
        let params = template.children().filter(|n| n.kind.starts_with("Template") || is_value_param(n));
        let params = params.filter(|n| n.kind.ends_with("ParmDecl"));
        let param = |n: &Node<'_>| Param {
            param: TemplateParam {
                // Of `auto *p` among the parameters of a function it is `p:auto` or `auto:1`, which no text can use.
                name: if n.name.contains(':') { String::new() } else { n.name.to_string() },
                value_type: is_value_param(n)
                    .then(|| n.ty.qual_type.trim_end_matches("...").trim_end().to_owned()),
                is_pack: n.is_parameter_pack,
            },
        };
        params.map(param).collect()
    }

    /// It has a name, or a template's text can do without: `class = std::enable_if_t<…>`.
    pub fn is_simple(&self) -> bool {
        !(self.param.name.is_empty() && self.param.is_pack)
    }

    pub fn declared(self) -> TemplateParam {
        self.param
    }
}

/// `class Layout = Left`: the parameter's name and what it stands for, which may name the parameters before it.
pub struct DefaultArgument {
    name: String,
    text: Option<String>,
}

impl Converter<'_> {
    pub(super) fn default_arguments(&mut self, template: &Node<'_>) {
        let params = template.children().filter(|n| n.kind.starts_with("Template") || is_value_param(n));
        // The value of an expression stands below the parameter.
        let value = |n: &Node<'_>| {
            let given = n.children().find(|n| &*n.kind == "TemplateArgument")?;
            let value = given.children().find_map(constant_value)?;
            Some(self.value_of_type(&n.ty.qual_type, value))
        };
        let default = |n: &Node<'_>| DefaultArgument {
            name: n.name.to_string(),
            text: n.default_arg.as_ref().map(|arg| value(n).unwrap_or_else(|| template_argument(arg))),
        };
        let found: Vec<DefaultArgument> =
            params.filter(|n| n.kind.ends_with("ParmDecl")).map(default).collect();
        // A declaration before this one may have them.
        if found.iter().any(|d| d.text.is_some())
            || !self.defaults.contains_key(&self.qualified(&template.name))
        {
            self.defaults.insert(self.qualified(&template.name), found);
        }
    }

    /// The name with all arguments, and those that Clang may write, which leave default arguments out.
    pub(super) fn names_of_class(&self, node: &Node<'_>, mut args: Vec<String>) -> Vec<String> {
        let defaults = self.defaults.get(&self.qualified(&node.name)).map_or(&[][..], Vec::as_slice);
        let mut names = vec![];
        loop {
            let written: Vec<&str> = args.iter().map(String::as_str).filter(|arg| !arg.is_empty()).collect();
            names.push(format!("{}<{}>", &*node.name, written.join(", ")));
            let Some((last, before)) = args.split_last() else { return names };
            let default = defaults.get(before.len()).and_then(|d| d.text.as_deref());
            if !last.is_empty() && default.is_none_or(|text| *last != substituted(text, defaults, before)) {
                return names;
            }
            args.pop();
        }
    }

    pub(super) fn partial_specialization(&mut self, node: &Node<'_>) {
        self.template(node);
        self.pattern(node);
        if self.is_in_class() {
            return;
        }
        let named = |n: &Node<'_>| match n.children().next() {
            Some(expr) if n.ty.qual_type.is_empty() => {
                expr.referenced_decl.as_ref().map(|d| d.name.to_string())
            }
            _ => None,
        };
        let arguments = node.inner.iter().filter(|n| &*n.kind == "TemplateArgument");
        let pattern = arguments.map(|n| named(n).unwrap_or_else(|| n.ty.qual_type.to_string())).collect();
        self.partials.push(PartialSpecialization {
            span: self.span(node),
            params: Param::all(node),
            pattern,
        });
    }

    /// A class that a template made of its own text, with packs, or of that of a partial specialisation at `partial`.
    pub(super) fn named_class(
        partial: Option<u32>,
        params: Vec<Param>,
        args: Vec<String>,
        around: Instance,
    ) -> Instance {
        let mut class = NamedClass { partial, args, unknown: vec![] };
        let mut instance = Instance { span: around.span, ..Instance::default() };
        if partial.is_none() {
            for (param, arg) in params.into_iter().zip(class.args.clone()) {
                bind(&mut instance, &mut class, param, Some(arg));
            }
        }
        Instance { class: Some(class), ..instance }
    }

    /// Gives the members of partial specialisations, which are read after the classes that they make, their parameters.
    pub(super) fn finish_partial(&mut self) {
        for instance in self.program.functions.iter_mut().filter_map(|f| f.instance.as_mut()) {
            let Some(mut class) = instance.class.take() else { continue };
            let at = class.partial;
            let partial =
                self.partials.iter().find(|p| at.is_some_and(|at| p.span.start <= at && at < p.span.end));
            let Some(partial) = partial else {
                match at {
                    None => instance.class = Some(class),
                    Some(_) => *instance = Instance { span: instance.span, ..Instance::default() },
                }
                continue;
            };
            let own = std::mem::take(instance);
            *instance = Instance { span: partial.span, own: own.own, ..Instance::default() };
            for (index, param) in partial.params.iter().enumerate() {
                let found = partial.pattern.iter().zip(&class.args).find_map(|(pattern, arg)| {
                    let named = *pattern == param.param.name;
                    if named { Some(arg.clone()) } else { standing_for(index, pattern, arg) }
                });
                let param = Param { param: param.param.clone() };
                bind(instance, &mut class, param, found);
            }
            instance.params.extend(own.params);
            instance.args.extend(own.args);
            instance.class = Some(class);
        }
    }
}

impl Converter<'_> {
    /// An instance's result may be named in ways that say nothing here, `typename std::enable_if<…>::type`. What it returns has
    /// the type.
    pub(super) fn finish_results(&mut self) {
        let records: HashSet<DeclId> = self.program.records.iter().map(|r| r.id).collect();
        for function in self.program.functions.iter_mut().filter(|f| f.instance.is_some()) {
            let known = match &*function.result.ty {
                Ty::Opaque(_) => false,
                Ty::Record(id) => records.contains(id),
                _ => true,
            };
            let Some(body) = function.body.as_ref().filter(|_| !known) else { continue };
            function.result = match returned(body) {
                Some(value) if value.place => Qual::new(Ty::Reference(value.ty.clone())),
                Some(value) => value.ty.clone(),
                None => Qual::new(Ty::Void),
            };
        }
    }
}

impl Converter<'_> {
    /// Arguments that are variables and functions which are declared behind the template were read before their namespaces were
    /// known: they get these where only one can be meant.
    pub(super) fn finish_objects(&mut self) {
        let Program { functions, globals, .. } = &mut self.program;
        let named = functions.iter().filter(|f| f.instance.is_none()).map(|f| f.name.to_string());
        let known: BTreeSet<String> = named.chain(globals.iter().map(|v| v.name.to_string())).collect();
        for instance in functions.iter_mut().filter_map(|f| f.instance.as_mut()) {
            for (param, arg) in instance.params.iter().zip(&mut instance.args) {
                let (address, name) = match arg.strip_prefix('&') {
                    Some(name) => ("&", name),
                    None => ("", arg.as_str()),
                };
                let is_object = param.value_type.is_some() && is_name(name) && !known.contains(name);
                let suffix = format!("::{name}");
                let mut meant = known.iter().filter(|known| is_object && known.ends_with(&suffix));
                if let (Some(full), None) = (meant.next(), meant.next()) {
                    *arg = format!("{address}{full}");
                }
            }
        }
    }
}

fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_alphabetic() || c == '_')
        && text.chars().all(|c| c.is_alphanumeric() || c == '_')
}

/// The text with arguments in place of the parameters that it names.
fn substituted(text: &str, params: &[DefaultArgument], args: &[String]) -> String {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let (mut result, mut rest) = (String::new(), text);
    while let Some(first) = rest.chars().next() {
        let length = rest.find(|c| is_word(c) != is_word(first)).unwrap_or(rest.len());
        let word = &rest[..length];
        let arg = params.iter().zip(args).find(|(param, _)| param.name == word);
        result += arg.map_or(word, |(_, arg)| arg);
        rest = &rest[length..];
    }
    result
}

fn returned(stmt: &Stmt) -> Option<&Expr> {
    match &stmt.kind {
        StmtKind::Return(value) => value.as_ref(),
        _ => walk::children(stmt).into_iter().find_map(returned),
    }
}

fn bind(instance: &mut Instance, class: &mut NamedClass, param: Param, arg: Option<String>) {
    match arg {
        Some(arg) if !param.param.name.is_empty() => {
            instance.params.push(param.param);
            instance.args.push(arg);
        }
        _ if param.param.name.is_empty() => {}
        _ => class.unknown.push(param.param.name),
    }
}

/// What stands in `arg` where the parameter of that number stands in the pattern.
fn standing_for(index: usize, pattern: &str, arg: &str) -> Option<String> {
    let placeholder = format!("type-parameter-0-{index}");
    let (before, after) = pattern.split_once(&placeholder)?;
    if after.starts_with(|c: char| c.is_ascii_digit() || c == '.') || before.contains("type-parameter") {
        return None;
    }
    let rest = arg.strip_prefix(before)?;
    let end = match after.contains("type-parameter") {
        false => rest.strip_suffix(after)?.len(),
        true => {
            let mut depth = 0;
            rest.char_indices().find_map(|(at, c)| {
                depth += i32::from(matches!(c, '<' | '(' | '[')) - i32::from(matches!(c, '>' | ')' | ']'));
                (depth < 0 || depth == 0 && c == ',').then_some(at)
            })?
        }
    };
    Some(rest[..end].trim().to_owned()).filter(|found| !found.is_empty())
}
