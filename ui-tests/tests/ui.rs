//! Every program of `fail/` is refused with the words beside it; every program of `pass/` compiles and runs.
//! `TRYBUILD=overwrite` writes the words anew: then read them as a user would.

/// Apart from `pass`: programs that only fail are checked in one run of cargo, not in one each.
#[test]
fn fail() {
    trybuild::TestCases::new().compile_fail("fail/*/*.rs");
}

#[test]
fn pass() {
    trybuild::TestCases::new().pass("pass/*.rs");
}
