//! Expressions of clauses: their constant value, and their IR where it is needed (extents, member paths).

use super::expr::{is_comparison, refused_type, unsupported};
use super::function::{Binding, Fun};
use super::scope::Named;
use super::{Lowered, Refused};
use crate::ast::Ty;
use accl_directives::{BinaryOp as COp, CExpr, CExprKind, ClauseKind, UnaryOp as CUnary};
use accl_ir::{
    BinaryOp, ConstValue, Expr as IrExpr, ExprKind as Ir, Handle, HostExpr, Type, TypeKind, UnaryOp,
};
use accl_source::{Diagnostic, FileId, Span, codes::frontend as codes};

type Value = Handle<IrExpr>;

impl Fun<'_, '_> {
    /// The text of a clause's expression, its names checked.
    pub fn host_expr(&mut self, e: &CExpr) -> HostExpr {
        self.known_names(e, &|_| false);
        // The 0 of `(*p)` is not written.
        let text = match &e.kind {
            CExprKind::Int { text, .. } => text.clone(),
            _ => self.text(e.span),
        };
        HostExpr { text, span: e.span, value: self.constant(e) }
    }

    /// An expression that the standard calls an integer expression; `why` says so.
    pub fn integer(&mut self, e: &CExpr, why: &str) -> HostExpr {
        if self.is_floating(e) {
            let message = format!("`{}` is no integer", self.text(e.span));
            let error = Diagnostic::error(codes::BAD_CLAUSE_VARIABLE, message);
            self.cx.error(error.label(e.span, why));
        }
        self.host_expr(e)
    }

    /// Whether the expression certainly has a floating type.
    fn is_floating(&mut self, e: &CExpr) -> bool {
        match &e.kind {
            CExprKind::Float(_) => true,
            CExprKind::Ident(name) => match self.lookup(name) {
                Some(Named::Variable(_, variable)) => {
                    matches!(&*variable.ty.referred().ty, Ty::Float { .. })
                }
                _ => false,
            },
            CExprKind::Index { .. } => {
                let element = self.sized(e);
                element.is_some_and(|ty| matches!(self.cx.module.types.kind(ty), TypeKind::Float { .. }))
            }
            CExprKind::Paren(of) => self.is_floating(of),
            CExprKind::Unary { op: CUnary::Plus | CUnary::Minus, operand } => self.is_floating(operand),
            CExprKind::Binary { op: COp::Add | COp::Sub | COp::Mul | COp::Div, lhs, rhs } => {
                self.is_floating(lhs) || self.is_floating(rhs)
            }
            CExprKind::Conditional { then, otherwise, .. } => {
                self.is_floating(then) || self.is_floating(otherwise)
            }
            CExprKind::Cast { ty, .. } | CExprKind::NamedCast { ty, .. } => {
                let ty = self.type_named(&ty.text);
                ty.is_some_and(|ty| matches!(self.cx.module.types.kind(ty), TypeKind::Float { .. }))
            }
            _ => false,
        }
    }

    /// Reports names in an expression that mean nothing, here or to the caller.
    pub fn known_names(&mut self, e: &CExpr, other: &dyn Fn(&str) -> bool) {
        for (name, span) in e.identifiers() {
            if !other(name)
                && self.lookup(name).is_none()
                && !self.is_type(name)
                && !self.is_known_elsewhere(name)
            {
                let diagnostic = self.unknown_name(name, span);
                self.cx.error(diagnostic);
            }
        }
    }

    /// `sizeof(T)`, `(T)(x)` and `T(x)` name types.
    fn is_type(&self, name: &str) -> bool {
        self.cx.program.types.contains_key(super::scope::short_name(name))
    }

    /// The type that a clause names, if exactly one type of the program has that name; not arrays.
    fn type_named(&mut self, text: &str) -> Option<Handle<Type>> {
        let bare = text.trim_end_matches(|c: char| c == '*' || c.is_whitespace());
        let words = bare.split_whitespace().filter(|w| {
            !matches!(*w, "const" | "volatile" | "struct" | "union" | "enum" | "class" | "typename")
        });
        let name = words.collect::<Vec<_>>().join(" ");
        let of = match self.cx.program.types.get(super::scope::short_name(&name)) {
            Some(known) => known.clone()?,
            None => crate::clang::builtin_type(&name)?,
        };
        let ty = self.cx.ty(&of);
        let stars = text[bare.len()..].matches('*').count();
        Some((0..stars).fold(ty, |ty, _| self.cx.module.types.pointer(ty)))
    }

    /// The type of the operand of `sizeof`: a type's name, a variable, an element or member.
    fn sized(&mut self, e: &CExpr) -> Option<Handle<Type>> {
        match &e.kind {
            CExprKind::Paren(inner) => self.sized(inner),
            CExprKind::Ident(name) => match self.lookup(name) {
                Some(Named::Variable(_, variable)) if variable.extent.is_none() => {
                    Some(self.cx.ty(variable.ty.referred())).filter(|_| !super::types::is_vla(&variable.ty))
                }
                Some(_) => None,
                None => self.type_named(name),
            },
            CExprKind::Index { base, .. } | CExprKind::Unary { op: CUnary::Deref, operand: base } => {
                let of = self.sized(base)?;
                self.cx.module.types.element(of)
            }
            _ => None,
        }
    }

    fn constant_size(&self, ty: Handle<Type>) -> Option<i64> {
        let size = self.cx.module.types.size_on_host(ty)?;
        i64::try_from(size).ok().filter(|size| *size > 0)
    }

    /// Library functions and types have no declaration in the tree; the host compiler checks them.
    fn is_known_elsewhere(&self, name: &str) -> bool {
        let declared = |before: usize, name: &str| {
            let text = &self.cx.source.buffer[..before];
            text.match_indices(name).any(|(at, _)| {
                let outside = |c: Option<char>| !c.is_some_and(|c| c.is_alphanumeric() || c == '_');
                outside(text[..at].chars().next_back())
                    && text[at + name.len()..].trim_start().starts_with('(')
            })
        };
        matches!(name, "this" | "true" | "false" | "nullptr" | "__null")
            || name.contains("::")
            || declared(self.decl.span.start as usize, name.split('<').next().unwrap_or(name))
    }

    /// The value of an integer constant expression.
    pub fn constant(&mut self, e: &CExpr) -> Option<i64> {
        if let Some(value) = e.constant() {
            return Some(value);
        }
        match &e.kind {
            CExprKind::Paren(inner) => self.constant(inner),
            CExprKind::Ident(name) if matches!(&**name, "true" | "false") && self.lookup(name).is_none() => {
                Some((name == "true").into())
            }
            CExprKind::Ident(name) => match self.lookup(name)? {
                Named::Constant(value) => value.try_into().ok(),
                Named::Variable(_, variable) => match variable.binding {
                    Binding::Global(global) => match self.cx.module.globals[global].value? {
                        ConstValue::Int(value) => value.try_into().ok(),
                        ConstValue::Float(_) => None,
                    },
                    Binding::Local(_) => match variable.value? {
                        ConstValue::Int(value) => value.try_into().ok(),
                        ConstValue::Float(_) => None,
                    },
                    Binding::Argument(_) => None,
                },
                Named::Member | Named::Function => None,
            },
            CExprKind::Unary { op, operand } => {
                let value = self.constant(operand)?;
                match op {
                    CUnary::Plus => Some(value),
                    CUnary::Minus => value.checked_neg(),
                    CUnary::Not => Some((value == 0).into()),
                    CUnary::BitNot => Some(!value),
                    CUnary::Deref | CUnary::AddressOf | CUnary::Increment | CUnary::Decrement => None,
                }
            }
            CExprKind::Binary { op, lhs, rhs } => {
                let (left, right) = (self.constant(lhs)?, self.constant(rhs)?);
                match op {
                    COp::Add => left.checked_add(right),
                    COp::Sub => left.checked_sub(right),
                    COp::Mul => left.checked_mul(right),
                    COp::Div => left.checked_div(right),
                    COp::Rem => left.checked_rem(right),
                    COp::Shl => left.checked_shl(right.try_into().ok()?),
                    COp::Shr => left.checked_shr(right.try_into().ok()?),
                    COp::BitAnd => Some(left & right),
                    COp::BitOr => Some(left | right),
                    COp::BitXor => Some(left ^ right),
                    COp::Eq => Some((left == right).into()),
                    COp::Ne => Some((left != right).into()),
                    COp::Lt => Some((left < right).into()),
                    COp::Le => Some((left <= right).into()),
                    COp::Gt => Some((left > right).into()),
                    COp::Ge => Some((left >= right).into()),
                    COp::And => Some((left != 0 && right != 0).into()),
                    COp::Or => Some((left != 0 || right != 0).into()),
                }
            }
            CExprKind::Conditional { cond, then, otherwise } => {
                if self.constant(cond)? != 0 {
                    self.constant(then)
                } else {
                    self.constant(otherwise)
                }
            }
            CExprKind::Cast { ty, operand } | CExprKind::NamedCast { ty, operand, .. } => {
                let value = self.constant(operand)?;
                let ty = self.type_named(&ty.text)?;
                converted(value, self.cx.module.types.kind(ty))
            }
            CExprKind::SizeofType(ty) => {
                let ty = self.type_named(&ty.text)?;
                self.constant_size(ty)
            }
            CExprKind::SizeofExpr(operand) => {
                let ty = self.sized(operand)?;
                self.constant_size(ty)
            }
            CExprKind::Int { .. }
            | CExprKind::Float(_)
            | CExprKind::Char(_)
            | CExprKind::Str(_)
            | CExprKind::Postfix { .. }
            | CExprKind::Call { .. }
            | CExprKind::Index { .. }
            | CExprKind::Member { .. } => None,
        }
    }

    /// The extent of a variable-length array, given as Clang prints it; `elsewhere`: not at the array's declaration.
    pub fn extent_text(&mut self, text: &str, elsewhere: bool) -> Lowered<Value> {
        match parse_extent(text) {
            Some(extent) => {
                if elsewhere {
                    let refused = |reason: String| super::extents::refused(text, &reason);
                    self.means_the_same(text, &extent).map_err(refused)?;
                }
                self.clause_value(&extent, Span::NOWHERE)
            }
            None => Err(unsupported(format_args!("an array of extent {text}"), Span::NOWHERE)),
        }
    }

    /// A clause's expression as IR: names, members, subscripts and arithmetic.
    pub fn clause_value(&mut self, e: &CExpr, span: Span) -> Lowered<Value> {
        let int = self.i32();
        match &e.kind {
            CExprKind::Int { value: Some(value), .. } => {
                let ty = if *value > i32::MAX as u64 { self.i64() } else { int };
                Ok(self.int((*value).into(), ty, span))
            }
            CExprKind::Paren(inner) => self.clause_value(inner, span),
            CExprKind::Ident(_) | CExprKind::Member { .. } | CExprKind::Index { .. } => {
                if let Some(value) = self.constant(e) {
                    return Ok(self.int(value.into(), int, span));
                }
                let place = self.clause_place(e, span)?;
                // Of a class that converts to a number.
                match self.cx.module.types.kind(self.ty_of(place)) {
                    TypeKind::Struct(_) => Err(not_simple(span)),
                    _ => Ok(self.load(place, span)),
                }
            }
            CExprKind::Unary { op: CUnary::Plus, operand } => self.clause_value(operand, span),
            CExprKind::Unary { op: op @ (CUnary::Minus | CUnary::BitNot), operand } => {
                let operand = self.clause_value(operand, span)?;
                let ty = self.promoted(operand);
                let operand = self.convert(operand, ty, span);
                let op = if *op == CUnary::Minus { UnaryOp::Neg } else { UnaryOp::BitNot };
                Ok(self.expr(Ir::Unary { op, operand }, ty, span))
            }
            CExprKind::Unary { op: CUnary::Not, operand } => {
                let operand = self.clause_value(operand, span)?;
                Ok(self.expr(Ir::Unary { op: UnaryOp::Not, operand }, int, span))
            }
            CExprKind::Conditional { cond, then, otherwise } => {
                let cond = self.clause_value(cond, span)?;
                let cond = self.truth(cond);
                let [yes, no] = [self.clause_value(then, span)?, self.clause_value(otherwise, span)?];
                let common = self.common_integer(yes, no).ok_or_else(|| not_simple(span))?;
                let [yes, no] = [yes, no].map(|v| self.convert(v, common, span));
                Ok(self.expr(Ir::Select { cond, yes, no }, common, span))
            }
            CExprKind::Unary { op: CUnary::Deref, .. } => {
                let place = self.clause_place(e, span)?;
                Ok(self.load(place, span))
            }
            CExprKind::Binary { op, lhs, rhs } => {
                let (left, right) = (self.clause_value(lhs, span)?, self.clause_value(rhs, span)?);
                self.clause_binary(binary_op(*op), left, right, span)
            }
            CExprKind::Cast { ty, operand } | CExprKind::NamedCast { ty, operand, .. } => {
                let value = self.clause_value(operand, span)?;
                match self.type_named(&ty.text) {
                    Some(ty) if self.cx.module.types.is_scalar(ty) => Ok(self.convert(value, ty, span)),
                    _ => Err(not_simple(span)),
                }
            }
            _ => match self.constant(e) {
                Some(value) => {
                    let long = self.i64();
                    Ok(self.int(value.into(), long, span))
                }
                None => Err(not_simple(span)),
            },
        }
    }

    /// The usual arithmetic conversions, for integers.
    fn clause_binary(&mut self, op: BinaryOp, left: Value, right: Value, span: Span) -> Lowered<Value> {
        let common = self.common_integer(left, right).ok_or_else(|| not_simple(span))?;
        let (left, right) = (self.convert(left, common, span), self.convert(right, common, span));
        let ty = if is_comparison(op) { self.i32() } else { common };
        Ok(self.expr(Ir::Binary { op, left, right }, ty, span))
    }

    fn common_integer(&mut self, left: Value, right: Value) -> Option<Handle<Type>> {
        let (l, r) = (self.rank(left)?, self.rank(right)?);
        Some(self.promoted(if l >= r { left } else { right }))
    }

    fn rank(&self, value: Value) -> Option<(u8, bool)> {
        match self.kind_of(value) {
            TypeKind::Int { bits, signed } => Some((*bits, !*signed)),
            TypeKind::Bool => Some((1, true)),
            _ => None,
        }
    }

    fn promoted(&mut self, value: Value) -> Handle<Type> {
        match self.kind_of(value) {
            TypeKind::Int { bits: 32 | 64, .. } => self.ty_of(value),
            _ => self.i32(),
        }
    }

    /// The object that a name, member path or subscript of a clause denotes.
    pub fn clause_place(&mut self, e: &CExpr, span: Span) -> Lowered<Value> {
        match &e.kind {
            CExprKind::Paren(inner) => self.clause_place(inner, span),
            CExprKind::Ident(name) => self.named_place(name, e.span, span),
            CExprKind::Unary { op: CUnary::Deref, operand } => {
                let pointer = self.clause_value(operand, span)?;
                self.target(pointer, span)
            }
            CExprKind::Member { base, arrow, member } => {
                let object = self.clause_object(base, *arrow, span)?;
                self.member_by_name(object, &member.name, member.span)
            }
            CExprKind::Index { base, index } => {
                let base = self.clause_place(base, span)?;
                let index = self.clause_value(index, span)?;
                self.element(base, index, span)
            }
            _ => Err(not_simple(span)),
        }
    }

    fn clause_object(&mut self, base: &CExpr, arrow: bool, span: Span) -> Lowered<Value> {
        if matches!(&base.kind, CExprKind::Ident(name) if name == "this") {
            return self.this_object(span);
        }
        let place = self.clause_place(base, span)?;
        if !arrow {
            return Ok(place);
        }
        let pointer = self.load(place, span);
        self.target(pointer, span)
    }

    pub fn this_object(&mut self, span: Span) -> Lowered<Value> {
        let Some(pointer) = self.this_pointer(span) else { return Err(unsupported("this", span)) };
        self.target(pointer, span)
    }

    /// What a pointer value points to.
    ///
    /// It has no span: a dereference with its pointer's span would be mistaken for a reference.
    pub fn target(&mut self, pointer: Value, span: Span) -> Lowered<Value> {
        match self.kind_of(pointer) {
            TypeKind::Pointer { to, .. } => {
                let to = *to;
                Ok(self.expr(Ir::Deref(pointer), to, Span::NOWHERE))
            }
            _ => {
                Err(Box::new(Diagnostic::error(codes::BAD_CLAUSE_VARIABLE, "this is not a pointer").at(span)))
            }
        }
    }

    /// An element of an array place, or through a pointer place.
    pub fn element(&mut self, base: Value, index: Value, span: Span) -> Lowered<Value> {
        let base = match self.kind_of(base) {
            TypeKind::Pointer { .. } => self.load(base, span),
            _ => base,
        };
        match self.cx.module.types.element(self.ty_of(base)) {
            Some(ty) => Ok(self.expr(Ir::Index { base, index }, ty, span)),
            None => {
                let message = "this is neither an array nor a pointer";
                Err(Box::new(Diagnostic::error(codes::BAD_CLAUSE_VARIABLE, message).at(span)))
            }
        }
    }

    pub fn named_place(&mut self, name: &str, at: Span, span: Span) -> Lowered<Value> {
        match self.lookup(name) {
            Some(Named::Variable(_, variable)) => {
                let place = match variable.binding {
                    Binding::Local(local) => self.local_place(local, span),
                    Binding::Global(global) => {
                        let ty = self.cx.module.globals[global].ty;
                        self.expr(Ir::Global(global), ty, span)
                    }
                    Binding::Argument(_) => return Err(not_simple(span)),
                };
                Ok(self.through_reference(place, &variable.ty, span))
            }
            Some(Named::Member) => {
                let object = self.this_object(span)?;
                self.member_by_name(object, name, at)
            }
            Some(Named::Constant(_) | Named::Function) => {
                let message = format!("`{name}` is not a variable");
                Err(Box::new(Diagnostic::error(codes::BAD_CLAUSE_VARIABLE, message).at(at)))
            }
            None => Err(Box::new(self.unknown_name(name, at))),
        }
    }

    pub fn member_by_name(&mut self, object: Value, name: &str, at: Span) -> Lowered<Value> {
        let TypeKind::Struct(def) = *self.kind_of(object) else {
            let of = self.ty_of(object);
            if let Some(why) = self.cx.unusable(of) {
                return Err(refused_type(format!("`{name}` cannot be named in a clause"), &why, at));
            }
            let message = format!("`{name}` is asked of something that has no members");
            return Err(Box::new(Diagnostic::error(codes::BAD_CLAUSE_VARIABLE, message).at(at)));
        };
        if let Some(base) = self.base_with_member(self.ty_of(object), name) {
            let ty = self.cx.module.types.structs[def].fields[base as usize].ty;
            let base = self.expr(Ir::Member { base: object, field: base }, ty, at);
            return self.member_by_name(base, name, at);
        }
        let of = self.ty_of(object);
        if self.cx.record_of(of).is_some_and(|record| record.bit_fields.iter().any(|f| f == name)) {
            return Err(unsupported("a bit-field in a clause", at));
        }
        let def = &self.cx.module.types.structs[def];
        let Some(field) = def.fields.iter().position(|f| f.name == name) else {
            let known = accl_directives::closest(name, def.fields.iter().map(|f| f.name.as_str()));
            let message = format!("`{}` has no member named `{name}`", def.name);
            let diagnostic = Diagnostic::error(codes::UNKNOWN_NAME, message).at(at);
            return Err(Box::new(match known {
                Some(similar) => diagnostic.with_help(format!("did you mean `{similar}`?")),
                None => diagnostic,
            }));
        };
        let ty = def.fields[field].ty;
        let of = self.ty_of(object);
        let place = self.expr(Ir::Member { base: object, field: field as u32 }, ty, at);
        let fields = self.cx.record_of(of).into_iter().flat_map(|record| &record.fields);
        let declared =
            fields.filter(|f| f.ty.is_reference()).find(|f| &*f.name == name).map(|f| f.ty.clone());
        Ok(match declared {
            Some(ty) => self.through_reference(place, &ty, at),
            None => place,
        })
    }
}

impl Fun<'_, '_> {
    /// The field for the base class that has a member, where the class itself has none of this name.
    fn base_with_member(&self, class: Handle<Type>, name: &str) -> Option<u32> {
        let record = self.cx.record_of(class)?;
        if record.fields.iter().any(|f| f.name == name) {
            return None;
        }
        let base = record.bases.iter().find(|base| self.field_type(base, name).is_some())?;
        let Ty::Record(base) = *base.ty else { return None };
        self.cx.base_path(record.id, base)?.first().copied()
    }
}

/// The extent of an array, given as text; spans in it are meaningless.
pub fn parse_extent(text: &str) -> Option<CExpr> {
    let clause = format!("parallel num_gangs({text})");
    let parsed = accl_directives::parse(accl_directives::Sentinel::Acc, &clause, FileId::default(), 0);
    let sizes = parsed.directive?.clauses.into_iter().find_map(|c| match c.kind {
        ClauseKind::NumGangs(sizes) => Some(sizes),
        _ => None,
    })?;
    match <[CExpr; 1]>::try_from(sizes) {
        Ok([size]) if parsed.diagnostics.is_empty() => Some(size),
        _ => None,
    }
}

/// A constant as a value of an integer type; `None` for other types.
fn converted(value: i64, ty: &TypeKind) -> Option<i64> {
    match ty {
        TypeKind::Bool => Some((value != 0).into()),
        TypeKind::Int { bits: 64, signed } => Some(value).filter(|v| *signed || *v >= 0),
        TypeKind::Int { bits, signed } => {
            let unused = 64 - u32::from(*bits);
            let high = value << unused;
            Some(if *signed { high >> unused } else { ((high as u64) >> unused) as i64 })
        }
        _ => None,
    }
}

fn not_simple(span: Span) -> Refused {
    Box::new(
        Diagnostic::error(codes::UNSUPPORTED, "this expression is too complicated here")
            .at(span)
            .with_help("compute it into a variable before the directive"),
    )
}

fn binary_op(op: COp) -> BinaryOp {
    match op {
        COp::Or => BinaryOp::LogicalOr,
        COp::And => BinaryOp::LogicalAnd,
        COp::BitOr => BinaryOp::BitOr,
        COp::BitXor => BinaryOp::BitXor,
        COp::BitAnd => BinaryOp::BitAnd,
        COp::Eq => BinaryOp::Eq,
        COp::Ne => BinaryOp::Ne,
        COp::Lt => BinaryOp::Lt,
        COp::Gt => BinaryOp::Gt,
        COp::Le => BinaryOp::Le,
        COp::Ge => BinaryOp::Ge,
        COp::Shl => BinaryOp::Shl,
        COp::Shr => BinaryOp::Shr,
        COp::Add => BinaryOp::Add,
        COp::Sub => BinaryOp::Sub,
        COp::Mul => BinaryOp::Mul,
        COp::Div => BinaryOp::Div,
        COp::Rem => BinaryOp::Rem,
    }
}
