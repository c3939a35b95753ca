//! Atomic functions and, of C11, atomic objects.
//!
//! The type `_Atomic(T)` is read as `T`, and what is done to such an object becomes a call of the function of GNU C that
//! does the same: `n += 2` is `__atomic_add_fetch(&n, 2, __ATOMIC_SEQ_CST)`. C11's functions, which `<stdatomic.h>` defines by
//! built-in functions of clang's, become those of GNU C as well.

use super::decls::Converter;
use super::exprs::address_of;
use super::json::{Node, TypeText};
use crate::ast::{DeclId, Expr, ExprKind, Qual, Ty};
use accl_source::Span;

/// `__ATOMIC_SEQ_CST`: what operators do is seen in one order.
const IN_ONE_ORDER: i128 = 5;
const RELAXED: i128 = 0;

impl Converter<'_> {
    /// A call of a built-in function whose name the dump leaves out.
    pub(super) fn atomic_function(&mut self, node: &Node<'_>) -> ExprKind {
        let span = self.span(node);
        let text = self.buffer.get(span.start as usize..span.end as usize).unwrap_or("");
        let name = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').next().unwrap_or("");
        let name = name.to_owned();
        let mut args: Vec<Expr> = node.inner.iter().map(|n| self.expr(n)).collect();
        // Our header for gcc casts pointers to atomic objects to others, whose type is an expression's.
        if let Some(pointer) = args.first_mut()
            && let ExprKind::Cast { operand, .. } = &pointer.kind
            && !is_pointer_to_scalar(&pointer.ty)
            && is_pointer_to_scalar(&operand.ty)
        {
            *pointer = (**operand).clone();
        }
        match (name.strip_prefix("__c11_atomic_"), &args[..]) {
            (Some("init"), [_, _]) => {
                args.insert(1, number(RELAXED, span));
                call("store_n", args, span)
            }
            (Some("compare_exchange_strong" | "compare_exchange_weak"), _) => {
                call("compare_exchange_n", args, span)
            }
            (Some(action @ ("load" | "store" | "exchange")), _) => call(&format!("{action}_n"), args, span),
            (Some(action), _) => call(action, args, span),
            (None, _) => match name.strip_prefix("__atomic_") {
                Some(action) => call(action, args, span),
                None => ExprKind::Unsupported("this atomic function", vec![]),
            },
        }
    }

    /// What an operator does to an atomic object, or the reading of its value; `None`: the object is not atomic.
    pub(super) fn operator_on_atomic(&mut self, node: &Node<'_>) -> Option<ExprKind> {
        let object = node.inner.first().filter(|object| is_atomic(&object.ty))?;
        let span = self.span(node);
        let object = self.expr(object);
        let is_whole = matches!(&*object.ty.ty, Ty::Int { .. });
        let (action, value) = match (&*node.kind, &*node.opcode) {
            ("ImplicitCastExpr", _) if &*node.cast_kind == "LValueToRValue" => ("load_n", None),
            ("BinaryOperator", "=") => ("store_n", Some(self.expr(node.inner.get(1)?))),
            ("UnaryOperator", "++") if node.is_postfix => ("fetch_add", Some(number(1, span))),
            ("UnaryOperator", "--") if node.is_postfix => ("fetch_sub", Some(number(1, span))),
            ("UnaryOperator", "++") => ("add_fetch", Some(number(1, span))),
            ("UnaryOperator", "--") => ("sub_fetch", Some(number(1, span))),
            ("CompoundAssignOperator", opcode) => {
                let compute = self.types.read(node.compute_lhs_type.text());
                let computes_in_own_type =
                    is_whole && matches!(&*compute.ty, Ty::Int { .. }) || compute.ty == object.ty.ty;
                // No function does what others do, or converts the object's value to compute with it.
                let action = match (opcode, is_whole) {
                    _ if !computes_in_own_type => "other_operator",
                    ("+=", _) => "add_fetch",
                    ("-=", _) => "sub_fetch",
                    ("&=", true) => "and_fetch",
                    ("|=", true) => "or_fetch",
                    ("^=", true) => "xor_fetch",
                    _ => "other_operator",
                };
                (action, Some(self.expr(node.inner.get(1)?)))
            }
            _ => return None,
        };
        let args =
            [address_of(Box::new(object)), number(IN_ONE_ORDER, span)].into_iter().chain(value).collect();
        Some(call(action, args, span))
    }
}

/// The dump removes the names of types from the outermost one.
fn is_atomic(ty: &TypeText<'_>) -> bool {
    let text = ty.text().trim_start_matches("const ").trim_start_matches("volatile ");
    text.starts_with("_Atomic(") && text.ends_with(')')
}

fn is_pointer_to_scalar(ty: &Qual) -> bool {
    let is_scalar = |ty: &Ty| matches!(ty, Ty::Bool | Ty::Int { .. } | Ty::Float { .. } | Ty::Pointer { .. });
    matches!(&*ty.ty, Ty::Pointer { to, .. } if is_scalar(&to.ty))
}

/// Clang has the order of memory behind the pointer.
fn call(action: &str, args: Vec<Expr>, span: Span) -> ExprKind {
    let kind = ExprKind::Function(DeclId(0), format!("__atomic_{action}").as_str().into());
    let callee = Expr { kind, ty: Qual::new(Ty::Void), span, place: false };
    ExprKind::Call { callee: Box::new(callee), args }
}

fn number(value: i128, span: Span) -> Expr {
    let ty = Qual::new(Ty::Int { bits: 32, signed: true });
    Expr { kind: ExprKind::Int(value), ty, span, place: false }
}
