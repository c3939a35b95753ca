//! `begin assumes` and `end assumes` (OpenMP 5.2 §8.3): what they promise changes no result.

use super::EditedText;
use std::ops::Range;

pub fn drop(text: &mut EditedText<'_>, line: Range<usize>) -> Result<(), String> {
    text.replace(line, "");
    Ok(())
}
