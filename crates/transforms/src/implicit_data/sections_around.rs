//! Sections of constructs around a construct, which its subscripts may mean, and sections of its own that belong to the same variables.

use super::{Items, present};
use crate::sections;
use accl_analysis::data::Variable;
use accl_analysis::section;
use accl_ir::DataItem;

impl Items<'_, '_> {
    /// The construct's own sections, by position, of variables that it also uses in sections of constructs around it.
    pub(super) fn reaching_out(&self) -> Vec<usize> {
        let own = &self.region.clauses.data;
        let reaches = |v: &&Variable| {
            let around = self.of_variable(&self.site.around.visible, v);
            let sections = [&around[..], &self.of_variable(own, v)[..]].concat();
            !around.is_empty()
                && sections.iter().all(|item| !item.section.is_empty() && item.compression.is_none())
                && section::of_pointer(self.summary, v).is_some()
                && sections::used(self.summary, v, &sections).is_none()
        };
        let reaching: Vec<&Variable> = self.summary.variables.iter().filter(reaches).collect();
        let position = |item: &DataItem| reaching.iter().any(|v| self.is_of(item, v));
        own.iter().enumerate().filter(|(_, item)| position(item)).map(|(at, _)| at).collect()
    }

    pub(super) fn visible_item(&mut self, v: &Variable) -> Option<DataItem> {
        let visible = &self.site.around.visible;
        let at = visible.iter().rposition(|item| self.is_of(item, v))?;
        // Of constructs inside each other, too, the subscripts tell which one's section is meant.
        if let Some(item) = sections::used(self.summary, v, &self.of_variable(visible, v)) {
            return Some(item.clone());
        }
        let others = self.of_variable(self.site.beside(at), v);
        if let Some(item) = others.iter().find(|item| item.compression.is_some()) {
            self.cx.diagnostics.push(sections::not_told(&self.name(v), v.span, &others));
            return Some((*item).clone());
        }
        let mut all = others.into_iter().cloned().map(|mut item| {
            item.flags.one_place = true;
            item
        });
        let first = all.next();
        self.more.extend(all.map(present));
        first
    }

    fn of_variable<'i>(&self, items: &'i [DataItem], v: &Variable) -> Vec<&'i DataItem> {
        items.iter().filter(|item| self.is_of(item, v)).collect()
    }
}
