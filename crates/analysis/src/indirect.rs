//! Indirect pointers: pointers that a kernel loads from device memory and dereferences.
//!
//! A pointer that is an argument of the kernel was looked up in the present table, which knows how its array is
//! stored. A pointer that the kernel itself loads (`t[k].x[i]`, a row of `float *row[8]`) was attached some time
//! before, and nothing at that place says how the array it points to is stored. So the runtime looks when the
//! kernel is launched; this analysis tells it where such pointers lie.
//!
//! Pointers that are only compared, or whose distance is computed, are not dereferenced. Copying a structure counts as
//! loading the pointers in it, unless nobody reads them from the copy ([`copies`]).
//!
//! Invariant: no pointer that is loaded from a data parameter's memory is missing. Where in it the pointer lies may be
//! "anywhere"; where it cannot be told from which parameter, it is all of those that hold pointers.

use crate::copies;
use crate::provenance::{Provenance, Root};
use accl_ir::{
    Access, BinaryOp, Body, Expr, ExprKind, Function, Handle, IndirectPointer, Local, Module, Param,
    ParamKind, Stmt, StmtNode, StructDef, Type, TypeKind, Types, UnaryOp, visit,
};
use accl_source::Span;
use std::collections::{BTreeMap, BTreeSet};

/// One load of a pointer, or of a structure with pointers.
#[derive(Clone, Debug, PartialEq)]
pub struct Loaded {
    pub from: IndirectPointer,
    /// The place that is loaded, if it is one.
    pub place: Option<Handle<Expr>>,
    /// The member that the place is.
    pub member: Option<(Handle<StructDef>, u32)>,
    pub span: Span,
}

/// What a kernel with these parameters loads in `body`.
pub fn loaded(module: &Module, body: &Body, params: &[Param]) -> Vec<Loaded> {
    let items: BTreeMap<Handle<Local>, usize> = params.iter().filter_map(data).collect();
    let named = items.keys().map(|l| Root::Local(*l)).collect();
    let provenance = Provenance::new(module, body, &body.block, named);
    let mut finder = Finder { provenance, items, found: vec![], further: false };
    finder.block(&body.block);
    let further = finder.further;
    finder.found.iter_mut().for_each(|f| f.from.further = further);
    finder.found
}

/// Each place is listed once.
pub fn summary(loaded: &[Loaded]) -> Vec<IndirectPointer> {
    let all: BTreeSet<IndirectPointer> = loaded.iter().map(|l| l.from).collect();
    let anywhere: BTreeSet<usize> = all.iter().filter(|f| f.stride.is_none()).map(|f| f.item).collect();
    all.into_iter().filter(|f| f.stride.is_none() || !anywhere.contains(&f.item)).collect()
}

fn data(param: &Param) -> Option<(Handle<Local>, usize)> {
    match param.kind {
        ParamKind::Data { item, .. } => Some((param.local, item)),
        ParamKind::Value { .. }
        | ParamKind::Codec { .. }
        | ParamKind::Extent { .. }
        | ParamKind::Stride { .. }
        | ParamKind::Reduction { .. } => None,
    }
}

/// The type is a pointer, or has some in it.
pub fn has_pointers(types: &Types, ty: Handle<Type>) -> bool {
    match types.kind(ty) {
        TypeKind::Pointer { .. } => true,
        TypeKind::Array { of, .. } => has_pointers(types, *of),
        TypeKind::Struct(def) => types.structs[*def].fields.iter().any(|f| has_pointers(types, f.ty)),
        // A union may; kernels cannot copy one.
        TypeKind::Opaque(_)
        | TypeKind::Void
        | TypeKind::Bool
        | TypeKind::Int { .. }
        | TypeKind::Float { .. }
        | TypeKind::Compressed { .. } => false,
    }
}

/// The same, or nobody knows.
pub fn may_have_pointers(types: &Types, ty: Handle<Type>) -> bool {
    match types.kind(ty) {
        TypeKind::Opaque(_) => true,
        TypeKind::Array { of, .. } => may_have_pointers(types, *of),
        TypeKind::Struct(def) => types.structs[*def].fields.iter().any(|f| may_have_pointers(types, f.ty)),
        TypeKind::Pointer { .. }
        | TypeKind::Void
        | TypeKind::Bool
        | TypeKind::Int { .. }
        | TypeKind::Float { .. }
        | TypeKind::Compressed { .. } => has_pointers(types, ty),
    }
}

/// The place is a variable, or a part of one.
pub fn is_in_variable(body: &Body, place: Handle<Expr>) -> bool {
    match body.exprs[place].kind {
        ExprKind::Local(_) => true,
        ExprKind::Member { base, .. } => is_in_variable(body, base),
        ExprKind::Index { base, .. } => body.exprs[base].kind.is_place() && is_in_variable(body, base),
        _ => false,
    }
}

struct Finder<'a> {
    provenance: Provenance<'a>,
    /// The items of the data parameters.
    items: BTreeMap<Handle<Local>, usize>,
    found: Vec<Loaded>,
    further: bool,
}

impl<'a> Finder<'a> {
    fn module(&self) -> &'a Module {
        self.provenance.scope.module
    }

    fn expr(&self, e: Handle<Expr>) -> &'a Expr {
        &self.provenance.scope.body.exprs[e]
    }

    fn block(&mut self, block: &[StmtNode]) {
        for (at, node) in block.iter().enumerate() {
            self.statement(node, &block[at..]);
            node.kind.blocks().into_iter().for_each(|inner| self.block(inner));
        }
    }

    /// `rest` begins with the statement.
    fn statement(&mut self, node: &StmtNode, rest: &[StmtNode]) {
        let scope = &self.provenance.scope;
        if let Some(copied) = copies::with_unread_pointers(scope.module, scope.body, rest) {
            return self.value(copied, node.span);
        }
        for used in node.kind.operands() {
            self.used(used, node.span);
        }
        if let Stmt::Call { function, args, .. } = &node.kind {
            self.call(*function, args, node.span);
        }
    }

    fn used(&mut self, (e, access): (Handle<Expr>, Access), at: Span) {
        if access.reads() {
            self.load(e, at);
        }
        self.value(e, at);
    }

    fn value(&mut self, e: Handle<Expr>, at: Span) {
        let kind = &self.expr(e).kind;
        let compares = is_comparison(kind) || self.is_distance(kind);
        match kind {
            ExprKind::Load(place) => self.load(*place, at),
            ExprKind::Call { function, args } => self.call(*function, args, at),
            _ => {}
        }
        for operand in kind.operands() {
            match self.expr(operand).kind {
                ExprKind::Load(place) if compares => self.value(place, at),
                _ => self.value(operand, at),
            }
        }
    }

    /// The difference of two pointers, both of them loaded from memory.
    fn is_distance(&self, kind: &ExprKind) -> bool {
        let ExprKind::Binary { op: BinaryOp::Sub, left, right } = *kind else { return false };
        let body = self.provenance.scope.body;
        [left, right].into_iter().all(|e| match body.exprs[e].kind {
            ExprKind::Load(place) => {
                matches!(self.module().types.kind(body.exprs[e].ty), TypeKind::Pointer { .. })
                    && !is_in_variable(body, place)
            }
            _ => false,
        })
    }

    fn load(&mut self, place: Handle<Expr>, at: Span) {
        let (module, body) = (self.module(), self.provenance.scope.body);
        if !has_pointers(&module.types, self.expr(place).ty) || is_in_variable(body, place) {
            return;
        }
        let span = Some(self.expr(place).span).filter(|s| !s.is_nowhere()).unwrap_or(at);
        for root in self.provenance.place_roots(place) {
            match root {
                Root::Local(l) => {
                    let Some(item) = self.items.get(&l).copied() else { continue };
                    let part = self.part(place, l);
                    let (offset, bytes) = part.map_or((0, 0), |p| (p.offset, p.bytes));
                    let stride = part.map(|p| p.stride);
                    let from = IndirectPointer { item, stride, offset, bytes, further: false };
                    let member = self.member(place);
                    self.found.push(Loaded { from, place: Some(place), member, span });
                }
                Root::Member(_) | Root::Global(_) | Root::Unknown => self.any_memory(span),
            }
        }
    }

    fn member(&self, place: Handle<Expr>) -> Option<(Handle<StructDef>, u32)> {
        let ExprKind::Member { base, field } = self.expr(place).kind else { return None };
        match self.module().types.kind(self.expr(base).ty) {
            TypeKind::Struct(def) => Some((*def, field)),
            _ => None,
        }
    }

    /// The access goes through a pointer that was itself loaded, or hidden in a structure.
    fn any_memory(&mut self, span: Span) {
        self.further = true;
        let holding = self.items.iter().filter(|(l, _)| self.holds_pointers(**l));
        let items: Vec<usize> = holding.map(|(_, item)| *item).collect();
        items.into_iter().for_each(|item| self.all_of(item, span));
    }

    /// What the parameter points to has pointers in it.
    fn holds_pointers(&self, param: Handle<Local>) -> bool {
        let types = &self.module().types;
        let element = types.element(self.provenance.scope.body.locals[param].ty);
        element.is_some_and(|element| has_pointers(types, element))
    }

    fn all_of(&mut self, item: usize, span: Span) {
        let from = IndirectPointer { item, stride: None, offset: 0, bytes: 0, further: false };
        self.found.push(Loaded { from, place: None, member: None, span });
    }

    /// A function that loads pointers loads them from whatever its arguments point to.
    fn call(&mut self, function: Handle<Function>, args: &[Handle<Expr>], at: Span) {
        if !loads_pointers(self.module(), function, &mut BTreeSet::new()) {
            return;
        }
        self.further = true;
        for arg in args {
            let TypeKind::Pointer { .. } = self.module().types.kind(self.expr(*arg).ty) else { continue };
            for root in self.provenance.pointer_roots(*arg) {
                match root {
                    Root::Local(l) => {
                        if let Some(item) = self.items.get(&l).copied().filter(|_| self.holds_pointers(l)) {
                            self.all_of(item, at);
                        }
                    }
                    Root::Member(_) | Root::Global(_) | Root::Unknown => self.any_memory(at),
                }
            }
        }
    }

    /// Where the place lies in each element of parameter `param`; `None`: not known.
    fn part(&self, place: Handle<Expr>, param: Handle<Local>) -> Option<ElementPart> {
        let types = &self.module().types;
        let (mut offset, mut bytes) = (0, types.size_of(self.expr(place).ty)?);
        let mut at = place;
        loop {
            let expr = self.expr(at);
            match expr.kind {
                ExprKind::Member { base, field } => {
                    let TypeKind::Struct(def) = types.kind(self.expr(base).ty) else { return None };
                    offset += types.structs[*def].fields.get(field as usize)?.offset;
                    at = base;
                }
                ExprKind::Index { base, .. } if self.expr(base).kind.is_place() => {
                    (offset, bytes) = (0, types.size_of(self.expr(base).ty)?);
                    at = base;
                }
                ExprKind::Index { base: pointer, .. } | ExprKind::Deref(pointer) => {
                    match self.expr(self.start(pointer)).kind {
                        ExprKind::Decay(array) => {
                            (offset, bytes) = (0, types.size_of(self.expr(array).ty)?);
                            at = array;
                        }
                        ExprKind::AddrOf(whole) if self.expr(whole).ty == expr.ty => at = whole,
                        // Objects of the parameter's own type lie one after the other in it.
                        ExprKind::Load(variable) if is_in_variable(self.provenance.scope.body, variable) => {
                            let own = types.element(self.provenance.scope.body.locals[param].ty)?;
                            let stride = types.size_of(own).filter(|size| *size > 0 && own == expr.ty)?;
                            return Some(ElementPart { stride, offset, bytes });
                        }
                        _ => return None,
                    }
                }
                _ => return None,
            }
        }
    }

    /// `p` of `p + i`.
    fn start(&self, pointer: Handle<Expr>) -> Handle<Expr> {
        match self.expr(pointer).kind {
            ExprKind::Binary { op: BinaryOp::Add | BinaryOp::Sub, left, .. }
                if self.expr(left).ty == self.expr(pointer).ty =>
            {
                self.start(left)
            }
            _ => pointer,
        }
    }
}

/// A part of each element of an array.
#[derive(Clone, Copy)]
struct ElementPart {
    stride: u64,
    offset: u64,
    bytes: u64,
}

fn is_comparison(kind: &ExprKind) -> bool {
    use BinaryOp::{Eq, Ge, Gt, Le, LogicalAnd, LogicalOr, Lt, Ne};
    match kind {
        ExprKind::Binary { op, .. } => matches!(op, Eq | Ne | Lt | Le | Gt | Ge | LogicalAnd | LogicalOr),
        ExprKind::Unary { op, .. } => *op == UnaryOp::Not,
        _ => false,
    }
}

/// Where a pointer in `variable`, a structure or an array that holds some, is read in the block. What is handed to a
/// function is looked for there.
pub fn held_by(module: &Module, body: &Body, block: &[StmtNode], variable: Handle<Local>) -> Option<Span> {
    let ty = body.locals[variable].ty;
    let holds = matches!(module.types.kind(ty), TypeKind::Struct(_) | TypeKind::Array { .. });
    if !holds || !has_pointers(&module.types, ty) {
        return None;
    }
    Holder { module, seen: BTreeSet::new() }.read_in(body, block, variable)
}

struct Holder<'a> {
    module: &'a Module,
    seen: BTreeSet<(Handle<Function>, usize)>,
}

impl Holder<'_> {
    fn read_in(&mut self, body: &Body, block: &[StmtNode], variable: Handle<Local>) -> Option<Span> {
        let mut found = None;
        visit::for_each_stmt(block, &mut |node| {
            let mut note = |read: bool| {
                if read && found.is_none() {
                    found = Some(node.span);
                }
            };
            for (e, access) in node.kind.operands() {
                match &node.kind {
                    Stmt::Call { function, args, .. } if access == Access::Value => {
                        note(self.argument(body, *function, args, e, variable));
                    }
                    _ => note(self.expr(body, e, variable)),
                }
            }
        });
        found
    }

    fn expr(&mut self, body: &Body, e: Handle<Expr>, variable: Handle<Local>) -> bool {
        let kind = &body.exprs[e].kind;
        match kind {
            ExprKind::Load(place) if self.is_part(body, *place, variable) => {
                has_pointers(&self.module.types, body.exprs[*place].ty)
            }
            ExprKind::AddrOf(place) | ExprKind::Decay(place) if self.is_part(body, *place, variable) => {
                has_pointers(&self.module.types, body.exprs[*place].ty)
            }
            ExprKind::Call { function, args } => {
                args.iter().any(|a| self.argument(body, *function, args, *a, variable))
            }
            _ => kind.operands().into_iter().any(|o| self.expr(body, o, variable)),
        }
    }

    fn is_part(&self, body: &Body, place: Handle<Expr>, variable: Handle<Local>) -> bool {
        visit::root_local(body, place) == Some(variable)
    }

    /// Where an argument is all of the variable, what the function does with its parameter counts.
    fn argument(
        &mut self,
        body: &Body,
        function: Handle<Function>,
        args: &[Handle<Expr>],
        arg: Handle<Expr>,
        variable: Handle<Local>,
    ) -> bool {
        let whole = matches!(body.exprs[arg].kind, ExprKind::Load(place)
            if body.exprs[place].kind == ExprKind::Local(variable));
        let at = args.iter().position(|a| *a == arg);
        let callee = &self.module.functions[function];
        let (true, Some(at), Some(inner)) = (whole, at, &callee.body) else {
            return self.expr(body, arg, variable);
        };
        let Some(param) = callee.params.get(at).copied() else { return true };
        self.seen.insert((function, at)) && self.read_in(inner, &inner.block, param).is_some()
    }
}

/// The function, or one that it calls, loads pointers from memory.
fn loads_pointers(
    module: &Module,
    function: Handle<Function>,
    seen: &mut BTreeSet<Handle<Function>>,
) -> bool {
    let Some(body) = &module.functions[function].body else { return true };
    if !seen.insert(function) {
        return false;
    }
    let mut loads = false;
    let mut called = vec![];
    visit::for_each_stmt(&body.block, &mut |node| {
        if let Stmt::Call { function, .. } = &node.kind {
            called.push(*function);
        }
    });
    visit::all_exprs(&body.exprs, &body.block, &mut |e| match body.exprs[e].kind {
        ExprKind::Load(place) => {
            loads |= has_pointers(&module.types, body.exprs[place].ty) && !is_in_variable(body, place);
        }
        ExprKind::Call { function, .. } => called.push(function),
        _ => {}
    });
    loads || called.into_iter().any(|f| loads_pointers(module, f, seen))
}
