//! Address spaces of pointers, for languages whose pointer types name one (OpenCL C before 2.0).
//!
//! The IR's pointers are mostly generic. The space of a pointer variable is found from what is assigned to it. A
//! pointer parameter of a device function has the space of the call's argument, so a function may be emitted once
//! for each combination of spaces, which also determines the space of what it returns. A pointer whose sources lie
//! in different spaces is an error.

use crate::{CodegenError, Result};
use accl_ir::{Body, Expr, ExprKind, Function, Handle, Local, Module, Space, Stmt, TypeKind, Types, visit};
use accl_source::Span;

/// How many functions that return pointers may call one another; recursion ends here.
const DEPTH: usize = 8;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AddrSpace {
    Global,
    /// The block's shared memory.
    Local,
    Constant,
    Private,
}

impl AddrSpace {
    /// `None` where the type leaves it open.
    pub fn of(space: Space) -> Option<AddrSpace> {
        match space {
            Space::Generic => None,
            Space::Global => Some(AddrSpace::Global),
            Space::Shared => Some(AddrSpace::Local),
            Space::Constant => Some(AddrSpace::Constant),
        }
    }
}

/// The spaces of one body.
#[derive(Clone, Debug, Default)]
pub struct Spaces {
    /// What a pointer local points into; `None` where nothing is known.
    pointees: Vec<Option<AddrSpace>>,
    /// Locals that live in shared memory.
    shared: Vec<bool>,
    /// What the pointers that calls give point into, by expression.
    results: Vec<Option<AddrSpace>>,
    /// Some pointer leads to different memories.
    unknown: bool,
}

impl Spaces {
    /// `known`: pointer parameters and their spaces.
    pub fn infer(
        module: &Module,
        body: &Body,
        shared: &[Handle<Local>],
        known: &[(Handle<Local>, AddrSpace)],
    ) -> Result<Spaces> {
        Spaces::infer_within(module, body, shared, known, DEPTH)
    }

    fn infer_within(
        module: &Module,
        body: &Body,
        shared: &[Handle<Local>],
        known: &[(Handle<Local>, AddrSpace)],
        depth: usize,
    ) -> Result<Spaces> {
        let mut spaces = Spaces {
            pointees: body.locals.iter().map(|(_, l)| declared_space(&module.types, l)).collect(),
            shared: are_in(body, shared),
            results: vec![None; body.exprs.len()],
            unknown: false,
        };
        for (local, space) in known {
            spaces.pointees[local.index()] = Some(*space);
        }
        while spaces.step(module, body, depth)? {}
        Ok(spaces)
    }

    /// For languages in which a pointer may lead to any memory.
    pub fn if_known(
        module: &Module,
        body: &Body,
        shared: &[Handle<Local>],
        known: &[(Handle<Local>, AddrSpace)],
    ) -> Spaces {
        let unknown = |_| Spaces { shared: are_in(body, shared), unknown: true, ..Spaces::default() };
        Spaces::infer(module, body, shared, known).unwrap_or_else(unknown)
    }

    pub fn are_unknown(&self) -> bool {
        self.unknown
    }

    /// What a pointer variable points into; global memory where nothing determines it.
    pub fn pointee(&self, local: Handle<Local>) -> AddrSpace {
        self.pointees.get(local.index()).copied().flatten().unwrap_or(AddrSpace::Global)
    }

    /// One round over all assignments; true if it determined something new.
    fn step(&mut self, module: &Module, body: &Body, depth: usize) -> Result<bool> {
        let types = &module.types;
        let (mut assigned, mut calls) = (Vec::new(), Vec::new());
        visit::for_each_stmt(&body.block, &mut |node| match &node.kind {
            Stmt::Declare { local, init: Some(value) } => assigned.push((*local, *value)),
            Stmt::Store { place, value, op: None } => {
                if let ExprKind::Local(local) = &body.exprs[*place].kind {
                    assigned.push((*local, *value));
                }
            }
            Stmt::Call { dest: Some(place), function, args } => {
                if let ExprKind::Local(local) = &body.exprs[*place].kind {
                    calls.push((*local, *function, args.clone()));
                }
            }
            _ => {}
        });
        let mut learnt = self.learn_results(module, body, depth)?;
        for (local, function, args) in calls {
            if let Some(space) = self.returned(module, body, function, &args, depth)? {
                learnt |= self.learn_space(body, local, space, body.locals[local].span)?;
            }
        }
        for (local, value) in assigned {
            if !matches!(types.kind(body.locals[local].ty), TypeKind::Pointer { .. }) {
                continue;
            }
            learnt |= self.learn(body, local, value)?;
        }
        Ok(learnt)
    }

    fn learn(&mut self, body: &Body, local: Handle<Local>, value: Handle<Expr>) -> Result<bool> {
        match self.of_value(body, value) {
            Some(space) => self.learn_space(body, local, space, body.exprs[value].span),
            None => Ok(false),
        }
    }

    fn learn_space(
        &mut self,
        body: &Body,
        local: Handle<Local>,
        space: AddrSpace,
        span: Span,
    ) -> Result<bool> {
        match self.pointees[local.index()] {
            None => {
                self.pointees[local.index()] = Some(space);
                Ok(true)
            }
            Some(known) if known == space => Ok(false),
            Some(_) => Err(CodegenError::Unsupported {
                what: format!(
                    "pointer '{}' points into different memories, which OpenCL C cannot express",
                    body.locals[local].name
                ),
                span,
            }),
        }
    }

    fn learn_results(&mut self, module: &Module, body: &Body, depth: usize) -> Result<bool> {
        let mut learnt = false;
        for (handle, expr) in body.exprs.iter() {
            let ExprKind::Call { function, args } = &expr.kind else { continue };
            if self.results[handle.index()].is_none() {
                let space = self.returned(module, body, *function, args, depth)?;
                self.results[handle.index()] = space;
                learnt |= space.is_some();
            }
        }
        Ok(learnt)
    }

    /// What the pointer that a call gives points into; none if it gives no pointer.
    fn returned(
        &self,
        module: &Module,
        body: &Body,
        function: Handle<Function>,
        args: &[Handle<Expr>],
        depth: usize,
    ) -> Result<Option<AddrSpace>> {
        let callee = &module.functions[function];
        if depth == 0 || !is_pointer(&module.types, callee.result) {
            return Ok(None);
        }
        let spaces = self.of_arguments(&module.types, body, args);
        Spaces::of_result(module, function, &spaces, depth - 1)
    }

    /// The address spaces into which pointer arguments point.
    pub fn of_arguments(&self, types: &Types, body: &Body, args: &[Handle<Expr>]) -> Vec<AddrSpace> {
        let pointers = args.iter().filter(|a| {
            matches!(types.kind(body.exprs[**a].ty), TypeKind::Pointer { .. } | TypeKind::Array { .. })
        });
        pointers.map(|a| self.of_value(body, *a).unwrap_or(AddrSpace::Global)).collect()
    }

    /// A device function's body, for calls whose pointer arguments point into these spaces.
    pub fn of_function(
        module: &Module,
        function: &Function,
        body: &Body,
        given: &[AddrSpace],
    ) -> Result<Spaces> {
        Spaces::of_function_within(module, function, body, given, DEPTH)
    }

    fn of_function_within(
        module: &Module,
        function: &Function,
        body: &Body,
        given: &[AddrSpace],
        depth: usize,
    ) -> Result<Spaces> {
        let params = function.params.iter().filter(|p| is_pointer(&module.types, body.locals[**p].ty));
        let known: Vec<_> = params.copied().zip(given.iter().copied()).collect();
        Spaces::infer_within(module, body, &[], &known, depth)
    }

    fn of_result(
        module: &Module,
        function: Handle<Function>,
        given: &[AddrSpace],
        depth: usize,
    ) -> Result<Option<AddrSpace>> {
        let function = &module.functions[function];
        let Some(body) = &function.body else { return Ok(None) };
        let spaces = Spaces::of_function_within(module, function, body, given, depth)?;
        spaces.of_returns(body)
    }

    /// What the returned pointers point into.
    pub fn of_returns(&self, body: &Body) -> Result<Option<AddrSpace>> {
        let mut values = Vec::new();
        visit::for_each_stmt(&body.block, &mut |node| {
            if let Stmt::Return(Some(value)) = &node.kind {
                values.push(*value);
            }
        });
        let mut found = None;
        for value in values {
            let Some(space) = self.of_value(body, value) else { continue };
            if found.is_some_and(|other| other != space) {
                return Err(CodegenError::Unsupported {
                    what:
                        "a function returns pointers into different memories, which OpenCL C cannot express"
                            .into(),
                    span: body.exprs[value].span,
                });
            }
            found = Some(space);
        }
        Ok(found)
    }

    /// What a pointer value points into.
    pub fn of_value(&self, body: &Body, value: Handle<Expr>) -> Option<AddrSpace> {
        match &body.exprs[value].kind {
            ExprKind::Load(place) => match &body.exprs[*place].kind {
                ExprKind::Local(local) => self.pointees.get(local.index()).copied().flatten(),
                _ => Some(AddrSpace::Global),
            },
            ExprKind::AddrOf(place) | ExprKind::Decay(place) => Some(self.of_place(body, *place)),
            ExprKind::Cast(inner) => self.of_value(body, *inner),
            ExprKind::Binary { left, .. } => self.of_value(body, *left),
            ExprKind::Select { yes, no, .. } => {
                self.of_value(body, *yes).or_else(|| self.of_value(body, *no))
            }
            ExprKind::Call { .. } => self.results.get(value.index()).copied().flatten(),
            ExprKind::Int(_)
            | ExprKind::Float(_)
            | ExprKind::Local(_)
            | ExprKind::Global(_)
            | ExprKind::Deref(_)
            | ExprKind::Index { .. }
            | ExprKind::Member { .. }
            | ExprKind::Unary { .. }
            | ExprKind::Math { .. }
            | ExprKind::Checked { .. }
            | ExprKind::Builtin(_) => None,
        }
    }

    /// Nothing tells where the pointer leads that the place is reached by.
    pub fn is_open(&self, body: &Body, place: Handle<Expr>) -> bool {
        match &body.exprs[place].kind {
            ExprKind::Member { base, .. } => self.is_open(body, *base),
            ExprKind::Deref(pointer) => self.of_value(body, *pointer).is_none(),
            ExprKind::Index { base, .. } => match is_place(body, *base) {
                true => self.is_open(body, *base),
                false => self.of_value(body, *base).is_none(),
            },
            _ => false,
        }
    }

    /// Where a place lies.
    pub fn of_place(&self, body: &Body, place: Handle<Expr>) -> AddrSpace {
        match &body.exprs[place].kind {
            ExprKind::Local(local) if self.shared.get(local.index()) == Some(&true) => AddrSpace::Local,
            ExprKind::Local(_) => AddrSpace::Private,
            ExprKind::Global(_) => AddrSpace::Global,
            ExprKind::Member { base, .. } => self.of_place(body, *base),
            ExprKind::Deref(pointer) => self.of_value(body, *pointer).unwrap_or(AddrSpace::Global),
            ExprKind::Index { base, .. } => match self.of_value(body, *base) {
                Some(space) => space,
                None => self.of_place(body, *base),
            },
            _ => AddrSpace::Global,
        }
    }
}

/// For each local, whether it is one of these.
fn are_in(body: &Body, these: &[Handle<Local>]) -> Vec<bool> {
    let mut found = vec![false; body.locals.len()];
    these.iter().for_each(|local| found[local.index()] = true);
    found
}

fn is_place(body: &Body, e: Handle<Expr>) -> bool {
    use ExprKind::{Deref, Global, Index, Local, Member};
    matches!(body.exprs[e].kind, Local(_) | Global(_) | Member { .. } | Index { .. } | Deref(_))
}

fn is_pointer(types: &Types, ty: Handle<accl_ir::Type>) -> bool {
    matches!(types.kind(ty), TypeKind::Pointer { .. })
}

fn declared_space(types: &Types, local: &Local) -> Option<AddrSpace> {
    match types.kind(local.ty) {
        TypeKind::Pointer { space, .. } => AddrSpace::of(*space),
        _ => None,
    }
}
