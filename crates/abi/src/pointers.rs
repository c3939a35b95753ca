//! Where pointers lie in memory that kernels follow (`accl_var::pointers`), as numbers of the host's layout.
//!
//! The text of a `float **` is `8:0`: elements of 8 bytes, with a pointer to data at byte 0. That of an array of
//! `struct { int n; double *u; struct block *next; }` is `24:8,16>0`: behind the pointer at 16 lie elements of type 0, which is
//! this one. Types are separated by semicolons; the first is that of the variable's own elements.
//!
//! Invariant: types that a pointer names are there.

use std::fmt;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PointerTypes(pub Vec<PointerType>);

/// An element with pointers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PointerType {
    pub size: usize,
    pub pointers: Vec<PointerAt>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PointerAt {
    /// Bytes from the start of the element.
    pub offset: usize,
    /// The type of the elements that it leads to; `None` for data without pointers that are followed.
    pub to: Option<usize>,
}

impl PointerTypes {
    /// Each pointer in an element leads to data.
    pub fn lead_to_data(&self) -> bool {
        matches!(&self.0[..], [PointerType { pointers, .. }] if pointers.iter().all(|pointer| pointer.to.is_none()))
    }

    /// The same seen from another type, which is the first then. The others follow in the order in which pointers lead to them.
    pub fn from(&self, first: usize) -> PointerTypes {
        let (mut order, mut todo) = (vec![], vec![first]);
        while let Some(number) = todo.pop() {
            if !order.contains(&number) {
                order.push(number);
                todo.extend(self.0[number].pointers.iter().rev().filter_map(|pointer| pointer.to));
            }
        }
        let place = |to: usize| order.iter().position(|number| *number == to);
        let pointer = |of: &PointerAt| PointerAt { to: of.to.and_then(place), ..*of };
        let types = order.iter().map(|number| &self.0[*number]);
        let types = types
            .map(|of| PointerType { size: of.size, pointers: of.pointers.iter().map(pointer).collect() });
        PointerTypes(types.collect())
    }

    /// `None`: the text is not one of these.
    pub fn parse(text: &str) -> Option<PointerTypes> {
        let types = text.split(';').map(PointerType::parse).collect::<Option<Vec<_>>>()?;
        let mut all = types.iter().flat_map(|of| &of.pointers);
        let fits = all.all(|pointer| pointer.to.is_none_or(|to| to < types.len()));
        fits.then_some(PointerTypes(types))
    }
}

impl PointerType {
    fn parse(text: &str) -> Option<PointerType> {
        let (size, pointers) = text.split_once(':')?;
        let pointer = |text: &str| {
            let (offset, to) = match text.split_once('>') {
                Some((offset, to)) => (offset, Some(to.parse().ok()?)),
                None => (text, None),
            };
            Some(PointerAt { offset: offset.parse().ok()?, to })
        };
        let pointers = pointers.split(',').map(pointer).collect::<Option<Vec<_>>>()?;
        let size = size.parse().ok().filter(|size| *size > 0)?;
        Some(PointerType { size, pointers })
    }
}

impl fmt::Display for PointerTypes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, of) in self.0.iter().enumerate() {
            write!(f, "{}{}:", if number > 0 { ";" } else { "" }, of.size)?;
            for (at, pointer) in of.pointers.iter().enumerate() {
                write!(f, "{}{}", if at > 0 { "," } else { "" }, pointer.offset)?;
                pointer.to.map_or(Ok(()), |to| write!(f, ">{to}"))?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_have_one_text_wherever_they_are_seen_from() {
        let types = PointerTypes::parse("16:8>1;24:0>2,8>0,16;8:0").unwrap_or_default();
        assert_eq!(types.from(0), types);
        assert_eq!(types.from(1).to_string(), "24:0>1,8>2,16;8:0;16:8>0");
        assert_eq!(types.from(2).to_string(), "8:0");
    }

    #[test]
    fn texts_are_read_as_they_are_written() {
        for text in ["8:0", "8:0>1;8:0", "24:8,16>0", "40:0,8>1;16:8>0"] {
            assert_eq!(PointerTypes::parse(text).map(|types| types.to_string()).as_deref(), Some(text));
        }
        for text in ["", "8", "8:", "8:0>1", "0:0", "8:x"] {
            assert_eq!(PointerTypes::parse(text), None);
        }
    }
}
