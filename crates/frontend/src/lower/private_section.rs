//! `private(p[a:n])` and `firstprivate(p[a:n])` of a pointer: what it points to is private, and only the launch
//! knows its length (OpenACC 3.3 §2.5.13, §2.5.14).
//!
//! The construct gets memory of its own in place of the host's, as one more data item. The transforms have to prove
//! that its iterations can share that memory. A short section that a loop's directive names is a local of the loop's body instead. A section of an array counts as the whole array, no more of which is
//! private.

use super::Lowered;
use super::function::{Binding, Fun, Variable};
use super::scope::Named;
use crate::ast::{DeclId, Qual, Ty};
use accl_directives::{ClauseKind, Directive, Section};
use accl_ir::{DataFlags, DataItem, DataKind, LocalKind, Stmt};
use accl_source::{Diagnostic, codes::frontend as codes};

/// Bytes of one thread's copy.
const MOST_OF_A_THREAD: u64 = 8 << 10;

impl Fun<'_, '_> {
    pub fn is_private_section(&mut self, section: &Section) -> bool {
        let of_pointer = |ty: &Ty| matches!(ty, Ty::Pointer { .. });
        let in_routine = self.device && self.construct.is_nowhere();
        let name = section.as_variable().filter(|_| !section.is_whole() && !in_routine);
        name.is_some_and(|name| self.named_type(name).is_some_and(|ty| of_pointer(&ty.ty)))
    }

    /// A section of a pointer that fits into what a thread, or a gang, has for itself: its elements' type, and how many they are.
    fn small_section(&mut self, section: &Section) -> Option<(Qual, u64)> {
        let [dim] = &section.dims[..] else { return None };
        let count = match (&dim.length, dim.is_index) {
            (Some(length), _) => self.constant(length).and_then(|n| u64::try_from(n).ok())?,
            (None, true) => 1,
            (None, false) => return None,
        };
        let ty = self.named_type(section.as_variable()?)?;
        let Ty::Pointer { to, .. } = &*ty.ty else { return None };
        let element = self.ty(to);
        let bytes = self.cx.module.types.size_of(element)?.checked_mul(count)?;
        ((1..=MOST_OF_A_THREAD).contains(&bytes) && self.cx.is_copied_by_bytes(to))
            .then(|| (to.clone(), count))
    }

    /// The directive of a loop without the private sections of which each iteration has a local copy, and these.
    pub fn without_small_sections(&mut self, d: &Directive) -> (Directive, Vec<Section>) {
        let (mut rest, mut small) = (d.clone(), vec![]);
        if d.clauses.iter().any(|c| matches!(c.kind, ClauseKind::Tile(_))) {
            return (rest, small);
        }
        for clause in &mut rest.clauses {
            let ClauseKind::Private(sections) = &mut clause.kind else { continue };
            sections.retain(|section| {
                let is_small = self.small_section(section).is_some();
                small.extend(is_small.then(|| section.clone()));
                !is_small
            });
        }
        rest.clauses.retain(|c| !matches!(&c.kind, ClauseKind::Private(sections) if sections.is_empty()));
        (rest, small)
    }

    /// Declares the copy of a section, and a pointer to it, which has the pointer's name from here on.
    pub fn own_section(&mut self, id: DeclId, original: &Variable, section: &Section) -> Lowered<bool> {
        let Some((element, count)) = self.small_section(section) else { return Ok(false) };
        let span = section.span;
        let name = section.base.root.name.clone();
        let element = self.ty(&element);
        let ty = self.cx.module.types.array(element, count);
        let array = self.local(&format!("own_{name}"), ty, LocalKind::Auto, span);
        self.emit(Stmt::Declare { local: array, init: None }, span);
        let of = original.ty.referred().clone();
        let lower = section.dims.first().and_then(|dim| dim.lower.clone());
        let pointer = self.pointer_before(array, &of, lower.as_ref(), &name, span)?;
        self.vars.insert(id, Variable { binding: Binding::Local(pointer), ty: of, ..original.clone() });
        Ok(true)
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
