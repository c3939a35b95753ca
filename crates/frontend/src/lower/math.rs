//! Functions of the library that device code has, and the refusal of the rest.

use super::Lowered;
use super::expr::unsupported;
use super::function::Fun;
use super::types::{KNOWN_OF_LIBRARY, library_class};
use crate::ast::{CastKind, DeclId, Expr, ExprKind, Qual, Ty};
use crate::clang::fold;
use accl_ir::{BinaryOp, Expr as IrExpr, ExprKind as Ir, Handle, MathFn, Stmt, Type, TypeKind};
use accl_source::{Diagnostic, Span, codes::frontend as codes};

type Value = Handle<IrExpr>;

/// The function a C name means, in whichever precision.
fn math_function(name: &str) -> Option<MathFn> {
    let plain = name.strip_prefix("__builtin_").unwrap_or(name);
    let plain = plain.trim_start_matches("__");
    let exact = |n: &str| MathFn::ALL.iter().copied().find(|f| f.c_name() == n);
    match plain {
        "labs" | "llabs" => return Some(MathFn::Abs),
        "llround" | "lroundf" | "llroundf" => return Some(MathFn::Lround),
        "llrint" | "lrintf" | "llrintf" => return Some(MathFn::Lrint),
        "finite" | "finitef" => return Some(MathFn::IsFinite),
        "isnanf" | "isnan" => return Some(MathFn::IsNan),
        "isinff" | "isinf" | "isinf_sign" => return Some(MathFn::IsInf),
        "signbitf" | "signbit" => return Some(MathFn::SignBit),
        "drem" => return Some(MathFn::Remainder),
        "gamma" => return Some(MathFn::Lgamma),
        // `bit_function` takes those that C has of bits.
        "popcount" | "clz" => return None,
        "acc_on_device" => return None,
        "scalbn" | "scalbnf" => return Some(MathFn::Ldexp),
        // The integer ones are made by transforms only.
        "min" | "max" => return None,
        _ => {}
    }
    exact(plain).or_else(|| plain.strip_suffix('f').and_then(exact).filter(|f| takes_float(*f)))
}

/// What the builtins of gcc and clang, `ffs` of <strings.h> and <byteswap.h> make of an integer's bits.
#[derive(Clone, Copy)]
enum Bits {
    Popcount,
    Parity,
    /// Zeros above the highest bit that is set, or below the lowest.
    Clz,
    Ctz,
    /// One more than the number of the lowest bit that is set; 0 where none is.
    Ffs,
    /// The bytes in the opposite order, of a number of so many.
    Swap(u32),
}

fn bit_function(name: &str) -> Option<Bits> {
    // Hosts and devices have the lowest byte first, so the network's order is the opposite one.
    match name.trim_start_matches("__builtin_").trim_start_matches("__") {
        "bswap16" | "bswap_16" | "htons" | "ntohs" => return Some(Bits::Swap(2)),
        "bswap32" | "bswap_32" | "htonl" | "ntohl" => return Some(Bits::Swap(4)),
        "bswap64" | "bswap_64" => return Some(Bits::Swap(8)),
        _ => {}
    }
    let of_library = matches!(name, "ffs" | "ffsl" | "ffsll");
    let plain = name.strip_prefix("__builtin_").or(of_library.then_some(name))?;
    match plain.trim_end_matches('l') {
        "popcount" => Some(Bits::Popcount),
        "parity" => Some(Bits::Parity),
        "clz" => Some(Bits::Clz),
        "ctz" => Some(Bits::Ctz),
        "ffs" => Some(Bits::Ffs),
        _ => None,
    }
}

fn takes_float(fun: MathFn) -> bool {
    !matches!(fun, MathFn::Abs | MathFn::Min | MathFn::Max)
}

/// Functions whose result in double, of float arguments, rounds to just what the float version gives.
fn is_exact_in_float(fun: MathFn) -> bool {
    matches!(
        fun,
        MathFn::Sqrt
            | MathFn::Fabs
            | MathFn::Floor
            | MathFn::Ceil
            | MathFn::Trunc
            | MathFn::Round
            | MathFn::Rint
            | MathFn::Nearbyint
            | MathFn::Fmin
            | MathFn::Fmax
            | MathFn::Fmod
            | MathFn::Copysign
            | MathFn::Fdim
    )
}

/// The library's function computes a number of numbers, and does nothing else.
pub fn is_plain_math(name: &str) -> bool {
    math_function(name).is_some() && !has_effects(name)
}

/// The library function writes memory through its arguments.
pub fn writes_memory(name: &str) -> bool {
    let plain = name.trim_start_matches("__builtin_");
    matches!(plain, "memset" | "memcpy" | "memmove" | "sincos" | "sincosf") || parts_function(name).is_some()
}

/// A call of the library function is a statement: it does something besides giving a value.
pub fn has_effects(name: &str) -> bool {
    let plain = name.trim_start_matches("__builtin_");
    const OTHERS: [&str; 10] = [
        "abort",
        "trap",
        "__assert_fail",
        "printf",
        "puts",
        "putchar",
        "exit",
        "_exit",
        "_Exit",
        "quick_exit",
    ];
    writes_memory(name) || OTHERS.contains(&plain)
}

impl Fun<'_, '_> {
    pub fn library_call(
        &mut self,
        e: &Expr,
        id: DeclId,
        name: &str,
        args: &[Expr],
    ) -> Lowered<Option<Value>> {
        let declared_by_user = self.cx.function_decl(id).is_some();
        if let Some(fun) = math_function(name) {
            return self.math(fun, e, args).map(Some);
        }
        if let ("__builtin_isnormal", [arg]) = (name, args) {
            return self.is_normal(e, arg).map(Some);
        }
        if let (Some(bits), [arg]) = (bit_function(name), args) {
            return self.bits_of(bits, e, arg).map(Some);
        }
        if self.device {
            if self.output(e, name, args)? {
                return Ok(None);
            }
            if let (true, pointer) = self.allocation(e, name, args)? {
                return Ok(pointer);
            }
            if let Some(pointer) = self.memory(e, name, args)? {
                return Ok(Some(pointer));
            }
            if let Some(result) = self.gnu_atomic(e, name, args, true)? {
                return Ok(result);
            }
        }
        if self.device
            && let Some(result) = self.string_function(e, name, args)?
        {
            return Ok(Some(result));
        }
        match name {
            "min" | "max" if !declared_by_user && args.len() == 2 => {
                return self.std_min_max(name == "max", e, args).map(Some);
            }
            "swap" if !declared_by_user && args.len() == 2 => return self.std_swap(e, &args[0], &args[1]),
            "move" | "forward" if !declared_by_user && args.len() == 1 => {
                return self.address(&args[0], e.span).map(Some);
            }
            "acc_on_device" if args.len() == 1 => return self.on_device(e, &args[0]).map(Some),
            "omp_get_wtime" if self.device => return Ok(Some(self.seconds(e.span))),
            "omp_get_wtick" if self.device => {
                let double = self.cx.module.types.float(64);
                return Ok(Some(self.expr(Ir::Float(1e-9), double, e.span)));
            }
            _ if self.device && args.is_empty() && name.starts_with("omp_") => {
                if let Some(value) = self.team_query(name, e.span)? {
                    return Ok(Some(value));
                }
            }
            _ if self.device
                && args.len() == 1
                && (name.starts_with("omp_set_") || name == "omp_fulfill_event")
                && !name.ends_with("_lock") =>
            {
                if let Some(nothing) = self.team_setting(name, e.span)? {
                    return Ok(Some(nothing));
                }
            }
            "omp_get_team_size" | "omp_get_ancestor_thread_num" if self.device && args.len() == 1 => {
                if let Some(value) = self.level_query(name, &args[0], e.span)? {
                    return Ok(Some(value));
                }
            }
            _ if self.device && name.starts_with("omp_") && name.ends_with("_lock") => {
                return self.lock(name, args, e.span).map(Some);
            }
            "omp_get_schedule" if self.device && args.len() == 2 => return self.schedule_of_loops(e, args),
            "sincos" | "sincosf" if args.len() == 3 => return self.sincos(e, args),
            _ if let (Some(parts), 2) = (parts_function(name), args.len()) => {
                return self.parts_of_float(parts, e, args).map(Some);
            }
            _ => {}
        }
        let constant = match name.strip_prefix("__builtin_") {
            Some("inf" | "inff" | "huge_val" | "huge_valf") => Some(f64::INFINITY),
            Some("nan" | "nanf") => Some(f64::NAN),
            _ => None,
        };
        if let Some(value) = constant {
            let ty = self.value_type(e)?;
            return Ok(Some(self.expr(Ir::Float(value), ty, e.span)));
        }
        match name {
            "__builtin_expect" if !args.is_empty() => return self.value(&args[0]).map(Some),
            // Nobody has to know that a value is constant.
            "__builtin_constant_p" if args.len() == 1 => {
                let (known, int) = (fold(&args[0]).is_some(), self.i32());
                return Ok(Some(self.int(known.into(), int, e.span)));
            }
            "__builtin_assume" | "__assume" | "__builtin_unreachable" | "__builtin_prefetch" => {
                return Ok(None);
            }
            _ => {}
        }
        if declared_by_user {
            return Err(self.no_definition(Some(id), name, e.span));
        }
        if args.iter().any(|arg| self.is_complex(&arg.ty)) {
            return Err(super::complex::unknown_function(name, e.span));
        }
        match args.first().and_then(|object| self.unknown_object(&object.ty, name, e.span)) {
            Some(refused) => Err(refused),
            None => Err(self.refuse_library(e, name)),
        }
    }

    /// The refusal of a function that takes an object of a type of the standard library's that device code does not know.
    pub fn unknown_object(&self, ty: &Qual, name: &str, span: Span) -> Option<super::Refused> {
        let ty = match &*ty.referred().ty {
            Ty::Pointer { to, .. } => to,
            _ => ty.referred(),
        };
        let of = library_class(&ty.ty)?;
        let message = format!("`{name}` cannot be called in a compute region");
        let error = Diagnostic::error(codes::CALL, message);
        let reason = format!("device code does not know `{of}`");
        Some(Box::new(error.label(span, reason).with_help(KNOWN_OF_LIBRARY)))
    }

    /// Device code runs on no host device; which device it is else each device's code knows for itself.
    fn on_device(&mut self, e: &Expr, kind: &Expr) -> Lowered<Value> {
        let asked = crate::clang::fold(kind);
        let is = |name: &str| asked.is_some() && self.cx.program.enumerator_names.get(name).copied() == asked;
        let any_device = ["acc_device_not_host", "acc_device_default", "acc_device_current"];
        let int = self.i32();
        if ["acc_device_none", "acc_device_host"].into_iter().any(is) {
            return Ok(self.int(0, int, e.span));
        }
        if any_device.into_iter().any(is) {
            return Ok(self.int(1, int, e.span));
        }
        let kind = self.value(kind)?;
        let kind = self.convert(kind, int, e.span);
        Ok(self.expr(Ir::Math { fun: MathFn::OnDevice, args: vec![kind] }, int, e.span))
    }

    fn refuse_library(&self, e: &Expr, name: &str) -> super::Refused {
        let reason = match name {
            "fprintf" | "fputs" | "fputc" | "putc" | "vprintf" => "device code has no streams",
            "malloc" | "calloc" | "realloc" | "free" | "alloca" => "device code cannot allocate memory",
            "rand" | "random" | "drand48" | "srand" | "rand_r" => {
                "the generator's state is one for the whole program"
            }
            "exit" | "_exit" | "_Exit" | "quick_exit" => "device code cannot end the program with a status",
            "memcmp" | "strchr" | "strcpy" | "strcat" => {
                "the C library's string functions are not available there; write the loop"
            }
            "operator()" => "it is the call of a lambda or a library object",
            n if n.starts_with("__builtin_") => "device code has no such function",
            n if n.starts_with("acc_") || n.starts_with("omp_") => "it controls the device from the host",
            _ => "its definition is not in this file",
        };
        let diagnostic =
            Diagnostic::error(codes::CALL, format!("`{name}` cannot be called in a compute region"))
                .label(e.span, reason);
        Box::new(match name {
            "fprintf" | "fputs" | "fputc" | "putc" | "vprintf" => {
                diagnostic.with_help("use printf, which prints to the standard output on every device")
            }
            "malloc" | "calloc" | "realloc" | "alloca" => diagnostic.with_help(
                "use a local array, or allocate before the region and name the memory in a data clause",
            ),
            "free" => diagnostic.with_help("allocate before the region, and free the memory behind it"),
            "exit" | "_exit" | "_Exit" | "quick_exit" => diagnostic.with_help(
                "call abort(), or reduce a flag, as in `reduction(||:failed)`, and look at it behind the region",
            ),
            "operator()" => diagnostic.with_help("write a function, and call it by its name"),
            "rand" | "random" | "drand48" | "rand_r" => diagnostic.with_help(
                "compute the random numbers before the region, or write a generator with its own state",
            ),
            _ => diagnostic,
        })
    }

    /// The argument's type is the parameter's: int, long or long long.
    fn bits_of(&mut self, bits: Bits, e: &Expr, arg: &Expr) -> Lowered<Value> {
        let value = self.value(arg)?;
        let long = self.cx.module.types.size_of(self.ty_of(value)) == Some(8);
        let (ty, int) = (self.cx.module.types.int(if long { 64 } else { 32 }, false), self.i32());
        let value = self.convert(value, ty, e.span);
        let value = self.repeatable(value);
        let binary =
            |fun: &mut Self, op, left, right, ty| fun.expr(Ir::Binary { op, left, right }, ty, e.span);
        let count = |fun: &mut Self, math, of| fun.expr(Ir::Math { fun: math, args: vec![of] }, int, e.span);
        // Ones up to the lowest bit that is set.
        let up_to_lowest = |fun: &mut Self| {
            let one = fun.int(1, ty, e.span);
            let below = binary(fun, BinaryOp::Sub, value, one, ty);
            binary(fun, BinaryOp::BitXor, value, below, ty)
        };
        Ok(match bits {
            Bits::Popcount => count(self, MathFn::Popcount, value),
            Bits::Clz => count(self, MathFn::Clz, value),
            Bits::Parity => {
                let (all, one) = (count(self, MathFn::Popcount, value), self.int(1, int, e.span));
                binary(self, BinaryOp::BitAnd, all, one, int)
            }
            Bits::Ctz => {
                let ones = up_to_lowest(self);
                let (all, one) = (count(self, MathFn::Popcount, ones), self.int(1, int, e.span));
                binary(self, BinaryOp::Sub, all, one, int)
            }
            Bits::Ffs => {
                let ones = up_to_lowest(self);
                let yes = count(self, MathFn::Popcount, ones);
                let (none, zero) = (self.int(0, ty, e.span), self.int(0, int, e.span));
                let cond = binary(self, BinaryOp::Ne, value, none, int);
                self.expr(Ir::Select { cond, yes, no: zero }, int, e.span)
            }
            Bits::Swap(bytes) => {
                let mut swapped = self.int(0, ty, e.span);
                for byte in 0..bytes {
                    let [from, to, all] =
                        [8 * byte, 8 * (bytes - 1 - byte), 0xff].map(|n| self.int(n.into(), ty, e.span));
                    let low = binary(self, BinaryOp::Shr, value, from, ty);
                    let one = binary(self, BinaryOp::BitAnd, low, all, ty);
                    let high = binary(self, BinaryOp::Shl, one, to, ty);
                    swapped = binary(self, BinaryOp::BitOr, swapped, high, ty);
                }
                let result = self.value_type(e)?;
                self.convert(swapped, result, e.span)
            }
        })
    }

    fn math(&mut self, fun: MathFn, e: &Expr, args: &[Expr]) -> Lowered<Value> {
        if args.iter().any(|arg| self.is_complex(&arg.ty)) {
            return Err(super::complex::unknown_function(fun.c_name(), e.span));
        }
        let result = self.value_type(e)?;
        let values = self.in_order(vec![], args, |f, arg| f.value(arg))?;
        self.math_of(fun, values, result, e)
    }

    /// Neither zero nor so small that digits are lost, and finite.
    fn is_normal(&mut self, e: &Expr, arg: &Expr) -> Lowered<Value> {
        let value = self.value(arg)?;
        let double = self.cx.module.types.float(64);
        // In the type of the argument a subnormal float is one; in double it is not.
        let least = match self.kind_of(value) {
            TypeKind::Float { bits: 32 } => f64::from(f32::MIN_POSITIVE),
            _ => f64::MIN_POSITIVE,
        };
        let value = self.convert(value, double, e.span);
        let value = self.repeatable(value);
        let int = self.i32();
        let finite = self.expr(Ir::Math { fun: MathFn::IsFinite, args: vec![value] }, int, e.span);
        let size = self.expr(Ir::Math { fun: MathFn::Fabs, args: vec![value] }, double, e.span);
        let least = self.expr(Ir::Float(least), double, e.span);
        let large = self.expr(Ir::Binary { op: BinaryOp::Ge, left: size, right: least }, int, e.span);
        Ok(self.expr(Ir::Binary { op: BinaryOp::LogicalAnd, left: finite, right: large }, int, e.span))
    }

    /// Arguments are brought to the type the function computes in.
    fn math_of(
        &mut self,
        fun: MathFn,
        mut values: Vec<Value>,
        result: Handle<Type>,
        e: &Expr,
    ) -> Lowered<Value> {
        let predicate = matches!(
            fun,
            MathFn::IsNan
                | MathFn::IsInf
                | MathFn::IsFinite
                | MathFn::SignBit
                | MathFn::Lround
                | MathFn::Lrint
                | MathFn::Ilogb
        );
        if predicate {
            let first = self.ty_of(values[0]);
            if self.cx.module.types.is_integer(first) {
                let double = self.cx.module.types.float(64);
                values[0] = self.convert(values[0], double, e.span);
            }
            let own = match fun {
                MathFn::Lround | MathFn::Lrint => self.i64(),
                _ => self.i32(),
            };
            let value = self.expr(Ir::Math { fun, args: values }, own, e.span);
            return Ok(self.convert(value, result, e.span));
        }
        // abs of a floating type, in C++, is fabs; fabs of an integer computes in double.
        let fun =
            if fun == MathFn::Abs && self.cx.module.types.is_float(result) { MathFn::Fabs } else { fun };
        if fun != MathFn::Abs && !self.cx.module.types.is_float(result) {
            return Err(unsupported("this function of integers", e.span));
        }
        let int = self.i32();
        for (index, value) in values.iter_mut().enumerate() {
            let to = if fun == MathFn::Ldexp && index == 1 { int } else { result };
            *value = self.convert(*value, to, e.span);
        }
        Ok(self.expr(Ir::Math { fun, args: values }, result, e.span))
    }

    /// `(float)sqrt((double)x)` is `sqrtf(x)` where that gives the same number.
    pub fn float_math(&mut self, e: &Expr, operand: &Expr) -> Lowered<Option<Value>> {
        let ExprKind::Call { callee, args } = &operand.kind else { return Ok(None) };
        let is = |q: &Qual, bits| *q.ty == Ty::Float { bits };
        if !is(&e.ty, 32) || !is(&operand.ty, 64) {
            return Ok(None);
        }
        let ExprKind::Function(id, name) = &super::walk::bare_function(callee).kind else { return Ok(None) };
        if self.cx.function_decl(*id).is_some_and(|f| f.body.is_some()) {
            return Ok(None);
        }
        let Some(fun) = math_function(name).filter(|f| is_exact_in_float(*f)) else { return Ok(None) };
        let Some(narrow) = args.iter().map(float_operand).collect::<Option<Vec<_>>>() else {
            return Ok(None);
        };
        let float = self.cx.module.types.float(32);
        let values = self.in_order(vec![], narrow, |f, arg| {
            let value = f.value(arg)?;
            Ok(f.convert(value, float, arg.span))
        })?;
        self.math_of(fun, values, float, e).map(Some)
    }

    /// The value of `std::min` or `std::max`, if `e` is a call of one.
    pub fn std_min_max_value(&mut self, e: &Expr) -> Lowered<Option<Value>> {
        let ExprKind::Call { callee, args } = &e.kind else { return Ok(None) };
        match &super::walk::bare_function(callee).kind {
            ExprKind::Function(id, name) if args.len() == 2 && self.cx.function_decl(*id).is_none() => {
                match &**name {
                    "min" => self.min_max(false, e, args).map(Some),
                    "max" => self.min_max(true, e, args).map(Some),
                    _ => Ok(None),
                }
            }
            _ => Ok(None),
        }
    }

    /// The function returns a reference: the address of a temporary.
    fn std_min_max(&mut self, max: bool, e: &Expr, args: &[Expr]) -> Lowered<Value> {
        let value = self.min_max(max, e, args)?;
        let ty = self.ty_of(value);
        let local = self.spill("chosen", value, e.span);
        let place = self.local_place(local, e.span);
        let pointer = self.cx.module.types.pointer(ty);
        Ok(self.expr(Ir::AddrOf(place), pointer, e.span))
    }

    /// `b < a ? b : a`, `a < b ? b : a`.
    fn min_max(&mut self, max: bool, e: &Expr, args: &[Expr]) -> Lowered<Value> {
        let ty = self.usable(&e.ty, e.span)?;
        let (a, b) = self.pair(|f| f.value(&args[0]), |f| f.value(&args[1]))?;
        let (a, b) = (self.repeatable(a), self.repeatable(b));
        match self.cx.module.types.kind(ty) {
            TypeKind::Int { .. } | TypeKind::Bool | TypeKind::Float { .. } => {
                let int = self.i32();
                let (left, right) = if max { (a, b) } else { (b, a) };
                let cond = self.expr(Ir::Binary { op: BinaryOp::Lt, left, right }, int, e.span);
                Ok(self.expr(Ir::Select { cond, yes: b, no: a }, ty, e.span))
            }
            _ => Err(unsupported("std::min or std::max of this type", e.span)),
        }
    }

    /// The device's clock (OpenMP 5.2 §18.10.1).
    fn seconds(&mut self, span: Span) -> Value {
        let double = self.cx.module.types.float(64);
        let function = self.cx.device_library(accl_ir::Function::CLOCK, double);
        let local = self.temp("seconds", double, span);
        self.emit(Stmt::Declare { local, init: None }, span);
        let place = self.local_place(local, span);
        self.emit(Stmt::Call { dest: Some(place), function, args: vec![] }, span);
        self.load_local(local, span)
    }

    /// A value that costs nothing to evaluate twice.
    pub fn repeatable(&mut self, value: Value) -> Value {
        let expr = &self.body.exprs[value];
        let cheap = match &expr.kind {
            Ir::Int(_) | Ir::Float(_) => true,
            Ir::Load(place) => matches!(self.body.exprs[*place].kind, Ir::Local(_)),
            _ => false,
        };
        if cheap {
            return value;
        }
        let span = expr.span;
        let local = self.spill("value", value, span);
        self.load_local(local, span)
    }

    pub fn std_swap(&mut self, e: &Expr, a: &Expr, b: &Expr) -> Lowered<Option<Value>> {
        if !self.cx.is_assigned_by_bytes(&a.ty) {
            return Err(unsupported(
                "`swap` of objects with copy constructors or assignments of their own",
                e.span,
            ));
        }
        let (a, b) = self.pair(|f| f.place(a), |f| f.place(b))?;
        let b = self.kept_from(a, b);
        if matches!(self.kind_of(a), TypeKind::Array { .. }) {
            let ty = self.ty_of(a);
            let kept = self.temp("swap", ty, e.span);
            self.emit(Stmt::Declare { local: kept, init: None }, e.span);
            let kept = self.local_place(kept, e.span);
            for (to, from) in [(kept, a), (a, b), (b, kept)] {
                self.copy_object(to, from, e.span)?;
            }
            return Ok(None);
        }
        let old = self.load(a, e.span);
        let kept = self.spill("swap", old, e.span);
        let new = self.load(b, e.span);
        self.store(a, new, e.span);
        let old = self.load_local(kept, e.span);
        self.store(b, old, e.span);
        Ok(None)
    }

    /// Loops with `schedule(runtime)` have a static schedule, and no chunk is set (OpenMP 5.2 §18.2.12).
    fn schedule_of_loops(&mut self, e: &Expr, args: &[Expr]) -> Lowered<Option<Value>> {
        const STATIC: i128 = 1;
        let pointers = self.in_order(vec![], args, |f, arg| f.value(arg))?;
        for ((arg, pointer), number) in args.iter().zip(pointers).zip([STATIC, 0]) {
            let place = self.deref(pointer, &arg.ty, e.span);
            let value = self.int(number, self.ty_of(place), e.span);
            self.store(place, value, e.span);
        }
        Ok(None)
    }

    fn sincos(&mut self, e: &Expr, args: &[Expr]) -> Lowered<Option<Value>> {
        let values = self.in_order(vec![], args, |f, arg| f.value(arg))?;
        let [x, sin, cos] = values[..] else { return Ok(None) };
        let x = self.repeatable(x);
        let [sin, cos] = [sin, cos].map(|pointer| self.deref(pointer, &args[0].ty, e.span));
        let cos = self.kept_from(sin, cos);
        for (fun, place) in [(MathFn::Sin, sin), (MathFn::Cos, cos)] {
            let ty = self.ty_of(place);
            // The function may have been declared by its call alone, and the argument then be a double.
            let of = self.convert(x, ty, e.span);
            let value = self.expr(Ir::Math { fun, args: vec![of] }, ty, e.span);
            self.store(place, value, e.span);
        }
        Ok(None)
    }
}

/// Functions that divide a number in two, of which one goes through a pointer.
#[derive(Clone, Copy)]
enum Parts {
    /// `modf`: the fraction, and what is in front of it.
    Fraction,
    /// `frexp`: the number in [0.5, 1), and the power of two.
    Exponent,
}

fn parts_function(name: &str) -> Option<Parts> {
    match name.strip_prefix("__builtin_").unwrap_or(name) {
        "modf" | "modff" => Some(Parts::Fraction),
        "frexp" | "frexpf" => Some(Parts::Exponent),
        _ => None,
    }
}

impl Fun<'_, '_> {
    fn parts_of_float(&mut self, parts: Parts, e: &Expr, args: &[Expr]) -> Lowered<Value> {
        let values = self.in_order(vec![], args, |f, arg| f.value(arg))?;
        let (ty, int) = (self.value_type(e)?, self.i32());
        let x = self.convert(values[0], ty, e.span);
        let x = self.spill("x", x, e.span);
        let x = self.load_local(x, e.span);
        let place = self.deref(values[1], &args[1].ty, e.span);
        let zero = self.expr(Ir::Float(0.0), ty, e.span);
        let math = |f: &mut Self, fun, args, ty| f.expr(Ir::Math { fun, args }, ty, e.span);
        let binary = |f: &mut Self, op, left, right, ty| f.expr(Ir::Binary { op, left, right }, ty, e.span);
        let (part, rest) = match parts {
            Parts::Fraction => {
                let whole = math(self, MathFn::Trunc, vec![x], ty);
                let infinite = math(self, MathFn::IsInf, vec![x], int);
                let difference = binary(self, BinaryOp::Sub, x, whole, ty);
                let no = self.expr(Ir::Select { cond: infinite, yes: zero, no: difference }, ty, e.span);
                (whole, math(self, MathFn::Copysign, vec![no, x], ty))
            }
            Parts::Exponent => {
                let finite = math(self, MathFn::IsFinite, vec![x], int);
                let not_zero = binary(self, BinaryOp::Ne, x, zero, int);
                let cond = binary(self, BinaryOp::LogicalAnd, finite, not_zero, int);
                let (none, one) = (self.int(0, int, e.span), self.int(1, int, e.span));
                let power = math(self, MathFn::Ilogb, vec![x], int);
                let power = binary(self, BinaryOp::Add, power, one, int);
                let power = self.expr(Ir::Select { cond, yes: power, no: none }, int, e.span);
                let power = self.spill("power", power, e.span);
                let power = self.load_local(power, e.span);
                let back = binary(self, BinaryOp::Sub, none, power, int);
                let yes = math(self, MathFn::Ldexp, vec![x, back], ty);
                (power, self.expr(Ir::Select { cond, yes, no: x }, ty, e.span))
            }
        };
        let rest = self.spill("part", rest, e.span);
        let to = self.ty_of(place);
        let part = self.convert(part, to, e.span);
        self.store(place, part, e.span);
        Ok(self.load_local(rest, e.span))
    }
}

/// The float expression that was widened, or a literal that is a float.
fn float_operand(arg: &Expr) -> Option<&Expr> {
    match &arg.kind {
        ExprKind::Cast { kind: CastKind::Convert, operand, .. }
            if *operand.ty.ty == (Ty::Float { bits: 32 }) =>
        {
            Some(operand)
        }
        ExprKind::Float(value) if f64::from(*value as f32) == *value => Some(arg),
        _ => None,
    }
}
