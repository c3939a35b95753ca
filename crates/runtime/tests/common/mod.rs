//! What the tests that run programs share.

use std::path::PathBuf;

/// The static library that cargo built along with this test.
pub fn library() -> PathBuf {
    let me = std::env::current_exe().unwrap();
    let deps = me.parent().unwrap();
    [deps, deps.parent().unwrap()]
        .iter()
        .map(|folder| folder.join("libaccl_runtime.a"))
        .find(|path| path.exists())
        .expect("libaccl_runtime.a lies beside the test")
}
