//! Codes of the code generators; see the parent module for how to add one.

codes! {}
