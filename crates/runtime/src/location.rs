//! The location in the user's program that a piece of work belongs to.
//!
//! Constructs bring an `accl_site` from the compiler's tables. Runtime routines such as
//! `acc_copyin` have no table; they get a site of their own with the routine's name and no file.
//! Either way the rest of the runtime sees one type, copied freely. Names of variables come from the
//! same tables.

use accl_abi::Site;
use std::borrow::Cow;
use std::ffi::{CStr, c_char};

/// Where work comes from; borrowed from a constant table of the program or of the runtime.
#[derive(Clone, Copy)]
pub struct SourceLocation(pub &'static Site);

/// A variable's name, as in a clause; it is read only where it is shown.
#[derive(Clone, Copy)]
pub struct Name(pub *const c_char);

/// Without a section: `a` for `a[0:n]`.
impl std::fmt::Display for Name {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // SAFETY: names are constants of the program.
        let text = unsafe { accl_abi::text(self.0) };
        f.write_str(text.split('[').next().unwrap_or_default())
    }
}

/// A site for a runtime routine.
pub const fn routine(name: &'static CStr) -> Site {
    Site { file: std::ptr::null(), function: name.as_ptr(), directive: name.as_ptr(), line: 0, end_line: 0 }
}

impl SourceLocation {
    /// # Safety
    /// `site` is null or a constant table of the program.
    pub unsafe fn new(site: *const Site) -> SourceLocation {
        static NOWHERE: Site = routine(c"?");
        // SAFETY: the caller's promise; tables live as long as the program.
        SourceLocation(unsafe { site.as_ref() }.unwrap_or(&NOWHERE))
    }

    pub fn file(self) -> Cow<'static, str> {
        // SAFETY: strings of a constant table.
        unsafe { accl_abi::text(self.0.file) }
    }

    pub fn function(self) -> Cow<'static, str> {
        // SAFETY: strings of a constant table.
        unsafe { accl_abi::text(self.0.function) }
    }

    pub fn directive(self) -> Cow<'static, str> {
        // SAFETY: strings of a constant table.
        unsafe { accl_abi::text(self.0.directive) }
    }

    /// `file.c:12: parallel loop (in main)`, or the routine's name.
    pub fn describe(self, line: i32) -> String {
        if self.0.file.is_null() {
            return format!("in a call of {}", self.function());
        }
        let line = if line > 0 { line } else { self.0.line };
        let mut text = format!("{}:{}: {}", self.file(), line, self.directive());
        if !self.function().is_empty() {
            text += &format!(" (in {})", self.function());
        }
        text
    }
}
