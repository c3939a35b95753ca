//! Codes of the tuner; see the parent module for how to add one.

codes! {}
