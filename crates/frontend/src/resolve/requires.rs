//! `requires unified_shared_memory` (OpenMP 5.2 §8.2): only the running program knows whether its device shares memory.

use super::{EditedText, requirements};
use std::ops::Range;

pub fn tell(text: &mut EditedText<'_>, line: Range<usize>) -> Result<(), String> {
    let written = text.buffer[line.clone()].to_owned();
    if !requirements(&written).iter().any(|clause| clause == "unified_shared_memory") {
        return Ok(());
    }
    text.needs_prototypes();
    let function = format!("accl_requires_{}", text.buffer.len() - line.start);
    let told = format!(
        "{written}\n__attribute__((constructor)) static void {function}(void) {{ accl_omp_requires_shared_memory(); }}"
    );
    text.replace(line, &told);
    Ok(())
}
