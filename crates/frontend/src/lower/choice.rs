//! Objects that a condition selects.
//!
//! `c ? x : a[i]` is an object in C++, and its address is the choice between two addresses. Where the objects lie
//! in different memories no pointer of OpenCL C can hold that, and elsewhere it keeps variables out of registers.
//! So an operation on a chosen object becomes a choice between the operations on either object: a choice of values,
//! or an `if` around a store or a call.

use super::function::Fun;
use accl_ir::visit::{self, Root};
use accl_ir::{Expr as IrExpr, ExprKind as Ir, Function, Handle, Local, LocalKind, Stmt, Type, TypeKind};
use accl_source::Span;

type Value = Handle<IrExpr>;

/// One value under a condition, otherwise another.
#[derive(Clone, Copy, Debug)]
pub struct Choice {
    cond: Value,
    sides: [Value; 2],
}

/// The memory of an object, as far as it is known while its function is lowered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Memory {
    /// Locals of device code.
    Own,
    /// What pointers from outside of device code point to.
    Outside,
    /// The memory of the variable is decided later.
    Of(Root),
    /// The memory that the pointer in a local points to.
    Behind(Handle<Local>),
    Unknown,
}

impl Memory {
    fn is(self, other: Memory) -> bool {
        self == other && self != Memory::Unknown
    }
}

impl Fun<'_, '_> {
    /// The memory that an address points to.
    pub fn memory_of(&self, address: Value) -> Memory {
        match &self.body.exprs[address].kind {
            Ir::AddrOf(place) | Ir::Decay(place) => match visit::root_of(&self.body, *place) {
                Some(Root::Local(local)) if local.index() >= self.outer_locals => Memory::Own,
                Some(Root::Pointer(pointer)) => self.memory_of(pointer),
                Some(root) => Memory::Of(root),
                None => Memory::Unknown,
            },
            Ir::Cast(of) => self.memory_of(*of),
            Ir::Binary { left, right, .. } => match self.kind_of(*left) {
                TypeKind::Pointer { .. } => self.memory_of(*left),
                _ => self.memory_of(*right),
            },
            Ir::Select { yes, no, .. } => {
                let memory = self.memory_of(*yes);
                if memory.is(self.memory_of(*no)) { memory } else { Memory::Unknown }
            }
            Ir::Load(place) => match self.body.exprs[*place].kind {
                Ir::Local(local) if self.region && local.index() < self.outer_locals => Memory::Outside,
                Ir::Local(local) => self.points_to.get(&local).copied().unwrap_or(Memory::Behind(local)),
                // A pointer in memory.
                _ => Memory::Outside,
            },
            _ => Memory::Unknown,
        }
    }

    /// `cond ? yes : no` of two addresses; a constant condition selects one.
    pub fn chosen_address(&mut self, cond: Value, yes: Value, no: Value, span: Span) -> Value {
        let constant = matches!(self.kind_of(no), TypeKind::Pointer { constant: true, .. });
        let ty = self.ty_of(if constant { no } else { yes });
        let [yes, no] = [yes, no].map(|side| self.convert_pointer(side, ty));
        self.expr(Ir::Select { cond, yes, no }, ty, span)
    }

    /// The choice between two addresses that a pointer is.
    fn choice_of(&mut self, pointer: Value) -> Option<Choice> {
        let IrExpr { kind, ty, span } = self.body.exprs[pointer].clone();
        if !matches!(self.kind_of(pointer), TypeKind::Pointer { .. }) {
            return None;
        }
        match kind {
            Ir::Select { cond, yes, no } => Some(Choice { cond, sides: [yes, no] }),
            Ir::Cast(of) => {
                let choice = self.choice_of(of)?;
                Some(self.either(choice, |f, side| f.expr(Ir::Cast(side), ty, span)))
            }
            Ir::AddrOf(place) => {
                let choice = self.chosen_place(place)?;
                Some(self.either(choice, |f, side| f.expr(Ir::AddrOf(side), ty, span)))
            }
            Ir::Decay(place) => {
                let choice = self.chosen_place(place)?;
                Some(self.either(choice, |f, side| f.expr(Ir::Decay(side), ty, span)))
            }
            _ => None,
        }
    }

    /// The same, if what they point to may lie in different memories.
    fn apart(&mut self, pointer: Value) -> Option<Choice> {
        self.choice_of(pointer).filter(|choice| {
            let [yes, no] = choice.sides.map(|side| self.memory_of(side));
            !yes.is(no)
        })
    }

    /// The choice between two places that a place is.
    pub fn chosen_place(&mut self, place: Value) -> Option<Choice> {
        let IrExpr { kind, ty, span } = self.body.exprs[place].clone();
        match kind {
            Ir::Deref(pointer) => {
                let choice = self.choice_of(pointer)?;
                Some(self.either(choice, |f, side| f.pointed_to(side, ty, span)))
            }
            Ir::Member { base, field } => {
                let choice = self.chosen_place(base)?;
                Some(self.either(choice, |f, base| f.expr(Ir::Member { base, field }, ty, span)))
            }
            Ir::Index { base, index } => {
                let choice = match self.body.exprs[base].kind.is_place() {
                    true => self.chosen_place(base)?,
                    false => self.choice_of(base)?,
                };
                Some(self.either(choice, |f, base| f.expr(Ir::Index { base, index }, ty, span)))
            }
            _ => None,
        }
    }

    fn either(&mut self, choice: Choice, mut made: impl FnMut(&mut Self, Value) -> Value) -> Choice {
        Choice { sides: choice.sides.map(|side| made(self, side)), ..choice }
    }

    /// `c ? a : b`, with the operation applied to either.
    pub fn select(
        &mut self,
        choice: Choice,
        ty: Handle<Type>,
        span: Span,
        made: impl FnMut(&mut Self, Value) -> Value,
    ) -> Value {
        let Choice { cond, sides: [yes, no] } = self.either(choice, made);
        self.expr(Ir::Select { cond, yes, no }, ty, span)
    }

    /// The first of a call's arguments that is a chosen address.
    fn chosen_argument(&mut self, args: &[Value]) -> Option<(usize, Choice)> {
        args.iter().enumerate().find_map(|(index, arg)| Some((index, self.apart(*arg)?)))
    }

    /// The value of a function without effects.
    pub fn pure_call(
        &mut self,
        function: Handle<Function>,
        args: Vec<Value>,
        result: Handle<Type>,
        span: Span,
    ) -> Value {
        match self.chosen_argument(&args) {
            Some((index, choice)) => self.select(choice, result, span, |f, side| {
                let mut args = args.clone();
                args[index] = side;
                f.pure_call(function, args, result, span)
            }),
            None => self.expr(Ir::Call { function, args }, result, span),
        }
    }

    /// The same statement for either object, if it is about one that is chosen.
    pub fn either_statement(&mut self, statement: &Stmt) -> Option<(Value, [Stmt; 2])> {
        match statement {
            Stmt::Store { place, op, value } => {
                let Choice { cond, sides } = self.chosen_place(*place)?;
                Some((cond, sides.map(|place| Stmt::Store { place, op: *op, value: *value })))
            }
            Stmt::Call { dest: Some(dest), function, args }
                if let Some(choice) = self.chosen_place(*dest) =>
            {
                let call = |dest| Stmt::Call { dest: Some(dest), function: *function, args: args.clone() };
                Some((choice.cond, choice.sides.map(call)))
            }
            Stmt::Call { dest, function, args } => {
                let (index, Choice { cond, sides }) = self.chosen_argument(args)?;
                let call = |side| {
                    let mut args = args.clone();
                    args[index] = side;
                    Stmt::Call { dest: *dest, function: *function, args }
                };
                Some((cond, sides.map(call)))
            }
            _ => None,
        }
    }

    /// The selected address, fixed at this point: a pointer for either object, of which one is set.
    pub fn kept_choice(&mut self, address: Value, span: Span) -> Option<Value> {
        let choice = self.apart(address)?;
        let pointers = choice.sides.map(|side| {
            let local = self.temp("object", self.ty_of(side), span);
            let memory = self.memory_of(side);
            self.points_to.insert(local, memory);
            self.emit(Stmt::Declare { local, init: None }, span);
            self.local_place(local, span)
        });
        let [yes, no] = [0, 1].map(|side| (pointers[side], choice.sides[side]));
        let [then, otherwise] =
            [yes, no].map(|(pointer, value)| self.block(|f| f.store(pointer, value, span)));
        self.emit(Stmt::If { cond: choice.cond, then, otherwise }, span);
        let (kept, ty) = (Choice { sides: pointers, ..choice }, self.ty_of(address));
        Some(self.select(kept, ty, span, |f, pointer| f.load(pointer, span)))
    }

    fn is_temporary(&self, place: Value) -> bool {
        matches!(self.body.exprs[place].kind, Ir::Local(local) if self.body.locals[local].kind == LocalKind::Temp)
    }

    /// An address that costs little to name several times: the condition of a choice is evaluated here.
    pub fn nameable(&mut self, address: Value) -> Value {
        let IrExpr { kind, ty, span } = self.body.exprs[address].clone();
        match kind {
            Ir::Select { cond, yes, no } => {
                let cond = match &self.body.exprs[cond].kind {
                    Ir::Int(_) => cond,
                    Ir::Load(place) if self.is_temporary(*place) => cond,
                    _ => {
                        let local = self.spill("first", cond, span);
                        self.load_local(local, span)
                    }
                };
                self.expr(Ir::Select { cond, yes, no }, ty, span)
            }
            Ir::Cast(of) => {
                let of = self.nameable(of);
                self.expr(Ir::Cast(of), ty, span)
            }
            _ => address,
        }
    }
}
