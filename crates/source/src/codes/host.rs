//! Codes of the host rewriter; see the parent module for how to add one.

codes! {}
