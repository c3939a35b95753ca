//! The atomic functions that GNU C has built in: `__sync_fetch_and_add` and its kin, `__atomic_fetch_add` and its kin. What C11
//! has of the kind comes as these (`clang::atomics`).
//!
//! Those of the first kind order all accesses to memory; those of the second kind say which, in a number.

use super::Lowered;
use super::expr::unsupported;
use super::function::Fun;
use crate::ast::{Expr, Ty};
use crate::clang::fold;
use accl_ir::{AtomicKind, BinaryOp, Expr as IrExpr, ExprKind as Ir, Handle, Stmt};
use accl_source::Span;

type Value = Handle<IrExpr>;

/// Whether memory is ordered before and after the operation.
type Fences = [bool; 2];

const BOTH: Fences = [true, true];

/// What a function does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Action {
    /// The value afterwards is wanted, not the one before.
    Update(BinaryOp, bool),
    Load,
    Store,
    Exchange,
    /// `__sync`'s, whose result is whether the value was replaced, or the one before.
    Replace(bool),
    /// `__atomic`'s: what is expected lies in memory, and becomes what was found.
    ReplaceExpected,
    Clear,
}

impl Fun<'_, '_> {
    /// A call of one of them: its value, or that it has none. `None`: it is another call. `wanted`: somebody uses the value.
    pub fn gnu_atomic(
        &mut self,
        e: &Expr,
        name: &str,
        args: &[Expr],
        wanted: bool,
    ) -> Lowered<Option<Option<Value>>> {
        if matches!(name, "__sync_synchronize" | "__atomic_thread_fence" | "__c11_atomic_thread_fence") {
            self.fence(e.span);
            return Ok(Some(None));
        }
        let Some((action, operands, [before, after])) = meaning(name, args) else { return Ok(None) };
        let Some((pointer, operands)) = operands.split_first() else { return Ok(None) };
        let Ty::Pointer { to: of, .. } = &*pointer.ty.ty else { return Ok(None) };
        let values =
            self.in_order(vec![], std::iter::once(pointer).chain(operands), |f, arg| f.value(arg))?;
        let place = self.deref(values[0], of, e.span);
        let ty = self.ty_of(place);
        let types = &self.cx.module.types;
        if !types.is_arithmetic(ty) || types.size_of(ty).is_none_or(|bytes| bytes > 8) {
            return Err(unsupported("this atomic operation", e.span));
        }
        if before {
            self.fence(e.span);
        }
        let mut operands = values[1..].to_vec();
        // Functions for all types are given addresses of values, and one of memory for the result.
        let into = match name {
            "__atomic_load" | "__atomic_exchange" => operands.pop(),
            _ => None,
        };
        if matches!(name, "__atomic_store" | "__atomic_exchange" | "__atomic_compare_exchange")
            && let Some(value) = operands.last_mut()
        {
            let at = self.pointed_to(*value, ty, e.span);
            *value = self.load(at, e.span);
        }
        let result = self.perform(action, place, &operands, wanted, e.span)?;
        if after {
            self.fence(e.span);
        }
        if let (Some(into), Some(result)) = (into, result) {
            let at = self.pointed_to(into, ty, e.span);
            self.store(at, result, e.span);
            return Ok(Some(None));
        }
        let Some(result) = result else { return Ok(Some(None)) };
        let ty = self.value_type(e)?;
        Ok(Some(Some(self.convert(result, ty, e.span))))
    }

    fn perform(
        &mut self,
        action: Action,
        place: Value,
        operands: &[Value],
        wanted: bool,
        span: Span,
    ) -> Lowered<Option<Value>> {
        let ty = self.ty_of(place);
        let operand = match (action, operands) {
            (Action::Load, _) => None,
            (Action::Clear, _) => Some(self.int(0, ty, span)),
            (Action::Replace(_) | Action::ReplaceExpected, [_, value]) | (_, [value]) => {
                Some(self.convert(*value, ty, span))
            }
            _ => return Err(unsupported("this atomic operation", span)),
        };
        let (kind, captures) = match action {
            Action::Update(op, after) => (AtomicKind::Update(op), wanted.then_some(after)),
            Action::Load => (AtomicKind::Read, Some(false)),
            Action::Exchange => (AtomicKind::Write, Some(false)),
            Action::Store | Action::Clear => (AtomicKind::Write, None),
            Action::Replace(_) => {
                let expected = self.convert(operands[0], ty, span);
                let expected = self.held(expected);
                (AtomicKind::Replace(expected), Some(false))
            }
            Action::ReplaceExpected => {
                let at = self.pointed_to(operands[0], ty, span);
                let expected = self.load(at, span);
                let expected = self.held(expected);
                (AtomicKind::Replace(expected), Some(false))
            }
        };
        let Some(after) = captures else {
            self.emit_atomic(kind, place, operand, None, span)?;
            return Ok(None);
        };
        let local = self.temp("captured", ty, span);
        self.emit(Stmt::Declare { local, init: None }, span);
        let own = self.local_place(local, span);
        self.emit_atomic(kind, place, operand, Some((own, after)), span)?;
        let found = self.load_local(local, span);
        let AtomicKind::Replace(expected) = kind else { return Ok(Some(found)) };
        if action == Action::Replace(false) {
            return Ok(Some(found));
        }
        let int = self.i32();
        let equal = self.expr(Ir::Binary { op: BinaryOp::Eq, left: found, right: expected }, int, span);
        if action == Action::ReplaceExpected {
            let at = self.pointed_to(operands[0], ty, span);
            self.store(at, found, span);
        }
        let local = self.spill("equal", equal, span);
        Ok(Some(self.load_local(local, span)))
    }
}

/// What the function of that name does, the operands that it has beside orders of memory, and these.
fn meaning<'e>(name: &str, args: &'e [Expr]) -> Option<(Action, Vec<&'e Expr>, Fences)> {
    if let Some(plain) = name.strip_prefix("__sync_") {
        let (action, fences) =
            match plain.trim_end_matches(|c: char| c.is_ascii_digit()).trim_end_matches('_') {
                "bool_compare_and_swap" => (Action::Replace(true), BOTH),
                "val_compare_and_swap" => (Action::Replace(false), BOTH),
                "lock_test_and_set" => (Action::Exchange, [false, true]),
                "lock_release" => (Action::Clear, [true, false]),
                plain => match (plain.strip_prefix("fetch_and_"), plain.strip_suffix("_and_fetch")) {
                    (Some(op), _) => (Action::Update(operator(op)?, false), BOTH),
                    (None, Some(op)) => (Action::Update(operator(op)?, true), BOTH),
                    (None, None) => return None,
                },
            };
        return Some((action, args.iter().collect(), fences));
    }
    // Clang puts the order behind the pointer, and that of a failure behind what is expected.
    let [pointer, order, rest @ ..] = args else { return None };
    let plain = name.strip_prefix("__atomic_")?;
    let (action, operands) = match (plain, rest) {
        ("load_n", []) => (Action::Load, vec![pointer]),
        ("load", [into]) => (Action::Load, vec![pointer, into]),
        ("store_n" | "store", [value]) => (Action::Store, vec![pointer, value]),
        ("exchange_n", [value]) => (Action::Exchange, vec![pointer, value]),
        ("exchange", [value, into]) => (Action::Exchange, vec![pointer, value, into]),
        ("compare_exchange_n" | "compare_exchange", [expected, _, value, ..]) => {
            (Action::ReplaceExpected, vec![pointer, expected, value])
        }
        (_, [value]) => match (plain.strip_prefix("fetch_"), plain.strip_suffix("_fetch")) {
            (Some(op), _) => (Action::Update(operator(op)?, false), vec![pointer, value]),
            (None, Some(op)) => (Action::Update(operator(op)?, true), vec![pointer, value]),
            (None, None) => return None,
        },
        _ => return None,
    };
    // __ATOMIC_RELAXED is 0, then follow consume, acquire, release, and what is both.
    let fences = match fold(order) {
        Some(0) => [false, false],
        Some(1 | 2) => [false, true],
        Some(3) => [true, false],
        _ => BOTH,
    };
    Some((action, operands, fences))
}

fn operator(word: &str) -> Option<BinaryOp> {
    Some(match word {
        "add" => BinaryOp::Add,
        "sub" => BinaryOp::Sub,
        "and" => BinaryOp::BitAnd,
        "or" => BinaryOp::BitOr,
        "xor" => BinaryOp::BitXor,
        _ => return None,
    })
}
