//! Bit-fields, as the whole numbers that hold them.
//!
//! Where the bits lie in memory is settled as the host's compiler settles it (System V ABI for x86-64, "Bit-Fields"). The bytes that
//! consecutive bit-fields take become members of the structure, of unsigned types that no rule of alignment moves, and what reads or
//! writes a bit-field is written with shifts and masks of these:
//!
//! ```text
//! struct { unsigned a : 5; int b : 11; } s;       struct { unsigned bits; } s;
//! x = s.b;                                becomes x = (int)(s.bits << 16) >> 21;
//! s.a = 3;                                        s.bits = (3 & 31) | (s.bits & ~31);
//! ```
//!
//! What is left alone, such as an access with side effects in its object, is then refused like any member that is not known.

use crate::ast::{
    Access, BinaryOp, CastKind, DeclId, Expr, ExprKind, Field, Len, Program, Qual, Record, Stmt, StmtKind,
    Storage, Ty, Var,
};
use crate::lower::walk;
use accl_source::Span;
use std::collections::HashMap;
use std::rc::Rc;

/// A member that holds bits.
#[derive(Clone)]
struct Unit {
    id: DeclId,
    name: Rc<str>,
    /// From the start of the structure.
    first: u64,
    bits: u64,
}

/// A bit-field: its bits from the start of the structure, and the members in which they lie.
#[derive(Clone)]
struct Bits {
    first: u64,
    width: u64,
    ty: Qual,
    units: Vec<Unit>,
}

/// What the initialiser of a structure has a value for, in order.
enum Initialised {
    Member,
    Bits(Bits),
}

#[derive(Default)]
struct Found {
    fields: HashMap<DeclId, Bits>,
    /// Of structures with bit-fields: what is initialised, and the members now.
    records: HashMap<DeclId, (Vec<Initialised>, Vec<Option<Unit>>)>,
}

pub fn spell_out(program: &mut Program) {
    let has_bits = |record: &Record| record.fields.iter().any(|f| f.bitfield.is_some());
    if !cfg!(target_arch = "x86_64") || !program.records.iter().any(has_bits) {
        return;
    }
    let by_id = program.records.iter().map(|record| (record.id, record)).collect();
    let mut layouts = Layouts { records: by_id, known: HashMap::new() };
    let with_bits = program.records.iter().filter(|record| has_bits(record));
    let placed: Vec<(DeclId, Layout)> =
        with_bits.filter_map(|record| Some((record.id, layouts.of_record(record.id)?))).collect();
    let mut found = Found::default();
    let placed: HashMap<DeclId, Layout> = placed.into_iter().collect();
    for record in &mut program.records {
        if let Some(layout) = placed.get(&record.id) {
            found.replace_fields(record, layout);
        }
    }
    for function in &mut program.functions {
        function.body.iter_mut().for_each(|body| found.in_stmt(body));
    }
    for global in &mut program.globals {
        global.init.iter_mut().for_each(|init| found.in_expr(init));
    }
}

#[derive(Clone)]
struct Layout {
    /// Bytes.
    size: u64,
    align: u64,
    /// The first bit of each field; of one without bits, where the next one may begin.
    first: Vec<u64>,
    /// The bit behind each field.
    end: Vec<u64>,
}

struct Layouts<'p> {
    records: HashMap<DeclId, &'p Record>,
    known: HashMap<DeclId, Option<Layout>>,
}

impl Layouts<'_> {
    /// `None`: not known here, or a class whose layout has other rules.
    fn of_record(&mut self, id: DeclId) -> Option<Layout> {
        if let Some(known) = self.known.get(&id) {
            return known.clone();
        }
        self.known.insert(id, None);
        let layout = self.lay_out(self.records.get(&id).copied()?);
        self.known.insert(id, layout.clone());
        layout
    }

    fn lay_out(&mut self, record: &Record) -> Option<Layout> {
        let plain = record.bases.is_empty() && !record.is_polymorphic && record.library.is_none();
        let union_of_bits = record.is_union && record.fields.iter().any(|f| f.bitfield.is_some());
        if !plain || union_of_bits || record.packed || record.fields.is_empty() {
            return None;
        }
        let (mut end, mut align) = (0, record.align.unwrap_or(1));
        let (mut first, mut ends) = (vec![], vec![]);
        for field in &record.fields {
            let (size, natural) = self.size_and_align(&field.ty)?;
            let own = natural.max(field.align.unwrap_or(1));
            match field.bitfield {
                Some(_) if field.align.is_some() => return None,
                Some(0) => end = u64::next_multiple_of(end, size * 8),
                Some(width) if width > size * 8 => return None,
                Some(width) => {
                    if end / (size * 8) != (end + width - 1) / (size * 8) {
                        end = end.next_multiple_of(size * 8);
                    }
                    align = if field.name.is_empty() { align } else { align.max(own) };
                }
                None if record.is_union => align = align.max(own),
                None => {
                    end = end.next_multiple_of(own * 8);
                    align = align.max(own);
                }
            }
            if record.is_union {
                end = end.max(size * 8);
                continue;
            }
            first.push(end);
            end += field.bitfield.unwrap_or(size * 8);
            ends.push(end);
        }
        Some(Layout { size: end.div_ceil(8).next_multiple_of(align), align, first, end: ends })
    }

    fn size_and_align(&mut self, of: &Qual) -> Option<(u64, u64)> {
        let number = |bytes: u64| Some((bytes, bytes));
        match &*of.ty {
            Ty::Bool => number(1),
            Ty::Int { bits: bits @ (8 | 16 | 32 | 64), .. } | Ty::Float { bits: bits @ (32 | 64) } => {
                number(u64::from(*bits) / 8)
            }
            Ty::Pointer { .. } | Ty::Reference(_) => number(8),
            Ty::Array { of, len: Len::Const(count) } => {
                let (size, align) = self.size_and_align(of)?;
                Some((size.checked_mul(*count)?, align))
            }
            Ty::Record(id) => self.of_record(*id).map(|layout| (layout.size, layout.align)),
            Ty::Void
            | Ty::Int { .. }
            | Ty::Float { .. }
            | Ty::Array { .. }
            | Ty::Function
            | Ty::Opaque(_) => None,
        }
    }
}

impl Found {
    fn replace_fields(&mut self, record: &mut Record, layout: &Layout) {
        let (mut fields, mut initialised, mut units) = (vec![], vec![], vec![]);
        let old = std::mem::take(&mut record.fields);
        let mut at = 0;
        while at < old.len() {
            if old[at].bitfield.is_none() {
                fields.push(old[at].clone());
                initialised.push(Initialised::Member);
                units.push(None);
                at += 1;
                continue;
            }
            let count = old[at..].iter().take_while(|field| field.bitfield.is_some()).count();
            let run = at..at + count;
            // Padding belongs to the bit-fields in front of it.
            let start = at.checked_sub(1).map_or(0, |before| layout.end[before] / 8);
            let end = layout.first.get(run.end).map_or(layout.size, |first| first / 8);
            // A field without bits divides what may be written separately.
            let divisions = run.clone().filter(|k| old[*k].bitfield == Some(0)).map(|k| layout.first[k] / 8);
            let mut own: Vec<Unit> = vec![];
            let mut from = start;
            for to in divisions.chain([end]) {
                Found::divide((from, to), layout.align, record.id, &mut own);
                from = from.max(to);
            }
            for k in run.clone() {
                let field = &old[k];
                let (first, Some(width)) = (layout.first[k], field.bitfield) else { continue };
                if width == 0 || field.name.is_empty() {
                    continue;
                }
                let inside = own.iter().filter(|u| u.first < first + width && first < u.first + u.bits);
                let bits = Bits { first, width, ty: field.ty.clone(), units: inside.cloned().collect() };
                self.fields.insert(field.id, bits.clone());
                initialised.push(Initialised::Bits(bits));
                record.bit_fields.push(field.name.clone());
            }
            for unit in own {
                fields.push(Field {
                    id: unit.id,
                    name: unit.name.to_string(),
                    ty: unsigned(unit.bits),
                    bitfield: None,
                    access: Access::Nobody,
                    align: None,
                    init: None,
                });
                units.push(Some(unit));
            }
            at = run.end;
        }
        record.fields = fields;
        record.align = Some(layout.align);
        self.records.insert(record.id, (initialised, units));
    }

    /// Members as large as their places and the structure's alignment allow.
    fn divide((from, to): (u64, u64), align: u64, record: DeclId, units: &mut Vec<Unit>) {
        let mut at = from;
        while at < to {
            let fits = |size: &u64| at.is_multiple_of(*size) && at + size <= to && *size <= align;
            let size = [8, 4, 2].into_iter().find(fits).unwrap_or(1);
            // No declaration of the program's lies so high.
            let id = DeclId((u64::MAX / 8).wrapping_add(record.0.wrapping_mul(1 << 12)).wrapping_add(at));
            let name = format!("bits_{at}").into();
            units.push(Unit { id, name, first: at * 8, bits: size * 8 });
            at += size;
        }
    }

    fn in_stmt(&self, s: &mut Stmt) {
        match &mut s.kind {
            StmtKind::Expr(e) => self.in_effect(e),
            StmtKind::For { cond, step, .. } => {
                cond.iter_mut().for_each(|e| self.in_expr(e));
                step.iter_mut().for_each(|e| self.in_effect(e));
            }
            _ => walk::own_exprs_mut(s).into_iter().for_each(|e| self.in_expr(e)),
        }
        walk::children_mut(s, &mut |inner| self.in_stmt(inner));
    }

    /// An expression whose value is not used.
    fn in_effect(&self, e: &mut Expr) {
        self.in_expr(e);
        // The value of an assignment to bits.
        while let ExprKind::Comma(first, second) = &mut e.kind
            && matches!(first.kind, ExprKind::Assign { .. } | ExprKind::Comma(..) | ExprKind::Statements(_))
            && walk::only_reads(second)
        {
            *e = (**first).clone();
        }
    }

    fn in_expr(&self, e: &mut Expr) {
        match &mut e.kind {
            ExprKind::Statements(body) => return self.in_stmt(body),
            ExprKind::Lambda(lambda) => {
                lambda.captures.iter_mut().for_each(|capture| self.in_expr(&mut capture.init));
                self.in_stmt(&mut lambda.body);
                return lambda.calls.iter_mut().for_each(|call| self.in_stmt(&mut call.body));
            }
            ExprKind::InitList(_) => self.in_list(e),
            _ => walk::operands_mut(e).into_iter().for_each(|operand| self.in_expr(operand)),
        }
        let replaced = match &e.kind {
            ExprKind::Cast { kind: CastKind::Load, operand } => {
                self.bits_of(operand).map(|bits| read(bits, operand, e.span))
            }
            ExprKind::Member { .. } if !e.place => self.bits_of(e).map(|bits| read(bits, e, e.span)),
            ExprKind::Assign { place, value } => {
                self.bits_of(place).and_then(|bits| write(bits, place, value, e.span))
            }
            ExprKind::CompoundAssign { op, place, value, compute } => self.bits_of(place).and_then(|bits| {
                let old = convert(read(bits, place, e.span), compute);
                let new = binary(*op, old, (**value).clone(), compute);
                write(bits, place, &convert(new, &bits.ty), e.span)
            }),
            ExprKind::Step { operand, by, postfix } if !matches!(*operand.ty.ty, Ty::Bool) => {
                self.bits_of(operand).and_then(|bits| step(bits, operand, *by, *postfix, e.span))
            }
            _ => None,
        };
        if let Some(replaced) = replaced {
            *e = replaced;
        }
    }

    fn bits_of(&self, e: &Expr) -> Option<&Bits> {
        match &e.kind {
            ExprKind::Member { base, member, .. } if walk::only_reads(base) => self.fields.get(member),
            _ => None,
        }
    }

    /// The values of a structure's members, those of bit-fields put together.
    fn in_list(&self, e: &mut Expr) {
        let ExprKind::InitList(items) = &mut e.kind else { return };
        items.iter_mut().for_each(|item| self.in_expr(item));
        let Ty::Record(id) = &*e.ty.ty else { return };
        let Some((initialised, units)) = self.records.get(id) else { return };
        let mut members = vec![];
        let mut values: HashMap<DeclId, Expr> = HashMap::new();
        for (item, what) in std::mem::take(items).into_iter().zip(initialised) {
            match what {
                Initialised::Member => members.push(item),
                Initialised::Bits(bits) => {
                    for unit in &bits.units {
                        let part = part_for(bits, unit, &item);
                        let all = match values.remove(&unit.id) {
                            Some(before) => binary(BinaryOp::BitOr, before, part, &unsigned(unit.bits)),
                            None => part,
                        };
                        values.insert(unit.id, all);
                    }
                }
            }
        }
        let mut members = members.into_iter();
        for unit in units {
            let zero = |unit: &Unit| number(0, &unsigned(unit.bits), e.span);
            let item = match unit {
                Some(unit) => Some(values.remove(&unit.id).unwrap_or_else(|| zero(unit))),
                None => members.next(),
            };
            items.extend(item);
        }
    }
}

fn unsigned(bits: u64) -> Qual {
    Qual { ty: Rc::new(Ty::Int { bits: bits as u8, signed: false }), constant: false }
}

fn number(value: i128, ty: &Qual, span: Span) -> Expr {
    Expr { kind: ExprKind::Int(value), ty: ty.clone(), span, place: false }
}

fn binary(op: BinaryOp, left: Expr, right: Expr, ty: &Qual) -> Expr {
    let span = left.span;
    let kind = ExprKind::Binary { op, left: Box::new(left), right: Box::new(right) };
    Expr { kind, ty: ty.clone(), span, place: false }
}

fn convert(e: Expr, ty: &Qual) -> Expr {
    if e.ty.ty == ty.ty {
        return e;
    }
    let kind = if matches!(*ty.ty, Ty::Bool) { CastKind::ToBool } else { CastKind::Convert };
    let span = e.span;
    let ty = Qual { ty: ty.ty.clone(), constant: false };
    Expr { kind: ExprKind::Cast { kind, operand: Box::new(e) }, ty, span, place: false }
}

/// To the left by a number, or to the right by its opposite.
fn shifted(e: Expr, by: i64) -> Expr {
    let (ty, span) = (e.ty.clone(), e.span);
    let op = if by > 0 { BinaryOp::Shl } else { BinaryOp::Shr };
    let int = Qual { ty: Rc::new(Ty::Int { bits: 32, signed: true }), constant: false };
    if by == 0 { e } else { binary(op, e, number(by.unsigned_abs().into(), &int, span), &ty) }
}

/// The unit of the object to which a bit-field belongs.
fn unit_place(unit: &Unit, field: &Expr) -> Option<Expr> {
    let ExprKind::Member { base, arrow, .. } = &field.kind else { return None };
    let kind =
        ExprKind::Member { base: base.clone(), arrow: *arrow, member: unit.id, name: unit.name.clone() };
    Some(Expr { kind, ty: unsigned(unit.bits), span: field.span, place: true })
}

fn load(place: Expr) -> Expr {
    let (ty, span) = (place.ty.clone(), place.span);
    Expr { kind: ExprKind::Cast { kind: CastKind::Load, operand: Box::new(place) }, ty, span, place: false }
}

/// Where the bits of the unit are, from the first of the bit-field.
fn distance(bits: &Bits, unit: &Unit) -> i64 {
    unit.first as i64 - bits.first as i64
}

fn read(bits: &Bits, field: &Expr, span: Span) -> Expr {
    let wide = unsigned(match &bits.units[..] {
        [unit] if unit.bits <= 32 => 32,
        _ => 64,
    });
    let parts = bits.units.iter().filter_map(|unit| {
        let part = convert(load(unit_place(unit, field)?), &wide);
        Some(shifted(part, distance(bits, unit)))
    });
    let all = parts.reduce(|a, b| binary(BinaryOp::BitOr, a, b, &wide));
    let all = all.unwrap_or_else(|| number(0, &wide, span));
    convert(narrowed(all, bits), &bits.ty)
}

/// A number of the bit-field's width and sign, in the bits of one that may be wider.
fn narrowed(e: Expr, bits: &Bits) -> Expr {
    let Ty::Int { bits: all, .. } = *e.ty.ty else { return e };
    let unused = i64::from(all) - bits.width as i64;
    let signed = matches!(*bits.ty.ty, Ty::Int { signed: true, .. });
    let up = shifted(e, unused);
    let ty = Qual { ty: Rc::new(Ty::Int { bits: all, signed }), constant: false };
    shifted(convert(up, &ty), -unused)
}

/// The bits of the value that the unit holds, where it holds them.
fn part_for(bits: &Bits, unit: &Unit, value: &Expr) -> Expr {
    let (wide, span) = (unsigned(64), value.span);
    let mask = number((1i128 << bits.width) - 1, &wide, span);
    let value = binary(BinaryOp::BitAnd, convert(value.clone(), &wide), mask, &wide);
    convert(shifted(value, -distance(bits, unit)), &unsigned(unit.bits))
}

/// The assignment, and the value that the bit-field has then. A value that goes into several units is computed once.
fn write(bits: &Bits, field: &Expr, value: &Expr, span: Span) -> Option<Expr> {
    if let [unit] = &bits.units[..] {
        return Some(comma(write_unit(bits, unit, field, value, span)?, read(bits, field, span)));
    }
    // One for each place in the text: no other declaration lies so high.
    let id = DeclId(u64::MAX / 8 * 3 + u64::from(span.start));
    let name = "value";
    let var = Var {
        id,
        name: name.to_owned(),
        ty: unsigned(64),
        type_text: "".into(),
        span,
        decl_span: span,
        storage: Storage::Auto,
        extent: None,
        init: Some(convert(value.clone(), &unsigned(64))),
        link_name: None,
    };
    let value = load(Expr { kind: ExprKind::Var(id, name.into()), ty: unsigned(64), span, place: true });
    let mut items = vec![StmtKind::Decl(vec![var])];
    for unit in &bits.units {
        items.push(StmtKind::Expr(write_unit(bits, unit, field, &value, span)?));
    }
    let result = read(bits, field, span);
    let ty = result.ty.clone();
    items.push(StmtKind::Expr(result));
    let items = items.into_iter().map(|kind| Stmt { kind, span }).collect();
    let body = Stmt { kind: StmtKind::Compound(items), span };
    Some(Expr { kind: ExprKind::Statements(Box::new(body)), ty, span, place: false })
}

fn write_unit(bits: &Bits, unit: &Unit, field: &Expr, value: &Expr, span: Span) -> Option<Expr> {
    let (place, ty) = (unit_place(unit, field)?, unsigned(unit.bits));
    let of_field = (1u128 << bits.width) - 1;
    let here = match distance(bits, unit) {
        behind @ 1.. => of_field >> behind,
        before => of_field << before.unsigned_abs(),
    };
    let kept = !here & ((1u128 << unit.bits) - 1);
    let others = binary(BinaryOp::BitAnd, load(place.clone()), number(kept as i128, &ty, span), &ty);
    // The value first: its side effects may change the other bits.
    let new = binary(BinaryOp::BitOr, part_for(bits, unit, value), others, &ty);
    let kind = ExprKind::Assign { place: Box::new(place), value: Box::new(new) };
    Some(Expr { kind, ty, span, place: false })
}

fn comma(first: Expr, second: Expr) -> Expr {
    let (ty, span) = (second.ty.clone(), second.span);
    Expr { kind: ExprKind::Comma(Box::new(first), Box::new(second)), ty, span, place: false }
}

fn step(bits: &Bits, field: &Expr, by: i8, postfix: bool, span: Span) -> Option<Expr> {
    let wide = unsigned(64);
    let moved = |by: i8| {
        let one = number(1, &wide, span);
        let op = if by > 0 { BinaryOp::Add } else { BinaryOp::Sub };
        binary(op, convert(read(bits, field, span), &wide), one, &wide)
    };
    let stepped = write(bits, field, &convert(moved(by), &bits.ty), span)?;
    // What it was before is as far away.
    let before = || convert(narrowed(moved(-by), bits), &bits.ty);
    Some(if postfix { comma(stepped, before()) } else { stepped })
}
