//! The parts of a CUDA text: what its kernels share, and each variant of a kernel.
//!
//! The compiler writes a comment line before each variant; what stands before the first of them (structures, device functions,
//! helpers) is shared and has no variables. So a part, the shared text and one variant, compiles by itself, and the runtime
//! compiles what is launched first, and several parts side by side.

/// How the line before a variant begins; the variant's rank and its symbol follow.
const MARK: &str = "//accl:variant ";

/// Parts of this rank and above are compiled when their module is first used, those below it before that.
pub const ON_DEMAND: u32 = 1000;

/// The text of a module's kernels.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parts<'t> {
    pub shared: &'t str,
    pub variants: Vec<Part<'t>>,
}

/// One variant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part<'t> {
    /// Its position among the variants of its kernel, best first; from [`ON_DEMAND`] where it is seldom needed.
    pub rank: u32,
    pub symbol: &'t str,
    pub text: &'t str,
}

/// The line before a variant.
pub fn mark(rank: u32, symbol: &str) -> String {
    format!("{MARK}{rank} {symbol}\n")
}

/// The parts of a text; `None` where it has no marks or one that cannot be read: it is compiled as a whole.
pub fn split(source: &str) -> Option<Parts<'_>> {
    let starts: Vec<usize> = line_starts(source).filter(|start| source[*start..].starts_with(MARK)).collect();
    let ends = starts.iter().skip(1).copied().chain([source.len()]);
    let variants = starts.iter().zip(ends).map(|(start, end)| part(&source[*start..end]));
    let variants = variants.collect::<Option<Vec<_>>>()?;
    Some(Parts { shared: &source[..*starts.first()?], variants })
}

fn line_starts(source: &str) -> impl Iterator<Item = usize> + '_ {
    std::iter::once(0).chain(source.match_indices('\n').map(|(at, _)| at + 1))
}

fn part(text: &str) -> Option<Part<'_>> {
    let line = text.strip_prefix(MARK)?.lines().next()?;
    let (rank, symbol) = line.split_once(' ')?;
    Some(Part { rank: rank.parse().ok()?, symbol, text })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text() -> String {
        let shared = "static __device__ int f(void)\n{\n    return 1;\n}\n\n";
        format!("{shared}{}kernel a\n\n{}kernel b\n", mark(0, "a_7"), mark(ON_DEMAND + 1, "a_7_plain"))
    }

    #[test]
    fn a_text_is_its_shared_text_and_its_variants_in_order() {
        let text = text();
        let parts = split(&text).unwrap();
        assert!(parts.shared.ends_with("}\n\n"));
        let named: Vec<_> = parts.variants.iter().map(|p| (p.rank, p.symbol)).collect();
        assert_eq!(named, [(0, "a_7"), (ON_DEMAND + 1, "a_7_plain")]);
        assert!(parts.variants[0].text.ends_with("kernel a\n\n"));
        assert!(parts.variants[1].text.ends_with("kernel b\n"));
        let joined: String = parts.variants.iter().map(|p| p.text).collect();
        assert_eq!(format!("{}{joined}", parts.shared), text);
    }

    #[test]
    fn a_text_may_begin_with_a_variant() {
        let text = mark(0, "a");
        assert_eq!(split(&text).unwrap().shared, "");
    }

    #[test]
    fn marks_stand_at_the_start_of_a_line() {
        assert_eq!(split("int a; //accl:variant 0 a\n"), None);
        assert_eq!(split(""), None);
        assert_eq!(split("__global__ void a()\n{\n}\n"), None);
    }

    #[test]
    fn marks_that_cannot_be_read_leave_the_text_whole() {
        assert_eq!(split(&format!("{}//accl:variant x b\n", mark(0, "a"))), None);
        assert_eq!(split("//accl:variant 0\n"), None);
    }
}
