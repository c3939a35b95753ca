//! One node of Clang's JSON dump, with the fields we use.
//!
//! The dump is a plain tree of objects; which fields an object has depends on its `kind`. Reading all
//! kinds into one structure with optional fields is smaller and faster than one type per kind, and the
//! next step (`convert`) gives each its type. Text is borrowed from the chunk read.

use serde::Deserialize;
use serde::de::{self, Deserializer, SeqAccess, Visitor};
use std::borrow::Cow;
use std::fmt;

/// Clang's address of a declaration: equal in all references to it within one dump.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(pub u64);

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Node<'a> {
    pub id: NodeId,
    #[serde(borrow)]
    pub kind: JsonText<'a>,
    pub loc: Location,
    pub range: Range,
    #[serde(borrow)]
    pub name: JsonText<'a>,
    #[serde(borrow, rename = "type")]
    pub ty: TypeText<'a>,
    #[serde(borrow)]
    pub value: Option<Value<'a>>,
    #[serde(borrow)]
    pub value_category: JsonText<'a>,
    #[serde(borrow)]
    pub cast_kind: JsonText<'a>,
    #[serde(borrow)]
    pub opcode: JsonText<'a>,
    pub is_postfix: bool,
    pub is_parameter_pack: bool,
    /// Of a template's argument.
    pub is_pack: bool,
    pub is_arrow: bool,
    pub is_implicit: bool,
    pub is_bitfield: bool,
    pub r#virtual: bool,
    pub has_init: bool,
    pub has_var: bool,
    pub has_else: bool,
    /// Of an `if`.
    pub is_constexpr: bool,
    #[serde(rename = "isGNURange")]
    pub is_gnu_range: bool,
    pub complete_definition: bool,
    pub definition_data: DefinitionData,
    pub constexpr: bool,
    pub previous_decl: Option<NodeId>,
    pub parent_decl_context_id: Option<NodeId>,
    #[serde(borrow)]
    pub referenced_decl: Option<Box<Node<'a>>>,
    /// Of a type: the record or enumeration it names.
    #[serde(borrow)]
    pub decl: Option<Box<Node<'a>>>,
    pub referenced_member_decl: Option<NodeId>,
    /// Of a template's parameter.
    #[serde(borrow)]
    pub default_arg: Option<Box<Node<'a>>>,
    #[serde(borrow)]
    pub any_init: Option<Box<Node<'a>>>,
    #[serde(borrow)]
    pub storage_class: JsonText<'a>,
    #[serde(borrow)]
    pub mangled_name: JsonText<'a>,
    #[serde(borrow)]
    pub tls: JsonText<'a>,
    #[serde(borrow)]
    pub tag_used: JsonText<'a>,
    /// "class" or "struct" of an enumeration with a scope.
    #[serde(borrow)]
    pub scoped_enum_tag: JsonText<'a>,
    /// Of an access specifier.
    #[serde(borrow)]
    pub access: JsonText<'a>,
    #[serde(borrow)]
    pub arg_type: TypeText<'a>,
    #[serde(borrow, rename = "computeLHSType")]
    pub compute_lhs_type: TypeText<'a>,
    #[serde(borrow)]
    pub ctor_type: TypeText<'a>,
    #[serde(borrow)]
    pub fixed_underlying_type: TypeText<'a>,
    #[serde(borrow)]
    pub explicitly_defaulted: JsonText<'a>,
    #[serde(borrow)]
    pub bases: Vec<Base<'a>>,
    #[serde(borrow, rename = "array_filler")]
    pub array_filler: Vec<Node<'a>>,
    /// The association that a `_Generic` chose.
    pub selected: bool,
    #[serde(borrow, deserialize_with = "few")]
    pub inner: Vec<Node<'a>>,
}

/// A vector with an initial capacity of one, as most nodes have one child or two, and a node is large: Rust's
/// vectors begin with four.
fn few<'de: 'a, 'a, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Node<'a>>, D::Error> {
    struct Nodes;
    impl<'de> Visitor<'de> for Nodes {
        type Value = Vec<Node<'de>>;
        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("an array of nodes")
        }
        fn visit_seq<A: SeqAccess<'de>>(self, mut nodes: A) -> Result<Self::Value, A::Error> {
            let mut all = vec![];
            while let Some(node) = nodes.next_element()? {
                if all.len() == all.capacity() {
                    all.reserve_exact(all.len().max(1));
                }
                all.push(node);
            }
            Ok(all)
        }
    }
    deserializer.deserialize_seq(Nodes)
}

/// What Clang knows of a class.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(default)]
pub struct DefinitionData {
    #[serde(rename = "isPOD")]
    pub is_pod: bool,
    #[serde(rename = "isPolymorphic")]
    pub is_polymorphic: bool,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Base<'a> {
    #[serde(borrow, rename = "type")]
    pub ty: TypeText<'a>,
    #[serde(rename = "isVirtual")]
    pub is_virtual: bool,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct TypeText<'a> {
    #[serde(borrow)]
    pub qual_type: JsonText<'a>,
    #[serde(borrow)]
    pub desugared_qual_type: JsonText<'a>,
}

impl TypeText<'_> {
    /// Clang removes sugar from the outermost type only.
    pub fn text(&self) -> &str {
        if self.desugared_qual_type.is_empty() { &self.qual_type } else { &self.desugared_qual_type }
    }
}

/// A place in the buffer. Line and file are left out when equal to the place printed before; the offset
/// is always there, and nothing else is needed.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Location {
    pub offset: Option<u32>,
    pub tok_len: u32,
    #[serde(rename = "expansionLoc")]
    pub expansion: Option<Expansion>,
}

#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Expansion {
    pub offset: Option<u32>,
    pub tok_len: u32,
}

impl Location {
    pub fn offset(&self) -> Option<u32> {
        self.offset.or(self.expansion.and_then(|e| e.offset))
    }
    pub fn end(&self) -> Option<u32> {
        match self.expansion {
            Some(e) if self.offset.is_none() => e.offset.map(|o| o + e.tok_len),
            _ => self.offset.map(|o| o + self.tok_len),
        }
    }
}

#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(default)]
pub struct Range {
    pub begin: Location,
    pub end: Location,
}

/// Borrowed where the JSON string has no escapes.
#[derive(Clone, Debug, Default)]
pub struct JsonText<'a>(pub Cow<'a, str>);

impl std::ops::Deref for JsonText<'_> {
    type Target = str;
    fn deref(&self) -> &str {
        &self.0
    }
}

/// Literals are strings, numbers or booleans, by kind.
#[derive(Debug)]
pub enum Value<'a> {
    Text(JsonText<'a>),
    Int(i128),
    Bool(bool),
    Other,
}

impl<'de: 'a, 'a> Deserialize<'de> for JsonText<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct TextVisitor;
        impl<'de> Visitor<'de> for TextVisitor {
            type Value = JsonText<'de>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a string")
            }
            fn visit_borrowed_str<E>(self, v: &'de str) -> Result<Self::Value, E> {
                Ok(JsonText(Cow::Borrowed(v)))
            }
            fn visit_str<E>(self, v: &str) -> Result<Self::Value, E> {
                Ok(JsonText(Cow::Owned(v.to_owned())))
            }
        }
        deserializer.deserialize_str(TextVisitor)
    }
}

impl<'de> Deserialize<'de> for NodeId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = JsonText::deserialize(deserializer)?;
        u64::from_str_radix(text.trim_start_matches("0x"), 16).map(NodeId).map_err(de::Error::custom)
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Value<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct ValueVisitor;
        impl<'de> Visitor<'de> for ValueVisitor {
            type Value = Value<'de>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a literal")
            }
            fn visit_borrowed_str<E>(self, v: &'de str) -> Result<Self::Value, E> {
                Ok(Value::Text(JsonText(Cow::Borrowed(v))))
            }
            fn visit_str<E>(self, v: &str) -> Result<Self::Value, E> {
                Ok(Value::Text(JsonText(Cow::Owned(v.to_owned()))))
            }
            fn visit_i64<E>(self, v: i64) -> Result<Self::Value, E> {
                Ok(Value::Int(v.into()))
            }
            fn visit_u64<E>(self, v: u64) -> Result<Self::Value, E> {
                Ok(Value::Int(v.into()))
            }
            fn visit_bool<E>(self, v: bool) -> Result<Self::Value, E> {
                Ok(Value::Bool(v))
            }
            fn visit_f64<E>(self, _: f64) -> Result<Self::Value, E> {
                Ok(Value::Other)
            }
        }
        deserializer.deserialize_any(ValueVisitor)
    }
}

impl<'a> Node<'a> {
    /// An absent child is printed as `{}`.
    pub fn is_absent(&self) -> bool {
        self.kind.is_empty()
    }
    /// Children that are there.
    pub fn children(&self) -> impl Iterator<Item = &Node<'a>> {
        self.inner.iter().filter(|n| !n.is_absent())
    }
}
