//! What every pass is given: the options, the analyses, and where to report messages.

use crate::Options;
use crate::map::space::KernelSpace;
use accl_analysis::analyses::Analyses;
use accl_source::codes::remarks;
use accl_source::{Diagnostic, Remark, RemarkKind, Span};

pub struct Context<'a> {
    pub options: &'a Options<'a>,
    pub diagnostics: &'a mut Vec<Diagnostic>,
    pub remarks: &'a mut Vec<Remark>,
    /// What is known about the module's constructs.
    pub analyses: Analyses,
    /// The schedules that each kernel can have, where the options ask for them.
    pub spaces: Vec<KernelSpace>,
}

impl<'a> Context<'a> {
    pub fn new(
        options: &'a Options<'a>,
        diagnostics: &'a mut Vec<Diagnostic>,
        remarks: &'a mut Vec<Remark>,
    ) -> Context<'a> {
        Context { options, diagnostics, remarks, analyses: Analyses::default(), spaces: vec![] }
    }

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
