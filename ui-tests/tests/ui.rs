//! Every program of `fail/` is refused with the words beside it; every program of `pass/` compiles and runs.
//! `TRYBUILD=overwrite` writes the words anew: then read them as a user would.

#[test]
fn ui() {
    let tests = trybuild::TestCases::new();
    tests.compile_fail("fail/*/*.rs");
    tests.pass("pass/*.rs");
}
