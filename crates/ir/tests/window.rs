//! Windows in the text form, and what the verifier asks of them.

use accl_ir::{Module, verify};

const PROGRAM: &str = "fn f(i32 n, f32* a, f32* b) -> void {
    region parallel {
        for (i32 i = 0; i < n; i += 1) {
            window FETCH_CHANNEL \"a\" a[i] at (i : 1 : 2), cache \"b\" b[i] at (i : 0 : 0) {
                a[i] = b[i];
                barrier block;
            }
        }
    }
}
";

#[test]
fn windows_round_trip() {
    let module = Module::from_text(PROGRAM).unwrap();
    assert!(verify(&module).is_ok(), "{:?}", verify(&module));
    let text = module.to_text();
    assert!(
        text.contains("window FETCH_CHANNEL \"a\" a[i] at (i : 1 : 2), cache \"b\" b[i] at (i : 0 : 0) {")
    );
    assert_eq!(Module::from_text(&text).unwrap().to_text(), text);
}

#[test]
fn windows_are_not_empty_and_barriers_stand_in_them() {
    let empty = PROGRAM.replace("(i : 1 : 2)", "(i : 1 : -2)");
    let module = Module::from_text(&empty).unwrap();
    let errors = verify(&module).unwrap_err();
    assert!(errors[0].to_string().contains("the window of `a` is empty"), "{}", errors[0]);
    let outside = "fn f(i32 n) -> void { region parallel { barrier block; } }";
    assert!(verify(&Module::from_text(outside).unwrap()).is_err());
}
