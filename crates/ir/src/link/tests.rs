use super::*;

const CALLER: &str = r#"
struct pair { i32 a @0; } size 4 align 4
global f64 field[8] link_name "field";

fn helper() -> i32 {
    return 1;
}

fn force(i32 i) -> f64 routine seq link_name "force";

fn main() -> void regions {
    f64 x;
    call x = force(3);
}
"#;

const CALLEE: &str = r#"
struct pair { f32 a @0; f32 b @4; } size 8 align 4
global f64 field[8] link_name "field";
global i32 drag[2];
global struct pair pairs[3] link_name "pairs";

fn helper(f64 x) -> f64 {
    return x;
}

fn force(i32 i) -> f64 routine seq link_name "force" {
    struct pair p;
    return call helper(@field[i]) + (f64)@drag[1] + (f64)@pairs[i].b;
}
"#;

fn unit(text: &str, declared: &[usize]) -> Unit {
    let module = Module::from_text(text).unwrap();
    let addresses = (0..module.globals.len()).map(|at| format!("address_{at}")).collect();
    Unit { module, addresses, declared: declared.iter().copied().collect() }
}

fn linked(caller: &str, units: &[Unit], names: &[&str]) -> Module {
    let mut module = Module::from_text(caller).unwrap();
    link(&mut module, units, &names.iter().map(|name| (*name).to_owned()).collect());
    assert!(crate::verify(&module).is_ok(), "{:?}", crate::verify(&module));
    module
}

#[test]
fn a_function_comes_with_what_it_needs() {
    let module = linked(CALLER, &[unit(CALLEE, &[1])], &["force"]);
    let force = &module.functions[module.function_named("force").unwrap()];
    assert!(force.body.is_some());
    let own = &module.functions[module.function_named("helper").unwrap()];
    assert_eq!(own.params.len(), 0);
    let theirs = &module.functions[module.function_named("helper_2").unwrap()];
    assert_eq!(theirs.params.len(), 1);
    let structs: Vec<_> = module.types.structs.iter().map(|(_, s)| s.name.as_str()).collect();
    assert_eq!(structs, ["pair", "pair_2"]);
}

#[test]
fn variables_are_the_same_by_the_names_of_the_linker() {
    let module = linked(CALLER, &[unit(CALLEE, &[1])], &["force"]);
    let texts: Vec<_> = module.globals.iter().map(|(_, g)| g.host_text()).collect();
    assert_eq!(texts, ["field", "(*(int (*)[2])address_1)", "(*(struct accl_bytes_8 (*)[3])address_2)"]);
    let declared: Vec<_> =
        module.declares.iter().flat_map(|d| &d.data).map(|item| item.name.as_str()).collect();
    assert_eq!(declared, ["drag"]);
    assert_eq!(bytes_in(texts[2]), [8]);
}

#[test]
fn units_that_call_each_other_are_completed() {
    let even = unit(
        "fn even(i32 n) -> i32 routine seq link_name \"even\" { return call odd(n - 1); }
         fn odd(i32 n) -> i32 routine seq link_name \"odd\";",
        &[],
    );
    let odd = unit(
        "fn odd(i32 n) -> i32 routine seq link_name \"odd\" { return call even(n - 1); }
         fn even(i32 n) -> i32 routine seq link_name \"even\";",
        &[],
    );
    let caller = "fn odd(i32 n) -> i32 routine seq link_name \"odd\";
                  fn main() -> void { i32 x; call x = odd(3); }";
    let module = linked(caller, &[even, odd], &["even", "odd"]);
    assert!(module.functions.iter().all(|(_, f)| f.body.is_some()));
    assert_eq!(module.functions.len(), 3);
}

#[test]
fn what_is_seen_differently_is_not_taken() {
    let caller = "fn force(i32 i) -> i32 routine seq link_name \"force\";
                  fn main() -> void { i32 x; call x = force(3); }";
    let module = linked(caller, &[unit(CALLEE, &[])], &["force"]);
    assert!(module.functions[module.function_named("force").unwrap()].body.is_none());
    let module = linked(CALLER, &[unit(CALLEE, &[])], &[]);
    assert!(module.functions[module.function_named("force").unwrap()].body.is_none());
    let caller = "fn force(i32 i, i32 j) -> f64 routine seq link_name \"force\";
                  fn main() -> void { f64 x; call x = force(3, 4); }";
    let module = linked(caller, &[unit(CALLEE, &[])], &["force"]);
    assert!(module.functions[module.function_named("force").unwrap()].body.is_none());
    // The address of a variable is not known.
    let without_addresses = Unit { addresses: vec![], ..unit(CALLEE, &[]) };
    let module = linked(CALLER, &[without_addresses], &["force"]);
    assert!(module.functions[module.function_named("force").unwrap()].body.is_none());
}

#[test]
fn an_array_may_have_an_extent_in_one_unit_alone() {
    let caller = CALLER.replace("field[8]", "field[]");
    let module = linked(&caller, &[unit(CALLEE, &[])], &["force"]);
    assert!(module.functions[module.function_named("force").unwrap()].body.is_some());
}

#[test]
fn a_pointer_to_what_one_unit_does_not_know_is_converted() {
    let callee = unit(
        "struct mesh { i32 n @0; } size 4 align 4
         fn count(struct mesh* m) -> i32 routine seq link_name \"count\" { return m->n; }",
        &[],
    );
    let caller = "fn count() -> i32 routine seq link_name \"count\";
                  fn main(opaque \"mesh\"* m) -> void { i32 x; call x = count(m); }";
    let module = linked(caller, &[callee], &["count"]);
    assert!(module.functions[module.function_named("count").unwrap()].body.is_some());
}
