//! `#pragma cuda …`, OpenMPC's own directives (Lee and Eigenmann 2012, tables 2 to 4): what of them is followed.

use accl_source::{Diagnostic, FileId, Span, codes};

/// The words behind `#pragma cuda`.
fn words(line: &str) -> Option<&str> {
    let rest = line.trim().strip_prefix('#')?.trim_start().strip_prefix("pragma")?;
    let rest = rest.trim_start().strip_prefix("cuda")?;
    rest.starts_with(char::is_whitespace).then(|| rest.trim())
}

fn is_for_cpu(words: &str) -> bool {
    let name = words.split(|c: char| !c.is_alphanumeric()).next();
    matches!(name, Some("cpurun" | "nogpurun"))
}

/// The lines before the directive at a place give its region to the CPU.
pub fn asks_for_cpu(buffer: &str, start: u32) -> bool {
    let before = buffer[..start as usize].lines().rev();
    let mut before = before.map(str::trim).filter(|line| !line.is_empty() && !is_line_marker(line));
    before.by_ref().map_while(words).any(is_for_cpu)
}

/// `# 12 "file.c"`, of the preprocessor.
fn is_line_marker(line: &str) -> bool {
    line.strip_prefix('#').is_some_and(|rest| rest.trim_start().starts_with(|c: char| c.is_ascii_digit()))
}

/// A warning for each directive that says more than that.
pub fn not_followed(buffer: &str, file: FileId) -> Vec<Diagnostic> {
    let mut found = vec![];
    let mut offset = 0;
    for line in buffer.split_inclusive('\n') {
        let start = offset + (line.len() - line.trim_start().len());
        offset += line.len();
        if words(line).is_none_or(is_for_cpu) {
            continue;
        }
        let span = Span::new(file, start as u32, (start + line.trim().len()) as u32);
        found.push(
            Diagnostic::warning(codes::frontend::CUDA_PRAGMA, "this directive of OpenMPC is not followed")
                .label(span, "of `#pragma cuda` only `cpurun` and `nogpurun` are"),
        );
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_directive_stands_right_before_its_region() {
        let asks = |text: &str| asks_for_cpu(text, text.find("#pragma omp").unwrap() as u32);
        assert!(asks("int n;\n#pragma cuda cpurun\n#pragma omp parallel\n"));
        assert!(asks("#pragma cuda nogpurun\n# 7 \"a.c\"\n\n  #pragma omp parallel\n"));
        assert!(!asks("#pragma cuda gpurun noreductionunroll(s)\n#pragma omp parallel\n"));
        assert!(!asks("#pragma cuda cpurun\nf();\n#pragma omp parallel\n"));
        assert!(!asks("#pragma cudart cpurun\n#pragma omp parallel\n"));
    }
}
