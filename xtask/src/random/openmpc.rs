//! Plain OpenMP whose host has loops between launches (`-fopenmpc`): the loops of [`loops`](super::loops), which no directive names,
//! after loops that threads share.

use super::loops;

/// Its functions are called by their names, from a loop that gives the arrays to the device.
pub fn host_loops(seed: u64) -> String {
    let program = if seed % 3 == 2 { loops::overlapping(seed) } else { loops::program(seed) };
    let mut made = String::new();
    for line in program.lines() {
        let (code, blanks) = (line.trim_start(), &line[..line.len() - line.trim_start().len()]);
        if code.starts_with("#pragma acc") {
            continue;
        }
        // The only loops of `main` over elements that print nothing.
        if code.starts_with("for (int i = 0; i < ") && code.ends_with('{') {
            made += "#pragma omp parallel for\n";
        }
        match code.strip_prefix("f[k](") {
            Some(arguments) => {
                for k in 0..loops::FUNCTIONS {
                    made += &format!("{blanks}if (k == {k}) f{k}({arguments}\n");
                }
            }
            None => made += &format!("{line}\n"),
        }
    }
    made
}
