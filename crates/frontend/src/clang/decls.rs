//! Declarations: from the dump's tree to the flat lists of [`Program`].

pub(super) mod instances;

use super::classes::Shown;
use super::fold;
use super::json::{Node, NodeId, Value};
use super::templates::{DefaultArgument, Param, PartialSpecialization};
use super::types::TypeReader;
use crate::ast::*;
use accl_source::{FileId, LineMap, Span};
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

/// Collects a program from its top-level declarations, given in order.
pub struct Converter<'a> {
    pub(super) file: FileId,
    pub(super) buffer: &'a str,
    lines: &'a LineMap,
    is_cplusplus: bool,
    pub(super) types: TypeReader,
    pub(super) program: Program,
    /// Maps redeclarations to the first declaration.
    first: HashMap<NodeId, NodeId>,
    /// Where the first declaration of a function is among the program's.
    functions: HashMap<DeclId, usize>,
    /// Where those are that belong to a class.
    members: HashMap<DeclId, Vec<usize>>,
    /// Declared `static`: other files cannot name them.
    internal: HashSet<DeclId>,
    /// Names of the enclosing namespaces and classes.
    scope: Vec<String>,
    /// Classes as written in templates.
    patterns: HashSet<NodeId>,
    record_names: HashMap<NodeId, Rc<str>>,
    enum_types: HashMap<NodeId, Qual>,
    /// Enumerators as Clang writes them where they are arguments of templates, by the name of their type and their value.
    enumerators: HashMap<(String, i128), String>,
    /// The types of class templates' parameters that are values, by the templates' names.
    value_types: HashMap<String, Vec<Option<String>>>,
    /// What their parameters stand for where a program says nothing.
    pub(super) defaults: HashMap<String, Vec<DefaultArgument>>,
    /// The template being instantiated, if any.
    instance: Option<Instance>,
    pub(super) partials: Vec<PartialSpecialization>,
    /// Instances of class templates whose members stand elsewhere: where the program asks for them by name (`template class
    /// C<int>;`).
    explicit: HashMap<NodeId, Instance>,
    /// The classes being read, innermost last.
    enclosing: Vec<NodeId>,
    /// The text of the outermost of them.
    outermost: Span,
}

impl<'a> Converter<'a> {
    pub fn new(
        file: FileId,
        buffer: &'a str,
        lines: &'a LineMap,
        read: &[Shown],
        is_cplusplus: bool,
    ) -> Converter<'a> {
        let mut types = TypeReader::default();
        types.read_of_library = read.to_vec();
        types.library.is_libcxx = buffer.contains("inline namespace __1 ");
        Converter {
            file,
            buffer,
            lines,
            is_cplusplus,
            types,
            program: Program::default(),
            first: HashMap::new(),
            functions: HashMap::new(),
            members: HashMap::new(),
            internal: HashSet::new(),
            scope: Vec::new(),
            patterns: HashSet::new(),
            record_names: HashMap::new(),
            enum_types: HashMap::new(),
            enumerators: HashMap::new(),
            value_types: HashMap::new(),
            defaults: HashMap::new(),
            instance: None,
            partials: Vec::new(),
            explicit: HashMap::new(),
            enclosing: Vec::new(),
            outermost: Span::NOWHERE,
        }
    }

    pub fn finish(mut self) -> Program {
        self.finish_partial();
        self.finish_results();
        self.finish_objects();
        self.program.incomplete.extend(self.types.awaited().map(|(id, name)| (id, name.into())));
        self.program.types = self.types.all;
        self.program.records.extend(self.types.library.records);
        self.program
    }

    /// Forgets afterwards what `convert` declares.
    pub(super) fn scoped<T>(&mut self, convert: impl FnOnce(&mut Self) -> T) -> T {
        let mark = self.types.enter();
        let result = convert(self);
        self.types.leave(mark);
        result
    }

    pub fn decl(&mut self, node: &Node<'_>) {
        match &*node.kind {
            "NamespaceDecl" => self.within(namespace_name(node), &node.inner),
            "LinkageSpecDecl" | "ExportDecl" => node.children().for_each(|n| self.decl(n)),
            "FunctionDecl" | "CXXMethodDecl" | "CXXConstructorDecl" | "CXXDestructorDecl"
            | "CXXConversionDecl" => self.function(node),
            "FunctionTemplateDecl" => self.function_template(node),
            "FriendDecl" => self.friend(node),
            "ClassTemplateDecl" => self.class_template(node),
            "ClassTemplatePartialSpecializationDecl" => self.partial_specialization(node),
            "RecordDecl" | "CXXRecordDecl" => self.record(node, &node.name),
            "ClassTemplateSpecializationDecl" => match self.explicit.remove(&node.id) {
                Some(instance) if is_asked_for(node) => self.explicit_instance(node, instance),
                _ => self.specialization(node),
            },
            "TypedefDecl" | "TypeAliasDecl" => self.typedef(node),
            "EnumDecl" => self.enumeration(node),
            "TypeAliasTemplateDecl" => {
                self.types.library.hidden.insert(node.name.to_string());
                if let Some(alias) = node.children().find(|n| &*n.kind == "TypeAliasDecl") {
                    let params = Param::all(node).into_iter().map(|param| param.declared().name).collect();
                    self.types.declare_alias(&node.name, params, &alias.ty.qual_type);
                }
            }
            "VarTemplateDecl" => self.variable_template(node),
            "VarDecl" => {
                let var = self.global(node);
                self.spell_constant(&node.name, &var);
                self.program.globals.push(var);
            }
            _ => {}
        }
    }

    /// A class of the standard library, whose members have other names there.
    pub fn library_decl(&mut self, node: &Node<'_>) {
        let known = self.program.records.len();
        self.within("std".into(), std::slice::from_ref(node));
        let fields = self.program.records[known..].iter_mut().flat_map(|record| &mut record.fields);
        fields.for_each(|field| field.access = Access::Nobody);
    }

    /// A function that a class defines as its friend stands in the scope around the class.
    fn friend(&mut self, node: &Node<'_>) {
        let class = self.scope.pop();
        let functions =
            node.children().filter(|n| matches!(&*n.kind, "FunctionDecl" | "FunctionTemplateDecl"));
        functions.for_each(|n| self.decl(n));
        self.scope.extend(class);
    }

    fn within(&mut self, name: String, nodes: &[Node<'_>]) {
        self.scope.push(name);
        nodes.iter().filter(|n| !n.is_absent()).for_each(|n| self.decl(n));
        self.scope.pop();
    }

    pub(super) fn qualified(&self, name: &str) -> String {
        self.scope.iter().map(String::as_str).chain([name]).collect::<Vec<_>>().join("::")
    }

    /// The id all redeclarations share.
    pub(super) fn id(&self, id: NodeId) -> DeclId {
        DeclId(self.first.get(&id).unwrap_or(&id).0)
    }

    fn declare_id(&mut self, node: &Node<'_>) -> DeclId {
        if let Some(previous) = node.previous_decl {
            let first = *self.first.get(&previous).unwrap_or(&previous);
            self.first.insert(node.id, first);
        }
        self.id(node.id)
    }

    pub(super) fn span(&self, node: &Node<'_>) -> Span {
        match (node.range.begin.offset(), node.range.end.end()) {
            (Some(start), Some(end)) if start <= end => Span::new(self.file, start, end),
            _ => Span::NOWHERE,
        }
    }

    fn name_span(&self, node: &Node<'_>) -> Span {
        match (node.loc.offset(), node.loc.end()) {
            (Some(start), Some(end)) => Span::new(self.file, start, end),
            _ => Span::NOWHERE,
        }
    }

    fn typedef(&mut self, node: &Node<'_>) {
        let ty = match named_decl(node) {
            Some(id) if self.record_names.contains_key(&id) => Qual::new(Ty::Record(self.id(id))),
            Some(id) if self.enum_types.contains_key(&id) => self.enum_types[&id].clone(),
            _ => self.types.read(node.ty.text()),
        };
        let name = self.qualified(&node.name);
        if let Ty::Record(id) = &*ty.ty {
            self.name_record(*id, &name);
        }
        self.types.declare(&name, ty);
        self.types.declare_spelling(&node.name, node.ty.text());
        if !self.scope.is_empty() {
            self.types.declare_spelling(&name, node.ty.text());
        }
    }

    /// A nameless structure is called by its typedef.
    fn name_record(&mut self, id: DeclId, name: &str) {
        let record = self.program.records.iter_mut().rev().find(|r| r.id == id);
        if let Some(record) = record.filter(|r| r.nameless) {
            record.name = name.into();
            record.nameless = false;
        }
    }

    fn enumeration(&mut self, node: &Node<'_>) {
        let mut next = 0;
        let mut negative = false;
        let constants = node.inner.iter().filter(|n| &*n.kind == "EnumConstantDecl");
        let full = self.qualified(&node.name);
        let around = if node.scoped_enum_tag.is_empty() {
            full.rsplit_once("::").map_or("", |(s, _)| s)
        } else {
            &full
        };
        let around = if around.is_empty() { String::new() } else { format!("{around}::") };
        for constant in constants {
            let value = constant.children().find_map(constant_value).unwrap_or(next);
            next = value + 1;
            negative |= value < 0;
            self.program.enumerators.insert(DeclId(constant.id.0), value);
            self.program.enumerator_names.insert(constant.name.to_string(), value);
            let spelling = format!("{around}{}", &*constant.name);
            self.types.declare_enumerator(&full, value, &spelling);
            self.enumerators.entry((full.clone(), value)).or_insert(spelling);
        }
        let ty = match node.fixed_underlying_type.text() {
            "" => Qual::new(Ty::Int { bits: 32, signed: negative }),
            text => self.types.read(text),
        };
        self.enum_types.insert(node.id, ty.clone());
        let name = self.tag_name(node, &node.name);
        // The dump has one kind of node for C's and C++'s: in C a typedef may have the name already.
        let plain = node.name.is_empty() || !self.types.knows(&name);
        self.types.declare_tag(&name, ty, plain);
    }

    /// The name that types use: qualified, or the position of a nameless one.
    fn tag_name(&self, node: &Node<'_>, name: &str) -> String {
        match node.loc.offset() {
            Some(offset) if name.is_empty() => self.lines.locate(offset).to_string(),
            _ => self.qualified(name),
        }
    }

    pub(super) fn global(&mut self, node: &Node<'_>) -> Var {
        let mut var = self.var(node);
        // A member of a class may be defined outside of it.
        let class = node.parent_decl_context_id.and_then(|parent| self.record_names.get(&parent));
        var.name = match class {
            Some(class) => format!("{class}::{}", &*node.name),
            None => self.qualified(&node.name),
        };
        var.storage = match &*node.storage_class {
            "extern" if var.init.is_none() => Storage::Extern,
            _ => Storage::Static,
        };
        // A constant of C++ belongs to its file.
        let is_file_s =
            self.is_cplusplus && var.ty.constant && var.storage == Storage::Static && class.is_none();
        var.link_name = self.link_name(node, var.id).filter(|_| !is_file_s && node.tls.is_empty());
        if !node.tls.is_empty() {
            self.program.of_threads.insert(var.id);
        }
        var
    }

    pub(super) fn var(&mut self, node: &Node<'_>) -> Var {
        let init = node.children().find(|n| is_expr(n)).map(|n| self.expr(n));
        self.types.note_typeof(&node.ty);
        let mut ty = self.types.read(node.ty.text());
        ty.constant |= node.constexpr;
        if let (true, Ty::Int { .. }, Some(value)) = (ty.constant, &*ty.ty, init.as_ref().and_then(fold)) {
            self.types.declare_constant(&node.name, value);
        }
        let is_param = &*node.kind == "ParmVarDecl";
        let adjusted = is_param && matches!(&*ty.ty, Ty::Pointer { .. });
        Var {
            extent: if adjusted { self.declared_extent(node) } else { None },
            id: self.declare_id(node),
            name: node.name.to_string(),
            ty,
            type_text: node.ty.qual_type.0.as_ref().into(),
            span: self.name_span(node),
            decl_span: self.span(node),
            storage: if is_param { Storage::Param } else { Storage::Auto },
            init,
            link_name: None,
        }
    }

    /// What the linker calls a function or variable that other files can name, and that only one file defines.
    pub(super) fn link_name(&mut self, node: &Node<'_>, id: DeclId) -> Option<Rc<str>> {
        if &*node.storage_class == "static"
            && node.parent_decl_context_id.is_none()
            && self.enclosing.is_empty()
        {
            self.internal.insert(id);
        }
        let nameless = self.scope.iter().any(|scope| scope.starts_with("(anonymous"));
        // Which definition of a weak name a program has its linker decides.
        let is_weak = node.children().any(|n| &*n.kind == "WeakAttr");
        let is_external =
            !nameless && !is_weak && !self.internal.contains(&id) && !node.mangled_name.is_empty();
        is_external.then(|| Rc::from(&*node.mangled_name))
    }

    /// The outermost extent of a parameter written as an array. Clang's dump has only the pointer that such a
    /// parameter becomes, so its declaration is read as it stands, without the name.
    fn declared_extent(&mut self, node: &Node<'_>) -> Option<Len> {
        let (whole, name) = (self.span(node), self.name_span(node));
        let before = self.buffer.get(whole.start as usize..name.start as usize)?;
        let after = match name.end <= whole.end {
            true => self.buffer.get(name.end as usize..whole.end as usize)?,
            false => "",
        };
        if node.name.is_empty() || before.contains('#') || after.contains('#') {
            return None;
        }
        let (mut before, mut after) = (before.trim_end(), after.trim_start());
        while let (Some(left), Some(right)) = (before.strip_suffix('('), after.strip_prefix(')')) {
            (before, after) = (left.trim_end(), right.trim_start());
        }
        match &*self.types.read(&format!("{before} {after}")).ty {
            Ty::Array { len: Len::Unknown, .. } => None,
            Ty::Array { len, .. } => Some(len.clone()),
            _ => None,
        }
    }

    fn record(&mut self, node: &Node<'_>, name: &str) {
        if node.is_implicit {
            return;
        }
        let tag = self.tag_name(node, name);
        if let Some(awaited) = self.types.declares_awaited(&tag) {
            self.take_id(node, awaited);
        }
        let id = self.declare_id(node);
        let plain = &*node.kind != "RecordDecl" || node.name.is_empty();
        self.types.declare_tag(&tag, Qual::new(Ty::Record(id)), plain);
        if !node.complete_definition {
            self.program.incomplete.insert(id, tag.into());
            return;
        }
        self.record_names.insert(node.id, tag.as_str().into());
        // In C what a structure declares belongs to the scope around it.
        let scoped = &*node.kind != "RecordDecl";
        if scoped {
            self.scope.push(name.to_owned());
        }
        if self.enclosing.is_empty() {
            self.outermost = self.span(node);
        }
        self.enclosing.push(node.id);
        let nested = [
            "RecordDecl",
            "CXXRecordDecl",
            "EnumDecl",
            "TypedefDecl",
            "TypeAliasDecl",
            "TypeAliasTemplateDecl",
        ];
        node.children().filter(|n| nested.contains(&&*n.kind)).for_each(|n| self.decl(n));
        let (mut fields, mut access) = (vec![], access_named(&node.tag_used));
        for inner in node.children() {
            match &*inner.kind {
                "AccessSpecDecl" => access = access_named(&inner.access),
                "FieldDecl" => fields.push(self.field(inner, access)),
                "VarDecl" if access != Access::Public => {
                    self.program.not_public.insert(self.id(inner.id));
                }
                _ => {}
            }
        }
        let record = Record {
            id,
            name: tag.into(),
            nameless: node.name.is_empty(),
            is_union: &*node.tag_used == "union",
            fields,
            bit_fields: vec![],
            bases: node.bases.iter().map(|b| self.types.read(b.ty.text())).collect(),
            packed: node.children().any(|n| &*n.kind == "PackedAttr"),
            align: alignment(node),
            is_pod: node.definition_data.is_pod || &*node.kind == "RecordDecl",
            is_polymorphic: node.definition_data.is_polymorphic,
            has_virtual_bases: node.bases.iter().any(|b| b.is_virtual),
            library: None,
        };
        self.program.records.push(record);
        let rest = node.children().filter(|n| !nested.contains(&&*n.kind) && &*n.kind != "FieldDecl");
        rest.for_each(|n| self.decl(n));
        self.enclosing.pop();
        if scoped {
            self.scope.pop();
        }
    }

    /// The class gets the id under which it was named before. Its specialised members may have come before it, too.
    fn take_id(&mut self, class: &Node<'_>, awaited: DeclId) {
        let own = self.id(class.id);
        self.first.insert(class.id, NodeId(awaited.0));
        let members = self.members.remove(&own).unwrap_or_default();
        for at in &members {
            if let FunctionKind::Method { record, .. } | FunctionKind::Constructor { record, .. } =
                &mut self.program.functions[*at].kind
            {
                *record = awaited;
            }
        }
        self.members.entry(awaited).or_default().extend(members);
    }

    fn field(&mut self, node: &Node<'_>, access: Access) -> Field {
        let value = node.children().find(|n| is_expr(n)).map(|n| self.expr(n));
        let (width, init) = match node.is_bitfield {
            true => (value.and_then(|e| crate::clang::fold(&e)).and_then(|n| u64::try_from(n).ok()), None),
            false => (None, value),
        };
        Field {
            id: DeclId(node.id.0),
            name: node.name.to_string(),
            ty: self.types.read(node.ty.text()),
            // A width that is not known is none that a type has.
            bitfield: node.is_bitfield.then(|| width.unwrap_or(u64::MAX)),
            access,
            align: alignment(node),
            init,
        }
    }

    fn function(&mut self, node: &Node<'_>) {
        let parent = node.parent_decl_context_id;
        if parent.is_some_and(|p| self.patterns.contains(&p)) {
            return self.template(node);
        }
        let outside = parent.and_then(|p| self.record_names.get(&p).cloned());
        let name = match &outside {
            Some(record) => format!("{record}::{}", &*node.name),
            None => self.qualified(&node.name),
        };
        let (id, definition) = (self.declare_id(node), self.span(node));
        // The bodies of lambdas, with the classes in them, are read several times.
        let known = self.functions.get(&id).map(|at| &self.program.functions[*at]);
        if known.is_some_and(|f| f.body.is_some() && f.definition == definition) {
            return;
        }
        let params = node.children().filter(|n| &*n.kind == "ParmVarDecl");
        let params: Vec<Var> = params.map(|n| self.var(n)).collect();
        let kind = self.function_kind(node, parent);
        let link_name = self.link_name(node, id);
        let body = node.inner.iter().rfind(|n| matches!(&*n.kind, "CompoundStmt" | "CXXTryStmt"));
        let body = body.map(|n| self.scoped(|this| this.stmt(n)));
        let at = self.program.functions.len();
        self.functions.entry(id).or_insert(at);
        if let FunctionKind::Method { record, .. } | FunctionKind::Constructor { record, .. } = &kind {
            self.members.entry(*record).or_default().push(at);
        }
        self.program.functions.push(Function {
            id,
            name,
            span: self.name_span(node),
            definition,
            result: self.types.result(node.ty.text()),
            params,
            body,
            kind,
            is_virtual: node.r#virtual || node.children().any(|n| &*n.kind == "OverrideAttr"),
            instance: self.instance.clone(),
            defaulted: node.is_implicit || !node.explicitly_defaulted.is_empty(),
            signature: node.ty.qual_type.0.as_ref().into(),
            link_name,
        });
    }

    fn function_kind(&mut self, node: &Node<'_>, parent: Option<NodeId>) -> FunctionKind {
        let record = parent.or(self.enclosing.last().copied());
        match (&*node.kind, record) {
            ("CXXMethodDecl" | "CXXConversionDecl" | "CXXDestructorDecl", Some(record)) => {
                // An out-of-line definition does not repeat `static`.
                let first = self.id(node.id);
                let declared = self.functions.get(&first).map(|at| &self.program.functions[*at].kind);
                let is_static = match declared {
                    Some(FunctionKind::Method { is_static, .. }) => *is_static,
                    _ => &*node.storage_class == "static",
                };
                FunctionKind::Method { record: self.id(record), is_static }
            }
            ("CXXConstructorDecl", Some(record)) => {
                let inits = node.inner.iter().filter(|n| &*n.kind == "CXXCtorInitializer");
                let inits = inits.filter_map(|n| self.member_init(n, node)).collect();
                FunctionKind::Constructor { record: self.id(record), inits }
            }
            _ => FunctionKind::Free,
        }
    }
}

pub(super) fn is_value_param(node: &Node<'_>) -> bool {
    &*node.kind == "NonTypeTemplateParmDecl"
}

fn namespace_name(node: &Node<'_>) -> String {
    if node.name.is_empty() { "(anonymous namespace)".into() } else { node.name.to_string() }
}

/// The record or enumeration that a typedef names directly.
fn named_decl(node: &Node<'_>) -> Option<NodeId> {
    let ty = node.children().next()?;
    match &*ty.kind {
        "RecordType" | "EnumType" => ty.decl.as_ref().map(|d| d.id),
        "ElaboratedType" | "TypedefType" => named_decl(ty),
        _ => None,
    }
}

/// The class is an instance that the program asks for by name: what it consists of is written elsewhere, in the template.
fn is_asked_for(node: &Node<'_>) -> bool {
    let own = node.range.begin.offset().zip(node.range.end.end());
    class_name_at(node).zip(own).is_some_and(|(name, (start, end))| name < start || name >= end)
}

/// Where the name of the class stands in the text that its members are from.
fn class_name_at(node: &Node<'_>) -> Option<u32> {
    node.children().find(|n| &*n.kind == "CXXRecordDecl").and_then(|n| n.loc.offset())
}

/// The access that a specifier names, or that members have first in a class, a structure or a union.
fn access_named(word: &str) -> Access {
    match word {
        "private" | "class" => Access::Private,
        "protected" => Access::Protected,
        _ => Access::Public,
    }
}

fn alignment(node: &Node<'_>) -> Option<u64> {
    let attributes = node.inner.iter().filter(|n| &*n.kind == "AlignedAttr");
    attributes.filter_map(|n| n.children().find_map(constant_value)).filter_map(|v| v.try_into().ok()).max()
}

/// The value of a constant expression that Clang has evaluated.
pub(super) fn constant_value(node: &Node<'_>) -> Option<i128> {
    match (&*node.kind, &node.value) {
        ("ConstantExpr" | "IntegerLiteral", Some(Value::Text(text))) => match &**text {
            "true" => Some(1),
            "false" => Some(0),
            number => number.parse().ok(),
        },
        ("CharacterLiteral" | "ConstantExpr", Some(Value::Int(value))) => Some(*value),
        ("CXXBoolLiteralExpr", Some(Value::Bool(value))) => Some((*value).into()),
        _ => node.children().find_map(constant_value).filter(|_| node.inner.len() == 1 && is_wrapper(node)),
    }
}

fn is_wrapper(node: &Node<'_>) -> bool {
    matches!(&*node.kind, "ImplicitCastExpr" | "ParenExpr" | "ConstantExpr" | "SubstNonTypeTemplateParmExpr")
}

/// Among a declaration's children: an expression, not an attribute, type or comment.
pub(super) fn is_expr(node: &Node<'_>) -> bool {
    let kind = &*node.kind;
    kind.ends_with("Expr")
        || kind == "ExprWithCleanups"
        || kind.ends_with("Operator")
        || kind.ends_with("Literal")
}
