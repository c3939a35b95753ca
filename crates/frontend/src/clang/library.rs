//! Types of the standard library that device code knows.
//!
//! Declarations in namespaces of system headers are never read: that is what makes C++ files quick to compile. The types
//! here are known by their names alone. Each becomes a structure with the layout that the library gives it, and
//! lowering knows what the library's functions do with it (`lower::library`, `lower::complex`).

use super::types::TypeReader;
use crate::ast::{Access, DeclId, Field, Len, Library, Qual, Record, Ty};
use std::collections::{HashMap, HashSet};

#[derive(Default)]
pub struct LibraryTypes {
    /// The types named so far.
    pub records: Vec<Record>,
    known: HashMap<(Library, Vec<Qual>), DeclId>,
    /// Class templates of the program: without `std::` these names refer to them.
    pub hidden: HashSet<String>,
    /// Values of constants, which types may name: `std::array<double, N> &`. `None` where there are several of that
    /// name.
    constants: HashMap<String, Option<i128>>,
    /// The library is LLVM's, whose tuples begin with their first element; GNU's end with it.
    pub is_libcxx: bool,
    next_id: u64,
}

/// The class templates of <functional> that stand for operators (C++17 §23.14).
const FUNCTION_OBJECTS: [&str; 19] = [
    "plus",
    "minus",
    "multiplies",
    "divides",
    "modulus",
    "negate",
    "equal_to",
    "not_equal_to",
    "greater",
    "less",
    "greater_equal",
    "less_equal",
    "logical_and",
    "logical_or",
    "logical_not",
    "bit_and",
    "bit_or",
    "bit_xor",
    "bit_not",
];

impl TypeReader {
    /// `std::complex<double>`, `_Complex double`, `std::array<float, 3>::value_type`.
    pub fn library_type(&mut self, name: &str) -> Option<Qual> {
        if let Some(element) = name.strip_prefix("_Complex ") {
            return self.complex(name, element);
        }
        let (template, rest) = name.split_once('<')?;
        let (arguments, after) = arguments(rest)?;
        let template = match template.strip_prefix("std::") {
            Some(plain) => plain.trim_start_matches("__1::"),
            None if self.library.hidden.contains(template) => return None,
            None => template,
        };
        if let Some(element) = element_of_container(template, &arguments, after) {
            return Some(self.read(element));
        }
        let whole = name.strip_suffix(after)?;
        let ty = match (template, &arguments[..]) {
            ("complex", [element]) => self.complex(whole, element),
            ("array", [element, length]) => {
                let (of, length) = (self.read(element), self.length(length)?);
                let array = Qual::new(Ty::Array { of, len: Len::Const(length) });
                self.library_record(whole, Library::Array, vec![("elements".into(), array)])
            }
            ("pair", [first, second]) => {
                let fields = vec![("first".into(), self.read(first)), ("second".into(), self.read(second))];
                self.library_record(whole, Library::Pair, fields)
            }
            ("tuple", [_, ..]) => {
                let elements = arguments.iter().enumerate();
                let mut fields: Vec<_> =
                    elements.map(|(k, text)| (element_name(k), self.read(text))).collect();
                if !self.library.is_libcxx {
                    fields.reverse();
                }
                self.library_record(whole, Library::Tuple, fields)
            }
            ("integer_sequence" | "integral_constant", [_, ..]) => {
                self.library_record(whole, Library::Empty, vec![])
            }
            (name, [] | [_]) => {
                let name = FUNCTION_OBJECTS.iter().find(|known| **known == name)?;
                self.library_record(whole, Library::FunctionObject(name), vec![])
            }
            _ => None,
        }?;
        match after {
            "" => Some(ty),
            "::value_type" => self.element(&ty),
            _ => None,
        }
    }

    /// `text`: as Clang writes it, `(__vector_size__(4 * sizeof(float)))`, `(ext_vector_type(4))`.
    pub fn vector(&mut self, text: &str, of: Qual) -> Option<Qual> {
        let (kind, count) = text.trim_matches(['(', ')']).split_once('(')?;
        let count = match kind {
            "__vector_size__" => count.split_once('*')?.0.trim(),
            "ext_vector_type" => count,
            _ => return None,
        };
        let count = count.parse::<u64>().ok().filter(|count| count.is_power_of_two())?;
        let bytes = match *of.ty {
            Ty::Int { bits, .. } | Ty::Float { bits } => u64::from(bits) / 8 * count,
            _ => return None,
        };
        let array = Qual::new(Ty::Array { of, len: Len::Const(count) });
        let vector = self.library_record("vector", Library::Vector, vec![("elements".into(), array)])?;
        let Ty::Record(id) = *vector.ty else { return None };
        let record = self.library.records.iter_mut().find(|r| r.id == id)?;
        record.align = Some(bytes);
        Some(vector)
    }

    fn complex(&mut self, name: &str, element: &str) -> Option<Qual> {
        let element = self.read(element);
        matches!(&*element.ty, Ty::Float { .. }).then_some(())?;
        let fields = vec![("real".into(), element.clone()), ("imag".into(), element)];
        self.library_record(name, Library::Complex, fields)
    }

    /// What `value_type` means in a type of the library.
    fn element(&self, ty: &Qual) -> Option<Qual> {
        let first = &self.library_record_of(ty)?.fields.first()?.ty;
        match &*first.ty {
            Ty::Array { of, .. } => Some(of.clone()),
            _ => Some(first.clone()),
        }
    }

    pub fn library_record_of(&self, ty: &Qual) -> Option<&Record> {
        let Ty::Record(id) = &*ty.referred().ty else { return None };
        self.library.records.iter().find(|r| r.id == *id)
    }

    pub fn declare_constant(&mut self, name: &str, value: i128) {
        let known = self.library.constants.entry(name.to_owned()).or_insert(Some(value));
        if *known != Some(value) {
            *known = None;
            self.forget_read();
        }
    }

    fn length(&self, text: &str) -> Option<u64> {
        let digits = text.trim_end_matches(['u', 'l', 'U', 'L']);
        let constant = || (*self.library.constants.get(text)?)?.try_into().ok();
        digits.parse().ok().or_else(constant).filter(|n| *n > 0)
    }

    fn library_record(&mut self, name: &str, kind: Library, fields: Vec<(String, Qual)>) -> Option<Qual> {
        if fields.iter().any(|(_, ty)| ty.is_reference()) {
            return None;
        }
        let library = &mut self.library;
        let key = (kind, fields.iter().map(|(_, ty)| ty.clone()).collect());
        if let Some(id) = library.known.get(&key) {
            return Some(Qual::new(Ty::Record(*id)));
        }
        // Clang's ids are addresses.
        let mut fresh = || {
            library.next_id += 1;
            DeclId(library.next_id)
        };
        let id = fresh();
        let field = |(name, ty)| Field {
            id: fresh(),
            name,
            ty,
            bitfield: None,
            access: Access::Public,
            align: None,
            init: None,
        };
        let fields = fields.into_iter().map(field).collect();
        library.known.insert(key, id);
        library.records.push(Record {
            id,
            name: name.into(),
            nameless: false,
            is_union: false,
            fields,
            bit_fields: vec![],
            bases: vec![],
            is_pod: false,
            packed: false,
            align: None,
            is_polymorphic: false,
            has_virtual_bases: false,
            library: Some(kind),
        });
        Some(Qual::new(Ty::Record(id)))
    }
}

/// What containers call the type of their elements: `auto &row = rows[0]` has `__gnu_cxx::__alloc_traits<…, Row>::value_type &`.
fn element_of_container<'t>(template: &str, arguments: &[&'t str], member: &str) -> Option<&'t str> {
    match (template, arguments, member) {
        ("__gnu_cxx::__alloc_traits", [_, element], "::value_type")
        | ("vector" | "deque" | "list", [element, ..], "::value_type")
        | ("map" | "unordered_map", [_, element, ..], "::mapped_type") => Some(element),
        _ => None,
    }
}

/// The member of a `std::tuple`.
fn element_name(index: usize) -> String {
    format!("element{index}")
}

/// The type of `std::get<index>` of a pair or tuple.
pub fn element_of(record: &Record, index: usize) -> Option<usize> {
    match record.library? {
        Library::Pair => (index < 2).then_some(index),
        Library::Tuple => record.fields.iter().position(|f| f.name == element_name(index)),
        Library::Complex | Library::Array | Library::Empty | Library::FunctionObject(_) | Library::Vector => {
            None
        }
    }
}

/// The arguments of a template, given the text after the `<` of the list, and what stands after the list.
pub fn arguments(text: &str) -> Option<(Vec<&str>, &str)> {
    let (mut depth, mut start, mut found) = (0, 0, vec![]);
    for (at, c) in text.char_indices() {
        match c {
            '<' | '(' | '[' => depth += 1,
            '>' if depth == 0 => {
                found.push(text[start..at].trim());
                return Some((found, &text[at + 1..]));
            }
            '>' | ')' | ']' => depth -= 1,
            ',' if depth == 0 => {
                found.push(text[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(reader: &mut TypeReader, text: &str, expected: Option<(Library, &[&str])>) {
        let ty = reader.read(text);
        let found = reader.library_record_of(&ty).map(|r| (r.library.unwrap(), &r.fields));
        let found = found.map(|(kind, fields)| (kind, fields.iter().map(|f| &*f.name).collect::<Vec<_>>()));
        assert_eq!(found, expected.map(|(kind, names)| (kind, names.to_vec())), "{text}");
    }

    #[test]
    fn types_of_the_library() {
        let mut reader = TypeReader::default();
        reader.declare("real", Qual::new(Ty::Float { bits: 64 }));
        reader.library.hidden.insert("pair".into());
        reader.declare_constant("N", 3);
        let complex: (_, &[&str]) = (Library::Complex, &["real", "imag"]);
        for text in
            ["std::complex<double>", "const complex<real> &", "std::__1::complex<float>", "_Complex double"]
        {
            check(&mut reader, text, Some(complex));
        }
        assert_eq!(reader.read("std::complex<double>"), reader.read("complex<real>"));
        check(&mut reader, "std::array<std::complex<float>, 2>::value_type", Some(complex));
        for text in ["std::array<double, 3>", "std::array<real, N>", "array<double, 3UL>"] {
            check(&mut reader, text, Some((Library::Array, &["elements"])));
        }
        assert_eq!(reader.read("std::array<double, 3>"), reader.read("std::array<real, N>"));
        check(
            &mut reader,
            "std::pair<int, std::pair<char, real>>",
            Some((Library::Pair, &["first", "second"])),
        );
        check(&mut reader, "std::tuple<int, char>", Some((Library::Tuple, &["element1", "element0"])));
        for text in
            ["std::integer_sequence<unsigned long, 0, 1>", "const std::integral_constant<bool, true> &"]
        {
            check(&mut reader, text, Some((Library::Empty, &[])));
        }
        for (text, name) in [("std::plus<double>", "plus"), ("const std::less<void> &", "less")] {
            check(&mut reader, text, Some((Library::FunctionObject(name), &[])));
        }
        for text in ["pair<int, int>", "std::array<int, M>", "std::complex<long double>", "std::tuple<int &>"]
        {
            check(&mut reader, text, None);
        }
        reader.declare_constant("N", 4);
        check(&mut reader, "std::array<real, N>", None);
    }
}
