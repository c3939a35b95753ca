//! How a body uses its locals: which of them need a declaration, a name, a `const`.

use accl_ir::{Access, Block, Body, ExprKind, Function, Handle, Local, Module, Stmt, Type, TypeKind, visit};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LocalUse {
    /// Read, or its address taken, or part of a place that is read or written.
    pub read: bool,
    /// Assigned after its declaration, wholly or in part.
    pub written: bool,
    /// Has a `Declare`, a loop header, or is declared otherwise.
    pub declared: bool,
    /// As a pointer: something is stored through it, or it is passed on so that this may happen.
    pub stored_through: bool,
    pub address_taken: bool,
}

/// Uses by local, indexed by handle.
#[derive(Clone, Debug, Default)]
pub struct Usage {
    locals: Vec<LocalUse>,
}

impl Usage {
    pub fn of(module: &Module, body: &Body) -> Usage {
        Usage::of_block(module, body, &body.block)
    }

    pub fn of_block(module: &Module, body: &Body, block: &Block) -> Usage {
        let mut survey = Survey { module, body, locals: vec![LocalUse::default(); body.locals.len()] };
        visit::for_each_stmt(block, &mut |node| survey.stmt(&node.kind));
        Usage { locals: survey.locals }
    }

    pub fn get(&self, local: Handle<Local>) -> LocalUse {
        self.locals.get(local.index()).copied().unwrap_or_default()
    }

    /// Needs a name in the text.
    pub fn is_named(&self, local: Handle<Local>) -> bool {
        let of = self.get(local);
        of.read || of.written
    }
}

/// A walk over a body that notes uses.
struct Survey<'m> {
    module: &'m Module,
    body: &'m Body,
    locals: Vec<LocalUse>,
}

impl Survey<'_> {
    fn at(&mut self, local: Handle<Local>) -> &mut LocalUse {
        &mut self.locals[local.index()]
    }

    fn stmt(&mut self, stmt: &Stmt) {
        for (expr, access) in stmt.operands() {
            if access.writes() {
                self.place_written(expr, access);
            }
            self.reads_below(expr, !access.writes());
        }
        match stmt {
            Stmt::Declare { local, init } => {
                self.at(*local).declared = true;
                if let Some(extent) = self.module.types.vla_extent(self.body.locals[*local].ty) {
                    self.reads_below(extent, true);
                }
                if !self.points_to_const(self.body.locals[*local].ty) {
                    self.escapes(init.iter().copied());
                }
            }
            Stmt::For(l) => {
                let var = self.at(l.var);
                var.declared |= l.declared_here;
                var.written = true;
                var.read = true;
            }
            Stmt::Store { value, .. } => self.escapes([*value]),
            Stmt::Call { function, args, .. } => self.arguments(*function, args),
            Stmt::Return(value) => self.escapes(value.iter().copied()),
            Stmt::ReduceAcross { local, .. } => {
                self.at(*local).read = true;
                self.at(*local).written = true;
            }
            Stmt::Measure { counts } => counts.iter().for_each(|local| self.at(*local).read = true),
            Stmt::ReduceGrid { local, .. } | Stmt::VectorStore { src: local, .. } => {
                self.at(*local).read = true
            }
            Stmt::VectorLoad { dst, .. } => {
                self.at(*dst).written = true;
                self.at(*dst).read = true;
            }
            Stmt::If { .. }
            | Stmt::Print { .. }
            | Stmt::Stop { .. }
            | Stmt::While { .. }
            | Stmt::Switch { .. }
            | Stmt::Break
            | Stmt::Continue
            | Stmt::Block(_)
            | Stmt::Window(_)
            | Stmt::Atomic(_)
            | Stmt::Region(_)
            | Stmt::Directive(_)
            | Stmt::Host
            | Stmt::TensorProduct(_)
            | Stmt::Barrier(_) => {}
        }
    }

    fn place_written(&mut self, place: Handle<accl_ir::Expr>, access: Access) {
        let body = self.body;
        if let Some(local) = visit::root_local(body, place) {
            self.at(local).written = true;
            self.at(local).read |= access.reads() || !matches!(body.exprs[place].kind, ExprKind::Local(_));
        } else {
            pointers_behind(body, place).into_iter().for_each(|p| self.at(p).stored_through = true);
        }
    }

    /// Everything below `root` is read, save `root` itself where it is a local that is written.
    fn reads_below(&mut self, root: Handle<accl_ir::Expr>, include_root: bool) {
        let body = self.body;
        visit::for_each_operand(&body.exprs, root, &mut |e| match &body.exprs[e].kind {
            ExprKind::Local(local) if e != root || include_root => self.at(*local).read = true,
            ExprKind::AddrOf(place) => {
                if let Some(local) = visit::root_local(body, *place) {
                    self.at(local).address_taken = true;
                    self.at(local).written = true;
                } else {
                    pointers_behind(body, *place).into_iter().for_each(|p| self.at(p).stored_through = true);
                }
            }
            ExprKind::Call { function, args } => self.arguments(*function, args),
            _ => {}
        });
    }

    fn points_to_const(&self, ty: Handle<Type>) -> bool {
        matches!(self.module.types.kind(ty), TypeKind::Pointer { constant: true, .. })
    }

    /// A pointer that is passed to a parameter which only reads keeps its space.
    fn arguments(&mut self, function: Handle<Function>, args: &[Handle<accl_ir::Expr>]) {
        let function = &self.module.functions[function];
        for (at, arg) in args.iter().enumerate() {
            let param = function.params.get(at).zip(function.body.as_ref());
            if !param.is_some_and(|(p, body)| self.points_to_const(body.locals[*p].ty)) {
                self.escapes([*arg]);
            }
        }
    }

    /// Pointers that are passed on: what happens through them is not known here.
    fn escapes(&mut self, values: impl IntoIterator<Item = Handle<accl_ir::Expr>>) {
        for value in values {
            for pointer in pointers_of(self.body, value) {
                self.at(pointer).stored_through = true;
            }
        }
    }
}

/// The pointer variables that a place is reached through: `p` of `p[i]`, `*(p + 1)`, `p->x[2]`.
fn pointers_behind(body: &Body, place: Handle<accl_ir::Expr>) -> Vec<Handle<Local>> {
    match &body.exprs[place].kind {
        ExprKind::Deref(pointer) => pointers_of(body, *pointer),
        ExprKind::Index { base, .. } => {
            let of_value = pointers_of(body, *base);
            if of_value.is_empty() { pointers_behind(body, *base) } else { of_value }
        }
        ExprKind::Member { base, .. } => pointers_behind(body, *base),
        _ => vec![],
    }
}

/// The pointer variables that may give a pointer value.
pub fn pointers_of(body: &Body, value: Handle<accl_ir::Expr>) -> Vec<Handle<Local>> {
    match &body.exprs[value].kind {
        ExprKind::Load(place) => match &body.exprs[*place].kind {
            ExprKind::Local(local) => vec![*local],
            _ => vec![],
        },
        ExprKind::Cast(inner) => pointers_of(body, *inner),
        ExprKind::Decay(place) => pointers_behind(body, *place),
        ExprKind::Binary { left, .. } => pointers_of(body, *left),
        ExprKind::Select { yes, no, .. } => [pointers_of(body, *yes), pointers_of(body, *no)].concat(),
        ExprKind::AddrOf(place) => pointers_behind(body, *place),
        _ => vec![],
    }
}
