//! What every pass is given: the options, and where messages go.

use crate::Options;
use accl_source::codes::remarks;
use accl_source::{Diagnostic, Remark, RemarkKind, Span};

pub struct Context<'a> {
    pub options: &'a Options<'a>,
    pub diagnostics: &'a mut Vec<Diagnostic>,
    pub remarks: &'a mut Vec<Remark>,
}

impl Context<'_> {
    /// A decision about data.
    pub fn data(&mut self, function: &str, span: Span, implicit: bool, message: String) {
        let id = if implicit { remarks::IMPLICIT_DATA } else { remarks::DATA_MOVEMENT };
        self.remark(Remark::new(id, RemarkKind::DataMovement, function, span, message));
    }

    pub fn remark(&mut self, remark: Remark) {
        if !self.remarks.contains(&remark) {
            self.remarks.push(remark);
        }
    }
}
