//! The command line: build systems, separate compilation, libraries, options; `tests/driver`.

use super::{Context, Report};
use anyhow::Result;

pub fn run(_context: &Context, report: &mut Report) -> Result<()> {
    report.section("driver", vec![]);
    Ok(())
}
