//! Types. Each distinct type is stored once, so equality of handles is equality of types.

use crate::{Arena, Expr, Format, Handle};

/// An interned type.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Type {
    pub kind: TypeKind,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum TypeKind {
    Void,
    /// C++ `bool`, C `_Bool`; one byte.
    Bool,
    /// 8, 16, 32 or 64 bits. Plain `char` is signed, as on every host we support.
    Int {
        bits: u8,
        signed: bool,
    },
    /// 32 or 64 bits.
    Float {
        bits: u8,
    },
    Pointer {
        to: Handle<Type>,
        constant: bool,
        restrict: bool,
        space: Space,
    },
    Array {
        of: Handle<Type>,
        len: ArrayLen,
    },
    Struct(Handle<StructDef>),
    /// The stored form of an `of`, a floating type: reading such a place decodes, writing it encodes.
    /// In kernels only, until `compress::lower`.
    Compressed {
        of: Handle<Type>,
        format: Format,
    },
    /// A type that kernels cannot use (`std::vector<int>`, a union, a function pointer), by its spelling.
    Opaque(String),
}

/// Where the pointee lives. Host code and code before mapping use `Generic`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Space {
    Generic,
    Global,
    Shared,
    Constant,
}

/// Extent of an array type.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum ArrayLen {
    Const(u64),
    /// A variable-length array: the extent, an expression of the body that declares it.
    Expr(Handle<Expr>),
    /// `extern int a[];`
    Unknown,
}

/// A structure or C++ class used as one. `size` and `align` in bytes, as the host lays it out; size 0
/// where that is not known, and kernels cannot hold the type.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct StructDef {
    /// A C identifier; what device code calls it.
    pub name: String,
    pub fields: Vec<Field>,
    pub size: u64,
    pub align: u64,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Field {
    pub name: String,
    pub ty: Handle<Type>,
    /// Bytes from the start of the structure.
    pub offset: u64,
    pub named: Named,
    /// A C++ reference, which has the pointer type here.
    pub reference: bool,
}

/// Where the program may refer to a member by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Named {
    Everywhere,
    /// In methods of its class and of those derived from it: the member is protected.
    InDerived,
    /// In methods of its class: the member is private.
    InClass,
    /// Members of types of the standard library often have no name that a program may use.
    Nowhere,
}

/// The types of a module.
#[derive(Clone, Debug, Default)]
pub struct Types {
    arena: Arena<Type>,
    pub structs: Arena<StructDef>,
}

impl Types {
    /// The handle of `kind`, added if it is new.
    pub fn intern(&mut self, kind: TypeKind) -> Handle<Type> {
        if let Some(found) = self.find(&kind) {
            return found;
        }
        self.arena.append(Type { kind })
    }
    pub fn find(&self, kind: &TypeKind) -> Option<Handle<Type>> {
        self.arena.iter().find(|(_, t)| t.kind == *kind).map(|(h, _)| h)
    }
    pub fn kind(&self, ty: Handle<Type>) -> &TypeKind {
        &self.arena[ty].kind
    }
    /// As [`Types::kind`], for handles that may be out of range.
    pub fn get(&self, ty: Handle<Type>) -> Option<&TypeKind> {
        self.arena.get(ty).map(|t| &t.kind)
    }
    pub fn iter(&self) -> impl Iterator<Item = (Handle<Type>, &Type)> {
        self.arena.iter()
    }
    pub fn void(&mut self) -> Handle<Type> {
        self.intern(TypeKind::Void)
    }
    pub fn bool(&mut self) -> Handle<Type> {
        self.intern(TypeKind::Bool)
    }
    pub fn int(&mut self, bits: u8, signed: bool) -> Handle<Type> {
        self.intern(TypeKind::Int { bits, signed })
    }
    /// C `int`.
    pub fn i32(&mut self) -> Handle<Type> {
        self.int(32, true)
    }
    pub fn float(&mut self, bits: u8) -> Handle<Type> {
        self.intern(TypeKind::Float { bits })
    }
    /// A plain pointer to `to`.
    pub fn pointer(&mut self, to: Handle<Type>) -> Handle<Type> {
        self.intern(TypeKind::Pointer { to, constant: false, restrict: false, space: Space::Generic })
    }
    pub fn array(&mut self, of: Handle<Type>, len: u64) -> Handle<Type> {
        self.intern(TypeKind::Array { of, len: ArrayLen::Const(len) })
    }

    pub fn is_float(&self, ty: Handle<Type>) -> bool {
        matches!(self.kind(ty), TypeKind::Float { .. })
    }
    pub fn is_integer(&self, ty: Handle<Type>) -> bool {
        matches!(self.kind(ty), TypeKind::Int { .. } | TypeKind::Bool)
    }
    pub fn is_arithmetic(&self, ty: Handle<Type>) -> bool {
        self.is_integer(ty) || self.is_float(ty)
    }
    /// Arithmetic or pointer.
    pub fn is_scalar(&self, ty: Handle<Type>) -> bool {
        match self.kind(ty) {
            TypeKind::Bool | TypeKind::Int { .. } | TypeKind::Float { .. } | TypeKind::Pointer { .. } => true,
            TypeKind::Void
            | TypeKind::Array { .. }
            | TypeKind::Struct(_)
            | TypeKind::Compressed { .. }
            | TypeKind::Opaque(_) => false,
        }
    }
    /// What a pointer points to, or an array holds.
    pub fn element(&self, ty: Handle<Type>) -> Option<Handle<Type>> {
        match self.kind(ty) {
            TypeKind::Pointer { to, .. } => Some(*to),
            TypeKind::Array { of, .. } => Some(*of),
            TypeKind::Void
            | TypeKind::Bool
            | TypeKind::Int { .. }
            | TypeKind::Float { .. }
            | TypeKind::Struct(_)
            | TypeKind::Compressed { .. }
            | TypeKind::Opaque(_) => None,
        }
    }
    /// The type of what is read from a place of this type.
    pub fn value_of(&self, ty: Handle<Type>) -> Handle<Type> {
        match self.kind(ty) {
            TypeKind::Compressed { of, .. } => *of,
            _ => ty,
        }
    }
    /// Size in bytes on the host, where compressed numbers are plain, if it is known at compile time.
    pub fn size_on_host(&self, ty: Handle<Type>) -> Option<u64> {
        match self.kind(ty) {
            TypeKind::Array { of, len: ArrayLen::Const(n) } => Some(self.size_on_host(*of)? * n),
            TypeKind::Compressed { of, .. } => self.size_of(*of),
            _ => self.size_of(ty),
        }
    }
    /// Size in bytes, where it is known at compile time.
    pub fn size_of(&self, ty: Handle<Type>) -> Option<u64> {
        match self.kind(ty) {
            TypeKind::Void | TypeKind::Opaque(_) => None,
            TypeKind::Bool => Some(1),
            TypeKind::Int { bits, .. } | TypeKind::Float { bits } => Some(u64::from(*bits) / 8),
            TypeKind::Pointer { .. } => Some(8),
            TypeKind::Array { of, len: ArrayLen::Const(n) } => Some(self.size_of(*of)? * n),
            TypeKind::Array { .. } => None,
            TypeKind::Struct(def) => Some(self.structs[*def].size),
            TypeKind::Compressed { format, .. } => format.is_direct().then(|| u64::from(format.bits) / 8),
        }
    }
}
