//! `accl devices`: what there is to run on, and why something is not usable.

use anyhow::Result;

pub fn run() -> Result<u8> {
    Ok(0)
}
