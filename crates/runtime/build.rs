//! Gives the shared library its name, so that programs linked to it find it in any folder.
fn main() {
    println!("cargo:rustc-cdylib-link-arg=-Wl,-soname,libaccl_runtime.so");
}
