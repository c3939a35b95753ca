//! What constructors do before their bodies.

use super::decls::Converter;
use super::json::Node;
use crate::ast::*;

impl Converter<'_> {
    pub(super) fn member_init(&mut self, node: &Node<'_>, constructor: &Node<'_>) -> Option<MemberInit> {
        let init = node.children().next()?;
        let mut value = self.expr(init);
        if &*init.kind == "CXXInheritedCtorInitExpr" {
            value.kind = self.inherited(constructor);
        }
        Some(MemberInit { field: node.any_init.as_ref().map(|f| DeclId(f.id.0)), value })
    }

    /// What a constructor that a class inherits does first: the base class's, with the same arguments.
    fn inherited(&mut self, constructor: &Node<'_>) -> ExprKind {
        let mut args = vec![];
        for param in constructor.children().filter(|n| &*n.kind == "ParmVarDecl") {
            let Var { id, name, ty, decl_span: span, .. } = self.var(param);
            let object = ty.referred().clone();
            let kind = ExprKind::Var(id, name.as_str().into());
            let place = Expr { kind, ty: object.clone(), span, place: true };
            args.push(match &*ty.ty {
                Ty::Reference(_) => place,
                Ty::Record(_) => {
                    return ExprKind::Unsupported(
                        "an inherited constructor that takes objects by value",
                        vec![],
                    );
                }
                _ => {
                    let kind = ExprKind::Cast { kind: CastKind::Load, operand: Box::new(place) };
                    Expr { kind, ty: object, span, place: false }
                }
            });
        }
        ExprKind::Construct { signature: constructor.ty.qual_type.0.as_ref().into(), args }
    }
}
