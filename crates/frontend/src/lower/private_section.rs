//! `private(p[a:n])` and `firstprivate(p[a:n])` of a pointer: what it points to is private, and only the launch
//! knows its length (OpenACC 3.3 §2.5.13, §2.5.14).
//!
//! The construct gets memory of its own in place of the host's, as one more data item. The transforms have to prove
//! that its iterations can share that memory. A section of an array counts as the whole array, no more of which is
//! private.

use super::Lowered;
use super::function::Fun;
use super::scope::Named;
use crate::ast::{Qual, Ty};
use accl_directives::Section;
use accl_ir::{DataFlags, DataItem, DataKind};
use accl_source::{Diagnostic, codes::frontend as codes};

impl Fun<'_, '_> {
    pub fn is_private_section(&mut self, section: &Section) -> bool {
        let of_pointer = |ty: &Ty| matches!(ty, Ty::Pointer { .. });
        let in_routine = self.device && self.construct.is_nowhere();
        let name = section.as_variable().filter(|_| !section.is_whole() && !in_routine);
        name.is_some_and(|name| self.named_type(name).is_some_and(|ty| of_pointer(&ty.ty)))
    }

    pub fn is_array(&mut self, name: &str) -> bool {
        self.named_type(name).is_some_and(|ty| matches!(*ty.ty, Ty::Array { .. }))
    }

    fn named_type(&mut self, name: &str) -> Option<Qual> {
        match self.lookup(name) {
            Some(Named::Variable(_, variable)) => Some(variable.ty),
            _ => None,
        }
    }

    pub fn private_section(&mut self, section: &Section, clause: &str) -> Lowered<()> {
        let kind = if clause == "firstprivate" { DataKind::Copyin } else { DataKind::Create };
        let item = self.data_item(kind, DataFlags { private: true, ..DataFlags::default() }, section)?;
        let same = |other: &DataItem| {
            (other.kind, &other.var, &other.section) == (item.kind, &item.var, &item.section)
        };
        match self.private_sections.iter().find(|other| other.var == item.var) {
            None => self.private_sections.push(item),
            Some(other) if same(other) => {}
            Some(other) => {
                let message = format!("`{}` and `{}` are private in one construct", other.name, item.name);
                let diagnostic = Diagnostic::error(codes::BAD_CLAUSE_VARIABLE, message)
                    .label(section.span, "here")
                    .label(other.span, "and here")
                    .with_help("name the same section in all private clauses of the construct");
                return Err(Box::new(diagnostic));
            }
        }
        Ok(())
    }
}
