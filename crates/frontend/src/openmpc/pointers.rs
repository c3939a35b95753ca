//! What the pointers of a loop lead to: whether residency can bring it to the device.
//!
//! A pointer variable leads to an object that the runtime knows, or the host runs the loop. Pointers in memory are followed where
//! the types say where all of them lie: in arrays of pointers, such as `float **rows` and `float *rows[N]`, and in structures, one
//! or an array of them, whose pointers may lead to more of these. The loop only reads such pointers. Of all others, those of unions
//! and those that are cast, nobody knows which they are.

use super::WhyNot;
use super::unit::SourceFile;
use crate::ast::{CastKind, DeclId, Expr, ExprKind, Qual, Stmt, Storage, Ty};
use crate::lower::{host_container, walk};
use accl_ir::PointerTypes;
use accl_source::Span;
use std::collections::{BTreeMap, BTreeSet};

/// Asks the runtime whether it knows what a pointer leads to. Of memory on a stack it does not: the host runs such a loop.
pub const IS_KNOWN: &str = "accl_is_known";
/// The same of everything that an array of pointers leads to.
pub const ROWS_ARE_KNOWN: &str = "accl_rows_are_known";
/// Asks whether so many bytes lie on the thread's stack, from where a launch can copy them.
pub const IS_ON_STACK: &str = "accl_is_on_stack";
/// The most elements that a launch copies from there.
const MOST_ON_STACK: i128 = 64;

/// Which pointers of a loop may lead to the device's memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pointers {
    /// None: nothing says how much lies behind one.
    None,
    /// Variables, for which data clauses are written later.
    Named,
    /// Those in memory, too: the running program finds what they lead to.
    Followed,
}

/// What the runtime is asked before the loop.
pub fn known(unit: &SourceFile<'_>, body: &Stmt, copies: &[&str]) -> Vec<String> {
    if unit.pointers == Pointers::Named {
        return vec![];
    }
    let used = unit.used(body);
    let is_fixed = |id: DeclId, name: &str| !unit.changes(body, id) && !copies.contains(&name);
    let pointers = used.iter().filter(|(id, name, _)| unit.is_pointer(*id) && is_fixed(*id, name));
    let asked = pointers.map(|(id, name, _)| {
        match few_elements(unit, body, *id).or_else(|| one_object(unit, body, *id)) {
            Some(count) => {
                format!("({IS_KNOWN}({name}) || {IS_ON_STACK}({name}, {count} * sizeof(*({name}))))")
            }
            None => format!("{IS_KNOWN}({name})"),
        }
    });
    let tables = tables(unit, body).into_iter().filter(|table| !copies.contains(&&*table.text));
    let tables = tables.filter_map(|table| {
        let pointers = table.pointers?;
        let text = table.text;
        let (address, bytes) = match table.form {
            Form::Pointer => (text, "0".into()),
            Form::Array => (text.clone(), format!("sizeof({text})")),
            Form::Structure => (format!("&({text})"), format!("sizeof({text})")),
        };
        Some(format!("{ROWS_ARE_KNOWN}({address}, {bytes}, \"{pointers}\")"))
    });
    let fixed = fixed_variables(unit, body);
    let containers = elements_known(unit, body, copies, &fixed);
    asked.chain(members_known(unit, body, &fixed)).chain(tables).chain(containers).collect()
}

/// What is asked of members that are pointers to plain elements, of variables that do not change.
fn members_known(unit: &SourceFile<'_>, body: &Stmt, fixed: &BTreeSet<DeclId>) -> BTreeSet<String> {
    let mut asked = BTreeSet::new();
    walk::exprs(body, &mut |e| {
        if let ExprKind::Member { base, arrow, .. } = &e.kind
            && is_fixed(base, fixed)
            && let Ty::Pointer { to, .. } = &*e.ty.ty
            && !matches!(&*to.ty, Ty::Function)
            && !unit.type_holds_pointers(&to.ty)
        {
            let known = format!("{IS_KNOWN}({})", unit.text(e.span));
            let object = unit.text(base.span);
            let is_null = *arrow && !matches!(walk::bare(base).kind, ExprKind::This);
            asked.insert(if is_null { format!("({object}) && {known}") } else { known });
        }
    });
    asked
}

/// What is asked of containers of the host that the loop names.
fn elements_known(
    unit: &SourceFile<'_>,
    body: &Stmt,
    copies: &[&str],
    fixed: &BTreeSet<DeclId>,
) -> BTreeSet<String> {
    let outside: BTreeSet<DeclId> = unit.used(body).into_iter().map(|(id, ..)| id).collect();
    let mut asked = BTreeSet::new();
    walk::exprs(body, &mut |e| {
        let is_named = match &e.kind {
            ExprKind::Var(id, _) => outside.contains(id),
            ExprKind::Member { base, arrow, .. } => {
                is_fixed(base, fixed) && (!arrow || matches!(walk::bare(base).kind, ExprKind::This))
            }
            _ => false,
        };
        let text = unit.text(e.span);
        if is_named && !copies.contains(&text) {
            let data = host_container::elements_elsewhere(&e.ty, text);
            asked.extend(data.iter().map(|data| format!("{IS_KNOWN}({data})")));
        }
    });
    asked
}

/// How many elements lie behind a pointer, as far as the loop looks, if it only reads scalars with constant subscripts: the section
/// is known, so that it can be copied from wherever it lies.
fn few_elements(unit: &SourceFile<'_>, body: &Stmt, id: DeclId) -> Option<i128> {
    let (mut read, mut most) = (0, 0);
    walk::exprs(body, &mut |e| {
        if let ExprKind::Cast { kind: CastKind::Load, operand, .. } = &e.kind
            && let ExprKind::Index { base, index } = &walk::same_place(operand).kind
            && matches!(walk::bare(base).kind, ExprKind::Var(of, _) if of == id)
            && matches!(&*e.ty.ty, Ty::Bool | Ty::Int { .. } | Ty::Float { .. })
            && let Some(at) = unit.constant(index).filter(|at| (0..MOST_ON_STACK).contains(at))
        {
            read += 1;
            most = most.max(at);
        }
    });
    (read == unit.mentions(body, id)).then_some(most + 1)
}

/// One, if the loop only reads members of the object that the pointer leads to.
fn one_object(unit: &SourceFile<'_>, body: &Stmt, id: DeclId) -> Option<i128> {
    let mut read = 0;
    walk::exprs(body, &mut |e| {
        let ExprKind::Cast { kind: CastKind::Load, operand, .. } = &e.kind else { return };
        let mut member = walk::same_place(operand);
        while let ExprKind::Member { base, arrow: false, .. } = &member.kind {
            member = walk::same_place(base);
        }
        if let ExprKind::Member { base, arrow: true, .. } = &member.kind
            && matches!(walk::bare(base).kind, ExprKind::Var(of, _) if of == id)
        {
            read += 1;
        }
    });
    (read == unit.mentions(body, id)).then_some(1)
}

/// A pointer that nobody could bring to the device: one in memory, and without residency any. `firsts`: variables of which each
/// thread has a copy with the value.
pub fn check(unit: &SourceFile<'_>, body: &Stmt, firsts: &[&str]) -> Result<(), WhyNot> {
    if unit.pointers == Pointers::None
        && let Some((.., span)) = unit.used(body).into_iter().find(|(id, ..)| unit.is_pointer(*id))
    {
        let why = "nobody knows how much lies behind a pointer without `-gpu=autodata`";
        return Err(WhyNot::new(span, why.into()));
    }
    let tables = tables(unit, body);
    let cannot_follow = |table: &&Table| {
        let copied = matches!(table.form, Form::Structure) && firsts.contains(&&*table.text);
        table.pointers.is_none() || copied || unit.pointers == Pointers::None
    };
    if unit.pointers == Pointers::Named
        && let Some(table) = tables.first()
    {
        let why = format!("`{}` has pointers in it, which data clauses cannot copy", table.text);
        return Err(WhyNot::new(body.span, why));
    }
    let found = tables.iter().find(cannot_follow).map(|table| table.span);
    match found.or_else(|| not_followed(unit, body)) {
        Some(span) => Err(WhyNot::new(span, "it follows pointers that lie in memory".into())),
        None => stored(unit, body).map_or(Ok(()), |span| {
            Err(WhyNot::new(span, "it writes pointers into memory from which others are followed".into()))
        }),
    }
}

/// A pointer in memory that is followed from nothing that residency can follow.
fn not_followed(unit: &SourceFile<'_>, body: &Stmt) -> Option<Span> {
    let mut found = None;
    let fixed = fixed_variables(unit, body);
    unit.each_reached(body, &mut |s| {
        let here = std::ptr::eq(s, body);
        walk::exprs(s, &mut |e| {
            let follows = match &e.kind {
                ExprKind::Index { .. } | ExprKind::Deref(_) | ExprKind::Member { .. } => {
                    !(e.place && is_pointer(&e.ty)) || follows(unit, e, here, &fixed)
                }
                ExprKind::Cast { operand, kind: CastKind::Convert | CastKind::Derived | CastKind::Other } => {
                    keeps_type(unit, &operand.ty, &e.ty)
                }
                _ => true,
            };
            if !follows {
                found = found.or(Some(e.span));
            }
        });
    });
    found
}

fn is_pointer(ty: &Qual) -> bool {
    matches!(&*ty.ty, Ty::Pointer { .. })
}

/// `here`: the place stands in the loop itself, which sees the variables outside.
fn follows(unit: &SourceFile<'_>, place: &Expr, here: bool, fixed: &BTreeSet<DeclId>) -> bool {
    if let ExprKind::Member { base, .. } = &place.kind
        && here
        && is_fixed(base, fixed)
    {
        return true;
    }
    let mut place = place;
    loop {
        place = match &walk::bare(place).kind {
            ExprKind::Member { member, .. } if unit.is_in_union(*member) => return false,
            ExprKind::Member { base, arrow: true, .. } if matches!(walk::bare(base).kind, ExprKind::This) => {
                return unit.pointers == Pointers::Followed;
            }
            ExprKind::Member { base, .. } | ExprKind::Index { base, .. } | ExprKind::Deref(base) => base,
            // What a function does to a variable of the whole program's the loop does not show.
            ExprKind::Var(id, _) => {
                let is_global =
                    unit.var(*id).is_some_and(|var| matches!(var.storage, Storage::Static | Storage::Extern));
                return unit.pointers == Pointers::Followed && (here || !is_global);
            }
            _ => return unit.pointers == Pointers::Followed,
        };
    }
}

/// A cast makes no pointer to other pointers of one to something else.
fn keeps_type(unit: &SourceFile<'_>, from: &Qual, to: &Qual) -> bool {
    match (&*from.ty, &*to.ty) {
        (Ty::Pointer { to: from, .. }, Ty::Pointer { to, .. }) => {
            !unit.type_holds_pointers(&to.ty) || same_layout(&from.ty, &to.ty)
        }
        (_, Ty::Pointer { to, .. }) => !unit.type_holds_pointers(&to.ty),
        _ => true,
    }
}

fn same_layout(a: &Ty, b: &Ty) -> bool {
    match (a, b) {
        (Ty::Pointer { to: a, .. }, Ty::Pointer { to: b, .. }) => same_layout(&a.ty, &b.ty),
        (Ty::Array { of: a, .. }, Ty::Array { of: b, .. }) => same_layout(&a.ty, &b.ty),
        (Ty::Record(a), Ty::Record(b)) => a == b,
        (Ty::Pointer { .. } | Ty::Array { .. } | Ty::Record(_), _) => false,
        (_, Ty::Pointer { .. } | Ty::Array { .. } | Ty::Record(_)) => false,
        _ => true,
    }
}

/// Where a pointer is written into memory, in a loop that follows pointers from there. Methods of objects that iterations declare write
/// the threads' own memory: of `this` the kernel's analysis tells (`transforms::implicit_data`).
fn stored(unit: &SourceFile<'_>, body: &Stmt) -> Option<Span> {
    let (mut loads, mut found) = (false, None);
    let outside: BTreeSet<DeclId> = unit.used(body).into_iter().map(|(id, ..)| id).collect();
    unit.each_reached(body, &mut |s| {
        let here = std::ptr::eq(s, body);
        walk::exprs(s, &mut |e| {
            let is_inside =
                matches!(e.kind, ExprKind::Index { .. } | ExprKind::Deref(_) | ExprKind::Member { .. });
            loads |= e.place && is_inside && is_pointer(&e.ty);
            let (ExprKind::Assign { place, .. }
            | ExprKind::CompoundAssign { place, .. }
            | ExprKind::Step { operand: place, .. }) = &e.kind
            else {
                return;
            };
            let is_variable = matches!(walk::same_place(place).kind, ExprKind::Var(..));
            let is_own = match part_of(place).map(|whole| &whole.kind) {
                Some(ExprKind::This) => !here,
                Some(ExprKind::Var(id, _)) => !here || !outside.contains(id),
                _ => false,
            };
            if !is_variable && !is_own && unit.type_holds_pointers(&place.ty.ty) {
                found = found.or(Some(e.span));
            }
        });
    });
    found.filter(|_| loads)
}

/// The variable, or the object of a method, that a member belongs to.
fn part_of(place: &Expr) -> Option<&Expr> {
    let ExprKind::Member { base, arrow, .. } = &walk::same_place(place).kind else { return None };
    match &walk::bare(base).kind {
        ExprKind::This => Some(walk::bare(base)),
        ExprKind::Var(..) if !arrow && !matches!(&*base.ty.ty, Ty::Reference(_)) => Some(walk::bare(base)),
        ExprKind::Member { .. } if !arrow => part_of(base),
        _ => None,
    }
}

fn fixed_variables(unit: &SourceFile<'_>, body: &Stmt) -> BTreeSet<DeclId> {
    unit.used(body).into_iter().map(|(id, ..)| id).filter(|id| !unit.changes(body, *id)).collect()
}

fn is_fixed(base: &Expr, fixed: &BTreeSet<DeclId>) -> bool {
    match &walk::bare(base).kind {
        ExprKind::Var(id, _) => fixed.contains(id),
        ExprKind::This => true,
        _ => false,
    }
}

/// Memory with pointers that a loop names, from which it may follow them.
struct Table {
    text: String,
    span: Span,
    form: Form,
    /// `None`: it cannot be told where they lie.
    pointers: Option<PointerTypes>,
}

enum Form {
    /// A pointer leads there.
    Pointer,
    Array,
    Structure,
}

/// Variables and members that the loop uses in other ways than by their members. A member of a variable that does not change is
/// like a variable.
fn tables(unit: &SourceFile<'_>, body: &Stmt) -> Vec<Table> {
    let outside: BTreeSet<DeclId> = unit.used(body).into_iter().map(|(id, ..)| id).collect();
    let fixed = fixed_variables(unit, body);
    let mut by_members = BTreeSet::new();
    let mut named: BTreeMap<String, &Expr> = BTreeMap::new();
    walk::exprs(body, &mut |e| {
        if let ExprKind::Member { base, .. } = &e.kind
            && is_fixed(base, &fixed)
        {
            by_members.insert(std::ptr::from_ref(walk::bare(base)));
        }
        let is_named = match &e.kind {
            ExprKind::Var(id, _) => outside.contains(id) && !by_members.contains(&std::ptr::from_ref(e)),
            ExprKind::Member { base, .. } => is_fixed(base, &fixed),
            _ => false,
        };
        if is_named {
            named.entry(unit.text(e.span).to_owned()).or_insert(e);
        }
    });
    let members = members(unit, body);
    let tables = named.into_iter().filter_map(|(text, e)| {
        let ty = e.ty.referred();
        let (form, element) = match &*ty.ty {
            Ty::Pointer { to, .. } => (Form::Pointer, to),
            Ty::Array { .. } => (Form::Array, ty),
            Ty::Record(_) => (Form::Structure, ty),
            _ => return None,
        };
        if !unit.type_holds_pointers(&element.ty) {
            return None;
        }
        let pointers = unit.layouts().pointers(element, &members);
        let is_plain = pointers.as_ref().is_some_and(|pointers| pointers.0.is_empty());
        (!is_plain).then_some(Table { text, span: e.span, form, pointers })
    });
    tables.collect()
}

/// The members that a loop and the functions that it calls name.
fn members(unit: &SourceFile<'_>, body: &Stmt) -> BTreeSet<DeclId> {
    let mut members = BTreeSet::new();
    unit.each_reached(body, &mut |s| {
        walk::exprs(s, &mut |e| {
            if let ExprKind::Member { member, .. } = &e.kind {
                members.insert(*member);
            }
        });
    });
    members
}
