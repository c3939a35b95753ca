//! Codes of the transforms; see the parent module for how to add one.

codes! {}
