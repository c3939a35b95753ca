//! Uses of an array in a kernel: single elements, or anything else.

use accl_ir::{Access, ArrayLen, Block, Body, Expr, ExprKind, Handle, Local, TypeKind, Types, visit};

/// A subscript of an element, as many times as it counts in the element's number.
pub type Subscript = (Handle<Expr>, u64);

/// The subscripts of `place`, if it is an element of `array`, a parameter that points to its elements or rows. The sum of each
/// times its factor is the element's number.
pub fn subscripts(
    types: &Types,
    body: &Body,
    place: Handle<Expr>,
    array: Handle<Local>,
) -> Option<Vec<Subscript>> {
    if !matches!(types.kind(body.exprs[place].ty), TypeKind::Int { .. } | TypeKind::Float { .. }) {
        return None;
    }
    let (mut found, mut place, mut factor) = (vec![], place, 1u64);
    loop {
        let ExprKind::Index { base, index } = body.exprs[place].kind else { return None };
        found.push((index, factor));
        let row = match body.exprs[base].kind {
            ExprKind::Load(pointer) if body.exprs[pointer].kind == ExprKind::Local(array) => {
                return Some(found);
            }
            ExprKind::Decay(row) => row,
            _ => base,
        };
        let TypeKind::Array { len: ArrayLen::Const(len), .. } = types.kind(body.exprs[row].ty) else {
            return None;
        };
        (place, factor) = (row, factor.checked_mul(*len)?);
    }
}

/// The block uses elements of the array, and neither its address nor parts of it.
pub fn are_all(types: &Types, body: &Body, block: &Block, array: Handle<Local>) -> bool {
    let uses = Uses { types, body, array };
    let mut all = true;
    visit::for_each_stmt(block, &mut |node| {
        for (e, access) in node.kind.operands() {
            all &= match access {
                Access::Address => !uses.mention(e),
                Access::Value | Access::Read | Access::Write | Access::ReadWrite => uses.are_elements(e),
            };
        }
    });
    all
}

struct Uses<'a> {
    types: &'a Types,
    body: &'a Body,
    array: Handle<Local>,
}

impl Uses<'_> {
    fn mention(&self, e: Handle<Expr>) -> bool {
        accl_ir::rewrite::mentions(self.body, e, self.array)
    }

    fn are_elements(&self, e: Handle<Expr>) -> bool {
        if let Some(found) = subscripts(self.types, self.body, e, self.array) {
            return found.iter().all(|(subscript, _)| self.are_elements(*subscript));
        }
        match &self.body.exprs[e].kind {
            ExprKind::Local(l) => *l != self.array,
            ExprKind::AddrOf(place) | ExprKind::Decay(place) => !self.mention(*place),
            kind => kind.operands().into_iter().all(|operand| self.are_elements(operand)),
        }
    }
}
