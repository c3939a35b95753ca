//! Codes of the analyses; see the parent module for how to add one.

codes! {}
