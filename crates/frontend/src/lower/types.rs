//! Types, and how structures are laid out in memory.
//!
//! The dump contains no layout, so it is computed by the rules that all supported hosts share (System V and the
//! like): each field at the next multiple of its alignment, the whole padded to the largest alignment. What these
//! rules do not cover (bit-fields, virtual functions) makes an opaque type; the reason is kept for the message,
//! should a kernel need the type. A union is represented by its bytes, which are accessed through pointers to the
//! members' types.

use super::context::Context;
use crate::ast::{self, DeclId, Len, Library, Qual, Ty};
use accl_ir::{ArrayLen, Field, Handle, Named, Space, StructDef, Type, TypeKind};

/// What to do about other types.
pub const KNOWN_OF_LIBRARY: &str = "of the standard library's types device code knows `array`, `bitset`, `complex`, `optional`, \
     `pair`, `span` and `tuple`; of a container use the elements, through a pointer such as `v.data()`";

/// Why kernels cannot hold a value, and what to do about it.
#[derive(Clone, Debug)]
pub struct Unusable {
    pub reason: String,
    pub help: Option<&'static str>,
}

/// Pointers that a vector consists of in the C++ libraries of GNU and LLVM, the first of which points to its elements.
pub const WORDS_OF_VECTOR: u64 = 3;

/// A class of the standard library that device code does not know, `std::…`.
pub fn library_class(ty: &Ty) -> Option<&str> {
    let Ty::Opaque(name) = ty else { return None };
    Some(name.trim_start_matches("class ")).filter(|name| name.starts_with("std::"))
}

impl Unusable {
    fn new(reason: impl Into<String>, help: Option<&'static str>) -> Unusable {
        Unusable { reason: reason.into(), help }
    }
}

impl Context<'_> {
    /// The IR type. Variable-length arrays are for `Fun::ty`, which has the extents' names.
    pub fn ty(&mut self, qual: &Qual) -> Handle<Type> {
        let kind = match &*qual.ty {
            Ty::Void => TypeKind::Void,
            Ty::Bool => TypeKind::Bool,
            Ty::Int { bits, signed } => TypeKind::Int { bits: *bits, signed: *signed },
            Ty::Float { bits } => TypeKind::Float { bits: *bits },
            // Device code has no functions at these addresses: it compares them (`function_values`).
            Ty::Pointer { to, .. } if *to.ty == Ty::Function => TypeKind::Int { bits: 64, signed: false },
            Ty::Pointer { to, restrict } => self.pointer_kind(to, *restrict),
            Ty::Reference(to) => self.pointer_kind(to, false),
            Ty::Array { of, len } => {
                let of = self.ty(of);
                let len = match len {
                    Len::Const(n) => ArrayLen::Const(*n),
                    Len::Text(_) | Len::Unknown => ArrayLen::Unknown,
                };
                TypeKind::Array { of, len }
            }
            Ty::Record(id) => match self.struct_def(*id) {
                Some(def) => TypeKind::Struct(def),
                None => {
                    let declared = || self.program.incomplete.get(id);
                    let name = self.record(*id).map(|r| &r.name).or_else(declared);
                    TypeKind::Opaque(name.map_or("?", |n| n).to_owned())
                }
            },
            Ty::Function => TypeKind::Opaque("function".into()),
            Ty::Opaque(name) => TypeKind::Opaque(name.to_string()),
        };
        self.module.types.intern(kind)
    }

    /// A pointer to a variable-length array is one to its elements.
    fn pointer_kind(&mut self, to: &Qual, restrict: bool) -> TypeKind {
        let to = flat_element(to);
        let constant = to.constant;
        let to = self.ty(to);
        TypeKind::Pointer { to, constant, restrict, space: Space::Generic }
    }

    pub(super) fn struct_def(&mut self, id: DeclId) -> Option<Handle<StructDef>> {
        if let Some(known) = self.structs.get(&id) {
            return *known;
        }
        let record = self.record(id)?;
        if let Some(reason) = refusal(record) {
            self.opaque.insert(record.name.to_string(), reason);
            self.structs.insert(id, None);
            return None;
        }
        // The structures that it contains come before it.
        record.bases.iter().chain(record.fields.iter().map(|f| &f.ty)).for_each(|ty| self.define_held(ty));
        if let Some(known) = self.structs.get(&id) {
            return *known;
        }
        // It is declared before its fields, since one of them may point to it.
        let name = self.struct_name(record);
        let empty = StructDef { name, fields: Vec::new(), size: 0, align: 1 };
        let handle = self.module.types.structs.append(empty);
        self.structs.insert(id, Some(handle));
        self.open_structs += 1;
        let known = self.set_layout(record, handle);
        self.open_structs -= 1;
        // What one of those around it points to may hold that one.
        match self.open_structs {
            0 => {
                for (record, handle) in std::mem::take(&mut self.unfinished_structs) {
                    self.set_layout(record, handle);
                }
            }
            _ if !known => self.unfinished_structs.push((record, handle)),
            _ => {}
        }
        Some(handle)
    }

    /// False where a member's size is not known.
    fn set_layout(&mut self, record: &ast::Record, handle: Handle<StructDef>) -> bool {
        let layout = if record.is_union { self.lay_out_union(record) } else { self.lay_out(record) };
        self.ends.insert(record.id, layout.end);
        let def = &mut self.module.types.structs[handle];
        def.fields = layout.fields;
        def.align = layout.align;
        def.size = if layout.known { layout.end.next_multiple_of(layout.align).max(1) } else { 0 };
        layout.known
    }

    fn define_held(&mut self, qual: &Qual) {
        match &*qual.ty {
            Ty::Record(id) => {
                self.struct_def(*id);
            }
            Ty::Array { of, .. } => self.define_held(of),
            _ => {}
        }
    }

    fn struct_name(&mut self, record: &ast::Record) -> String {
        let legal = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
        let plain: String = match record.nameless {
            true => format!("struct_{}", self.module.types.structs.len()),
            false => record.name.chars().map(legal).collect(),
        };
        let mut candidates =
            std::iter::once(plain.clone()).chain((2..).map(|count| format!("{plain}_{count}")));
        let name = candidates.find(|n| !self.symbols.contains(n)).unwrap_or(plain);
        self.symbols.insert(name.clone());
        name
    }

    fn lay_out(&mut self, record: &ast::Record) -> StructLayout {
        let mut layout = StructLayout::new(record);
        match self.first_dynamic_base(record) {
            _ if !record.is_polymorphic => {}
            None => {
                let void = self.module.types.void();
                let table = self.module.types.pointer(void);
                layout.place("functions", table, 8, 8);
            }
            // It would come before the bases in front of it.
            Some(first) => layout.known &= self.base_record(&record.bases[0]) == Some(first),
        }
        for base in &record.bases {
            self.lay_out_base(&mut layout, base);
        }
        for field in &record.fields {
            let ty = match self.words_of_container(&field.ty) {
                Some(words) => {
                    let word = self.module.types.int(64, false);
                    self.module.types.array(word, words)
                }
                None => self.ty(&field.ty),
            };
            let natural = if record.packed { 1 } else { self.align_of(ty) };
            let align = natural.max(field.align.unwrap_or(1));
            let size = match &*field.ty.ty {
                // A trailing flexible array.
                Ty::Array { len: Len::Unknown, .. } => Some(0),
                _ => self.module.types.size_of(ty),
            };
            layout.known &= size.is_some_and(|s| s > 0 || matches!(&*field.ty.ty, Ty::Array { .. }));
            layout.place(&field.name, ty, size.unwrap_or(0), align);
            if let Some(placed) = layout.fields.last_mut() {
                placed.reference = field.ty.is_reference();
                placed.named = match field.access {
                    ast::Access::Protected => Named::InDerived,
                    ast::Access::Private => Named::InClass,
                    ast::Access::Public => placed.named,
                    ast::Access::Nobody => Named::Nowhere,
                };
            }
        }
        layout
    }

    /// How many pointers a container of the standard library takes in a class. Device code cannot use it, but the members
    /// beside it.
    fn words_of_container(&self, ty: &Qual) -> Option<u64> {
        let name = library_class(&ty.ty)?.strip_prefix("std::")?;
        let template = name.split('<').next().unwrap_or(name);
        let one_argument = !name.contains(',');
        match template {
            "vector" if !name.starts_with("vector<bool") && one_argument => Some(WORDS_OF_VECTOR),
            "unique_ptr" if one_argument => Some(1),
            "shared_ptr" | "weak_ptr" => Some(2),
            // LLVM's library has another.
            "string" | "basic_string" | "__cxx11::basic_string" | "__cxx11::string"
                if !self.source.buffer.contains("/c++/v1/") =>
            {
                Some(4)
            }
            _ => None,
        }
    }

    /// A base class is a field at the front; an empty one takes no space.
    fn lay_out_base(&mut self, layout: &mut StructLayout, base: &Qual) {
        let (Ty::Record(id), ty) = (&*base.ty, self.ty(base)) else {
            layout.known = false;
            return;
        };
        let Some(record) = self.record(*id) else {
            layout.known = false;
            return;
        };
        if self.is_empty(record) {
            return;
        }
        let size = self.module.types.size_of(ty).unwrap_or(0);
        layout.known &= size > 0;
        let align = self.align_of(ty);
        layout.place(&format!("base_{}", super::scope::short_name(&record.name)), ty, size, align);
        // The next member may lie in the padding of a class that is no plain structure.
        if let Some(end) = self.ends.get(id).filter(|_| !record.is_pod) {
            layout.end -= size - end.min(&size);
        }
    }

    /// The bytes, as an array of units as large as the alignment.
    fn lay_out_union(&mut self, record: &ast::Record) -> StructLayout {
        let mut layout = StructLayout::new(record);
        let mut end = 0;
        for field in &record.fields {
            let ty = self.ty(&field.ty);
            let size = self.module.types.size_of(ty).unwrap_or(0);
            layout.known &= size > 0;
            layout.align = layout.align.max(if record.packed { 1 } else { self.align_of(ty) });
            end = end.max(size);
        }
        let unit = layout.align.min(8);
        let bits = (unit * 8) as u8;
        let word = self.module.types.int(bits, false);
        let bytes = self.module.types.array(word, end.next_multiple_of(layout.align) / unit);
        layout.fields.push(Field {
            name: "bytes".into(),
            ty: bytes,
            offset: 0,
            named: Named::Everywhere,
            reference: false,
        });
        layout.end = end;
        layout
    }

    fn is_empty(&self, record: &ast::Record) -> bool {
        let empty = |base: &Qual| match &*base.ty {
            Ty::Record(id) => self.record(*id).is_some_and(|r| self.is_empty(r)),
            _ => false,
        };
        !record.is_polymorphic && record.fields.is_empty() && record.bases.iter().all(empty)
    }

    /// Objects of the class have no bytes of their own.
    pub fn is_empty_class(&self, class: DeclId) -> bool {
        self.record(class).is_some_and(|record| self.is_empty(record))
    }

    /// The number of fields for base classes, and for the table of virtual functions, which come before the class's own.
    pub fn base_count(&self, record: &ast::Record) -> u32 {
        let bases = record.bases.iter().filter(|b| self.base_record(b).is_some()).count() as u32;
        bases + u32::from(self.has_own_table(record))
    }

    /// The class's objects begin with a pointer to its virtual functions, and no base's part has it.
    fn has_own_table(&self, record: &ast::Record) -> bool {
        record.is_polymorphic && self.first_dynamic_base(record).is_none()
    }

    fn first_dynamic_base(&self, record: &ast::Record) -> Option<DeclId> {
        let bases = record.bases.iter().filter_map(|b| match &*b.ty {
            Ty::Record(id) => self.record(*id),
            _ => None,
        });
        bases.into_iter().find(|base| base.is_polymorphic).map(|base| base.id)
    }

    fn base_record(&self, base: &Qual) -> Option<DeclId> {
        match &*base.ty {
            Ty::Record(id) => self.record(*id).filter(|r| !self.is_empty(r)).map(|_| *id),
            _ => None,
        }
    }

    /// The fields that lead from a class to one of its bases; none for an empty base, of which nothing can be read.
    pub fn base_path(&self, from: DeclId, to: DeclId) -> Option<Vec<u32>> {
        if from == to {
            return Some(Vec::new());
        }
        let record = self.record(from)?;
        let bases = record.bases.iter().filter_map(|b| self.base_record(b)).enumerate();
        let first = u32::from(self.has_own_table(record));
        bases.into_iter().find_map(|(index, base)| {
            let rest = self.base_path(base, to)?;
            Some(std::iter::once(first + index as u32).chain(rest).collect())
        })
    }

    /// The structure or class of the source from which a structure here was made.
    pub fn record_of(&self, ty: Handle<Type>) -> Option<&ast::Record> {
        let TypeKind::Struct(def) = *self.module.types.kind(ty) else { return None };
        let (id, _) = self.structs.iter().find(|(_, known)| **known == Some(def))?;
        self.record(*id)
    }

    /// The type as the user would write it.
    pub fn c_name(&self, ty: Handle<Type>) -> String {
        match self.module.types.kind(ty) {
            TypeKind::Void => "void".into(),
            TypeKind::Bool => "bool".into(),
            TypeKind::Int { bits, signed } => {
                let name = match bits {
                    8 => "char",
                    16 => "short",
                    32 => "int",
                    _ => "long",
                };
                if *signed { name.into() } else { format!("unsigned {name}") }
            }
            TypeKind::Float { bits: 32 } => "float".into(),
            TypeKind::Float { .. } => "double".into(),
            TypeKind::Pointer { to, .. } => format!("{} *", self.c_name(*to)),
            TypeKind::Array { of, len: ArrayLen::Const(n) } => format!("{}[{n}]", self.c_name(*of)),
            TypeKind::Array { of, .. } => format!("{}[]", self.c_name(*of)),
            TypeKind::Struct(def) => {
                let record = self.record_of(ty).filter(|r| !r.nameless);
                record.map_or_else(|| self.module.types.structs[*def].name.clone(), |r| r.name.to_string())
            }
            TypeKind::Compressed { of, .. } => self.c_name(*of),
            TypeKind::Opaque(name) => name.clone(),
        }
    }

    pub fn align_of(&self, ty: Handle<Type>) -> u64 {
        let types = &self.module.types;
        match types.kind(ty) {
            TypeKind::Array { of, .. } => self.align_of(*of),
            TypeKind::Struct(def) => types.structs[*def].align,
            TypeKind::Compressed { .. } | TypeKind::Opaque(_) | TypeKind::Void => 8,
            TypeKind::Bool | TypeKind::Int { .. } | TypeKind::Float { .. } | TypeKind::Pointer { .. } => {
                types.size_of(ty).unwrap_or(8)
            }
        }
    }

    /// Why kernels cannot hold a value of this type; `None` if they can.
    pub fn unusable(&self, ty: Handle<Type>) -> Option<Unusable> {
        match self.module.types.kind(ty) {
            TypeKind::Opaque(name) => Some(match (self.opaque.get(name), name.as_str()) {
                (Some(why), _) => why.clone(),
                (None, "long double") => {
                    Unusable::new("device code has no `long double`", Some("use `double` in the region"))
                }
                (None, "function") => {
                    Unusable::new("device code cannot take the address of a function", None)
                }
                (None, name) if name.contains("_Complex") || name.starts_with("std::complex<") => {
                    Unusable::new(
                        "device code has complex numbers of two `float` or two `double` only",
                        Some("use `double` for their parts in the region"),
                    )
                }
                (None, name) if name.starts_with("std::") => Unusable::new(
                    format!("device code cannot hold its type, `{name}`"),
                    Some(KNOWN_OF_LIBRARY),
                ),
                (None, name) => Unusable::new(format!("device code cannot hold its type, `{name}`"), None),
            }),
            TypeKind::Compressed { .. } => None,
            TypeKind::Struct(def) if self.module.types.structs[*def].size == 0 => {
                let def = &self.module.types.structs[*def];
                let member = def.fields.iter().find(|f| self.unusable(f.ty).is_some());
                let name = &def.name;
                let reason = match member {
                    Some(f) => {
                        format!("its type `{name}` has a member, `{}`, that device code cannot hold", f.name)
                    }
                    None => format!("its type `{name}` has members in the padding of its base class"),
                };
                Some(Unusable::new(reason, None))
            }
            TypeKind::Array { of, .. } => self.unusable(*of),
            TypeKind::Struct(def) => self.misaligned(*def),
            TypeKind::Void
            | TypeKind::Bool
            | TypeKind::Int { .. }
            | TypeKind::Float { .. }
            | TypeKind::Pointer { .. } => None,
        }
    }

    /// Devices read a number only where its alignment allows, which `packed` may not heed.
    pub fn misaligned(&self, def: Handle<StructDef>) -> Option<Unusable> {
        let def = &self.module.types.structs[def];
        let place = |f: &&Field| !f.offset.is_multiple_of(self.align_of(f.ty));
        let (name, help) =
            (&def.name, "leave `packed` away, or copy what the region needs into another structure");
        let reason = match def.fields.iter().find(place) {
            Some(f) => {
                format!("its type `{name}` is packed: `{}` is not aligned, at byte {}", f.name, f.offset)
            }
            None => {
                let widest = def.fields.iter().map(|f| self.align_of(f.ty)).max()?;
                (!def.size.is_multiple_of(widest)).then(|| {
                    format!(
                        "its type `{name}` is packed: with {} bytes, the next in an array is not aligned",
                        def.size
                    )
                })?
            }
        };
        Some(Unusable::new(reason, Some(help)))
    }
}

struct StructLayout {
    fields: Vec<Field>,
    /// After the last field.
    end: u64,
    align: u64,
    /// All fields have a known size and position.
    known: bool,
    /// Where programs refer to the fields by their names, but for private ones.
    named: Named,
}

impl StructLayout {
    fn new(record: &ast::Record) -> StructLayout {
        StructLayout {
            fields: Vec::new(),
            end: 0,
            align: record.align.unwrap_or(1),
            known: true,
            named: match record.library {
                Some(
                    Library::Complex
                    | Library::Array
                    | Library::Tuple
                    | Library::Vector
                    | Library::Empty
                    | Library::FunctionObject(_),
                ) => Named::Nowhere,
                Some(Library::Pair) | None => Named::Everywhere,
            },
        }
    }

    fn place(&mut self, name: &str, ty: Handle<Type>, size: u64, align: u64) {
        let offset = self.end.next_multiple_of(align);
        self.fields.push(Field { name: name.to_owned(), ty, offset, named: self.named, reference: false });
        self.end = offset + size;
        self.align = self.align.max(align);
    }
}

fn refusal(record: &ast::Record) -> Option<Unusable> {
    let name = &record.name;
    if record.has_virtual_bases {
        let reason = format!("its type `{name}` has virtual bases");
        return Some(Unusable::new(reason, Some("keep what the region needs in a class without them")));
    }
    let bitfield = record.fields.iter().find(|f| f.bitfield.is_some())?;
    let reason = format!("its type `{name}` has a bit-field, `{}`", bitfield.name);
    Some(Unusable::new(reason, Some("use a whole integer, with shifts and masks in place of the bit-fields")))
}

/// Whether an extent is known only at run time, at any level.
pub fn is_vla(qual: &Qual) -> bool {
    match &*qual.ty {
        Ty::Array { of, len } => matches!(len, Len::Text(_)) || is_vla(of),
        _ => false,
    }
}

/// The element type of the flat array that stands for a variable-length one; other types are their own.
pub fn flat_element(qual: &Qual) -> &Qual {
    match &*qual.ty {
        Ty::Array { of, .. } if is_vla(qual) => flat_element(of),
        _ => qual,
    }
}
