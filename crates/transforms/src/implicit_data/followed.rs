//! Arrays of pointers that no clause names, with `-gpu=autodata`: `a[i][j]` of `float **a` or `float *a[N]`.
//!
//! What the pointers lead to is resident, and kernels get a translated copy of the array of pointers. So it has to be of one of the
//! types that say where all pointers lie, one or two levels of them, and no kernel may write a pointer into memory. The kind of
//! the item says what kernels do with the rows.

use super::Items;
use accl_analysis::data::{Variable, VariableForm};
use accl_analysis::indirect::{has_pointers, is_in_variable};
use accl_analysis::provenance::Root;
use accl_ir::{
    Block, Body, DataFlags, DataItem, DataKind, DefaultData, ExprKind, Handle, Type, TypeKind, Types, calls,
    visit,
};

impl Items<'_, '_> {
    /// How many levels of pointers lie behind the variable, if they are followed.
    pub(super) fn followed_levels(&self, v: &Variable) -> Option<u32> {
        let wanted = self.cx.options.auto_data && self.region.clauses.default != Some(DefaultData::Present);
        let levels = levels_behind(self.types(), v.ty).filter(|_| wanted && self.name(v) != "this")?;
        let mut unknown = self.summary.accesses.list.iter().filter(|a| a.root == Root::Unknown);
        (unknown.next().is_some() && self.pointers_stay()).then_some(levels)
    }

    /// All pointers that kernels load from memory come from arrays that are followed.
    pub(super) fn follows_everything(&self) -> bool {
        let types = self.types();
        let holds = |v: &&Variable| match types.element(v.ty) {
            Some(element) => has_pointers(types, element),
            None => v.form == VariableForm::Aggregate && has_pointers(types, v.ty),
        };
        let mut holders = self.summary.variables.iter().filter(holds).peekable();
        holders.peek().is_some() && holders.all(|v| self.followed_levels(v).is_some())
    }

    pub(super) fn followed(&self, v: &Variable, levels: u32) -> DataItem {
        let unknown = self.summary.accesses.list.iter().filter(|a| a.root == Root::Unknown);
        let written = unknown.into_iter().any(|a| a.written);
        let kind = if written { DataKind::Copy } else { DataKind::Copyin };
        let mut item = self.make(v, kind, vec![], "");
        let object = v.form == VariableForm::Aggregate && matches!(v.root, Root::Global(_));
        let flags = item.flags;
        item.flags =
            DataFlags { resident: true, object, followed: true, followed_twice: levels == 2, ..flags };
        item
    }

    fn types(&self) -> &Types {
        &self.summary.provenance.scope.module.types
    }

    /// No code of the construct writes a pointer into memory, or makes one of a number.
    fn pointers_stay(&self) -> bool {
        let module = self.summary.provenance.scope.module;
        let (body, block) = (self.body, &self.region.body);
        let functions = calls::reached(module, body, block).into_iter();
        let bodies = functions.filter_map(|f| module.functions[f].body.as_ref());
        let mut all = bodies.map(|body| (body, &body.block)).chain([(body, block)]);
        all.all(|(body, block)| stays(&module.types, body, block))
    }
}

fn stays(types: &Types, body: &Body, block: &Block) -> bool {
    let mut stays = true;
    visit::for_each_stmt(block, &mut |node| {
        for (place, access) in node.kind.operands() {
            let writes = matches!(access, accl_ir::Access::Write | accl_ir::Access::ReadWrite);
            stays &= !writes || is_in_variable(body, place) || !has_pointers(types, body.exprs[place].ty);
        }
    });
    let is_pointer = |ty: Handle<Type>| matches!(types.kind(ty), TypeKind::Pointer { .. });
    visit::for_each_expr(body, block, &mut |e, _| {
        if let ExprKind::Cast(from) = body.exprs[e].kind {
            let is_null = matches!(body.exprs[from].kind, ExprKind::Int(_));
            stays &= is_null || !is_pointer(body.exprs[e].ty) || is_pointer(body.exprs[from].ty);
        }
    });
    stays
}

/// Levels of pointers in the memory of an array or behind a pointer, with no more of them behind.
fn levels_behind(types: &Types, ty: Handle<Type>) -> Option<u32> {
    let mut at = match types.kind(ty) {
        TypeKind::Pointer { .. } => types.element(ty)?,
        TypeKind::Array { .. } => ty,
        _ => return None,
    };
    while let TypeKind::Array { of, .. } = types.kind(at) {
        at = *of;
    }
    let mut levels = 0;
    while let (TypeKind::Pointer { .. }, Some(element)) = (types.kind(at), types.element(at)) {
        (levels, at) = (levels + 1, element);
    }
    (matches!(levels, 1 | 2) && !has_pointers(types, at)).then_some(levels)
}
