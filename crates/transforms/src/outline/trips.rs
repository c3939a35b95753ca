//! Trip counts as the host computes them.

use accl_analysis::text::Scope;
use accl_ir::trips::{self, Calculator, Range};
pub use accl_ir::trips::{count, is_up};
use accl_ir::{BinaryOp, Body, Expr, ExprKind, Handle, Loop, Module, TripCount, TypeKind, Types};

/// The count of iterations of a loop whose bounds the host knows.
pub fn of_loop(module: &Module, body: &Body, l: &Loop) -> TripCount {
    TripCount {
        lower: l.lower,
        compare: l.compare,
        bound: l.bound,
        step: l.step,
        text: text(module, body, l),
    }
}

fn text(module: &Module, body: &Body, l: &Loop) -> String {
    if let Some(trips) = constant(&module.types, body, l) {
        return trips.to_string();
    }
    let far = is_far(&module.types, body, l);
    let mut texts = Texts { ty: if far { "unsigned long long" } else { "long long" } };
    let scope = Scope::new(module, body);
    let term = |e: Handle<Expr>| {
        let known = body.const_int(&module.types, e);
        let text = known.map(|n| n.to_string()).or_else(|| scope.text(e)).unwrap_or_else(|| "0".into());
        Term { text, known }
    };
    let (lower, bound, step) = (term(l.lower), term(l.bound), term(l.step));
    let range = Range { lower: &lower, compare: l.compare, bound: &bound, step: &step };
    trips::iterations(&mut texts, &range).text
}

/// C's text. Terms of the loop are as the program has them; those that are made of them are in the type that counts.
struct Texts {
    ty: &'static str,
}

#[derive(Clone)]
struct Term {
    text: String,
    known: Option<i128>,
}

impl Term {
    fn new(text: String) -> Term {
        Term { text, known: None }
    }
}

impl Calculator for Texts {
    type Value = Term;

    fn constant(&mut self, n: i128) -> Term {
        Term { text: n.to_string(), known: Some(n) }
    }

    fn known(&self, term: &Term) -> Option<i128> {
        term.known
    }

    fn widened(&mut self, term: &Term) -> Term {
        match term.known {
            Some(_) => term.clone(),
            None => Term::new(format!("({})({})", self.ty, term.text)),
        }
    }

    fn binary(&mut self, op: BinaryOp, left: Term, right: Term) -> Term {
        let (left, right) = (left.text, right.text);
        Term::new(match op {
            BinaryOp::Sub if left == "0" => format!("-{right}"),
            BinaryOp::Sub => format!("({left} - {right})"),
            BinaryOp::Div => format!("{left} / ({right})"),
            _ => format!("{left} + {right}"),
        })
    }

    fn compare(&mut self, op: BinaryOp, left: &Term, right: &Term) -> Term {
        let op = if op == BinaryOp::Ge { ">=" } else { ">" };
        let in_type = |term: &Term| match (self.ty, term.known) {
            // Numbers of 64 bits are compared as the loop compares them.
            ("unsigned long long", None) => format!("({})", term.text),
            (_, None) => format!("({})({})", self.ty, term.text),
            (_, Some(_)) => term.text.clone(),
        };
        Term::new(format!("{} {op} {}", in_type(left), in_type(right)))
    }

    fn select(&mut self, cond: Term, yes: Term, no: Term) -> Term {
        let yes = match self.ty {
            "unsigned long long" => format!("(long long)({})", yes.text),
            _ => yes.text,
        };
        Term::new(format!("({} ? {yes} : {})", cond.text, no.text))
    }
}

/// A loop whose variable of 64 bits may come near its type's smallest or largest value within the iterations that a launch can
/// have: neither of its ends is near 0, or its step is large. Distances between its bounds take 64 bits without a sign.
pub fn is_far(types: &Types, body: &Body, l: &Loop) -> bool {
    let TypeKind::Int { bits: 64, signed } = *types.kind(body.locals[l.var].ty) else { return false };
    let known = |e| body.const_int(types, e);
    let small = |n: Option<i128>, bits: u32| n.is_some_and(|n| n.unsigned_abs() < 1 << bits);
    let step = known(l.step);
    let narrow = |e: Handle<Expr>| match body.exprs[e].kind {
        ExprKind::Cast(from) => matches!(*types.kind(body.exprs[from].ty),
            TypeKind::Int { bits, signed: negative } if bits < 64 && (signed || !negative)),
        _ => false,
    };
    let near_0 = |e| small(known(e), 62) || narrow(e);
    let begins = if is_up(l.compare, step) { l.lower } else { l.bound };
    let ends = signed && (near_0(l.lower) || near_0(l.bound));
    !(small(step, 20) && (near_0(begins) || ends))
}

/// Iterations of a loop of constant bounds and step.
pub fn constant(types: &Types, body: &Body, l: &Loop) -> Option<i128> {
    let known = |e| body.const_int(types, e);
    Some(count(known(l.lower)?, known(l.bound)?, l.compare, known(l.step)?))
}
