//! Where pointers lie in types of the source, for who asks before anything is lowered.

use super::context::Context;
use super::{Externals, Source};
use crate::ast::{DeclId, Len, Program, Qual, Ty};
use accl_ir::{
    ArrayLen, Handle, Module, PointerTypes, Space, StructDef, Type, TypeKind, Types, pointer_types,
};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

/// The structures of a program, laid out.
pub struct Layouts {
    types: RefCell<Types>,
    structs: BTreeMap<DeclId, Handle<StructDef>>,
    /// What fields are in the source; those that stand for base classes are not there.
    fields: BTreeMap<(Handle<StructDef>, u32), DeclId>,
}

impl Layouts {
    pub fn new(program: &Program, buffer: &str) -> Layouts {
        let (externals, mut module) = (Externals::default(), Module::default());
        let source = Source {
            buffer,
            variants: &[],
            only_device: None,
            on_host: &[],
            chosen: &[],
            auto_data: true,
            externals: &externals,
            exports_all: false,
        };
        let mut context = Context::new(program, &[], source, &mut module, vec![]);
        let (mut structs, mut fields) = (BTreeMap::new(), BTreeMap::new());
        for record in &program.records {
            let Some(def) = context.struct_def(record.id) else { continue };
            structs.insert(record.id, def);
            let first = context.base_count(record);
            let own = record.fields.iter().filter(|_| !record.is_union).zip(first..);
            fields.extend(own.map(|(field, at)| ((def, at), field.id)));
        }
        Layouts { types: RefCell::new(module.types), structs, fields }
    }

    /// Where those pointers lie in elements of a type, and in what they lead to, that are no members or one of these.
    pub fn pointers(&self, element: &Qual, members: &BTreeSet<DeclId>) -> Option<PointerTypes> {
        let mut types = self.types.borrow_mut();
        let element = self.ty(&mut types, element);
        let is_used = |def, field| self.fields.get(&(def, field)).is_none_or(|id| members.contains(id));
        pointer_types(&types, element, &is_used)
    }

    /// The type, but for qualifiers.
    fn ty(&self, types: &mut Types, qual: &Qual) -> Handle<Type> {
        match &*qual.ty {
            Ty::Pointer { to, .. } | Ty::Reference(to) => {
                let to = self.ty(types, to);
                types.intern(TypeKind::Pointer {
                    to,
                    constant: false,
                    restrict: false,
                    space: Space::Generic,
                })
            }
            Ty::Array { of, len } => {
                let of = self.ty(types, of);
                let len = if let Len::Const(n) = len { ArrayLen::Const(*n) } else { ArrayLen::Unknown };
                types.intern(TypeKind::Array { of, len })
            }
            Ty::Record(id) => match self.structs.get(id) {
                Some(def) => types.intern(TypeKind::Struct(*def)),
                None => types.intern(TypeKind::Opaque("?".into())),
            },
            // They have no pointers that code could follow.
            Ty::Void | Ty::Bool | Ty::Int { .. } | Ty::Float { .. } | Ty::Function | Ty::Opaque(_) => {
                types.void()
            }
        }
    }
}
