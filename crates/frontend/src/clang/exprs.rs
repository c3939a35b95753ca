//! Expressions. Wrappers that mean nothing for Acclimate (parentheses, cleanups, materialised temporaries) are
//! dropped.

use super::decls::Converter;
use super::json::{Node, Value};
use crate::ast::*;
use crate::lower::walk;
use std::rc::Rc;

impl Converter<'_> {
    pub(super) fn expr(&mut self, node: &Node<'_>) -> Expr {
        if let Some(inner) = wrapped(node) {
            let mut expr = self.expr(inner);
            if expr.span.is_nowhere() {
                expr.span = self.span(node);
            }
            return expr;
        }
        let mut ty = self.types.read(node.ty.text());
        if &*node.kind == "FloatingLiteral" {
            ty.constant = false;
        }
        let span = self.span(node);
        let place = matches!(&*node.value_category, "lvalue" | "xvalue");
        let kind = self.expr_kind(node, &ty);
        // Clang writes the address of an array that `auto &` names as an array of pointers.
        if let (ExprKind::AddrOf(operand), Ty::Array { .. }) = (&kind, &*ty.ty) {
            ty = Qual::new(Ty::Pointer { to: operand.ty.referred().clone(), restrict: false });
        }
        Expr { kind, ty, span, place }
    }

    fn boxed_expr(&mut self, node: &Node<'_>) -> Box<Expr> {
        Box::new(self.expr(node))
    }

    fn expr_kind(&mut self, node: &Node<'_>, ty: &Qual) -> ExprKind {
        if let Some(kind) = self.operator_on_atomic(node) {
            return kind;
        }
        match &*node.kind {
            "IntegerLiteral" | "CharacterLiteral" | "CXXBoolLiteralExpr" => literal(node),
            "CXXNullPtrLiteralExpr" | "GNUNullExpr" => ExprKind::Int(0),
            "FloatingLiteral" => floating(node, ty),
            "StringLiteral" => ExprKind::Str(characters(node)),
            "PredefinedExpr" => ExprKind::Str(None),
            "DeclRefExpr" => self.reference(node),
            "MemberExpr" => self.member(node),
            "ArraySubscriptExpr" => self.subscript(node),
            "UnaryOperator" => self.unary(node),
            "ImaginaryLiteral" => match node.inner.first() {
                Some(number) => {
                    let number = self.expr(number);
                    let zero = Expr { kind: ExprKind::Zero, ..number.clone() };
                    ExprKind::InitList(vec![zero, number])
                }
                None => ExprKind::Unsupported("an imaginary literal", vec![]),
            },
            "BinaryOperator" => self.binary(node),
            "CompoundAssignOperator" => self.compound_assign(node),
            "ConditionalOperator" => match &node.inner[..] {
                [cond, yes, no] => ExprKind::Conditional {
                    cond: self.boxed_expr(cond),
                    yes: self.boxed_expr(yes),
                    no: self.boxed_expr(no),
                },
                _ => ExprKind::Unsupported("an incomplete conditional", vec![]),
            },
            "ImplicitCastExpr"
            | "CStyleCastExpr"
            | "CXXStaticCastExpr"
            | "CXXFunctionalCastExpr"
            | "CXXReinterpretCastExpr"
            | "CXXConstCastExpr" => self.cast(node, ty),
            "CallExpr" | "CXXMemberCallExpr" | "CXXOperatorCallExpr" | "UserDefinedLiteral" => {
                match &node.inner[..] {
                    [callee, args @ ..] => match self.array_length(callee) {
                        Some(length) => ExprKind::Int(length),
                        None => ExprKind::Call {
                            callee: Box::new(called(self.expr(callee))),
                            args: args.iter().map(|n| self.expr(n)).collect(),
                        },
                    },
                    [] => ExprKind::Unsupported("an incomplete call", vec![]),
                }
            }
            "CXXDefaultArgExpr" | "CXXDefaultInitExpr" => ExprKind::DefaultArg,
            "UnaryExprOrTypeTraitExpr" if &*node.name == "sizeof" => {
                ExprKind::SizeOf(self.operand_type(node))
            }
            "UnaryExprOrTypeTraitExpr" if matches!(&*node.name, "alignof" | "__alignof") => {
                ExprKind::AlignOf(self.operand_type(node))
            }
            "InitListExpr" => self.init_list(node),
            "CompoundLiteralExpr" => match node.inner.first() {
                Some(list) => self.expr(list).kind,
                None => ExprKind::Zero,
            },
            "ImplicitValueInitExpr" | "CXXScalarValueInitExpr" => ExprKind::Zero,
            "CXXConstructExpr" | "CXXTemporaryObjectExpr" => ExprKind::Construct {
                signature: node.ctor_type.qual_type.0.as_ref().into(),
                args: node.children().map(|n| self.expr(n)).collect(),
            },
            "CXXThisExpr" => ExprKind::This,
            "LambdaExpr" => self.lambda(node),
            "ConvertVectorExpr" => ExprKind::Construct {
                signature: "".into(),
                args: node.children().map(|n| self.expr(n)).collect(),
            },
            "OffsetOfExpr" => self.offset_of(node),
            "StmtExpr" => match self.inner_stmts(node).pop() {
                Some(body) => ExprKind::Statements(Box::new(body)),
                None => ExprKind::Unsupported("an empty statement expression", vec![]),
            },
            "CXXNewExpr" => ExprKind::Unsupported("`new`", vec![]),
            "CXXDeleteExpr" => ExprKind::Unsupported("`delete`", vec![]),
            "CXXThrowExpr" => ExprKind::Unsupported("`throw`", vec![]),
            "AtomicExpr" => self.atomic_function(node),
            "CXXDynamicCastExpr" => ExprKind::Unsupported("`dynamic_cast`", vec![]),
            "BinaryConditionalOperator" => self.without_middle(node),
            _ => ExprKind::Unsupported("an expression of this kind", vec![]),
        }
    }

    fn reference(&mut self, node: &Node<'_>) -> ExprKind {
        let Some(decl) = &node.referenced_decl else {
            return ExprKind::Unsupported("a name without declaration", vec![]);
        };
        let id = self.id(decl.id);
        match &*decl.kind {
            "VarDecl"
            | "ParmVarDecl"
            | "BindingDecl"
            | "DecompositionDecl"
            | "VarTemplateSpecializationDecl" => ExprKind::Var(id, decl.name.0.as_ref().into()),
            "EnumConstantDecl" => match self.program.enumerators.get(&id) {
                Some(value) => ExprKind::Int(*value),
                None => ExprKind::Unsupported("an enumerator of a system header", vec![]),
            },
            "FunctionDecl" if &*decl.name == "get" => ExprKind::Function(id, self.get(node).into()),
            "FunctionDecl" | "CXXMethodDecl" => ExprKind::Function(id, decl.name.0.as_ref().into()),
            _ => ExprKind::Unsupported("a name of this kind", vec![]),
        }
    }

    /// The value of `a.size()` of a `std::array`.
    fn array_length(&mut self, callee: &Node<'_>) -> Option<i128> {
        let object =
            callee.inner.first().filter(|_| &*callee.kind == "MemberExpr" && &*callee.name == "size")?;
        let object = self.expr(object);
        let record = self.types.library_record_of(&object.ty).filter(|_| walk::is_plain(&object))?;
        match &*record.fields.first()?.ty.ty {
            Ty::Array { len: Len::Const(length), .. } => Some((*length).into()),
            _ => None,
        }
    }

    /// `std::get<1>` is called "get<1>". The dump does not give the arguments of a function template; they are
    /// found in the type of its result (`tuple_element<1UL, …>`), or else in the text.
    fn get(&self, node: &Node<'_>) -> String {
        let span = self.span(node);
        let text = self.buffer.get(span.start as usize..span.end as usize).unwrap_or("");
        let in_type =
            node.ty.qual_type.split_once("tuple_element").and_then(|(_, rest)| rest.split_once('<'));
        let after = in_type.or_else(|| text.split_once('<')).map_or("", |(_, rest)| rest.trim_start());
        let digits = after.find(|c: char| !c.is_ascii_digit()).unwrap_or(after.len());
        match &after[..digits] {
            "" => "get".into(),
            number => format!("get<{number}>"),
        }
    }

    /// The real (0) or imaginary (1) part of a number.
    fn part(&self, number: Box<Expr>, part: usize) -> ExprKind {
        match self.types.library_record_of(&number.ty).and_then(|r| r.fields.get(part)) {
            Some(field) => ExprKind::Member {
                member: field.id,
                name: field.name.as_str().into(),
                base: number,
                arrow: false,
            },
            None if matches!(&*number.ty.ty, Ty::Float { .. } | Ty::Int { .. }) => match part {
                0 => number.kind,
                _ => ExprKind::Zero,
            },
            None => ExprKind::Unsupported("an operator on complex numbers", vec![]),
        }
    }

    /// GNU's `a ?: b` is `a ? a : b` where evaluating `a` twice makes no difference. Clang wraps both in an
    /// `OpaqueValueExpr`.
    fn without_middle(&mut self, node: &Node<'_>) -> ExprKind {
        match &node.inner[..] {
            [_, cond, yes, no] => {
                let (cond, yes, no) = (self.boxed_expr(cond), self.boxed_expr(yes), self.boxed_expr(no));
                let mut calls = false;
                walk::within(&cond, &mut |e| calls |= matches!(e.kind, ExprKind::Call { .. }));
                if walk::is_plain(&cond) && !calls {
                    return ExprKind::Conditional { cond, yes, no };
                }
                ExprKind::Unsupported(
                    "the `?:` operator without a middle, of an operand with effects,",
                    vec![],
                )
            }
            _ => ExprKind::Unsupported("an incomplete conditional", vec![]),
        }
    }

    fn member(&mut self, node: &Node<'_>) -> ExprKind {
        match (node.inner.first(), node.referenced_member_decl) {
            (Some(base), Some(member)) => ExprKind::Member {
                base: self.boxed_expr(base),
                arrow: node.is_arrow,
                member: self.id(member),
                name: node.name.0.as_ref().into(),
            },
            _ => ExprKind::Unsupported("an incomplete member access", vec![]),
        }
    }

    /// C allows `3[a]`.
    fn subscript(&mut self, node: &Node<'_>) -> ExprKind {
        let [first, second] = &node.inner[..] else {
            return ExprKind::Unsupported("an incomplete subscript", vec![]);
        };
        let (first, second) = (self.boxed_expr(first), self.boxed_expr(second));
        match &*first.ty.ty {
            Ty::Pointer { .. } | Ty::Array { .. } => ExprKind::Index { base: first, index: second },
            Ty::Int { .. } | Ty::Bool => ExprKind::Index { base: second, index: first },
            _ => match self.types.library_record_of(&first.ty).map(|r| (r.library, &r.fields[0])) {
                Some((Some(Library::Vector), elements)) => {
                    let array = ExprKind::Member {
                        member: elements.id,
                        name: elements.name.as_str().into(),
                        base: first.clone(),
                        arrow: false,
                    };
                    let (ty, span, place) = (elements.ty.clone(), first.span, first.place);
                    let Ty::Array { of, .. } = &*ty.ty else { return array };
                    let pointer = pointer_to(of);
                    let operand = Box::new(Expr { kind: array, ty, span, place });
                    let first = ExprKind::Cast { kind: CastKind::Decay, operand };
                    let base = Box::new(Expr { kind: first, ty: pointer, span, place: false });
                    ExprKind::Index { base, index: second }
                }
                _ => ExprKind::Unsupported("an element of a vector type", vec![]),
            },
        }
    }

    fn unary(&mut self, node: &Node<'_>) -> ExprKind {
        let Some(operand) = node.inner.first() else {
            return ExprKind::Unsupported("an incomplete operator", vec![]);
        };
        let operand = self.boxed_expr(operand);
        let unary = |op, operand| ExprKind::Unary { op, operand };
        match &*node.opcode {
            "*" => ExprKind::Deref(operand),
            "&" => ExprKind::AddrOf(operand),
            "++" => ExprKind::Step { operand, by: 1, postfix: node.is_postfix },
            "--" => ExprKind::Step { operand, by: -1, postfix: node.is_postfix },
            "+" => unary(UnaryOp::Plus, operand),
            "-" => unary(UnaryOp::Minus, operand),
            "!" => unary(UnaryOp::Not, operand),
            "~" => unary(UnaryOp::BitNot, operand),
            "__extension__" => operand.kind,
            "__real" => self.part(operand, 0),
            "__imag" => self.part(operand, 1),
            _ => ExprKind::Unsupported("an operator of this kind", vec![]),
        }
    }

    fn binary(&mut self, node: &Node<'_>) -> ExprKind {
        let [left, right] = &node.inner[..] else {
            return ExprKind::Unsupported("an incomplete operator", vec![]);
        };
        let (left, right) = (self.boxed_expr(left), self.boxed_expr(right));
        match (&*node.opcode, binary_op(&node.opcode)) {
            (_, Some(op)) => ExprKind::Binary { op, left, right },
            ("=", _) => ExprKind::Assign { place: left, value: right },
            (",", _) => ExprKind::Comma(left, right),
            _ => ExprKind::Unsupported("a member pointer or three-way comparison", vec![]),
        }
    }

    fn compound_assign(&mut self, node: &Node<'_>) -> ExprKind {
        let op = node.opcode.strip_suffix('=').and_then(binary_op);
        match (&node.inner[..], op) {
            ([place, value], Some(op)) => ExprKind::CompoundAssign {
                op,
                place: self.boxed_expr(place),
                value: self.boxed_expr(value),
                compute: self.types.read(node.compute_lhs_type.text()),
            },
            _ => ExprKind::Unsupported("an incomplete assignment", vec![]),
        }
    }

    fn cast(&mut self, node: &Node<'_>, ty: &Qual) -> ExprKind {
        match node.children().last() {
            Some(operand) => {
                let operand = self.boxed_expr(operand);
                match &*node.cast_kind {
                    "FloatingRealToComplex" => ExprKind::InitList(vec![*operand]),
                    "FloatingComplexCast" | "VectorSplat" => {
                        ExprKind::Construct { signature: "".into(), args: vec![*operand] }
                    }
                    "FloatingComplexToReal" => self.part(operand, 0),
                    "LValueBitCast" => as_object(operand, ty),
                    // The types of both are read as the same.
                    "AtomicToNonAtomic" | "NonAtomicToAtomic" => operand.kind,
                    kind => ExprKind::Cast { kind: cast_kind(kind), operand },
                }
            }
            None => ExprKind::Unsupported("an incomplete cast", vec![]),
        }
    }

    /// The dump does not say which member is meant; the text does.
    fn offset_of(&mut self, node: &Node<'_>) -> ExprKind {
        let span = self.span(node);
        let text = self.buffer.get(span.start as usize..span.end as usize).unwrap_or("");
        // The macro is a system header's: lines that give places stand around its arguments.
        let text: String = text.lines().filter(|line| !line.starts_with("# ")).collect::<Vec<_>>().join(" ");
        let inner = text.split_once('(').map_or("", |(_, rest)| rest.trim_end().trim_end_matches(')'));
        match inner.rsplit_once(',') {
            Some((ty, path)) => {
                // `a[2].b` are the member `a`, the element 2 and the member `b`.
                let steps =
                    path.split(['.', '[']).map(|step| step.trim_end_matches([']', ' ']).trim().to_owned());
                ExprKind::OffsetOf(self.types.read(ty.trim()), steps.collect())
            }
            _ => ExprKind::Unsupported("this offsetof", vec![]),
        }
    }

    fn operand_type(&mut self, node: &Node<'_>) -> Qual {
        match node.inner.first() {
            Some(operand) => self.expr(operand).ty,
            None => self.types.read(node.arg_type.text()),
        }
    }

    /// Trailing elements that are left out are value-initialised: the users of the list know how many there are.
    fn init_list(&mut self, node: &Node<'_>) -> ExprKind {
        let given = if node.array_filler.is_empty() { &node.inner } else { &node.array_filler };
        let mut items: Vec<Expr> = given.iter().filter(|n| !n.is_absent()).map(|n| self.expr(n)).collect();
        if !node.array_filler.is_empty()
            && matches!(items.first(), Some(e) if matches!(e.kind, ExprKind::Zero))
        {
            items.remove(0);
        }
        ExprKind::InitList(items)
    }
}

/// `reinterpret_cast<T &>(x)` is `*reinterpret_cast<T *>(&x)`.
fn as_object(operand: Box<Expr>, ty: &Qual) -> ExprKind {
    let span = operand.span;
    let kind = ExprKind::Cast { kind: CastKind::Convert, operand: Box::new(address_of(operand)) };
    ExprKind::Deref(Box::new(Expr { kind, ty: pointer_to(ty), span, place: false }))
}

pub(super) fn address_of(operand: Box<Expr>) -> Expr {
    let (ty, span) = (pointer_to(&operand.ty), operand.span);
    Expr { kind: ExprKind::AddrOf(operand), ty, span, place: false }
}

fn pointer_to(to: &Qual) -> Qual {
    Qual::new(Ty::Pointer { to: to.clone(), restrict: false })
}

/// The bytes of a string literal, which Clang gives as it would be written; `None` if its characters are wider.
fn characters(node: &Node<'_>) -> Option<Rc<[u8]>> {
    let Some(Value::Text(text)) = &node.value else { return None };
    let mut rest = text.strip_prefix("u8").unwrap_or(text).strip_prefix('"')?.strip_suffix('"')?.as_bytes();
    let mut bytes = vec![];
    while let [first, after @ ..] = rest {
        rest = after;
        if *first != b'\\' {
            bytes.push(*first);
            continue;
        }
        let digits = |radix: u32, most: usize, from: &[u8]| {
            from.iter().take(most).take_while(|b| char::from(**b).is_digit(radix)).count()
        };
        let (radix, skip, count) = match rest {
            [b'x', more @ ..] => (16, 1, digits(16, 2, more)),
            [b'0'..=b'7', ..] => (8, 0, digits(8, 3, rest)),
            [letter, more @ ..] => {
                bytes.push(escaped(*letter)?);
                rest = more;
                continue;
            }
            [] => return None,
        };
        let number = std::str::from_utf8(&rest[skip..skip + count]).ok()?;
        bytes.push(u8::from_str_radix(number, radix).ok()?);
        rest = &rest[skip + count..];
    }
    Some(bytes.into())
}

fn escaped(letter: u8) -> Option<u8> {
    Some(match letter {
        b'a' => 7,
        b'b' => 8,
        b't' => 9,
        b'n' => 10,
        b'v' => 11,
        b'f' => 12,
        b'r' => 13,
        b'\\' | b'"' | b'\'' | b'?' => letter,
        _ => return None,
    })
}

/// `(&f)()` calls `f`, as a function does that is the argument of a template.
fn called(callee: Expr) -> Expr {
    match callee.kind {
        ExprKind::AddrOf(function) if matches!(function.kind, ExprKind::Function(..)) => {
            Expr { kind: ExprKind::Cast { kind: CastKind::Function, operand: function }, ..callee }
        }
        _ => callee,
    }
}

/// The child that a meaningless wrapper wraps.
fn wrapped<'n, 'a>(node: &'n Node<'a>) -> Option<&'n Node<'a>> {
    match &*node.kind {
        "ParenExpr"
        | "ConstantExpr"
        | "ExprWithCleanups"
        | "MaterializeTemporaryExpr"
        | "CXXBindTemporaryExpr"
        | "SubstNonTypeTemplateParmExpr"
        | "CXXDefaultInitExpr"
        | "CXXRewrittenBinaryOperator"
        | "OpaqueValueExpr"
        | "CXXStdInitializerListExpr" => node.children().last(),
        // `_Generic`: the association that Clang chose, after the type it is for.
        "GenericSelectionExpr" => node.inner.iter().find(|n| n.selected)?.children().last(),
        _ => None,
    }
}

fn literal(node: &Node<'_>) -> ExprKind {
    let value = match &node.value {
        Some(Value::Text(text)) => text.parse().ok(),
        Some(Value::Int(value)) => Some(*value),
        Some(Value::Bool(value)) => Some((*value).into()),
        Some(Value::Other) | None => None,
    };
    value.map_or(ExprKind::Unsupported("a literal of this kind", vec![]), ExprKind::Int)
}

/// Clang prints enough digits for the literal's own type.
fn floating(node: &Node<'_>, ty: &Qual) -> ExprKind {
    let value = match &node.value {
        Some(Value::Text(text)) => text.parse::<f64>().ok(),
        Some(Value::Int(value)) => Some(*value as f64),
        _ => None,
    };
    match (value, &*ty.ty) {
        (Some(value), Ty::Float { bits: 32 }) => ExprKind::Float(f64::from(value as f32)),
        (Some(value), Ty::Float { .. }) => ExprKind::Float(value),
        // A long double, which is refused unless it becomes a double at once.
        (Some(value), _) => ExprKind::Float(value),
        (None, _) => ExprKind::Unsupported("a floating literal", vec![]),
    }
}

fn binary_op(opcode: &str) -> Option<BinaryOp> {
    use BinaryOp::*;
    Some(match opcode {
        "+" => Add,
        "-" => Sub,
        "*" => Mul,
        "/" => Div,
        "%" => Rem,
        "<<" => Shl,
        ">>" => Shr,
        "&" => BitAnd,
        "|" => BitOr,
        "^" => BitXor,
        "==" => Eq,
        "!=" => Ne,
        "<" => Lt,
        "<=" => Le,
        ">" => Gt,
        ">=" => Ge,
        "&&" => LogicalAnd,
        "||" => LogicalOr,
        _ => return None,
    })
}

fn cast_kind(kind: &str) -> CastKind {
    match kind {
        "LValueToRValue" => CastKind::Load,
        "ArrayToPointerDecay" => CastKind::Decay,
        "NoOp" => CastKind::NoOp,
        "IntegralCast" | "FloatingCast" | "IntegralToFloating" | "FloatingToIntegral" | "BitCast"
        | "NullToPointer" | "IntegralToPointer" | "PointerToIntegral" => CastKind::Convert,
        "IntegralToBoolean" | "FloatingToBoolean" | "PointerToBoolean" => CastKind::ToBool,
        "ToVoid" => CastKind::ToVoid,
        "FunctionToPointerDecay" | "BuiltinFnToFnPtr" => CastKind::Function,
        "DerivedToBase" | "UncheckedDerivedToBase" => CastKind::Base,
        "BaseToDerived" => CastKind::Derived,
        "ConstructorConversion" | "UserDefinedConversion" => CastKind::Class,
        _ => CastKind::Other,
    }
}
