//! Private copies of objects are made by their class's default constructor (OpenMP 5.2 §5.4.3, OpenACC 3.3 §2.5.12). A copy whose
//! constructor does something is declared in what the directive governs, where the language's own rules make it:
//!
//! ```text
//! private(w)                          private(w)
//! for (…)                    becomes  for (…)
//!   w.add(i);                           { Window w'; w'.add(i); }
//! ```
//!
//! Of joined loops it is the body of the innermost one. Nobody may count on what an iteration has left in a private variable for the
//! next one. A `firstprivate` copy whose copy constructor does more than the compiler's is declared there too, as `Window w'(w)`
//! (OpenMP 5.2 §5.4.4, OpenACC 3.3 §2.5.13).

use super::context::copied_class;
use super::memberwise::copies_all_members;
use super::team::{meant_by, rename};
use super::walk;
use crate::ast::{
    CastKind, DeclId, Expr, ExprKind, Function, FunctionKind, Library, Program, Qual, Record, Stmt as Ast,
    StmtKind, Storage, Ty, Var,
};
use crate::pragmas::Pragma;
use accl_directives::{DeviceKind, Directive, DirectiveKind, Section};
use accl_source::Span;
use std::collections::{HashMap, HashSet};

/// Classes in classes, at most.
const DEPTH: usize = 12;

/// `on_host`: where the directives of constructs end that the host runs, as text.
pub fn declare(program: &mut Program, pragmas: &[Pragma], on_host: &[u32]) {
    let asks = |p: &Pragma| !private(&p.directive).is_empty() || !copied(&p.directive).is_empty();
    if !pragmas.iter().any(asks) {
        return;
    }
    let mut functions = std::mem::take(&mut program.functions);
    let classes = Classes::of(program, &functions);
    let bodies: Vec<Option<Ast>> = functions
        .iter()
        .map(|f| {
            let mut body = f.body.clone()?;
            classes.declare_in(&mut body, pragmas, on_host).then_some(body)
        })
        .collect();
    for (function, body) in functions.iter_mut().zip(bodies) {
        if body.is_some() {
            function.body = body;
        }
    }
    program.functions = functions;
}

fn private(d: &Directive) -> Vec<&Section> {
    d.clauses_for(DeviceKind::Cuda).privates.private
}

/// Those that begin with a value. One that leaves a value as well is another's matter (`iteration_copies`).
fn copied(d: &Directive) -> Vec<&Section> {
    let privates = d.clauses_for(DeviceKind::Cuda).privates;
    let leaves =
        |section: &Section| privates.lastprivate.iter().any(|s| s.as_variable() == section.as_variable());
    privates.firstprivate.iter().copied().filter(|section| !leaves(section)).collect()
}

struct Classes<'p> {
    records: HashMap<DeclId, &'p Record>,
    /// Those that are called without arguments.
    constructors: HashMap<DeclId, &'p Function>,
    /// Classes with constructors of the program's own that take arguments.
    others: HashSet<DeclId>,
    /// Copy constructors of the program's own that do not copy each member and nothing else.
    copying: HashMap<DeclId, &'p Function>,
}

impl<'p> Classes<'p> {
    fn of(program: &'p Program, functions: &'p [Function]) -> Classes<'p> {
        let records: HashMap<_, _> = program.records.iter().map(|r| (r.id, r)).collect();
        let (mut constructors, mut others) = (HashMap::new(), HashSet::new());
        let mut copying = HashMap::new();
        for function in functions {
            let FunctionKind::Constructor { record, .. } = function.kind else { continue };
            if is_own_copy(function) && records.get(&record).is_some_and(|r| !copies_all_members(function, r))
            {
                copying.insert(record, function);
            }
            if function.params.iter().all(|param| param.init.is_some()) {
                constructors.entry(record).or_insert(function);
            } else if !function.defaulted && copied_class(function).is_none() {
                others.insert(record);
            }
        }
        Classes { records, constructors, others, copying }
    }

    /// Whether something was declared.
    fn declare_in(&self, s: &mut Ast, pragmas: &[Pragma], on_host: &[u32]) -> bool {
        let mut changed = false;
        if let StmtKind::Directed { directive, body: Some(inner) } = &mut s.kind {
            let pragma = &pragmas[*directive];
            if on_host.contains(&pragma.span.end) {
                return false;
            }
            let d = &pragma.directive;
            for section in private(d) {
                changed |= self.declare_one(inner, section, loops(d));
            }
            for section in copied(d) {
                changed |= self.declare_copy(inner, section, loops(d));
            }
        }
        walk::children_mut(s, &mut |inner| changed |= self.declare_in(inner, pragmas, on_host));
        changed
    }

    fn declare_one(&self, governed: &mut Ast, section: &Section, loops: u32) -> bool {
        let Some(name) = section.as_variable() else { return false };
        let Some((id, ty)) = meant_by(governed, name) else { return false };
        let of = ty.referred();
        if !self.is_made(of, 0) {
            return false;
        }
        let Some(init) = self.made(of, section.span, 0) else { return false };
        declare_in_body(innermost(governed, loops), (id, name), of, section.span, init);
        true
    }

    fn declare_copy(&self, governed: &mut Ast, section: &Section, loops: u32) -> bool {
        let Some(name) = section.as_variable() else { return false };
        let Some((id, ty)) = meant_by(governed, name) else { return false };
        let (of, span) = (ty.referred(), section.span);
        let Ty::Record(class) = *of.ty else { return false };
        let Some(constructor) = self.copying.get(&class) else { return false };
        let original = Expr { kind: ExprKind::Var(id, name.into()), ty: ty.clone(), span, place: true };
        let read = ExprKind::Cast { kind: CastKind::NoOp, operand: Box::new(original) };
        let read = Expr { kind: read, ty: Qual { constant: true, ..of.clone() }, span, place: true };
        let kind = ExprKind::Construct { signature: constructor.signature.clone(), args: vec![read] };
        let init = Expr { kind, ty: of.clone(), span, place: false };
        declare_in_body(innermost(governed, loops), (id, name), of, span, init);
        true
    }

    /// The default constructor does something.
    fn is_made(&self, ty: &Qual, depth: usize) -> bool {
        match &*ty.ty {
            Ty::Array { of, .. } => self.is_made(of, depth),
            Ty::Record(id) if depth < DEPTH => {
                let Some(record) = self.records.get(id) else { return false };
                match record.library {
                    Some(Library::Complex | Library::Pair | Library::Tuple) => return true,
                    Some(Library::Array) | None => {}
                    Some(_) => return false,
                }
                let parts = record.fields.iter().map(|field| &field.ty).chain(&record.bases);
                let written = self.constructors.get(id).filter(|f| !f.defaulted);
                // A default constructor that nobody calls may be unknown here.
                let is_hidden = self.others.contains(id) && !self.constructors.contains_key(id);
                is_hidden
                    || record.fields.iter().any(|field| field.init.is_some())
                    || written.is_some_and(|f| does_something(f))
                    || parts.into_iter().any(|part| self.is_made(part, depth + 1))
            }
            _ => false,
        }
    }

    fn made(&self, ty: &Qual, span: Span, depth: usize) -> Option<Expr> {
        let of_type = |kind: ExprKind, ty: &Qual| Expr { kind, ty: ty.clone(), span, place: false };
        let mut class = ty;
        while let Ty::Array { of, .. } = &*class.ty {
            class = of;
        }
        let Ty::Record(id) = *class.ty else { return None };
        let record = self.records.get(&id)?;
        if record.library.is_some() {
            return Some(of_type(ExprKind::Zero, ty));
        }
        if let Some(function) = self.constructors.get(&id) {
            let args = function.params.iter().map(|param| of_type(ExprKind::DefaultArg, &param.ty)).collect();
            return Some(of_type(ExprKind::Construct { signature: function.signature.clone(), args }, ty));
        }
        // The compiler's own constructor, which nothing in the program calls.
        let is_hidden = self.others.contains(&id);
        if is_hidden || depth >= DEPTH || !record.bases.is_empty() || class.ty != ty.ty {
            return Some(of_type(
                ExprKind::Unsupported("a default constructor that nothing here calls", vec![]),
                ty,
            ));
        }
        let part = |field: &crate::ast::Field| match field.init {
            Some(_) => of_type(ExprKind::DefaultArg, &field.ty),
            None => self
                .made(&field.ty, span, depth + 1)
                .filter(|_| self.is_made(&field.ty, depth + 1))
                .unwrap_or_else(|| of_type(ExprKind::Zero, &field.ty)),
        };
        Some(of_type(ExprKind::InitList(record.fields.iter().map(part).collect()), ty))
    }
}

/// `C(const C &)` with a body.
fn is_own_copy(function: &Function) -> bool {
    let one = matches!(&function.params[..], [from] if from.ty.is_reference() && from.ty.referred().constant);
    one && !function.defaulted && function.body.is_some() && copied_class(function).is_some()
}

/// A variable of the statement's own has the name of the one outside.
fn declare_in_body(body: &mut Ast, (outside, name): (DeclId, &str), of: &Qual, span: Span, init: Expr) {
    // Its span tells this place from others.
    let own = DeclId(u64::MAX / 8 - u64::from(span.start));
    rename(body, outside, own);
    let var = Var {
        id: own,
        name: name.to_owned(),
        ty: Qual { constant: false, ..of.clone() },
        type_text: "".into(),
        span,
        decl_span: span,
        storage: Storage::Auto,
        extent: None,
        init: Some(init),
        link_name: None,
    };
    let declared = Ast { kind: StmtKind::Decl(vec![var]), span: body.span };
    let inner = std::mem::replace(body, Ast { kind: StmtKind::Null, span: body.span });
    body.kind = StmtKind::Compound(vec![declared, inner]);
}

fn does_something(function: &Function) -> bool {
    let FunctionKind::Constructor { inits, .. } = &function.kind else { return false };
    !inits.is_empty()
        || !matches!(&function.body, Some(Ast { kind: StmtKind::Compound(items), .. }) if items.is_empty())
}

/// How many loops the directive joins; 0: it governs a block.
fn loops(d: &Directive) -> u32 {
    let is_loop = matches!(
        d.kind,
        DirectiveKind::Loop
            | DirectiveKind::Compute { loop_: true, .. }
            | DirectiveKind::Teams { loop_: true }
    );
    let levels = d.clauses_for(DeviceKind::Cuda).levels;
    match (levels.collapse, levels.tile) {
        _ if !is_loop => 0,
        (Some(collapse), _) => {
            collapse.count.constant().and_then(|n| u32::try_from(n).ok()).unwrap_or(1).max(1)
        }
        (None, sizes) => sizes.len().max(1) as u32,
    }
}

/// The body of so many loops, as far as they can be seen.
fn innermost(s: &mut Ast, loops: u32) -> &mut Ast {
    if loops == 0 {
        return s;
    }
    let lone = match &s.kind {
        StmtKind::Compound(items) => items.len() == 1,
        StmtKind::Directed { body: Some(_), .. } | StmtKind::For { .. } | StmtKind::RangeFor { .. } => true,
        _ => false,
    };
    if !lone {
        return s;
    }
    match &mut s.kind {
        StmtKind::Compound(items) => innermost(&mut items[0], loops),
        StmtKind::Directed { body: Some(inner), .. } => innermost(inner, loops),
        StmtKind::For { body, .. } | StmtKind::RangeFor { body, .. } => innermost(body, loops - 1),
        _ => unreachable!("one of these, as was seen"),
    }
}
