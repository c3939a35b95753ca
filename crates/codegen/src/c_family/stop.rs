//! What kernels print, and how they end the program.
//!
//! OpenCL C has no way to end a program. A kernel that may do so has one more parameter there, [`FLAG`], and so
//! have the functions that it calls. The code that asks for the end sets the flag and returns, and its callers
//! return too. The runtime reads the flag after the kernel. Where threads of a block wait for each other, none may
//! leave before the others, so such kernels run to their end.

use super::expr::Prec;
use super::stmt::StmtWriter;
use super::unit::DeviceSource;
use crate::Result;
use accl_ir::calls::reaches;
use accl_ir::{Block, Body, Expr, Function, Handle, Stmt, TypeKind, visit};
use accl_source::Span;

/// The parameter that tells the runtime to end the program.
pub const FLAG: &str = "accl_stopped";

/// Where the program ends, and why.
pub struct Stop<'t> {
    pub file: &'t str,
    pub line: u32,
    pub function: &'t str,
    /// The assertion that fails, or the call of `exit`; none for `abort()`.
    pub assertion: Option<&'t str>,
}

impl Stop<'_> {
    /// What `exit` is given.
    pub fn status(&self) -> Option<&str> {
        self.assertion?.strip_prefix("exit(")?.strip_suffix(')')
    }

    /// The message as the C library words it.
    pub fn message(&self) -> String {
        let Stop { file, line, function, assertion } = self;
        match assertion {
            Some(text) => format!("{file}:{line}: {function}: Assertion `{text}' failed."),
            None => format!("{file}:{line}: {function}: abort() was called."),
        }
    }
}

/// A string literal, the same in all languages of the family.
pub fn literal(text: &str) -> String {
    let escaped = text.bytes().map(|byte| match byte {
        b'"' => "\\\"".to_owned(),
        b'\\' => "\\\\".to_owned(),
        b'\n' => "\\n".to_owned(),
        b' '..=b'~' => char::from(byte).to_string(),
        _ => format!("\\{byte:03o}"),
    });
    format!("\"{}\"", escaped.collect::<String>())
}

/// The statement that prints `text` unchanged.
pub fn print_text(text: &str) -> String {
    format!("printf({});", literal(&text.replace('%', "%%")))
}

/// Whether the block, or a function that it calls, may end the program.
pub fn may_stop(unit: &DeviceSource, body: &Body, block: &Block) -> bool {
    reaches(unit.module, body, block, |stmt| matches!(stmt, Stmt::Stop { .. }))
}

/// Whether calls of the function pass on [`FLAG`].
pub fn takes_flag(unit: &DeviceSource, function: &Function) -> bool {
    unit.dialect.stop_flag().is_some()
        && function.body.as_ref().is_some_and(|body| may_stop(unit, body, &body.block))
}

/// Threads of a block wait for each other in the kernel.
fn waits_for_others(block: &Block) -> bool {
    let mut waits = false;
    visit::for_each_stmt(block, &mut |node| {
        waits |= matches!(&node.kind, Stmt::Barrier(_) | Stmt::ReduceAcross { .. } | Stmt::ReduceGrid { .. });
    });
    waits
}

impl StmtWriter<'_, '_, '_> {
    pub(super) fn print(&mut self, format: &str, args: &[Handle<Expr>]) -> Result<()> {
        self.body.unit.note(|n| n.prints = true);
        let mut all = vec![literal(format)];
        for arg in args {
            all.push(self.body.exact(*arg)?.at(Prec::Assign));
        }
        self.simple(&format!("printf({});", all.join(", ")))
    }

    pub(super) fn stop(&mut self, assertion: Option<&str>, span: Span) -> Result<()> {
        let unit = self.body.unit;
        let at = unit.options.lines.filter(|_| !span.is_nowhere()).map(|lines| lines.locate(span.start));
        let function = match self.body.function {
            Some(function) => &function.name,
            None => self.kernel.map_or("", |text| &text.kernel.site.function),
        };
        let (file, line) = at.map_or(("", 0), |at| (at.file, at.line));
        unit.note(|n| n.stops = true);
        for text in unit.dialect.stop(&Stop { file, line, function, assertion }, unit, span)? {
            self.out.line(&text);
        }
        self.leave()
    }

    /// Where the program continues: the code after a call that may have asked for the end.
    pub(super) fn leave_if_stopped(&mut self, function: Handle<Function>) -> Result<()> {
        let unit = self.body.unit;
        if !takes_flag(unit, &unit.module.functions[function]) || !self.may_leave() {
            return Ok(());
        }
        self.out.line(&format!("if (*{FLAG})"));
        self.out.indent();
        self.leave()?;
        self.out.dedent();
        Ok(())
    }

    fn may_leave(&self) -> bool {
        let variant = self.kernel.and_then(|text| text.variant);
        !variant.is_some_and(|variant| waits_for_others(&variant.body.block))
    }

    fn leave(&mut self) -> Result<()> {
        let unit = self.body.unit;
        if unit.dialect.stop_flag().is_none() || !self.may_leave() {
            return Ok(());
        }
        let result = self.body.function.map(|f| f.result);
        let value = match result.map(|ty| (ty, unit.module.types.kind(ty))) {
            None | Some((_, TypeKind::Void)) => String::new(),
            Some((ty, TypeKind::Struct(_))) => {
                format!(" ({}){{0}}", self.body.declarator(Span::NOWHERE).declare(ty, "")?.trim_end())
            }
            Some(_) => " 0".to_owned(),
        };
        self.simple(&format!("return{value};"))
    }
}
