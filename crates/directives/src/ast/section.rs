//! Variables and array sections, the entries of a clause's list (OpenACC 3.3 §2.7.1).

use super::expr::{CExpr, Ident};
use accl_source::Span;
use std::fmt;

/// `a`, `s.p[0:n]`, `v[i].c[:m]`, `this->x`, `*p`.
#[derive(Clone, Debug, PartialEq)]
pub struct Section {
    pub base: Lvalue,
    /// Empty for a whole variable. All brackets after the last member belong here.
    pub dims: Vec<SectionDim>,
    /// OpenMP's `([n][m])p` (5.2 §4.1.5): what the pointer is said to point to. Empty nearly always.
    pub shape: Vec<CExpr>,
    pub span: Span,
}

/// The variable of a section, or of a clause entry without one.
#[derive(Clone, Debug, PartialEq)]
pub struct Lvalue {
    /// The stars of `*this`; 0 nearly always.
    pub derefs: u32,
    /// The variable at the root, `this` included.
    pub root: Ident,
    /// `.p`, `->q`, and the `[i]` between them.
    pub path: Vec<PathStep>,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub enum PathStep {
    Member { arrow: bool, name: Ident },
    Index(CExpr),
}

/// One bracket.
#[derive(Clone, Debug, PartialEq)]
pub struct SectionDim {
    pub lower: Option<CExpr>,
    pub length: Option<CExpr>,
    /// `[i]`: the single element `lower`; `length` is `None`.
    pub is_index: bool,
    /// From one element to the next, in OpenMP.
    pub stride: Option<CExpr>,
    /// `min:max` of a compressed array, in the last dimension only (extension).
    pub range: Option<(CExpr, CExpr)>,
    pub span: Span,
}

impl Section {
    /// A whole variable, named at `span`.
    pub fn variable(name: &str, span: Span) -> Section {
        let root = Ident { name: name.to_owned(), span };
        Section { base: Lvalue { derefs: 0, root, path: vec![], span }, dims: vec![], shape: vec![], span }
    }

    /// `this->a` by the member's name alone, as it is before `this->a.b` and the like.
    pub fn of_this(mut self) -> Section {
        if let [PathStep::Member { arrow: true, name }] = self.base.path.as_slice()
            && (self.base.derefs, self.base.root.name.as_str()) == (0, "this")
        {
            self.base.root = name.clone();
            self.base.path.clear();
        }
        self
    }

    /// The variable at the root.
    pub fn root(&self) -> &Ident {
        &self.base.root
    }

    /// The lone variable's name: no members, no dereference. Dimensions do not matter.
    pub fn as_variable(&self) -> Option<&str> {
        (self.base.derefs == 0 && self.base.path.is_empty()).then_some(self.base.root.name.as_str())
    }

    /// Whether it names a whole variable: no brackets.
    pub fn is_whole(&self) -> bool {
        self.dims.is_empty()
    }

    /// Every expression in it, left to right (indices, bounds, lengths, ranges).
    pub fn exprs(&self) -> Vec<&CExpr> {
        let indices = self.base.path.iter().filter_map(|step| match step {
            PathStep::Index(index) => Some(index),
            PathStep::Member { .. } => None,
        });
        indices.chain(self.dims.iter().flat_map(SectionDim::exprs)).collect()
    }

    /// Every use of a name: the root, then those in the expressions.
    pub fn identifiers(&self) -> Vec<(&str, Span)> {
        let root = (self.base.root.name.as_str(), self.base.root.span);
        std::iter::once(root).chain(self.exprs().into_iter().flat_map(CExpr::identifiers)).collect()
    }

    /// The `min:max` of a compressed array, if written.
    pub fn range(&self) -> Option<&(CExpr, CExpr)> {
        self.dims.last().and_then(|dim| dim.range.as_ref())
    }
}

impl SectionDim {
    pub fn exprs(&self) -> Vec<&CExpr> {
        let range = self.range.iter().flat_map(|(min, max)| [min, max]);
        self.lower.iter().chain(&self.length).chain(range).collect()
    }
}

impl fmt::Display for Lvalue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (0..self.derefs).try_for_each(|_| f.write_str("*"))?;
        f.write_str(&self.root.name)?;
        self.path.iter().try_for_each(|step| match step {
            PathStep::Member { arrow, name } => write!(f, "{}{}", if *arrow { "->" } else { "." }, name.name),
            PathStep::Index(index) => write!(f, "[{index}]"),
        })
    }
}

impl fmt::Display for SectionDim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = |e: &Option<CExpr>| e.as_ref().map_or(String::new(), CExpr::to_string);
        match (&self.range, self.is_index) {
            (Some((min, max)), _) => {
                write!(f, "[{} : {} : {min} : {max}]", text(&self.lower), text(&self.length))
            }
            (None, true) => write!(f, "[{}]", text(&self.lower)),
            (None, false) => write!(f, "[{}:{}]", text(&self.lower), text(&self.length)),
        }
    }
}

impl fmt::Display for Section {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.base)?;
        self.dims.iter().try_for_each(|dim| write!(f, "{dim}"))
    }
}
