//! Compares the constants of `exp` and `ln` directly, because the last bit of some changes no result of the other test.
use systolic_arith::elementary::table::{double, single};

use crate::programs::HEADER;

#[test]
fn single_precision() {
    let own = [single::LOG2_E, single::LN_2_HIGH, single::LN_2_LOW, single::ROOT_HALF];
    let all = own.iter().chain(&single::EXP).chain(&single::LN);
    assert_eq!(of("f32"), all.map(|x| u64::from(x.to_bits())).collect::<Vec<_>>());
}

#[test]
fn double_precision() {
    let own = [double::LOG2_E, double::LN_2_HIGH, double::LN_2_LOW, double::ROOT_HALF];
    let all = own.iter().chain(&double::EXP).chain(&double::LN);
    assert_eq!(of("f64"), all.map(|x| x.to_bits()).collect::<Vec<_>>());
}

/// The hexadecimal numbers among a type's constants in the header, in order.
fn of(ty: &str) -> Vec<u64> {
    let (_, rest) = HEADER.split_once(&format!("struct Elementary<{ty}> {{")).expect("its constants");
    let (own, _) = rest.split_once("\n};").expect("their end");
    let digits = |text: &str| text.chars().take_while(char::is_ascii_hexdigit).collect::<String>();
    own.split("0x").skip(1).map(|text| u64::from_str_radix(&digits(text), 16).expect("a number")).collect()
}
