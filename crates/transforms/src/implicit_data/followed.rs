//! Arrays with pointers that no clause names, with `-gpu=autodata`: `a[i][j]` of `float **a` or `float *a[N]`, `a[i].u[j]` of an array of
//! structures.
//!
//! What the pointers lead to is resident, and kernels get a translated copy of the array. So its type has to say where all pointers
//! lie that kernels follow, and no kernel may write a pointer into memory. The item's kind and flags say what kernels do with what lies
//! beside the pointers, and with what they lead to.

use super::Items;
use super::own_parameters::OwnParameters;
use accl_analysis::data::{Variable, VariableForm};
use accl_analysis::indirect::{has_pointers, is_in_variable};
use accl_analysis::provenance::Root;
use accl_ir::{
    Access, Block, Body, DataFlags, DataItem, DataKind, DefaultData, Expr, ExprKind, Handle, PointerTypes,
    StructDef, Type, TypeKind, Types, calls, pointer_types, visit,
};
use std::collections::BTreeSet;

/// What a construct, and the functions that it calls, do with pointers in memory.
pub(super) struct PointerUses {
    /// The members of structures that they name.
    members: BTreeSet<(Handle<StructDef>, u32)>,
    /// Something is accessed through such pointers.
    follows: bool,
    /// No such pointer is written, or made of a number or of another pointer.
    stay: bool,
    /// Members of structures in which pointers lie may be written.
    writes_beside: bool,
    /// What such pointers lead to may be written.
    writes_behind: bool,
}

impl Items<'_, '_> {
    fn pointer_uses(&self) -> &PointerUses {
        self.pointers.get_or_init(|| {
            let module = self.summary.provenance.scope.module;
            let is_own = |place| self.is_in_own_variable(self.body, place);
            let own = &OwnParameters::new(module, self.body, &self.region.body, &is_own);
            PointerUses {
                members: self.members(),
                follows: self.follows_pointers(),
                stay: self.pointers_stay(own),
                writes_beside: self.writes_beside_pointers(own),
                writes_behind: self.writes_behind_pointers(own),
            }
        })
    }

    /// Where the pointers behind the variable lie, if they are followed.
    pub(super) fn followed_pointers(&self, v: &Variable) -> Option<PointerTypes> {
        let wanted = self.cx.options.auto_data && self.region.clauses.default != Some(DefaultData::Present);
        if !wanted || self.name(v) == "this" || !self.pointer_uses().follows {
            return None;
        }
        self.pointers_behind(v).filter(|pointers| !pointers.0.is_empty() && self.pointer_uses().stay)
    }

    /// All pointers that kernels load from memory come from arrays that are followed.
    pub(super) fn follows_everything(&self) -> bool {
        let holds = |v: &&Variable| self.pointers_behind(v).is_none_or(|pointers| !pointers.0.is_empty());
        let mut holders = self.summary.variables.iter().filter(holds).peekable();
        holders.peek().is_some() && holders.all(|v| self.followed_pointers(v).is_some())
    }

    pub(super) fn followed(&self, v: &Variable, pointers: PointerTypes) -> DataItem {
        let &PointerUses { writes_beside, writes_behind, .. } = self.pointer_uses();
        let kind = if writes_beside || writes_behind { DataKind::Copy } else { DataKind::Copyin };
        let mut item = match self.referred(v) {
            Some(_) => self.reference(v, kind),
            None => self.make(v, kind, vec![], ""),
        };
        let object = v.form == VariableForm::Aggregate && matches!(v.root, Root::Global(_));
        let flags = item.flags;
        item.flags = DataFlags {
            resident: true,
            object,
            followed: true,
            followed_written: writes_beside,
            rows_read: writes_beside && !writes_behind,
            ..flags
        };
        item.pointers = Some(pointers);
        item
    }

    /// Something is accessed through pointers in memory, in the construct or in functions that it calls.
    fn follows_pointers(&self) -> bool {
        let mut found = self.summary.accesses.list.iter().any(|a| a.root == Root::Unknown);
        self.each_called(&mut |types, body, block| {
            visit::for_each_expr(body, block, &mut |e, _| {
                if let ExprKind::Load(place) = body.exprs[e].kind {
                    let is_pointer = matches!(types.kind(body.exprs[e].ty), TypeKind::Pointer { .. });
                    found |= is_pointer && !is_in_variable(body, place);
                }
            });
        });
        found
    }

    /// Of functions that are called it is not told through which pointers they write.
    fn writes_behind_pointers(&self, own: &OwnParameters) -> bool {
        let mut found = self.summary.accesses.list.iter().any(|a| a.root == Root::Unknown && a.written);
        self.each_called(&mut |_, body, block| {
            let is_own = |place| is_in_variable(body, place) || own.leads_to(body, place);
            visit::for_each_stmt(block, &mut |node| {
                let mut operands = node.kind.operands().into_iter();
                found |= operands.any(|(place, access)| writes(access) && !is_own(place));
            });
        });
        found
    }

    fn types(&self) -> &Types {
        &self.summary.provenance.scope.module.types
    }

    /// `None`: it cannot be told.
    fn pointers_behind(&self, v: &Variable) -> Option<PointerTypes> {
        let types = self.types();
        let element = match types.kind(v.ty) {
            TypeKind::Pointer { to, .. } => *to,
            TypeKind::Array { .. } | TypeKind::Struct(_) => v.ty,
            _ => return Some(PointerTypes::default()),
        };
        let members = &self.pointer_uses().members;
        pointer_types(types, element, &|def, field| members.contains(&(def, field)))
    }

    /// The members that the construct names.
    fn members(&self) -> BTreeSet<(Handle<StructDef>, u32)> {
        let mut members = BTreeSet::new();
        self.each_body(&mut |types, body, block| {
            visit::for_each_expr(body, block, &mut |e, _| {
                if let ExprKind::Member { base, field } = body.exprs[e].kind
                    && let TypeKind::Struct(def) = types.kind(body.exprs[base].ty)
                {
                    members.insert((*def, field));
                }
            });
        });
        members
    }

    /// The construct, and the functions that it calls.
    fn each_body(&self, visit: &mut dyn FnMut(&Types, &Body, &Block)) {
        visit(self.types(), self.body, &self.region.body);
        self.each_called(visit);
    }

    /// The functions that it calls, and those that these call.
    fn each_called(&self, visit: &mut dyn FnMut(&Types, &Body, &Block)) {
        let module = self.summary.provenance.scope.module;
        let (body, block) = (self.body, &self.region.body);
        let functions = calls::reached(module, body, block).into_iter();
        let bodies = functions.filter_map(|f| module.functions[f].body.as_ref());
        bodies.for_each(|body| visit(&module.types, body, &body.block));
    }

    /// No code of the construct writes a pointer into memory, or makes one of a number or of another pointer.
    fn pointers_stay(&self, own: &OwnParameters) -> bool {
        let mut all = true;
        self.each_body(&mut |types, body, block| all &= self.stays(own, types, body, block));
        all
    }

    fn stays(&self, own: &OwnParameters, types: &Types, body: &Body, block: &Block) -> bool {
        let mut stays = true;
        visit::for_each_stmt(block, &mut |node| {
            for (place, access) in node.kind.operands() {
                stays &= !writes(access)
                    || self.is_own(own, body, place)
                    || !has_pointers(types, body.exprs[place].ty);
            }
        });
        let pointee = |e: Handle<Expr>| match types.kind(body.exprs[e].ty) {
            TypeKind::Pointer { to, .. } => Some(*to),
            _ => None,
        };
        visit::for_each_expr(body, block, &mut |e, _| {
            if let ExprKind::Cast(from) = body.exprs[e].kind {
                let is_null = matches!(body.exprs[from].kind, ExprKind::Int(_));
                stays &= is_null
                    || match (pointee(e), pointee(from)) {
                        (None, _) => true,
                        (Some(_), None) => false,
                        (Some(to), Some(from)) => !has_pointers(types, to) || same_layout(types, from, to),
                    };
            }
        });
        stays
    }

    /// The place lies in a thread's own variable.
    fn is_own(&self, own: &OwnParameters, body: &Body, place: Handle<Expr>) -> bool {
        self.is_in_own_variable(body, place) || own.leads_to(body, place)
    }

    fn is_in_own_variable(&self, body: &Body, place: Handle<Expr>) -> bool {
        let is_outside = |root: Root| self.summary.variables.iter().any(|v| v.root == root);
        is_in_variable(body, place)
            && !(std::ptr::eq(body, self.body)
                && visit::root_local(body, place).is_some_and(|local| is_outside(Root::Local(local))))
    }

    /// The construct may write members of structures in which pointers lie.
    fn writes_beside_pointers(&self, own: &OwnParameters) -> bool {
        let mut found = false;
        self.each_body(&mut |types, body, block| {
            let beside =
                |place: Handle<Expr>| is_beside(types, body, place) && !self.is_own(own, body, place);
            visit::for_each_stmt(block, &mut |node| {
                let operands = node.kind.operands();
                found |= operands.into_iter().any(|(place, access)| writes(access) && beside(place));
            });
            visit::for_each_expr(body, block, &mut |e, _| {
                if let ExprKind::AddrOf(place) | ExprKind::Decay(place) = body.exprs[e].kind {
                    found |= beside(place);
                }
            });
        });
        found
    }
}

/// The types differ in qualifiers alone.
fn same_layout(types: &Types, a: Handle<Type>, b: Handle<Type>) -> bool {
    match (types.kind(a), types.kind(b)) {
        (TypeKind::Pointer { to: a, .. }, TypeKind::Pointer { to: b, .. })
        | (TypeKind::Array { of: a, .. }, TypeKind::Array { of: b, .. }) => same_layout(types, *a, *b),
        _ => a == b,
    }
}

pub(super) fn writes(access: Access) -> bool {
    matches!(access, Access::Write | Access::ReadWrite)
}

/// The place lies in a structure with pointers, or is one.
fn is_beside(types: &Types, body: &Body, place: Handle<Expr>) -> bool {
    let is_structure =
        |ty: Handle<Type>| matches!(types.kind(ty), TypeKind::Struct(_)) && has_pointers(types, ty);
    match body.exprs[place].kind {
        ExprKind::Member { base, .. } => is_structure(body.exprs[base].ty) || is_beside(types, body, base),
        ExprKind::Index { base, .. } if body.exprs[base].kind.is_place() => is_beside(types, body, base),
        _ => false,
    }
}
