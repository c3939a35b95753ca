//! Templates of functions, classes and variables, and their instances.

use super::{Converter, class_name_at, constant_value, is_value_param};
use crate::ast::{Instance, Qual, Ty};
use crate::clang::json::{Node, Value};
use crate::clang::templates::Param;
use accl_source::Span;

impl Converter<'_> {
    pub(super) fn function_template(&mut self, node: &Node<'_>) {
        let kinds = ["FunctionDecl", "CXXMethodDecl", "CXXConstructorDecl", "CXXConversionDecl"];
        for function in node.children().filter(|n| kinds.contains(&&*n.kind)) {
            if function.children().any(|n| &*n.kind == "TemplateArgument") {
                self.instantiate(node, function, |this| this.function(function));
            } else {
                self.template(function);
            }
        }
    }

    pub(super) fn class_template(&mut self, node: &Node<'_>) {
        self.types.library.hidden.insert(node.name.to_string());
        let qualified = self.qualified(&node.name);
        self.types.declare_template(&node.name, &qualified);
        let types = value_types(node);
        self.types.has_values_of_any_type |= types.iter().flatten().any(|ty| ty.contains("auto"));
        self.value_types.insert(qualified, types);
        self.default_arguments(node);
        for class in node.children() {
            match &*class.kind {
                "CXXRecordDecl" => {
                    self.pattern(class);
                    self.template(class);
                }
                "ClassTemplateSpecializationDecl" => self.instantiate(node, class, |this| {
                    if let (true, Some(instance)) = (class.inner.is_empty(), &this.instance) {
                        this.explicit.insert(class.id, instance.clone());
                    }
                    this.specialization(class);
                }),
                _ => {}
            }
        }
    }

    /// A class as written in a template, whose members may be defined outside of it, and those in it.
    pub(in crate::clang) fn pattern(&mut self, class: &Node<'_>) {
        self.patterns.insert(class.id);
        for inner in class.children() {
            match &*inner.kind {
                "CXXRecordDecl" | "ClassTemplatePartialSpecializationDecl" => self.pattern(inner),
                "ClassTemplateDecl" => {
                    inner.children().filter(|n| &*n.kind == "CXXRecordDecl").for_each(|n| self.pattern(n));
                }
                _ => {}
            }
        }
    }

    /// The instances of a variable template are variables, whose names have the arguments.
    pub(super) fn variable_template(&mut self, node: &Node<'_>) {
        for instance in node.children().filter(|n| &*n.kind == "VarTemplateSpecializationDecl") {
            let arguments = self.template_arguments(instance, &value_types(node));
            let mut var = self.global(instance);
            var.name = format!("{}<{}>", var.name, arguments.join(", "));
            self.program.globals.push(var);
        }
    }

    pub(in crate::clang) fn is_in_class(&self) -> bool {
        !self.enclosing.is_empty()
    }

    pub(in crate::clang) fn template(&mut self, node: &Node<'_>) {
        let span = self.span(node);
        self.program.templates.push(span);
    }

    /// Converts an instance of a template.
    fn instantiate(&mut self, template: &Node<'_>, instance: &Node<'_>, convert: impl FnOnce(&mut Self)) {
        let outer = self.instance.take();
        let params = Param::all(template);
        let of_function = &*template.kind == "FunctionTemplateDecl";
        let span = if self.enclosing.is_empty() { self.span(template) } else { self.outermost };
        let around = outer.clone().unwrap_or_else(|| Instance { span, ..Instance::default() });
        let nests = match &outer {
            None => true,
            Some(class) => class.own == 0 && (!class.args.is_empty() || of_function && class.class.is_some()),
        };
        // The members of a partial specialisation know other parameters.
        let own_text =
            of_function || instance.inner.is_empty() || is_written_in(instance, self.span(template));
        let simple = params.iter().all(Param::is_simple);
        let own = self.template_arguments(instance, &value_types(template));
        self.instance = Some(if nests && own_text && simple {
            let of_class = (!of_function).then_some(own.len());
            Instance {
                of_classes: around.of_classes.into_iter().chain(of_class).collect(),
                own: if of_function { own.len() } else { 0 },
                packs: if of_function { packs_of(template) } else { vec![] },
                params: around.params.into_iter().chain(params.into_iter().map(Param::declared)).collect(),
                args: around.args.into_iter().chain(own).collect(),
                ..around
            }
        } else if outer.is_none() && !of_function {
            let partial = class_name_at(instance).filter(|_| !own_text);
            Self::named_class(partial, params, own, around)
        } else {
            Instance { span: around.span, ..Instance::default() }
        });
        convert(self);
        self.instance = outer;
    }

    /// `template class C<int>;`, whose members are those of the template.
    pub(super) fn explicit_instance(&mut self, node: &Node<'_>, of: Instance) {
        let own = match !of.params.is_empty() && of.class.is_none() && is_written_in(node, of.span) {
            true => {
                let args = self.arguments_of_class(node);
                Instance { of_classes: vec![args.len()], args, ..of }
            }
            false => Instance { span: of.span, ..Instance::default() },
        };
        let outer = self.instance.replace(own);
        self.specialization(node);
        self.instance = outer;
    }

    pub(super) fn specialization(&mut self, node: &Node<'_>) {
        let names = self.names_of_class(node, self.arguments_of_class(node));
        let tags: Vec<String> = names.iter().map(|name| self.qualified(name)).collect();
        if let Some(awaited) = tags.iter().find_map(|tag| self.types.declares_awaited(tag)) {
            self.take_id(node, awaited);
        }
        let id = self.declare_id(node);
        for tag in &tags[1..] {
            self.types.declare_tag(tag, Qual::new(Ty::Record(id)), true);
        }
        self.record(node, &names[0]);
    }

    fn arguments_of_class(&self, node: &Node<'_>) -> Vec<String> {
        let types = self.value_types.get(&self.qualified(&node.name));
        self.template_arguments(node, types.map_or(&[], Vec::as_slice))
    }

    /// The arguments as Clang writes them in the names of types, where the dump has numbers for all values.
    fn template_arguments(&self, node: &Node<'_>, types: &[Option<String>]) -> Vec<String> {
        let arguments = node.inner.iter().filter(|n| &*n.kind == "TemplateArgument");
        let spelled = |(at, argument): (usize, &Node<'_>)| {
            let of = types.get(at).or(types.last()).and_then(Option::as_deref);
            let spell = |argument: &Node<'_>| {
                if let Some(object) = argument.decl.as_ref().filter(|_| argument.value.is_none()) {
                    return self.object_argument(object, of.unwrap_or_default());
                }
                let text = template_argument(argument);
                of.zip(text.parse().ok()).map_or(text, |(of, value)| self.value_of_type(of, value))
            };
            match argument.is_pack {
                true => argument.children().map(spell).collect::<Vec<_>>().join(", "),
                false => spell(argument),
            }
        };
        arguments.enumerate().map(spelled).collect()
    }

    /// A variable or function as the argument for a parameter of the type: its name, or its address.
    fn object_argument(&self, object: &Node<'_>, of: &str) -> String {
        let id = self.id(object.id);
        let function = self.functions.get(&id).map(|at| &self.program.functions[*at].name);
        let variable = || self.program.globals.iter().find(|v| v.id == id).map(|v| &v.name);
        let name = function.or_else(variable).cloned().unwrap_or_else(|| object.name.to_string());
        let is_array = &*object.kind == "VarDecl" && object.ty.text().contains('[');
        if of.contains('&') || is_array { name } else { format!("&{name}") }
    }

    /// Truth values, characters and enumerators have spellings of their own. The dump has large values without a sign as negative ones.
    pub(in crate::clang) fn value_of_type(&self, ty: &str, value: i128) -> String {
        let name = ty.trim_start_matches("const ");
        let bits = self.types.bits_without_sign(name).filter(|_| value < 0);
        let value = value + bits.map_or(0, |bits| 1 << bits);
        let spelled = match (name, u8::try_from(value)) {
            ("bool", _) => return (value != 0).to_string(),
            ("char", Ok(c)) => return format!("'{}'", spelled_character(c)),
            _ => self.enumerators.get(&(name.to_owned(), value)),
        };
        let spelled = spelled.or_else(|| self.enumerators.get(&(self.qualified(name), value)));
        spelled.cloned().unwrap_or_else(|| value.to_string())
    }
}

/// As Clang writes it in a literal.
fn spelled_character(c: u8) -> String {
    match c {
        0x07 => "\\a".to_owned(),
        0x08 => "\\b".to_owned(),
        0x0b => "\\v".to_owned(),
        0x0c => "\\f".to_owned(),
        b'\n' | b'\r' | b'\t' | b'\\' | b'\'' => char::from(c).escape_default().to_string(),
        b' '..=b'~' => char::from(c).to_string(),
        _ => format!("\\x{c:02x}"),
    }
}

/// The names of a template's parameters in round brackets that are packs.
fn packs_of(template: &Node<'_>) -> Vec<String> {
    let pattern = template.children().find(|n| n.kind.ends_with("Decl") && !n.kind.ends_with("ParmDecl"));
    let params = pattern.into_iter().flat_map(|n| n.children()).filter(|n| &*n.kind == "ParmVarDecl");
    let packs = params.filter(|n| n.ty.qual_type.ends_with("...") && !n.name.is_empty());
    packs.map(|n| n.name.to_string()).collect()
}

fn value_types(template: &Node<'_>) -> Vec<Option<String>> {
    let params = template.children().filter(|n| n.kind.starts_with("Template") || is_value_param(n));
    let params = params.filter(|n| n.kind.ends_with("ParmDecl"));
    params.map(|n| is_value_param(n).then(|| n.ty.text().to_owned())).collect()
}

/// The text of the class's members is in this template.
fn is_written_in(node: &Node<'_>, template: Span) -> bool {
    class_name_at(node).is_none_or(|name| (template.start..template.end).contains(&name))
}

/// What stands for an argument that Clang's tree does not tell, such as a template.
pub const UNKNOWN_ARGUMENT: &str = "?";

pub(in crate::clang) fn template_argument(node: &Node<'_>) -> String {
    match &node.value {
        Some(Value::Int(value)) => value.to_string(),
        Some(Value::Bool(value)) => value.to_string(),
        Some(Value::Text(text)) => text.to_string(),
        _ if !node.ty.qual_type.is_empty() => node.ty.text().to_owned(),
        _ => node.children().find_map(constant_value).map_or(UNKNOWN_ARGUMENT.into(), |v| v.to_string()),
    }
}
