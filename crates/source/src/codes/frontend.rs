//! Codes of the front end; see the parent module for how to add one.

codes! {
    NOT_IMPLEMENTED = "ACCL0201", "not implemented yet",
        "The directive or clause is valid and was understood, but this version of the compiler does not act on it. It is refused rather than ignored, because the program might give other results than it says.";
}
