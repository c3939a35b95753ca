//! Parameters of functions that lead to variables of the thread that calls: `this` of an object that an iteration declares.
//!
//! A constructor, and any other method of such an object, writes and reads the thread's own memory, whatever its parameter's type
//! says. Parameters that are assigned, or whose address is taken, are left out, and so are those to which any call hands something
//! else.

use super::followed::writes;
use accl_analysis::indirect::is_in_variable;
use accl_ir::{Block, Body, Expr, ExprKind, Function, Handle, Local, Module, Stmt, TypeKind, calls, visit};
use std::collections::BTreeSet;

pub(super) struct OwnParameters {
    /// Of bodies, which are told apart by where they lie.
    parameters: BTreeSet<(*const Body, Handle<Local>)>,
}

/// One call: the body in which it stands, and what it hands on.
type Call<'a> = (&'a Body, Handle<Function>, Vec<Handle<Expr>>);

impl OwnParameters {
    /// Those of functions that the construct calls. `is_own`: a place of the construct's body lies in a variable of the thread's.
    pub fn new(module: &Module, body: &Body, block: &Block, is_own: &dyn Fn(Handle<Expr>) -> bool) -> Self {
        let reached = calls::reached(module, body, block);
        let bodies = || reached.iter().filter_map(|f| Some((*f, module.functions[*f].body.as_ref()?)));
        let mut calls = vec![];
        calls_in(body, block, &mut calls);
        bodies().for_each(|(_, body)| calls_in(body, &body.block, &mut calls));
        let mut own = OwnParameters { parameters: BTreeSet::new() };
        for (function, inner) in bodies() {
            let params = module.functions[function].params.iter();
            let pointers = params
                .filter(|p| matches!(module.types.kind(inner.locals[**p].ty), TypeKind::Pointer { .. }));
            own.parameters
                .extend(pointers.filter(|p| !changes(inner, **p)).map(|p| (std::ptr::from_ref(inner), *p)));
        }
        while let Some(other) = calls.iter().find_map(|(at, function, args)| {
            let inner = module.functions[*function].body.as_ref()?;
            let handed = module.functions[*function].params.iter().zip(args);
            let place_is_own = |place| match std::ptr::eq(*at, body) {
                true => is_own(place),
                false => is_in_variable(at, place) || own.leads_to(at, place),
            };
            let known = |p: Handle<Local>| own.parameters.contains(&(std::ptr::from_ref(inner), p));
            let other = handed
                .into_iter()
                .find(|(p, arg)| known(**p) && !own.is_own_address(at, **arg, &place_is_own));
            other.map(|(p, _)| (std::ptr::from_ref(inner), *p))
        }) {
            own.parameters.remove(&other);
        }
        own
    }

    /// The place lies where such a parameter of the function leads.
    pub fn leads_to(&self, body: &Body, place: Handle<Expr>) -> bool {
        match body.exprs[place].kind {
            ExprKind::Member { base, .. } => self.leads_to(body, base),
            ExprKind::Index { base, .. } if body.exprs[base].kind.is_place() => self.leads_to(body, base),
            ExprKind::Index { base, .. } | ExprKind::Deref(base) => self.is_parameter(body, base),
            _ => false,
        }
    }

    fn is_parameter(&self, body: &Body, pointer: Handle<Expr>) -> bool {
        matches!(body.exprs[pointer].kind, ExprKind::Load(place)
            if matches!(body.exprs[place].kind, ExprKind::Local(l) if self.parameters.contains(&(std::ptr::from_ref(body), l))))
    }

    fn is_own_address(
        &self,
        body: &Body,
        pointer: Handle<Expr>,
        place_is_own: &dyn Fn(Handle<Expr>) -> bool,
    ) -> bool {
        match body.exprs[pointer].kind {
            ExprKind::AddrOf(place) | ExprKind::Decay(place) => place_is_own(place),
            ExprKind::Cast(from) => self.is_own_address(body, from, place_is_own),
            _ => self.is_parameter(body, pointer),
        }
    }
}

fn calls_in<'a>(body: &'a Body, block: &Block, found: &mut Vec<Call<'a>>) {
    visit::for_each_stmt(block, &mut |node| {
        if let Stmt::Call { function, args, .. } = &node.kind {
            found.push((body, *function, args.clone()));
        }
    });
    visit::for_each_expr(body, block, &mut |e, _| {
        if let ExprKind::Call { function, args } = &body.exprs[e].kind {
            found.push((body, *function, args.clone()));
        }
    });
}

/// The variable is assigned, or its address is taken.
fn changes(body: &Body, variable: Handle<Local>) -> bool {
    let is_variable = |place: Handle<Expr>| body.exprs[place].kind == ExprKind::Local(variable);
    let mut found = false;
    visit::for_each_stmt(&body.block, &mut |node| {
        found |= node.kind.operands().into_iter().any(|(place, access)| writes(access) && is_variable(place));
    });
    visit::for_each_expr(body, &body.block, &mut |e, _| {
        found |= matches!(body.exprs[e].kind, ExprKind::AddrOf(place) | ExprKind::Decay(place) if is_variable(place));
    });
    found
}
