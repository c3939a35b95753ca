//! Renderers: pure functions from diagnostics or remarks to a string.
//!
//! | | people | tools |
//! |---|---|---|
//! | diagnostics | [`text`] | [`json`], [`sarif`] |
//! | remarks | [`minfo`], [`explain`] | [`json`], [`sarif`] |
//!
//! They do not print or ask whether there is a terminal: the driver passes [`Options`].

pub mod explain;
pub mod json;
pub mod minfo;
pub mod sarif;
pub mod text;

/// How text is rendered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// ANSI colours.
    pub color: bool,
    /// Columns of the terminal.
    pub width: usize,
    /// Whether remarks end in `[ACCL-R0004]`.
    pub ids: bool,
}

impl Default for Options {
    fn default() -> Self {
        Options { color: false, width: 120, ids: true }
    }
}
