//! Where pointers lie in memory that kernels follow.

use crate::{ArrayLen, Handle, StructDef, Type, TypeKind, Types};
use accl_abi::pointers::{PointerAt, PointerType, PointerTypes};
use std::collections::BTreeMap;

/// An element with more pointers is not followed.
const MOST_POINTERS: usize = 256;

/// Where pointers lie in elements of a type, and in what these lead to; no types where none lie there. Of structures those members
/// count that are `used`. `None`: that cannot be told.
pub fn pointer_types(
    types: &Types,
    element: Handle<Type>,
    used: &dyn Fn(Handle<StructDef>, u32) -> bool,
) -> Option<PointerTypes> {
    let mut finder = Finder { types, used, found: vec![], known: BTreeMap::new() };
    finder.number(element)?;
    Some(PointerTypes(finder.found))
}

struct Finder<'a> {
    types: &'a Types,
    used: &'a dyn Fn(Handle<StructDef>, u32) -> bool,
    found: Vec<PointerType>,
    known: BTreeMap<Handle<Type>, Option<usize>>,
}

impl Finder<'_> {
    /// The number of a type with pointers in it, `Some(None)` for one without.
    fn number(&mut self, ty: Handle<Type>) -> Option<Option<usize>> {
        let mut element = ty;
        while let TypeKind::Array { of, .. } = self.types.kind(element) {
            element = *of;
        }
        if let Some(known) = self.known.get(&element) {
            return Some(*known);
        }
        if !matches!(self.types.kind(element), TypeKind::Pointer { .. } | TypeKind::Struct(_)) {
            return Some(None);
        }
        // It may lead back to itself.
        let number = self.found.len();
        self.known.insert(element, Some(number));
        self.found.push(PointerType::default());
        let mut of = PointerType { size: self.types.size_of(element)? as usize, pointers: vec![] };
        self.pointers(element, 0, &mut of.pointers)?;
        if of.pointers.is_empty() {
            self.found.pop();
            self.known.insert(element, None);
            return Some(None);
        }
        if of.size == 0 {
            return None;
        }
        self.found[number] = of;
        Some(Some(number))
    }

    fn pointers(&mut self, ty: Handle<Type>, offset: usize, all: &mut Vec<PointerAt>) -> Option<()> {
        match self.types.kind(ty) {
            TypeKind::Pointer { to, .. } => {
                let to = self.number(*to)?;
                all.push(PointerAt { offset, to });
            }
            TypeKind::Array { of, len: ArrayLen::Const(count) } => {
                let size = self.types.size_of(*of)? as usize;
                let before = all.len();
                for at in 0..*count as usize {
                    self.pointers(*of, offset + at * size, all)?;
                    if all.len() == before {
                        break;
                    }
                }
            }
            TypeKind::Struct(def) => {
                for (at, field) in self.types.structs[*def].fields.iter().enumerate() {
                    if (self.used)(*def, at as u32) {
                        self.pointers(field.ty, offset + field.offset as usize, all)?;
                    }
                }
            }
            _ => {}
        }
        (all.len() <= MOST_POINTERS).then_some(())
    }
}
