//! `cargo xtask book`: the documents as one book, in `target/book`; and whether their links lead anywhere.
//!
//! mdBook is a tool beside the workspace, installed into the toolchain at the first use.

use crate::{paths, run};
use anyhow::{Result, bail};
use std::path::{Path, PathBuf};
use std::process::Command;

const VERSION: &str = "0.5.4";

pub fn run() -> Result<()> {
    let wrong = dead_links();
    if !wrong.is_empty() {
        bail!("these links lead nowhere:\n{}", wrong.join("\n"));
    }
    let to = paths::target("book");
    let docs = paths::root().join("docs");
    run::show(Command::new(mdbook()?).arg("build").arg(docs).arg("--dest-dir").arg(&to))?;
    println!("written: {}", to.join("index.html").display());
    Ok(())
}

fn mdbook() -> Result<PathBuf> {
    let root = paths::toolchain().join(format!("mdbook-{VERSION}"));
    let program = root.join("bin/mdbook");
    if !program.is_file() {
        println!("book: installing mdbook {VERSION} into {}", root.display());
        let words =
            ["install", "mdbook", "--quiet", "--locked", "--version", VERSION, "--no-default-features"];
        run::show(run::cargo(&words).args(["--features", "search", "--root"]).arg(&root))?;
    }
    Ok(program)
}

/// The pages whose links are looked at: all of `docs`, and those that people meet first.
fn pages() -> Vec<PathBuf> {
    let root = paths::root();
    let docs = ["docs", "docs/reference"].map(|dir| paths::files_in(&root.join(dir), &["md"]));
    let first = ["README.md", "bench/README.md", "tests/conformance/README.md"].map(|file| root.join(file));
    docs.into_iter().flatten().chain(first).collect()
}

/// Links to files or headings that there are not, each with its page.
fn dead_links() -> Vec<String> {
    let of_page = |page: PathBuf| {
        let text = std::fs::read_to_string(&page).unwrap_or_default();
        let dead = links(&text).into_iter().filter(|link| !leads_somewhere(&page, link));
        dead.map(|link| format!("{}: {link}", page.display())).collect::<Vec<_>>()
    };
    pages().into_iter().flat_map(of_page).collect()
}

/// The targets of `[…](target)` outside of code; `\[` begins none.
fn links(text: &str) -> Vec<String> {
    let outside = |text: &str, fence: &str| text.split(fence).step_by(2).collect::<Vec<_>>().join(" ");
    let text = outside(&outside(text, "```"), "`");
    let parts: Vec<&str> = text.split("](").collect();
    let mut found = vec![];
    for pair in parts.windows(2) {
        let begins = pair[0].rfind('[').is_some_and(|at| !pair[0][..at].ends_with('\\'));
        let target = pair[1].split_once(')').filter(|_| begins);
        found.extend(target.map(|(target, _)| target.to_owned()));
    }
    found
}

fn leads_somewhere(page: &Path, link: &str) -> bool {
    if link.contains("://") {
        return true;
    }
    let (file, heading) = link.split_once('#').unwrap_or((link, ""));
    let target = if file.is_empty() { page.to_owned() } else { page.with_file_name(file) };
    let text = || std::fs::read_to_string(&target).unwrap_or_default();
    target.exists()
        && (heading.is_empty() || text().lines().any(|line| anchor(line).as_deref() == Some(heading)))
}

/// What a heading is called in links: "## On a GPU" is `on-a-gpu`.
fn anchor(line: &str) -> Option<String> {
    let title = line.strip_prefix('#')?.trim_start_matches('#').trim().to_lowercase();
    let kept = title.chars().filter(|c| c.is_alphanumeric() || [' ', '-', '_'].contains(c));
    Some(kept.map(|c| if c == ' ' { '-' } else { c }).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_link_is_dead() {
        assert_eq!(dead_links(), Vec::<String>::new());
    }

    #[test]
    fn dead_links_are_found() {
        let page = paths::root().join("docs/results.md");
        assert!(
            leads_somewhere(&page, "tutorial.md#on-a-gpu") && leads_somewhere(&page, "https://example.org")
        );
        assert!(!leads_somewhere(&page, "nothing.md") && !leads_somewhere(&page, "tutorial.md#nothing"));
        assert_eq!(links("a [b](c.md) ```[x](y)``` [d](e#f)"), ["c.md", "e#f"]);
        assert_eq!(links("`[x](y)` \\[&](n) [[b]](c)"), ["c"]);
    }

    #[test]
    fn every_page_is_in_the_book() {
        let summary = std::fs::read_to_string(paths::root().join("docs/SUMMARY.md")).unwrap();
        let docs = paths::root().join("docs");
        for page in
            pages().into_iter().filter(|page| page.starts_with(&docs) && !page.ends_with("SUMMARY.md"))
        {
            let name = page.strip_prefix(&docs).unwrap().display().to_string();
            assert!(links(&summary).contains(&name), "docs/SUMMARY.md does not name {name}");
        }
    }
}
