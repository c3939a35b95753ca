//! Which functions only read the object that they are given by reference.
//!
//! Templates take what they are given by forwarding references, `T &&`, and hand it on by `std::forward`. So the variable of a
//! parallel loop is given by reference where nobody means to change it, and what is called, and what that calls, must tell.

use super::context::Context;
use super::types::library_class;
use super::walk;
use crate::ast::{
    CastKind, DeclId, Expr, ExprKind, FunctionKind, LambdaCall, Library, MemberInit, Qual, Stmt, Ty, Var,
};
use std::collections::HashMap;

/// The depth up to which calls are followed.
const DEPTH: u32 = 8;

/// A function, or a lambda's body for the types that it is called with.
struct Called<'a> {
    params: &'a [Var],
    /// Of a constructor.
    inits: &'a [MemberInit],
    body: &'a Stmt,
    result: &'a Qual,
    /// Arguments that come before those of the parameters: the object of an operator.
    objects: usize,
}

fn is_of_library(object: &Qual) -> bool {
    library_class(&object.referred().ty).is_some()
}

/// An object of the library's that refers to nothing it was made of.
fn holds_copies(object: &Qual) -> bool {
    let refers = |name: &str| name.contains('&') || name.contains("reference_wrapper");
    is_of_library(object) && !matches!(&*object.ty, Ty::Opaque(name) if refers(name))
}

/// Methods of the standard library's containers that take what they store by forwarding reference.
fn keeps_copies(callee: &Expr) -> bool {
    let ExprKind::Member { base, arrow: false, name, .. } = &walk::bare_function(callee).kind else {
        return false;
    };
    const NAMES: [&str; 8] = [
        "assign",
        "emplace",
        "emplace_back",
        "emplace_front",
        "insert",
        "push_back",
        "push_front",
        "value_or",
    ];
    NAMES.contains(&&**name) && is_of_library(&base.ty)
}

impl<'p> Context<'p> {
    /// Whether a function leaves the object as it is that it is given by reference, and hands out no reference to it.
    pub fn only_reads_argument(&self, callee: &Expr, args: &[Expr], number: usize) -> bool {
        self.only_reads_within(callee, args, number, DEPTH)
    }

    fn only_reads_within(&self, callee: &Expr, args: &[Expr], number: usize, depth: u32) -> bool {
        let called = match &callee.kind {
            ExprKind::Construct { signature, .. } => self.constructor_body(callee, signature),
            _ => walk::callee(callee).and_then(|id| self.called_body(id)),
        };
        let Some(called) = called else { return self.library_only_reads(callee, args, number) };
        if depth == 0 || args.len() != called.params.len() + called.objects || number < called.objects {
            return false;
        }
        let param = called.params[number - called.objects].id;
        self.only_loads(&called, param, depth) || self.neither_changes_nor_keeps(&called, param, depth)
    }

    fn called_body(&self, id: DeclId) -> Option<Called<'p>> {
        if let Some(function) = self.function_decl(id) {
            let is_method = matches!(function.kind, FunctionKind::Method { is_static: false, .. });
            let objects =
                usize::from(is_method && function.name.rsplit("::").next()?.starts_with("operator"));
            let body = function.body.as_ref()?;
            return Some(Called {
                params: &function.params,
                inits: &[],
                body,
                result: &function.result,
                objects,
            });
        }
        let call = self.lambda_calls().get(&id)?;
        Some(Called { params: &call.params, inits: &[], body: &call.body, result: &call.result, objects: 1 })
    }

    fn constructor_body(&self, made: &Expr, signature: &str) -> Option<Called<'p>> {
        let function = self.constructor(made, signature)?;
        let FunctionKind::Constructor { inits, .. } = &function.kind else { return None };
        let (params, result, body) = (&function.params, &function.result, function.body.as_ref()?);
        Some(Called { params, inits, body, result, objects: 0 })
    }

    fn lambda_calls(&self) -> &HashMap<DeclId, &'p LambdaCall> {
        self.lambda_calls.get_or_init(|| {
            let mut found = HashMap::new();
            for body in self.program.functions.iter().filter_map(|f| f.body.as_ref()) {
                walk::exprs(body, &mut |e| {
                    if let ExprKind::Lambda(lambda) = &e.kind {
                        found.extend(lambda.calls.iter().map(|call| (call.id, call)));
                    }
                });
            }
            found
        })
    }

    /// Functions of the standard library that take references to whatever they copy, compare or hand on.
    fn library_only_reads(&self, callee: &Expr, args: &[Expr], number: usize) -> bool {
        if let ExprKind::Construct { .. } = callee.kind {
            return self.library_record(&callee.ty).is_some() || holds_copies(&callee.ty);
        }
        match walk::library_name(callee) {
            Some("make_pair" | "make_tuple") => {
                walk::callee(callee).is_some_and(|id| self.function_decl(id).is_none())
            }
            Some("operator()") => {
                let of = args.first().and_then(|object| self.library_record(&object.ty));
                number > 0 && matches!(of, Some((_, Library::FunctionObject(_))))
            }
            Some("operator=") if number > 0 => args.first().is_some_and(|object| is_of_library(&object.ty)),
            _ => self.hands_on(callee) || keeps_copies(callee),
        }
    }

    /// Whether each mention of the parameter reads its value, or is an argument of a function that does no more.
    fn only_loads(&self, called: &Called<'_>, param: DeclId, depth: u32) -> bool {
        let (mut named, mut harmless) = (0, 0);
        let mut visit = |e: &Expr| match &e.kind {
            ExprKind::Var(id, _) => named += usize::from(*id == param),
            ExprKind::Cast { kind: CastKind::Load, operand } => {
                harmless += usize::from(self.handed_on(operand) == Some(param));
            }
            ExprKind::Call { callee, args } => {
                let given = args.iter().enumerate().filter(|(_, a)| self.handed_on(a) == Some(param));
                // What hands it on is looked at where it is used.
                let read = given.filter(|(n, _)| {
                    !self.hands_on(callee) && self.only_reads_within(callee, args, *n, depth - 1)
                });
                harmless += read.count();
            }
            ExprKind::Construct { args, .. } => {
                let given = args.iter().enumerate().filter(|(_, a)| self.handed_on(a) == Some(param));
                harmless += given.filter(|(n, _)| self.only_reads_within(e, args, *n, depth - 1)).count();
            }
            _ => {}
        };
        walk::exprs(called.body, &mut visit);
        called.inits.iter().for_each(|init| walk::within(&init.value, &mut visit));
        named == harmless
    }

    fn neither_changes_nor_keeps(&self, called: &Called<'_>, param: DeclId, depth: u32) -> bool {
        let hands_out =
            called.result.is_reference() || matches!(&*called.result.ty, Ty::Pointer { .. } | Ty::Record(_));
        if hands_out || !called.inits.is_empty() {
            return false;
        }
        // What it makes may hold the reference.
        let mut makes = false;
        walk::exprs(called.body, &mut |e| {
            let is_object =
                matches!(e.kind, ExprKind::Construct { .. } | ExprKind::InitList(_) | ExprKind::Lambda(_));
            makes |= is_object;
        });
        let mut changed = false;
        let mut only_reads =
            |callee: &Expr, args: &[Expr], n: usize| self.only_reads_within(callee, args, n, depth - 1);
        walk::each_change_but(called.body, &mut only_reads, &mut |id, _| changed |= id == param);
        !makes && !changed
    }

    /// `std::forward<T>`, `std::move`.
    fn hands_on(&self, callee: &Expr) -> bool {
        matches!(walk::library_name(callee), Some("forward" | "move"))
            && walk::callee(callee).is_some_and(|id| self.function_decl(id).is_none())
    }

    /// The variable of which a place is a part, also where the library hands the place on.
    fn handed_on(&self, place: &Expr) -> Option<DeclId> {
        match &walk::same_place(place).kind {
            ExprKind::Call { callee, args } if self.hands_on(callee) => self.handed_on(args.first()?),
            _ => walk::root(place),
        }
    }
}
