//! What functions do besides returning a value.

use crate::indirect::{has_pointers, is_in_variable, may_have_pointers};
use accl_ir::calls::{calls, reached, reaches};
use accl_ir::{
    Access, BinaryOp, Block, Body, Expr, ExprKind, Function, Handle, Local, Module, Stmt, Type, TypeKind,
    visit,
};
use std::collections::BTreeSet;

/// The block, or a function that it calls, prints.
pub fn prints(module: &Module, body: &Body, block: &Block) -> bool {
    reaches(module, body, block, |stmt| matches!(stmt, Stmt::Print { .. }))
}

/// The function, and those that it calls, write no memory except their own variables.
pub fn only_reads(module: &Module, function: Handle<Function>) -> bool {
    reads(module, function, &mut BTreeSet::new())
}

/// Somewhere in the block, or in a function that it calls, an address becomes one of another type or a number, a number becomes an
/// address, or nobody knows. Where that is not so, variables without pointers in them hold no address. Numbers in such a variable may be
/// read as others.
pub fn casts_addresses(module: &Module, body: &Body, block: &Block) -> bool {
    let bodies = || reached(module, body, block).into_iter().map(|f| module.functions[f].body.as_ref());
    casts_in(module, body, block)
        || bodies().any(|b| b.is_none_or(|body| casts_in(module, body, &body.block)))
}

fn casts_in(module: &Module, body: &Body, block: &Block) -> bool {
    let to = |e: Handle<Expr>| match module.types.kind(body.exprs[e].ty) {
        TypeKind::Pointer { to, .. } => Some(*to),
        _ => None,
    };
    let is_number = |ty: Handle<Type>| {
        !matches!(module.types.kind(ty), TypeKind::Void) && !may_have_pointers(&module.types, ty)
    };
    let of_numbers = |address: Handle<Expr>| match body.exprs[address].kind {
        ExprKind::AddrOf(place) | ExprKind::Decay(place) if is_in_variable(body, place) => {
            match visit::root_of(body, place) {
                Some(visit::Root::Local(variable)) => is_number(body.locals[variable].ty),
                Some(visit::Root::Global(_) | visit::Root::Pointer(_)) | None => false,
            }
        }
        _ => false,
    };
    let mut found = false;
    visit::for_each_expr(body, block, &mut |e, _| {
        if let ExprKind::Cast(inner) = body.exprs[e].kind {
            let harmless = to(e).is_some_and(is_number) && of_numbers(inner);
            found |= to(e) != to(inner) && !matches!(body.exprs[inner].kind, ExprKind::Int(_)) && !harmless;
        }
    });
    found
}

fn is_own(body: &Body, place: Handle<Expr>) -> bool {
    matches!(visit::root_of(body, place), Some(visit::Root::Local(_)))
}

fn reads(module: &Module, function: Handle<Function>, seen: &mut BTreeSet<Handle<Function>>) -> bool {
    if !seen.insert(function) {
        return true;
    }
    let Some(body) = &module.functions[function].body else { return false };
    let mut own = true;
    visit::for_each_stmt(&body.block, &mut |node| {
        own &= node.kind.operands().into_iter().all(|(e, access)| match access {
            Access::Write | Access::ReadWrite => is_own(body, e),
            Access::Value | Access::Read | Access::Address => true,
        });
    });
    own && calls(body, &body.block).into_iter().all(|(f, _)| reads(module, f, seen))
}

/// Functions through which a parameter is followed.
const FOLLOWED: usize = 32;

/// The function, and those that it hands the pointer on to, do nothing with what the parameter points to but read it.
pub fn only_reads_through(module: &Module, function: Handle<Function>, parameter: usize) -> bool {
    through(module, function, parameter, &mut BTreeSet::new())
}

fn through(
    module: &Module,
    function: Handle<Function>,
    parameter: usize,
    seen: &mut BTreeSet<(Handle<Function>, usize)>,
) -> bool {
    if !seen.insert((function, parameter)) {
        return true;
    }
    let function = &module.functions[function];
    let (Some(body), Some(pointer)) = (&function.body, function.params.get(parameter)) else { return false };
    let TypeKind::Pointer { to, .. } = module.types.kind(body.locals[*pointer].ty) else { return false };
    // What is read there may be a pointer, too.
    if seen.len() > FOLLOWED || has_pointers(&module.types, *to) {
        return false;
    }
    let use_of = PointerUse { module, body, pointer: *pointer };
    let mut reads = true;
    visit::for_each_stmt(&body.block, &mut |node| {
        reads = reads && use_of.is_read(&node.kind, seen);
    });
    reads
}

/// What a function does with a pointer that it is given.
struct PointerUse<'a> {
    module: &'a Module,
    body: &'a Body,
    pointer: Handle<Local>,
}

impl PointerUse<'_> {
    fn is_read(&self, stmt: &Stmt, seen: &mut BTreeSet<(Handle<Function>, usize)>) -> bool {
        if matches!(stmt, Stmt::Host | Stmt::Region(_) | Stmt::Directive(_) | Stmt::Window(_)) {
            return false;
        }
        let operands = stmt.operands();
        if operands.iter().any(|(e, _)| self.takes_address(*e)) {
            return false;
        }
        if let Stmt::Call { function, args, dest } = stmt {
            let handed_on = |(at, arg): (usize, &Handle<Expr>)| {
                !self.carries(*arg) || through(self.module, *function, at, seen)
            };
            return !dest.is_some_and(|d| self.lies_behind(d)) && args.iter().enumerate().all(handed_on);
        }
        operands.into_iter().all(|(e, access)| match access {
            Access::Value => !self.carries(e),
            Access::Read => true,
            Access::Write | Access::ReadWrite | Access::Address => !self.lies_behind(e),
        })
    }

    /// The address of the pointer itself is taken, so that others may change it or load it.
    fn takes_address(&self, e: Handle<Expr>) -> bool {
        let mut found = false;
        visit::for_each_operand(&self.body.exprs, e, &mut |e| {
            if let ExprKind::AddrOf(place) | ExprKind::Decay(place) = self.body.exprs[e].kind {
                found |= matches!(self.body.exprs[place].kind, ExprKind::Local(l) if l == self.pointer);
            }
        });
        found
    }

    /// The value may be the pointer, or one to what lies around there.
    fn carries(&self, e: Handle<Expr>) -> bool {
        match &self.body.exprs[e].kind {
            ExprKind::Load(place) => {
                matches!(self.body.exprs[*place].kind, ExprKind::Local(l) if l == self.pointer)
            }
            ExprKind::Cast(inner) | ExprKind::Unary { operand: inner, .. } => self.carries(*inner),
            ExprKind::Binary { op: BinaryOp::Add | BinaryOp::Sub, left, right } => {
                self.carries(*left) || self.carries(*right)
            }
            ExprKind::Binary { .. } => false,
            ExprKind::AddrOf(place) | ExprKind::Decay(place) => self.lies_behind(*place),
            // Such a call only reads what it is given.
            ExprKind::Call { function, args } => {
                self.may_return_addresses(*function, self.body.exprs[e].ty)
                    && args.iter().any(|arg| self.carries(*arg))
            }
            ExprKind::Local(_)
            | ExprKind::Global(_)
            | ExprKind::Deref(_)
            | ExprKind::Index { .. }
            | ExprKind::Member { .. } => self.lies_behind(e),
            kind => kind.operands().into_iter().any(|o| self.carries(o)),
        }
    }

    fn may_return_addresses(&self, function: Handle<Function>, ty: Handle<Type>) -> bool {
        let body = &self.module.functions[function].body;
        has_pointers(&self.module.types, ty)
            || body.as_ref().is_none_or(|body| casts_addresses(self.module, body, &body.block))
    }

    /// The place is the pointer itself, or what it points to.
    fn lies_behind(&self, place: Handle<Expr>) -> bool {
        match self.body.exprs[place].kind {
            ExprKind::Local(l) => l == self.pointer,
            ExprKind::Deref(pointer) => self.carries(pointer),
            ExprKind::Index { base, .. } => self.carries(base),
            ExprKind::Member { base, .. } => self.lies_behind(base),
            _ => false,
        }
    }
}
