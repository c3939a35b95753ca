//! Which variable a memory access goes back to.
//!
//! `a[i]`, `*(p + 3)`, `row[j]` after `double *row = a + i * m`, `grid->cells[k]`: each ends at a variable that a
//! data clause could name, the access's [`Root`]. Pointers declared inside the construct are traced through
//! all of their assignments; the result may then be several roots.
//!
//! Invariant: an access whose root cannot be told has [`Root::Unknown`], never a guessed one.

use crate::changed::{self, StructMember};
use crate::effects;
use crate::indirect::{has_pointers, may_have_pointers};
use crate::text::source_name;
use crate::text::{Scope, is_reference, is_reference_member};
use accl_ir::{
    Access, BinaryOp, Block, Body, Expr, ExprKind, Global, Handle, Local, Module, Stmt, TypeKind, visit,
};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// A variable that a data clause could name.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Root {
    Local(Handle<Local>),
    Global(Handle<Global>),
    /// A pointer or array member reached without subscripts (`p->x`, `s.a`), by its text.
    Member(String),
    /// A pointer that comes from a call, from memory, or out of an integer.
    Unknown,
}

/// Resolves accesses inside one construct.
pub struct Provenance<'a> {
    pub scope: Scope<'a>,
    pub(crate) pointers: Arc<Pointers>,
}

/// What is known about the pointers of a construct.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pointers {
    /// Declared inside the construct: no root, but traced.
    inner: BTreeSet<Handle<Local>>,
    /// What a pointer declared inside may point into; of a structure or an array, any pointer in it.
    targets: BTreeMap<Handle<Local>, BTreeSet<Root>>,
    /// The names in visible data clauses: member paths, and structures that are on the device as a whole.
    named: BTreeSet<Root>,
    /// The place expression that first named a member root.
    member_places: BTreeMap<String, Handle<Expr>>,
    in_memory: InMemory,
}

/// Pointers in structures that kernels change. They are no variables of their own, since only the device's memory tells where they lead.
#[derive(Clone, Debug, Default)]
pub(crate) struct InMemory {
    pub members: Arc<BTreeSet<StructMember>>,
    /// Structures of which the construct has its own copies.
    pub private: BTreeSet<Handle<Local>>,
}

impl<'a> Provenance<'a> {
    /// `named`: the variables that visible data clauses name.
    pub fn new(module: &'a Module, body: &'a Body, block: &Block, named: BTreeSet<Root>) -> Self {
        Provenance::of_construct(module, body, block, named, InMemory::default())
    }

    pub(crate) fn of_construct(
        module: &'a Module,
        body: &'a Body,
        block: &Block,
        named: BTreeSet<Root>,
        in_memory: InMemory,
    ) -> Self {
        let inner = visit::declared_locals(block);
        let pointers = Pointers { inner, named, in_memory, ..Pointers::default() };
        let mut this = Provenance { scope: Scope::new(module, body), pointers: Arc::new(pointers) };
        this.find_member_places(block);
        this.trace_pointers(block);
        this
    }

    pub fn is_inner(&self, l: Handle<Local>) -> bool {
        self.pointers.inner.contains(&l)
    }

    /// A variable that the construct declares has a name that occurs in the text.
    pub fn hides_name_in(&self, text: &str) -> bool {
        let is_name = |c: char| c.is_alphanumeric() || c == '_';
        let words: BTreeSet<&str> = text.split(|c| !is_name(c)).filter(|word| !word.is_empty()).collect();
        self.pointers.inner.iter().any(|l| words.contains(source_name(self.scope.body, *l).as_str()))
    }

    /// The place expression of a member root.
    pub fn member_place(&self, text: &str) -> Option<Handle<Expr>> {
        self.pointers.member_places.get(text).copied()
    }

    /// The variables whose storage the place may lie in.
    pub fn place_roots(&self, place: Handle<Expr>) -> BTreeSet<Root> {
        match &self.kind(place) {
            ExprKind::Local(l) => BTreeSet::from([Root::Local(*l)]),
            ExprKind::Global(g) => BTreeSet::from([Root::Global(*g)]),
            ExprKind::Deref(pointer) => match self.member_text(place) {
                Some(text) if self.is_own_root(place, &text) => BTreeSet::from([Root::Member(text)]),
                _ => self.pointer_roots(*pointer),
            },
            ExprKind::Index { base, .. } => self.base_roots(*base),
            ExprKind::Member { base, .. } => match self.member_text(place) {
                Some(text) if self.is_own_root(place, &text) => BTreeSet::from([Root::Member(text)]),
                _ => self.place_roots(*base),
            },
            _ => BTreeSet::from([Root::Unknown]),
        }
    }

    /// A member is a variable of its own where a clause names it, and a scalar member where no clause puts the
    /// structure it belongs to on the device.
    fn is_own_root(&self, place: Handle<Expr>, text: &str) -> bool {
        let types = &self.scope.module.types;
        let is_scalar = types.is_scalar(self.scope.body.exprs[place].ty);
        self.pointers.named.contains(&Root::Member(text.to_owned()))
            || is_scalar
                && self.path_variable(place).is_some_and(|v| !self.pointers.named.contains(&v))
                && !self.is_part_of_named(place)
    }

    /// A clause names a structure that the member is a part of, itself a member: `copyin(t.s)` and `t.s.a`.
    fn is_part_of_named(&self, place: Handle<Expr>) -> bool {
        let ExprKind::Member { base, .. } = self.kind(place) else { return false };
        let named = |text| self.pointers.named.contains(&Root::Member(text));
        self.member_text(base).is_some_and(named) || self.is_part_of_named(base)
    }

    /// The variable at which a member path begins.
    pub fn path_variable(&self, place: Handle<Expr>) -> Option<Root> {
        match self.kind(place) {
            ExprKind::Local(l) => Some(Root::Local(l)),
            ExprKind::Global(g) => Some(Root::Global(g)),
            ExprKind::Member { base, .. } | ExprKind::Deref(base) | ExprKind::Load(base) => {
                self.path_variable(base)
            }
            _ => None,
        }
    }

    fn base_roots(&self, base: Handle<Expr>) -> BTreeSet<Root> {
        match self.scope.module.types.kind(self.scope.body.exprs[base].ty) {
            TypeKind::Array { .. } => self.place_roots(base),
            _ => self.pointer_roots(base),
        }
    }

    /// The variables that a pointer value may point into. For a pointer variable that is the variable itself.
    pub fn pointer_roots(&self, value: Handle<Expr>) -> BTreeSet<Root> {
        match &self.kind(value) {
            ExprKind::Load(place) => self.loaded_pointer_roots(*place),
            ExprKind::Decay(place) | ExprKind::AddrOf(place) => self.place_roots(*place),
            ExprKind::Cast(inner) => self.pointer_roots(*inner),
            ExprKind::Binary { op: BinaryOp::Add | BinaryOp::Sub, left, right } => {
                let side = if self.is_pointer(*left) { left } else { right };
                self.pointer_roots(*side)
            }
            ExprKind::Select { yes, no, .. } => {
                let mut roots = self.pointer_roots(*yes);
                roots.extend(self.pointer_roots(*no));
                roots
            }
            ExprKind::Int(_) => BTreeSet::new(),
            ExprKind::Call { args, .. } => self.returned_roots(args),
            _ => BTreeSet::from([Root::Unknown]),
        }
    }

    /// A function returns one of its arguments, or something else.
    fn returned_roots(&self, args: &[Handle<Expr>]) -> BTreeSet<Root> {
        let mut roots: BTreeSet<Root> = args.iter().flat_map(|a| self.reached_roots(*a)).collect();
        roots.insert(Root::Unknown);
        roots
    }

    /// The variables that the pointers in a value may point into: of a pointer, or of a structure that holds some.
    pub fn value_roots(&self, value: Handle<Expr>) -> BTreeSet<Root> {
        let ty = self.scope.body.exprs[value].ty;
        if !matches!(self.scope.module.types.kind(ty), TypeKind::Struct(_) | TypeKind::Array { .. }) {
            return self.pointer_roots(value);
        }
        if !has_pointers(&self.scope.module.types, ty) {
            return BTreeSet::new();
        }
        match self.kind(value) {
            ExprKind::Load(place) => self.held_roots(place),
            ExprKind::Select { yes, no, .. } => {
                let mut roots = self.value_roots(yes);
                roots.extend(self.value_roots(no));
                roots
            }
            ExprKind::Call { args, .. } => self.returned_roots(&args),
            _ => BTreeSet::from([Root::Unknown]),
        }
    }

    /// The same, and what the pointers stored there point into: everything that a function may access that is given
    /// the value.
    pub fn reached_roots(&self, value: Handle<Expr>) -> BTreeSet<Root> {
        let types = &self.scope.module.types;
        if !has_pointers(types, self.scope.body.exprs[value].ty) {
            return BTreeSet::new();
        }
        let mut reached = BTreeSet::new();
        let mut next: Vec<Root> = self.value_roots(value).into_iter().collect();
        while let Some(root) = next.pop() {
            if let Root::Local(l) = root
                && let Some(after) = self.pointers.targets.get(&l)
            {
                next.extend(after.difference(&reached).cloned());
            }
            reached.insert(root);
        }
        reached
    }

    /// What the pointers in a place may point into, where it is no variable that a clause could name.
    fn held_roots(&self, place: Handle<Expr>) -> BTreeSet<Root> {
        let ty = self.scope.body.exprs[place].ty;
        let is_target = matches!(self.kind(place), ExprKind::Deref(_) | ExprKind::Index { .. });
        let held = |root: Root| match root {
            Root::Local(l) if self.pointers.inner.contains(&l) => {
                self.pointers.targets.get(&l).cloned().unwrap_or_default()
            }
            // It may be the variable itself, reached by its address.
            root if is_target && crate::data::root_type(self, &root) == Some(ty) => {
                BTreeSet::from([root, Root::Unknown])
            }
            _ => BTreeSet::from([Root::Unknown]),
        };
        self.place_roots(place).into_iter().flat_map(held).collect()
    }

    /// The variables declared inside that a place may lie in, and whether it may lie elsewhere.
    pub fn storage(&self, place: Handle<Expr>) -> (BTreeSet<Handle<Local>>, bool) {
        let mut own = BTreeSet::new();
        let mut outer = false;
        for root in self.place_roots(place) {
            match root {
                Root::Local(l) if self.pointers.inner.contains(&l) => {
                    own.insert(l);
                }
                Root::Local(_) | Root::Global(_) | Root::Member(_) | Root::Unknown => outer = true,
            }
        }
        (own, outer)
    }

    fn loaded_pointer_roots(&self, place: Handle<Expr>) -> BTreeSet<Root> {
        match self.kind(place) {
            ExprKind::Local(l) if self.pointers.inner.contains(&l) => {
                self.pointers.targets.get(&l).cloned().unwrap_or_default()
            }
            ExprKind::Local(l) => BTreeSet::from([Root::Local(l)]),
            ExprKind::Global(g) => BTreeSet::from([Root::Global(g)]),
            ExprKind::Member { .. } | ExprKind::Deref(_) if self.member_text(place).is_some() => {
                self.member_text(place).map(Root::Member).into_iter().collect()
            }
            // A pointer that lies in memory.
            _ => self.held_roots(place),
        }
    }

    /// The text of a member path without subscripts, or of a reference, whose start is a variable from outside.
    pub fn member_text(&self, place: Handle<Expr>) -> Option<String> {
        let path = match self.kind(place) {
            ExprKind::Member { .. } => true,
            ExprKind::Deref(_) => is_reference(self.scope.module, self.scope.body, place),
            _ => false,
        };
        (path && self.is_stable_path(place)).then(|| self.scope.text(place))?
    }

    /// The place is the whole of a root that a path leads to.
    pub fn is_path_root(&self, place: Handle<Expr>) -> bool {
        self.member_text(place).is_some_and(|text| self.place_roots(place).contains(&Root::Member(text)))
            || self.member_text(place).is_some() && self.is_pointer(place)
    }

    fn is_stable_path(&self, place: Handle<Expr>) -> bool {
        match self.kind(place) {
            ExprKind::Local(l) => !self.pointers.inner.contains(&l),
            ExprKind::Global(_) => true,
            ExprKind::Member { base, .. } => self.is_stable_path(base) && !self.lies_in_memory(place),
            ExprKind::Deref(p) => match self.kind(p) {
                ExprKind::Load(pointer) => self.is_stable_path(pointer),
                _ => false,
            },
            _ => false,
        }
    }

    /// A pointer that kernels change is a variable of its own only where a clause names it and not the structure.
    fn lies_in_memory(&self, place: Handle<Expr>) -> bool {
        let Pointers { in_memory, named, .. } = &*self.pointers;
        let Scope { module, body } = self.scope;
        let is_changed = !in_memory.members.is_empty()
            && changed::member(&module.types, body, place).is_some_and(|m| in_memory.members.contains(&m));
        let Some(variable) = self.path_variable(place).filter(|_| is_changed) else { return false };
        let is_private = matches!(variable, Root::Local(l) if in_memory.private.contains(&l));
        let is_named = || self.scope.text(place).is_some_and(|text| named.contains(&Root::Member(text)));
        !is_private && (named.contains(&variable) || !is_named())
    }

    fn find_member_places(&mut self, block: &Block) {
        let mut found = vec![];
        visit::all_exprs(&self.scope.body.exprs, block, &mut |e| {
            if let ExprKind::Member { .. } | ExprKind::Deref(_) = self.kind(e) {
                found.push(e);
            }
        });
        // A reference and its object have one name, which means the object.
        found.retain(|e| !is_reference_member(self.scope.module, self.scope.body, *e));
        for e in found {
            if let Some(text) = self.member_text(e) {
                Arc::make_mut(&mut self.pointers).member_places.entry(text).or_insert(e);
            }
        }
    }

    /// Flow-insensitive: the union over all assignments, to a fixed point.
    fn trace_pointers(&mut self, block: &Block) {
        let flows = flows(self.scope.body, block);
        let called = |f: &Flow| f.called && f.values.iter().any(|v| self.is_pointer(*v));
        let typed =
            flows.iter().any(called) && !effects::casts_addresses(self.scope.module, self.scope.body, block);
        let mut changed = true;
        while changed {
            changed = false;
            for flow in &flows {
                let roots: BTreeSet<Root> = match flow.called {
                    true => self.returned_roots(&flow.values),
                    false => flow.values.iter().flat_map(|v| self.value_roots(*v)).collect(),
                };
                for local in self.targets(flow) {
                    if typed && !may_have_pointers(&self.scope.module.types, self.scope.body.locals[local].ty)
                    {
                        continue;
                    }
                    let known = Arc::make_mut(&mut self.pointers).targets.entry(local).or_default();
                    let before = known.len();
                    known.extend(roots.iter().cloned());
                    changed |= known.len() != before;
                }
            }
        }
    }

    /// The variables declared inside that the flow may change.
    fn targets(&self, flow: &Flow) -> BTreeSet<Handle<Local>> {
        let mut targets = match flow.to {
            Destination::Local(local) => BTreeSet::from([local]),
            Destination::Place(place) => self.storage(place).0,
            Destination::Nothing => BTreeSet::new(),
        };
        // A function may store one of its arguments in what another one points to.
        for value in flow.values.iter().filter(|v| flow.called && self.is_pointer(**v)) {
            targets.extend(self.reached_roots(*value).into_iter().filter_map(|root| match root {
                Root::Local(l) if self.pointers.inner.contains(&l) => Some(l),
                Root::Local(_) | Root::Global(_) | Root::Member(_) | Root::Unknown => None,
            }));
        }
        targets
    }

    fn is_pointer(&self, e: Handle<Expr>) -> bool {
        matches!(self.scope.module.types.kind(self.scope.body.exprs[e].ty), TypeKind::Pointer { .. })
    }

    fn kind(&self, e: Handle<Expr>) -> ExprKind {
        self.scope.body.exprs[e].kind.clone()
    }
}

/// The values that a statement copies, and where to.
struct Flow {
    to: Destination,
    values: Vec<Handle<Expr>>,
    /// A function call copies the values of its arguments.
    called: bool,
}

enum Destination {
    Local(Handle<Local>),
    Place(Handle<Expr>),
    Nothing,
}

fn flows(body: &Body, block: &Block) -> Vec<Flow> {
    let mut found = vec![];
    let mut add = |to, values, called| found.push(Flow { to, values, called });
    visit::for_each_stmt(block, &mut |node| match &node.kind {
        Stmt::Declare { local, init: Some(value) } => add(Destination::Local(*local), vec![*value], false),
        Stmt::Store { place, value, .. } => match body.exprs[*place].kind {
            ExprKind::Local(local) => add(Destination::Local(local), vec![*value], false),
            _ => add(Destination::Place(*place), vec![*value], false),
        },
        Stmt::Call { dest, args, .. } => {
            let to = match dest {
                Some(place) => Destination::Place(*place),
                None => Destination::Nothing,
            };
            add(to, args.clone(), true);
        }
        _ => {}
    });
    found
}

/// The places that an operand of a statement reads or writes: (place, read, written).
pub fn touched_places(body: &Body, (e, access): (Handle<Expr>, Access)) -> Vec<(Handle<Expr>, bool, bool)> {
    let mut places = vec![];
    if access.reads() || access.writes() {
        places.push((e, access.reads(), access.writes()));
    }
    visit::for_each_operand(&body.exprs, e, &mut |e| {
        if let ExprKind::Load(place) = body.exprs[e].kind {
            places.push((place, true, false));
        }
    });
    places
}
