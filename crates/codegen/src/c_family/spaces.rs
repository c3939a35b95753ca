//! Address spaces of pointers, for languages whose pointer types name one (OpenCL C before 2.0).
//!
//! The IR's pointers are mostly generic. A pointer variable's space is found from what is assigned to it;
//! a pointer parameter of a device function has the space of the call's argument, so a function may be
//! emitted once for each combination. A pointer whose sources lie in different spaces is an error.

use super::walk;
use crate::{CodegenError, Result};
use accl_ir::{Body, Expr, ExprKind, Handle, Local, Space, Stmt, TypeKind, Types};

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
}

impl Spaces {
    /// `known`: pointer parameters and their spaces.
    pub fn infer(
        types: &Types,
        body: &Body,
        shared: &[Handle<Local>],
        known: &[(Handle<Local>, AddrSpace)],
    ) -> Result<Spaces> {
        let mut spaces = Spaces {
            pointees: body.locals.iter().map(|(_, l)| declared_space(types, l)).collect(),
            shared: vec![false; body.locals.len()],
        };
        for local in shared {
            spaces.shared[local.index()] = true;
        }
        for (local, space) in known {
            spaces.pointees[local.index()] = Some(*space);
        }
        while spaces.step(types, body)? {}
        Ok(spaces)
    }

    /// What a pointer variable points into; global memory where nothing tells.
    pub fn pointee(&self, local: Handle<Local>) -> AddrSpace {
        self.pointees.get(local.index()).copied().flatten().unwrap_or(AddrSpace::Global)
    }

    /// One round over all assignments; true if something was learnt.
    fn step(&mut self, types: &Types, body: &Body) -> Result<bool> {
        let mut assigned = Vec::new();
        walk::each_stmt(&body.block, &mut |stmt| match stmt {
            Stmt::Declare { local, init: Some(value) } => assigned.push((*local, *value)),
            Stmt::Store { place, value, op: None } => {
                if let ExprKind::Local(local) = &body.exprs[*place].kind {
                    assigned.push((*local, *value));
                }
            }
            _ => {}
        });
        let mut learnt = false;
        for (local, value) in assigned {
            if !matches!(types.kind(body.locals[local].ty), TypeKind::Pointer { .. }) {
                continue;
            }
            learnt |= self.learn(body, local, value)?;
        }
        Ok(learnt)
    }

    fn learn(&mut self, body: &Body, local: Handle<Local>, value: Handle<Expr>) -> Result<bool> {
        let Some(space) = self.of_value(body, value) else { return Ok(false) };
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
                span: body.exprs[value].span,
            }),
        }
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
            ExprKind::Call { .. } => Some(AddrSpace::Global),
            ExprKind::Int(_)
            | ExprKind::Float(_)
            | ExprKind::Local(_)
            | ExprKind::Global(_)
            | ExprKind::Deref(_)
            | ExprKind::Index { .. }
            | ExprKind::Member { .. }
            | ExprKind::Unary { .. }
            | ExprKind::Math { .. }
            | ExprKind::Builtin(_) => None,
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

fn declared_space(types: &Types, local: &Local) -> Option<AddrSpace> {
    match types.kind(local.ty) {
        TypeKind::Pointer { space, .. } => AddrSpace::of(*space),
        _ => None,
    }
}
