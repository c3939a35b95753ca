//! The variables that a construct uses, and how: what implicit data clauses are made from.
//!
//! A pointer that is dereferenced is one variable of form [`VariableForm::Pointer`]; its own value is not a use of it. Variables
//! come in the order of their first use.

use crate::access::{self, Access, Accesses};
use crate::addresses;
use crate::affine::{Atom, Definitions, Polys};
use crate::changed::{self, StructMember};
use crate::definitions;
use crate::provenance::{InMemory, Pointers, Provenance, Root};
use crate::text::Scope;
use accl_ir::{
    BinaryOp, Body, DataItem, DataKind, DataVar, Expr, ExprKind, Handle, Local, Module, Region, Type,
    TypeKind, Types, visit,
};
use accl_source::Span;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

/// How a construct uses a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum VariableForm {
    Scalar,
    /// An array or structure, used as an object.
    Aggregate,
    /// A pointer that is dereferenced.
    Pointer,
}

#[derive(Clone, Debug)]
pub struct Variable {
    pub root: Root,
    pub form: VariableForm,
    /// Of the variable itself.
    pub ty: Handle<Type>,
    pub read: bool,
    pub written: bool,
    /// Indices into [`Accesses::list`].
    pub accesses: Vec<usize>,
    pub span: Span,
}

/// The variables used in a block, without those declared in it.
pub fn variables(
    provenance: &Provenance<'_>,
    accesses: &Accesses,
    needed: &BTreeMap<Root, Span>,
) -> Vec<Variable> {
    let form = |a: &Access| Some(form_of(provenance, a, root_type(provenance, &a.root)?));
    let list = accesses.list.iter();
    let dereferenced: BTreeSet<&Root> =
        list.filter(|a| form(a) == Some(VariableForm::Pointer)).map(|a| &a.root).collect();
    let mut found = Variables::default();
    for (i, a) in accesses.list.iter().enumerate() {
        let Some(ty) = root_type(provenance, &a.root) else { continue };
        let form = form_of(provenance, a, ty);
        // The load of a dereferenced pointer itself is part of the access through it.
        if form == VariableForm::Scalar && is_pointer(provenance.scope.module, ty) && !a.written {
            if !dereferenced.contains(&a.root) {
                let form =
                    if needed.contains_key(&a.root) { VariableForm::Pointer } else { VariableForm::Scalar };
                found.add(a, i, form, ty);
            }
            continue;
        }
        found.add(a, i, form, ty);
    }
    for (root, span) in needed {
        let only = addressed(provenance, &found.list, root, *span);
        found.list.extend(only);
    }
    found.list
}

/// A variable whose address the construct forms and does nothing else with.
fn addressed(provenance: &Provenance<'_>, found: &[Variable], root: &Root, span: Span) -> Option<Variable> {
    let ty = root_type(provenance, root)?;
    let is_object = matches!(
        provenance.scope.module.types.kind(ty),
        TypeKind::Array { .. } | TypeKind::Struct(_) | TypeKind::Pointer { .. }
    );
    let form =
        if is_pointer(provenance.scope.module, ty) { VariableForm::Pointer } else { VariableForm::Aggregate };
    let known = found.iter().any(|v| v.root == *root && v.form == form);
    let root = root.clone();
    (is_object && !known).then_some(Variable {
        root,
        form,
        ty,
        read: false,
        written: false,
        accesses: vec![],
        span,
    })
}

/// Nothing is read or written through the pointer, as far as the code that is visible here tells.
pub fn is_address_only(summary: &Summary<'_>, v: &Variable) -> bool {
    let itself = |i: &usize| is_root_itself(&summary.provenance, &summary.accesses.list[*i]);
    v.form == VariableForm::Pointer && v.accesses.iter().all(itself)
}

/// Variables in the order of their first use.
#[derive(Default)]
struct Variables<'a> {
    list: Vec<Variable>,
    at: HashMap<(&'a Root, VariableForm), usize>,
}

impl<'a> Variables<'a> {
    fn add(&mut self, a: &'a Access, index: usize, form: VariableForm, ty: Handle<Type>) {
        if let Some(known) = self.at.get(&(&a.root, form)) {
            let v = &mut self.list[*known];
            v.read |= a.read;
            v.written |= a.written;
            v.accesses.push(index);
            return;
        }
        self.at.insert((&a.root, form), self.list.len());
        self.list.push(Variable {
            root: a.root.clone(),
            form,
            ty,
            read: a.read,
            written: a.written,
            accesses: vec![index],
            span: a.span,
        });
    }
}

/// The type of the variable a root names; `None` for an unknown one.
pub fn root_type(provenance: &Provenance<'_>, root: &Root) -> Option<Handle<Type>> {
    let scope = provenance.scope;
    match root {
        Root::Local(l) => Some(scope.body.locals[*l].ty),
        Root::Global(g) => Some(scope.module.globals[*g].ty),
        Root::Member(text) => Some(scope.body.exprs[provenance.member_place(text)?].ty),
        Root::Unknown => None,
    }
}

pub fn form_of(provenance: &Provenance<'_>, a: &Access, ty: Handle<Type>) -> VariableForm {
    let types = &provenance.scope.module.types;
    match types.kind(ty) {
        TypeKind::Array { .. } | TypeKind::Struct(_) => VariableForm::Aggregate,
        TypeKind::Pointer { .. } if a.whole || !is_root_itself(provenance, a) => VariableForm::Pointer,
        _ => VariableForm::Scalar,
    }
}

/// The access is to the variable's own object, not to what it points to.
fn is_root_itself(provenance: &Provenance<'_>, a: &Access) -> bool {
    match (&a.root, &provenance.scope.body.exprs[a.place].kind) {
        (Root::Local(l), ExprKind::Local(m)) => l == m,
        (Root::Global(g), ExprKind::Global(h)) => g == h,
        (Root::Member(text), ExprKind::Member { .. } | ExprKind::Deref(_)) => {
            provenance.member_text(a.place).as_ref() == Some(text)
        }
        _ => false,
    }
}

fn is_pointer(module: &Module, ty: Handle<Type>) -> bool {
    matches!(module.types.kind(ty), TypeKind::Pointer { .. })
}

/// The variable that a data item names.
pub fn item_root(module: &Module, body: &Body, item: &DataItem) -> Root {
    match &item.var {
        DataVar::Local(l) => Root::Local(*l),
        DataVar::Global(g) => Root::Global(*g),
        DataVar::Member(e) => path_root(module, body, strip_load(body, *e)),
    }
}

/// Which members count as variables of their own depends on the item: it may name a member, or the object that has
/// the members.
pub fn names_members(types: &Types, item: &DataItem) -> bool {
    let mut object = item.ty;
    while let Some(inner) = types.element(object) {
        object = inner;
    }
    matches!(item.var, DataVar::Member(_)) || !types.is_scalar(object)
}

/// The innermost item that says which part of a variable is on the device.
pub fn item_of<'i>(
    module: &Module,
    body: &Body,
    items: impl DoubleEndedIterator<Item = &'i DataItem>,
    root: &Root,
) -> Option<&'i DataItem> {
    let attaches = |i: &DataItem| matches!(i.kind, DataKind::Attach | DataKind::Detach);
    items.rev().find(|i| !attaches(i) && item_root(module, body, i) == *root)
}

/// A reference to an array or structure counts as the pointer that implements it.
fn path_root(module: &Module, body: &Body, place: Handle<Expr>) -> Root {
    if let (ExprKind::Deref(p), false) =
        (&body.exprs[place].kind, module.types.is_scalar(body.exprs[place].ty))
        && let ExprKind::Load(local) = body.exprs[*p].kind
        && let ExprKind::Local(l) = body.exprs[local].kind
    {
        return Root::Local(l);
    }
    match crate::text::Scope::new(module, body).text(place) {
        Some(text) => Root::Member(text),
        None => Root::Unknown,
    }
}

fn strip_load(body: &Body, e: Handle<Expr>) -> Handle<Expr> {
    match body.exprs[e].kind {
        ExprKind::Load(place) => place,
        _ => e,
    }
}

/// What a construct accesses, and how.
pub struct Summary<'a> {
    pub provenance: Provenance<'a>,
    pub accesses: Arc<Accesses>,
    pub variables: Arc<Vec<Variable>>,
    /// Locals of the construct that stand for one value.
    pub definitions: Arc<Definitions>,
    /// What a clause makes private somewhere. Inside the clause's reach it has a value that the host does not know.
    private: Arc<BTreeSet<Handle<Local>>>,
    /// What may have another value on the device than on the host.
    of_device: BTreeSet<Root>,
    changed_members: Arc<BTreeSet<StructMember>>,
}

/// A summary that does not borrow the module it describes.
#[derive(Clone, Debug)]
pub(crate) struct Facts {
    pointers: Arc<Pointers>,
    accesses: Arc<Accesses>,
    variables: Arc<Vec<Variable>>,
    definitions: Arc<Definitions>,
    private: Arc<BTreeSet<Handle<Local>>>,
}

impl<'a> Summary<'a> {
    pub(crate) fn new(
        module: &'a Module,
        body: &'a Body,
        region: &Region,
        around: &Surroundings,
        facts: Facts,
    ) -> Self {
        let Facts { pointers, accesses, variables, definitions, private } = facts;
        let provenance = Provenance { scope: Scope::new(module, body), pointers };
        let of_device = of_device(module, body, region, around);
        let changed_members = around.changed_members.clone();
        Summary { provenance, accesses, variables, definitions, private, of_device, changed_members }
    }

    /// The construct, and the functions that it hands the variable's address to, only read the variable.
    pub fn is_only_read(&self, local: Handle<Local>) -> bool {
        let of = |root: Root| self.accesses.list.iter().filter(move |access| access.root == root);
        of(Root::Local(local)).next().is_some()
            && [Root::Local(local), Root::Unknown].into_iter().flat_map(of).all(|access| !access.written)
    }

    pub(crate) fn facts(&self) -> Facts {
        Facts {
            pointers: self.provenance.pointers.clone(),
            accesses: self.accesses.clone(),
            variables: self.variables.clone(),
            definitions: self.definitions.clone(),
            private: self.private.clone(),
        }
    }

    pub fn polys(&self) -> Polys<'a> {
        Polys::new(self.provenance.scope, (*self.definitions).clone())
    }

    /// The atom keeps its value throughout the construct, and the host knows it.
    pub fn is_fixed(&self, atom: Atom) -> bool {
        let differs = match atom {
            Atom::Local(l) => self.of_device.contains(&Root::Local(l)),
            Atom::Global(g) => self.of_device.contains(&Root::Global(g)),
            Atom::Opaque(e) => self.reads_of_device(e),
        };
        !differs && self.is_invariant(atom)
    }

    /// The value on the device may be another one than the host's.
    fn reads_of_device(&self, e: Handle<Expr>) -> bool {
        let Scope { module, body } = self.provenance.scope;
        let mut found = false;
        visit::for_each_operand(&body.exprs, e, &mut |e| {
            found |= match body.exprs[e].kind {
                ExprKind::Local(l) => self.of_device.contains(&Root::Local(l)),
                ExprKind::Global(g) => self.of_device.contains(&Root::Global(g)),
                ExprKind::Member { .. } => changed::member(&module.types, body, e)
                    .is_some_and(|member| self.changed_members.contains(&member)),
                _ => false,
            }
        });
        found
    }

    /// The atom keeps its value throughout the construct.
    pub fn is_invariant(&self, atom: Atom) -> bool {
        match atom {
            Atom::Local(l) if self.provenance.is_inner(l) || self.private.contains(&l) => false,
            Atom::Local(l) => self.keeps_value(&Root::Local(l)),
            Atom::Global(g) => self.keeps_value(&Root::Global(g)),
            Atom::Opaque(e) => self.is_invariant_value(e),
        }
    }

    /// The same of an integer expression. Where it divides, the divisor is a positive constant, so that the host can
    /// evaluate it even if the program would not.
    fn is_invariant_value(&self, e: Handle<Expr>) -> bool {
        let Scope { module, body } = self.provenance.scope;
        let operands = || body.exprs[e].kind.operands().into_iter().all(|o| self.is_invariant_value(o));
        if !module.types.is_integer(body.exprs[e].ty) {
            return false;
        }
        match body.exprs[e].kind {
            ExprKind::Int(_) => true,
            ExprKind::Load(place) => match body.exprs[place].kind {
                ExprKind::Local(l) => self.is_invariant(Atom::Local(l)),
                ExprKind::Global(g) => self.is_invariant(Atom::Global(g)),
                _ => self.member_value(e).is_some_and(|root| self.keeps_value(&root)),
            },
            ExprKind::Binary { op: BinaryOp::Div | BinaryOp::Rem, right, .. } => {
                body.const_int(&module.types, right).is_some_and(|n| n > 0) && operands()
            }
            ExprKind::Unary { .. }
            | ExprKind::Binary { .. }
            | ExprKind::Cast(_)
            | ExprKind::Select { .. } => operands(),
            ExprKind::Float(_)
            | ExprKind::Local(_)
            | ExprKind::Global(_)
            | ExprKind::Deref(_)
            | ExprKind::Index { .. }
            | ExprKind::Member { .. }
            | ExprKind::AddrOf(_)
            | ExprKind::Decay(_)
            | ExprKind::Math { .. }
            | ExprKind::Call { .. }
            | ExprKind::Checked { .. }
            | ExprKind::Builtin(_) => false,
        }
    }

    /// No loop counts in the variable, and nothing in the construct writes it.
    fn keeps_value(&self, root: &Root) -> bool {
        let is_loop_variable = self.accesses.loops.iter().any(|l| Root::Local(l.var) == *root);
        let is_written = |v: &Variable| v.root == *root && v.form == VariableForm::Scalar && v.written;
        !is_loop_variable && !self.variables.iter().any(is_written)
    }

    /// The scalar member that an expression reads.
    fn member_value(&self, e: Handle<Expr>) -> Option<Root> {
        match self.provenance.scope.body.exprs[e].kind {
            ExprKind::Load(place) => {
                let root = Root::Member(self.provenance.member_text(place)?);
                self.variables
                    .iter()
                    .any(|v| v.root == root && v.form == VariableForm::Scalar)
                    .then_some(root)
            }
            _ => None,
        }
    }
}

/// What the code around a construct says of its variables.
#[derive(Default)]
pub struct Surroundings {
    /// The items of the enclosing data constructs and of `declare` directives, innermost last.
    pub visible: Vec<DataItem>,
    /// What constructs of the function, or of the file where it is a variable of the file, change. Where a data clause
    /// names it, its value on the device may differ from the host's.
    pub changed: BTreeSet<Root>,
    /// The members that constructs of the file change.
    pub changed_members: Arc<BTreeSet<StructMember>>,
    /// Those of them that are pointers, which constructs take from the device's memory ([`changed::pointers`]).
    pub changed_pointers: Arc<BTreeSet<StructMember>>,
}

/// Accesses and variables of a compute construct.
pub fn of_region<'a>(
    module: &'a Module,
    body: &'a Body,
    region: &Region,
    around: &Surroundings,
) -> Summary<'a> {
    let items = around.visible.iter().chain(&region.clauses.data).filter(|i| names_members(&module.types, i));
    let mut named: BTreeSet<Root> = items.map(|i| item_root(module, body, i)).collect();
    loop {
        let summary = summarise(module, body, region, around, &named);
        let whole = structures_used_as_such(&summary);
        if whole.is_subset(&named) {
            return summary;
        }
        named.extend(whole);
    }
}

fn summarise<'a>(
    module: &'a Module,
    body: &'a Body,
    region: &Region,
    around: &Surroundings,
    named: &BTreeSet<Root>,
) -> Summary<'a> {
    let in_memory = InMemory {
        members: around.changed_pointers.clone(),
        private: region.clauses.private.iter().chain(&region.clauses.firstprivate).copied().collect(),
    };
    let provenance = Provenance::of_construct(module, body, &region.body, named.clone(), in_memory);
    let accesses = access::accesses(&provenance, &region.body, &region.clauses.private);
    let needed = addresses::needed(&provenance, &region.body, &accesses);
    let variables = variables(&provenance, &accesses, &needed);
    let definitions = definitions::of_construct(&provenance, &region.body);
    let of_loops = accesses.loops.iter().flat_map(|l| &l.private);
    let private = of_loops.chain(&region.clauses.private).copied().collect();
    Summary {
        provenance,
        accesses: Arc::new(accesses),
        variables: Arc::new(variables),
        definitions: Arc::new(definitions),
        private: Arc::new(private),
        of_device: of_device(module, body, region, around),
        changed_members: around.changed_members.clone(),
    }
}

fn of_device(module: &Module, body: &Body, region: &Region, around: &Surroundings) -> BTreeSet<Root> {
    let items = around.visible.iter().chain(&region.clauses.data).map(|item| item_root(module, body, item));
    items.filter(|root| around.changed.contains(root)).collect()
}

/// Structures of which the construct uses more than scalar members. The device's copy then includes the members
/// too.
fn structures_used_as_such(summary: &Summary<'_>) -> BTreeSet<Root> {
    let scalars = summary.variables.iter().filter(|v| v.form == VariableForm::Scalar);
    let starts = scalars.filter_map(|v| match &v.root {
        Root::Member(text) => summary.provenance.path_variable(summary.provenance.member_place(text)?),
        _ => None,
    });
    starts
        .filter(|start| summary.variables.iter().any(|v| v.root == *start && v.form != VariableForm::Scalar))
        .collect()
}
