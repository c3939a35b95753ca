//! Functions of the C++ standard library that device code knows: those of `std::complex` (`complex`), `std::array`, `std::pair`
//! and `std::tuple`, and small ones of <algorithm>, <utility> and <limits>. Their declarations are never read.

use super::Lowered;
use super::call::Callee;
use super::comparisons::{compared, ordered};
use super::expr::unsupported;
use super::function::Fun;
use super::init::is_default;
use super::walk;
use crate::ast::{CastKind, Expr, ExprKind, Library, Qual, Record, Ty};
use accl_ir::{ArrayLen, BinaryOp, Expr as IrExpr, ExprKind as Ir, Handle, TypeKind};
use accl_source::Span;

type Value = Handle<IrExpr>;

/// Elements of arrays that are compared one by one.
const MOST_COMPARED: u64 = 16;

impl Fun<'_, '_> {
    /// Performs a call of the standard library's: its value, or that it has none. `None`: it is another call.
    pub fn standard_call(
        &mut self,
        e: &Expr,
        target: &Callee<'_>,
        args: &[Expr],
    ) -> Lowered<Option<Option<Value>>> {
        let (id, name, object) = match target {
            Callee::Function(id, name) => (*id, *name, None),
            Callee::Method { object, arrow, member, name } => {
                (*member, *name, Some(pointed_to(object, *arrow)))
            }
        };
        if self.cx.function_decl(id).is_some() {
            return Ok(None);
        }
        let args: Vec<&Expr> = object.iter().chain(args).filter(|a| !is_default(a)).collect();
        if let Some(number) = self.complex_value(e)? {
            return self.complex_object(number, e).map(|value| Some(Some(value)));
        }
        if let Some(done) = self.complex_call(e, name, &args)? {
            return Ok(Some(done));
        }
        if let ("operator=", [object, source]) = (name, &args[..])
            && let Some(targets) = tied(object)
        {
            return self.assign_tied(targets, source, e.span).map(|()| Some(None));
        }
        if let (Some(operator), [left, right]) = (compared(name), &args[..]) {
            if let (Some(left), Some(right)) = (tied(left), tied(right)) {
                return self.compare_tied(e, operator, left, right).map(|value| Some(Some(value)));
            }
            if let Some((id, operands)) = ordered(left) {
                return self.compare_ordered(e, target, id, operands);
            }
        }
        let first = args.first().and_then(|a| self.cx.library_record(&a.ty));
        match (first, &args[..]) {
            (Some((_, Library::Array)), [array, rest @ ..]) => self.array_call(e, name, array, rest),
            (Some((record, Library::Pair | Library::Tuple)), [object, rest @ ..]) => {
                self.members_call(e, name, record, object, rest)
            }
            (Some((_, Library::FunctionObject(of))), [_, operands @ ..]) if name == "operator()" => {
                self.operation(e, of, operands).map(|done| done.map(Some))
            }
            _ => self.free_call(e, target, name, &args),
        }
    }

    /// A call of `std::plus<T>` or one of its kin with numbers.
    fn operation(&mut self, e: &Expr, of: &str, operands: &[&Expr]) -> Lowered<Option<Value>> {
        use BinaryOp::{
            Add, BitAnd, BitOr, BitXor, Div, Eq, Ge, Gt, Le, LogicalAnd, LogicalOr, Lt, Mul, Ne, Rem, Sub,
        };
        let values = self.in_order(vec![], operands, |f, e| f.operand(e))?;
        let result = self.value_type(e)?;
        let int = self.i32();
        // Of a class for one type both operands have that type; the others take any, which are compared as they are.
        let op = match of {
            "plus" => Add,
            "minus" => Sub,
            "multiplies" => Mul,
            "divides" => Div,
            "modulus" => Rem,
            "bit_and" => BitAnd,
            "bit_or" => BitOr,
            "bit_xor" => BitXor,
            "equal_to" => Eq,
            "not_equal_to" => Ne,
            "greater" => Gt,
            "less" => Lt,
            "greater_equal" => Ge,
            "less_equal" => Le,
            "logical_and" => LogicalAnd,
            "logical_or" => LogicalOr,
            _ => {
                let [operand] = values[..] else { return Ok(None) };
                let (op, ty) = match of {
                    "negate" => (accl_ir::UnaryOp::Neg, result),
                    "bit_not" => (accl_ir::UnaryOp::BitNot, result),
                    _ => (accl_ir::UnaryOp::Not, int),
                };
                let operand = if ty == result { self.convert(operand, ty, e.span) } else { operand };
                let value = self.expr(Ir::Unary { op, operand }, ty, e.span);
                return Ok(Some(self.convert(value, result, e.span)));
            }
        };
        let [left, right] = values[..] else { return Ok(None) };
        let compares = matches!(op, Eq | Ne | Lt | Le | Gt | Ge);
        if compares && self.ty_of(left) != self.ty_of(right) {
            return Ok(None);
        }
        let of_int = compares || matches!(op, LogicalAnd | LogicalOr);
        let ty = if of_int { int } else { result };
        let [left, right] =
            [left, right].map(|value| if of_int { value } else { self.convert(value, ty, e.span) });
        let value = self.expr(Ir::Binary { op, left, right }, ty, e.span);
        Ok(Some(self.convert(value, result, e.span)))
    }

    /// Functions that are members of no type.
    fn free_call(
        &mut self,
        e: &Expr,
        target: &Callee<'_>,
        name: &str,
        args: &[&Expr],
    ) -> Lowered<Option<Option<Value>>> {
        if !matches!(target, Callee::Function(..)) {
            return Ok(None);
        }
        let made = matches!(self.cx.library_record(&e.ty), Some((_, Library::Pair | Library::Tuple)));
        let value = match (name, args) {
            ("make_pair" | "make_tuple", _) if made => {
                let ty = self.value_type(e)?;
                let local = self.temp("made", ty, e.span);
                self.emit(accl_ir::Stmt::Declare { local, init: None }, e.span);
                let place = self.local_place(local, e.span);
                self.initialize_members(place, &e.ty, args, e.span)?;
                self.load_local(local, e.span)
            }
            ("clamp", [value, low, high]) => {
                let operands = self.in_order(vec![], [value, low, high], |f, e| f.operand(e))?;
                let [value, low, high] = [operands[0], operands[1], operands[2]];
                let ty = self.ty_of(value);
                let [below, above] =
                    [(value, low), (high, value)].map(|(left, right)| self.less(left, right, e.span));
                let no = self.expr(Ir::Select { cond: above, yes: high, no: value }, ty, e.span);
                let chosen = self.expr(Ir::Select { cond: below, yes: low, no }, ty, e.span);
                let local = self.spill("chosen", chosen, e.span);
                let place = self.local_place(local, e.span);
                self.address_of(place, e.span)?
            }
            ("min" | "max", [Expr { kind: ExprKind::InitList(items), .. }]) if !items.is_empty() => {
                self.extreme(name == "max", items, e.span)?
            }
            ("as_const", [object]) => self.address(object, e.span)?,
            ("exchange", [place, value]) => {
                let (place, value) = self.pair(|f| f.place(place), |f| f.operand(value))?;
                let place = self.kept_from_itself(place);
                let old = self.load(place, e.span);
                let old = self.spill("old", old, e.span);
                let ty = self.ty_of(place);
                let value = self.convert(value, ty, e.span);
                self.store(place, value, e.span);
                self.load_local(old, e.span)
            }
            (_, []) => match self.limit(e, name)? {
                Some(value) => value,
                None => return Ok(None),
            },
            _ => return Ok(None),
        };
        Ok(Some(Some(value)))
    }

    /// The value of an argument that is a number.
    pub fn scalar(&mut self, e: &Expr) -> Lowered<Value> {
        let ty = self.usable(e.ty.referred(), e.span)?;
        match self.cx.module.types.kind(ty) {
            TypeKind::Int { .. } | TypeKind::Bool | TypeKind::Float { .. } => self.value(e),
            _ => Err(unsupported("this function of an object", e.span)),
        }
    }

    /// As [`Fun::scalar`], in a form that may be evaluated several times.
    fn operand(&mut self, e: &Expr) -> Lowered<Value> {
        let value = self.scalar(e)?;
        Ok(self.repeatable(value))
    }

    fn less(&mut self, left: Value, right: Value, span: Span) -> Value {
        let int = self.i32();
        self.expr(Ir::Binary { op: BinaryOp::Lt, left, right }, int, span)
    }

    /// `std::min({…})`, `std::max({…})`.
    fn extreme(&mut self, max: bool, items: &[Expr], span: Span) -> Lowered<Value> {
        let values = self.in_order(vec![], items, |f, item| f.operand(item))?;
        let mut best = values[0];
        for value in &values[1..] {
            let value = *value;
            let (left, right) = if max { (best, value) } else { (value, best) };
            let cond = self.less(left, right, span);
            let ty = self.ty_of(best);
            let chosen = self.expr(Ir::Select { cond, yes: value, no: best }, ty, span);
            best = self.repeatable(chosen);
        }
        Ok(best)
    }

    /// `std::numeric_limits<T>::max()` and its kin, by the type of the result. The dump does not say of what class a static
    /// function is a member; the text does.
    fn limit(&mut self, e: &Expr, name: &str) -> Lowered<Option<Value>> {
        if !self.text(e.span).contains("numeric_limits") {
            return Ok(None);
        }
        let ty = self.value_type(e)?;
        let value = match *self.cx.module.types.kind(ty) {
            TypeKind::Float { bits } => float_limit(name, bits == 32).map(Ir::Float),
            TypeKind::Int { bits, signed } => {
                let values = i32::from(bits) - i32::from(signed);
                match name {
                    "max" => Some(Ir::Int((1 << values) - 1)),
                    "min" | "lowest" => Some(Ir::Int(if signed { -(1 << values) } else { 0 })),
                    "epsilon" | "round_error" | "infinity" | "quiet_NaN" | "denorm_min" => Some(Ir::Int(0)),
                    _ => None,
                }
            }
            _ => None,
        };
        Ok(value.map(|value| self.expr(value, ty, e.span)))
    }

    /// `std::numeric_limits<int>::digits` and its kin, of built-in types.
    pub fn limit_constant(&mut self, name: &str, span: Span) -> Option<Value> {
        let text = self.text(span);
        let (_, of) = text.split_once("numeric_limits")?;
        let (of, _) = of.trim_start().strip_prefix('<')?.rsplit_once('>')?;
        let words: Vec<&str> = of.split_whitespace().filter(|word| *word != "const").collect();
        // Bits without the sign, and for integers whether there is one.
        let (digits, signed) = match &words[..] {
            ["float"] => (24, None),
            ["double"] => (53, None),
            ["char" | "int8_t" | "std::int8_t"] | ["signed", "char"] => (7, Some(true)),
            ["unsigned", "char"] | ["uint8_t" | "std::uint8_t"] => (8, Some(false)),
            ["short" | "int16_t" | "std::int16_t"] => (15, Some(true)),
            ["unsigned", "short"] | ["uint16_t" | "std::uint16_t"] => (16, Some(false)),
            ["int" | "int32_t" | "std::int32_t"] => (31, Some(true)),
            ["unsigned"] | ["unsigned", "int"] | ["uint32_t" | "std::uint32_t"] => (32, Some(false)),
            ["long" | "int64_t" | "std::int64_t"] | ["long", "long"] => (63, Some(true)),
            ["unsigned", "long"] | ["unsigned", "long", "long"] => (64, Some(false)),
            ["size_t" | "std::size_t" | "uint64_t" | "std::uint64_t"] => (64, Some(false)),
            _ => return None,
        };
        let is_integer = signed.is_some();
        let value = match name {
            "digits" => digits,
            // Of decimals: digits * log10(2), and for floating-point numbers one bit less.
            "digits10" => (digits - i128::from(!is_integer)) * 30103 / 100_000,
            "max_digits10" => {
                if is_integer {
                    0
                } else {
                    2 + digits * 30103 / 100_000
                }
            }
            "radix" => 2,
            "is_integer" | "is_exact" => is_integer.into(),
            "is_signed" => signed.unwrap_or(true).into(),
            "is_specialized" => 1,
            _ => return None,
        };
        let int = self.i32();
        Some(self.int(value, int, span))
    }

    pub fn address_of(&mut self, place: Value, span: Span) -> Lowered<Value> {
        let of = self.ty_of(place);
        let ty = self.cx.module.types.pointer(of);
        Ok(match self.body.exprs[place].kind {
            Ir::Deref(pointer) => pointer,
            _ => self.expr(Ir::AddrOf(place), ty, span),
        })
    }

    /// The array in a `std::array`.
    pub fn array_in(&mut self, object: Value, ty: &Qual, span: Span) -> Lowered<Value> {
        match self.cx.library_record(ty) {
            Some((record, Library::Array)) => self.field(object, record, 0, span),
            _ => Err(unsupported("this array", span)),
        }
    }

    fn array_call(
        &mut self,
        e: &Expr,
        name: &str,
        array: &Expr,
        rest: &[&Expr],
    ) -> Lowered<Option<Option<Value>>> {
        let span = e.span;
        let place = self.place(array)?;
        let elements = self.array_in(place, &array.ty, span)?;
        let (element, length) = match self.kind_of(elements) {
            TypeKind::Array { of, len: ArrayLen::Const(n) } => (*of, *n),
            _ => return Err(unsupported("this array", span)),
        };
        let int = self.i32();
        let value = match (name, rest) {
            ("operator[]" | "at", [index]) => {
                // The parameter is unsigned, but no index is negative.
                let index = match &index.kind {
                    ExprKind::Cast { kind: CastKind::Convert, operand }
                        if matches!(&*operand.ty.ty, Ty::Int { .. }) =>
                    {
                        &**operand
                    }
                    _ => index,
                };
                let (elements, index) = self.pair(|_| Ok(elements), |f| f.value(index))?;
                let place = self.expr(Ir::Index { base: elements, index }, element, span);
                self.address_of(place, span)?
            }
            ("front" | "back", []) => {
                let index = self.int(if name == "front" { 0 } else { i128::from(length) - 1 }, int, span);
                let place = self.expr(Ir::Index { base: elements, index }, element, span);
                self.address_of(place, span)?
            }
            ("data" | "begin" | "cbegin", []) => self.decay_place(elements, span),
            ("end" | "cend", []) => {
                let start = self.decay_place(elements, span);
                let (ty, count) = (self.ty_of(start), self.int(length.into(), int, span));
                self.expr(Ir::Binary { op: BinaryOp::Add, left: start, right: count }, ty, span)
            }
            ("size" | "max_size", []) => {
                let ty = self.value_type(e)?;
                self.int(length.into(), ty, span)
            }
            ("empty", []) => {
                let ty = self.value_type(e)?;
                self.int(0, ty, span)
            }
            ("fill", [value]) => {
                if self.cx.runs_code_in_copy(value.ty.referred(), true) {
                    return Err(unsupported("`fill` with objects whose assignment is the program's", span));
                }
                let value = self.value(value)?;
                let value = self.repeatable(value);
                self.fill_elements(elements, 0, length, span, &mut |f, target| {
                    f.store(target, value, span);
                    Ok(())
                })?;
                return Ok(Some(None));
            }
            ("swap", [other]) => return self.std_swap(e, array, other).map(Some),
            (compare, [other]) if length <= MOST_COMPARED && compared(compare).is_some() => {
                let in_other =
                    |f: &mut Self| f.place(other).and_then(|place| f.array_in(place, &other.ty, span));
                let (elements, others) = self.pair(|_| Ok(elements), in_other)?;
                let pairs = (0..length).map(|k| {
                    [elements, others].map(|base| {
                        let index = self.int(k.into(), int, span);
                        self.expr(Ir::Index { base, index }, element, span)
                    })
                });
                let pairs = pairs.collect();
                self.compare_each(e, compared(compare).unwrap_or_default(), pairs)?
            }
            _ => match name.strip_prefix("get<").and_then(|rest| rest.strip_suffix('>')?.parse().ok()) {
                Some(index) => {
                    let index = self.int(index, int, span);
                    let place = self.expr(Ir::Index { base: elements, index }, element, span);
                    self.address_of(place, span)?
                }
                None => return Ok(None),
            },
        };
        Ok(Some(Some(value)))
    }

    /// Calls with a `std::pair` or `std::tuple`.
    fn members_call(
        &mut self,
        e: &Expr,
        name: &str,
        record: &Record,
        object: &Expr,
        rest: &[&Expr],
    ) -> Lowered<Option<Option<Value>>> {
        let span = e.span;
        if let ("swap", [other]) = (name, rest) {
            return self.std_swap(e, object, other).map(Some);
        }
        if let ("operator=", [source]) = (name, rest)
            && *source.ty.referred().ty != *object.ty.referred().ty
        {
            let place = self.place(object)?;
            let place = self.kept_from_itself(place);
            if self.cx.runs_code_in_copy(object.ty.referred(), true) {
                return Err(unsupported("this assignment", span));
            }
            self.initialize_members(place, &object.ty, rest, span)?;
            return self.address_of(place, span).map(|address| Some(Some(address)));
        }
        if let (Some(compare), [other]) = (compared(name), rest) {
            return self.compare_members(e, compare, object, other);
        }
        let field = match name.strip_prefix("get<").and_then(|rest| rest.strip_suffix('>')?.parse().ok()) {
            Some(index) => crate::clang::element_of(record, index),
            // `std::get<double>`: the only member of the result's type.
            None if name == "get" => record.fields.iter().position(|f| *f.ty.ty == *e.ty.referred().ty),
            None => None,
        };
        let Some(field) = field else { return Ok(None) };
        let place = self.place(object)?;
        let place = self.field(place, record, field as u32, span)?;
        self.address_of(place, span).map(|address| Some(Some(address)))
    }

    /// `==`, `<` and their kin of two equal types: the first members that differ decide.
    fn compare_members(
        &mut self,
        e: &Expr,
        operator: &str,
        left: &Expr,
        right: &Expr,
    ) -> Lowered<Option<Option<Value>>> {
        let (Some((record, kind)), Some((other, _))) =
            (self.cx.library_record(&left.ty), self.cx.library_record(&right.ty))
        else {
            return Ok(None);
        };
        if record.id != other.id {
            return Err(unsupported("a comparison of different types", e.span));
        }
        let (left, right) = self.pair(|f| f.place(left), |f| f.place(right))?;
        let count = record.fields.len();
        let indices = (0..count)
            .map(|k| if kind == Library::Tuple { crate::clang::element_of(record, k) } else { Some(k) });
        let mut pairs = vec![];
        for field in indices.flatten() {
            let left = self.field(left, record, field as u32, e.span)?;
            pairs.push([left, self.field(right, record, field as u32, e.span)?]);
        }
        self.compare_each(e, operator, pairs).map(|value| Some(Some(value)))
    }

    /// `std::tie(a, b) = source`
    fn assign_tied(&mut self, targets: &[Expr], source: &Expr, span: Span) -> Lowered<()> {
        let Some((record, _)) =
            self.cx.library_record(&source.ty).filter(|(r, _)| r.fields.len() == targets.len())
        else {
            return Err(unsupported("this assignment", span));
        };
        let object = self.place(source)?;
        for (k, target) in targets.iter().enumerate() {
            let Some(field) = crate::clang::element_of(record, k) else {
                return Err(unsupported("this assignment", span));
            };
            let from = self.field(object, record, field as u32, span)?;
            let ty = &record.fields[field].ty;
            if self.cx.runs_code_in_copy(ty, true) {
                if *target.ty.referred().ty != *ty.ty {
                    return Err(unsupported("this assignment", span));
                }
                let to = self.place(target)?;
                self.copied_into([to, from], ty, true, span)?;
                continue;
            }
            let value = self.load(from, span);
            let (value, to) = self.pair(|_| Ok(value), |f| f.place(target))?;
            let ty = self.ty_of(to);
            let value = self.convert(value, ty, span);
            self.store(to, value, span);
        }
        Ok(())
    }

    /// Constructs an object of a type of the library.
    pub fn construct_library(&mut self, place: Value, args: &[Expr], init: &Expr) -> Lowered<()> {
        let args: Vec<&Expr> = args.iter().filter(|a| !is_default(a)).collect();
        match self.cx.library_record(&init.ty) {
            Some((record, Library::Array)) => match &args[..] {
                [] => self.default_elements(place, record, init),
                [source] if *source.ty.referred().ty == *init.ty.ty => {
                    let from = self.place(source)?;
                    self.copied_into([place, from], &init.ty, false, init.span)
                }
                _ => Err(unsupported("this constructor", init.span)),
            },
            Some((_, Library::Empty | Library::FunctionObject(_))) => Ok(()),
            Some(_) => self.initialize_members(place, &init.ty, &args, init.span),
            None => Err(unsupported("this constructor", init.span)),
        }
    }

    /// `std::array<T, n> a;` leaves numbers as they are, and makes objects.
    fn default_elements(&mut self, place: Value, record: &Record, init: &Expr) -> Lowered<()> {
        let elements = &record.fields[0].ty;
        let Ty::Array { of, .. } = &*elements.ty else { return Ok(()) };
        let Ty::Record(id) = &*of.ty else { return Ok(()) };
        match (self.cx.library_record(of), self.cx.record(*id)) {
            (Some((_, Library::Complex | Library::Pair | Library::Tuple)), _)
                if self.cx.is_made_of_zeros(of) =>
            {
                self.zero_fill(place, init.span)
            }
            (Some((inner, Library::Array)), _) if is_plain(&inner.fields[0].ty) => Ok(()),
            (None, Some(record)) if record.is_pod => Ok(()),
            _ => Err(unsupported("an array of objects without an initialiser, `{}`,", init.span)),
        }
    }

    /// Gives each member of a pair or tuple its value: zero, an argument, or the member of another pair or tuple.
    fn initialize_members(&mut self, place: Value, ty: &Qual, args: &[&Expr], span: Span) -> Lowered<()> {
        let Some((record, _)) = self.cx.library_record(ty) else {
            return Err(unsupported("this object", span));
        };
        let count = record.fields.len();
        let source = match args {
            [] if self.cx.is_made_of_zeros(ty) => return self.zero_fill(place, span),
            [] => {
                return Err(unsupported("this constructor of objects with constructors of their own", span));
            }
            [source] if count > 1 => self.cx.library_record(&source.ty).map(|(of, _)| (of, *source)),
            _ => None,
        };
        if source.is_none() && args.len() != count {
            return Err(unsupported("this constructor", span));
        }
        let source = match source {
            Some((of, object)) => Some((of, self.place(object)?)),
            None => None,
        };
        for index in 0..count {
            let member = |of: &Record| crate::clang::element_of(of, index);
            let Some(own) = member(record) else { return Err(unsupported("this constructor", span)) };
            let target = self.field(place, record, own as u32, span)?;
            let ty = &record.fields[own].ty.ty;
            let scalar = !matches!(&**ty, Ty::Record(_) | Ty::Array { .. });
            let value = match (source, args.get(index)) {
                (Some((of, object)), _) => {
                    let Some(theirs) = member(of).filter(|k| scalar || of.fields[*k].ty.ty == *ty) else {
                        return Err(unsupported("this conversion", span));
                    };
                    let from = self.field(object, of, theirs as u32, span)?;
                    if !scalar {
                        self.copied_into([target, from], &record.fields[own].ty, false, span)?;
                        continue;
                    }
                    self.load(from, span)
                }
                (None, Some(arg)) if scalar => {
                    self.usable(arg.ty.referred(), arg.span)?;
                    self.value(arg)?
                }
                (None, Some(arg)) if arg.ty.referred().ty == *ty => {
                    let ty = &record.fields[own].ty;
                    if self.cx.runs_code_in_copy(ty, false) {
                        let from = self.place(arg)?;
                        self.copied_into([target, from], ty, false, span)?;
                    } else {
                        self.initialize(target, arg)?;
                    }
                    continue;
                }
                _ => return Err(unsupported("this conversion", span)),
            };
            let to = self.ty_of(target);
            let value = self.convert(value, to, span);
            self.store(target, value, span);
        }
        Ok(())
    }
}

/// What `std::tie` is given.
fn tied(object: &Expr) -> Option<&[Expr]> {
    match &object.kind {
        ExprKind::Cast { operand, .. } => tied(operand),
        ExprKind::Call { callee, args } => match &walk::bare_function(callee).kind {
            ExprKind::Function(_, name) if &**name == "tie" => Some(args),
            _ => None,
        },
        _ => None,
    }
}

fn is_plain(array: &Qual) -> bool {
    matches!(&*array.ty, Ty::Array { of, .. } if !matches!(&*of.ty, Ty::Record(_)))
}

/// The object of a method call.
fn pointed_to(object: &Expr, arrow: bool) -> Expr {
    match &*object.ty.ty {
        Ty::Pointer { to, .. } if arrow => Expr {
            kind: ExprKind::Deref(Box::new(object.clone())),
            ty: to.clone(),
            span: object.span,
            place: true,
        },
        _ => object.clone(),
    }
}

fn float_limit(name: &str, single: bool) -> Option<f64> {
    let of = |float: f32, double: f64| if single { f64::from(float) } else { double };
    Some(match name {
        "max" => of(f32::MAX, f64::MAX),
        "lowest" => of(f32::MIN, f64::MIN),
        "min" => of(f32::MIN_POSITIVE, f64::MIN_POSITIVE),
        "epsilon" => of(f32::EPSILON, f64::EPSILON),
        "denorm_min" => of(f32::from_bits(1), f64::from_bits(1)),
        "infinity" => f64::INFINITY,
        "quiet_NaN" => f64::NAN,
        "round_error" => 0.5,
        _ => return None,
    })
}
