//! Codes of the runtime; see the parent module for how to add one.

codes! {}
