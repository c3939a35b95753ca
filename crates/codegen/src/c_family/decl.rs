//! Declarators: a type around a name, written inside out as C requires.

use super::body::BodyWriter;
use super::scalar::Scalar;
use super::spaces::AddrSpace;
use super::unit::DeviceSource;
use crate::Result;
use accl_ir::{ArrayLen, Field, Handle, Type, TypeKind};
use accl_source::Span;

/// How the outermost pointer of a declaration is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PointerStyle {
    /// The pointee is only read.
    pub constant: bool,
    pub restrict: bool,
    /// Where the pointee lies.
    pub space: Option<AddrSpace>,
}

/// Writes declarations for one text; `body` gives variable extents.
pub struct Declarator<'w, 'a> {
    pub unit: &'w DeviceSource<'a>,
    pub body: Option<&'w BodyWriter<'w, 'a>>,
    pub span: Span,
    /// Spell types as in memory that is shared with the host.
    pub stored: bool,
}

impl Declarator<'_, '_> {
    /// `T name`
    pub fn declare(&self, ty: Handle<Type>, name: &str) -> Result<String> {
        self.wrap(ty, false, "", name.to_owned(), None)
    }

    /// `T *name` with this style for the pointer itself.
    pub fn pointer(&self, ty: Handle<Type>, name: &str, style: PointerStyle) -> Result<String> {
        self.wrap(ty, false, "", name.to_owned(), Some(style))
    }

    fn wrap(
        &self,
        ty: Handle<Type>,
        constant: bool,
        space: &str,
        inner: String,
        style: Option<PointerStyle>,
    ) -> Result<String> {
        match self.unit.module.types.kind(ty) {
            TypeKind::Pointer { .. } => self.wrap_pointer(ty, constant, inner, style),
            TypeKind::Array { of, len } => {
                let inner = if inner.starts_with('*') { format!("({inner})") } else { inner };
                let extent = self.extent(len)?;
                self.part(*of, constant, space, format!("{inner}[{extent}]"))
            }
            TypeKind::Void
            | TypeKind::Bool
            | TypeKind::Int { .. }
            | TypeKind::Float { .. }
            | TypeKind::Struct(_)
            | TypeKind::Compressed { .. }
            | TypeKind::Opaque(_) => {
                let qualifier = if constant { "const " } else { "" };
                // A pointer to something that the unit knows by its name alone is only handed on.
                let handed_on =
                    inner.starts_with('*') && matches!(self.unit.module.types.kind(ty), TypeKind::Opaque(_));
                let name = match Scalar::of(&self.unit.module.types, ty) {
                    _ if handed_on => "void".to_owned(),
                    Some(scalar) if inner.starts_with('*') => self.unit.pointee(scalar, &self.base(ty)?),
                    _ => self.base(ty)?,
                };
                let gap = if inner.is_empty() { "" } else { " " };
                Ok(format!("{space}{qualifier}{name}{gap}{inner}"))
            }
        }
    }

    fn wrap_pointer(
        &self,
        ty: Handle<Type>,
        constant: bool,
        inner: String,
        style: Option<PointerStyle>,
    ) -> Result<String> {
        let TypeKind::Pointer { to, constant: reads_only, restrict, space } = self.unit.module.types.kind(ty)
        else {
            return Ok(inner);
        };
        let style = style.unwrap_or_default();
        let restrict = match (style.restrict || *restrict, inner.is_empty()) {
            (false, _) | (true, true) => String::new(),
            (true, false) => format!("{} ", self.unit.dialect.restrict()),
        };
        let own_const = if constant { "const " } else { "" };
        let space = style.space.or(AddrSpace::of(*space)).unwrap_or(AddrSpace::Global);
        let inner = format!("*{own_const}{restrict}{inner}");
        let inner = inner.trim_end().to_owned();
        self.part(*to, *reads_only || style.constant, self.unit.dialect.space(space), inner)
    }

    /// The type of what a pointer points to or an array holds. Where pointer types name a space, a pointer in
    /// memory is kept as a number.
    fn part(&self, ty: Handle<Type>, constant: bool, space: &str, inner: String) -> Result<String> {
        if self.unit.dialect.has_spaces()
            && matches!(self.unit.module.types.kind(ty), TypeKind::Pointer { .. })
        {
            let qualifier = if constant { "const " } else { "" };
            let gap = if inner.is_empty() { "" } else { " " };
            return Ok(format!("{space}{qualifier}{}{gap}{inner}", self.unit.scalar(Scalar::U64)));
        }
        self.wrap(ty, constant, space, inner, None)
    }

    fn base(&self, ty: Handle<Type>) -> Result<String> {
        let types = &self.unit.module.types;
        match types.kind(ty) {
            TypeKind::Void => Ok("void".into()),
            TypeKind::Struct(def) => Ok(self.unit.struct_name(*def)),
            TypeKind::Opaque(spelling) => Err(self
                .unit
                .unsupported(format!("type '{spelling}' cannot be used in device code"), self.span)),
            _ => match Scalar::of(types, ty) {
                Some(scalar) if self.stored => {
                    self.unit.scalar(scalar);
                    Ok(self.unit.dialect.stored_scalar(scalar).into())
                }
                Some(scalar) => Ok(self.unit.scalar(scalar).into()),
                None => Err(self.unit.unsupported("a number type of this width", self.span)),
            },
        }
    }

    fn extent(&self, len: &ArrayLen) -> Result<String> {
        match (len, self.body) {
            (ArrayLen::Const(n), _) => Ok(n.to_string()),
            (ArrayLen::Unknown, _) => Ok(String::new()),
            (ArrayLen::Expr(extent), Some(body)) => body.index_text(*extent),
            (ArrayLen::Expr(_), None) => {
                Err(self.unit.unsupported("a variable-length array in device code", self.span))
            }
        }
    }
}

/// A field's name in device text. Anonymous structures and unions are named by their position.
pub fn field_name(unit: &DeviceSource, field: &Field) -> String {
    if field.name.is_empty() {
        return format!("anonymous_{}", field.offset);
    }
    unit.member_name(&field.name)
}
