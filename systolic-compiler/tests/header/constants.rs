//! Compares the constants of the elementary functions directly, because the last bit of some changes no result of the other test.
use systolic_arith::elementary::table::{TWO_OVER_PI_BITS, double, single};

use crate::programs::HEADER;

#[test]
fn single_precision() {
    let own = [single::LOG2_E, single::LN_2_HIGH, single::LN_2_LOW, single::ROOT_HALF];
    let all = own.iter().chain(&single::EXP).chain(&single::LN).chain([&single::LOG2_E_LOW]).chain(&single::THIRD);
    let all = all
        .chain(&single::ATANH)
        .chain([&single::TWO_OVER_PI])
        .chain(&single::HALF_PI)
        .chain(&single::SIN)
        .chain(&single::COS);
    let all = all.chain(&single::SINH).chain(&single::ATAN).chain(&single::ATAN_HIGH).chain(&single::ATAN_LOW);
    assert_eq!(of("f32"), all.map(|x| u64::from(x.to_bits())).collect::<Vec<_>>());
}

#[test]
fn double_precision() {
    let own = [double::LOG2_E, double::LN_2_HIGH, double::LN_2_LOW, double::ROOT_HALF];
    let all = own.iter().chain(&double::EXP).chain(&double::LN).chain([&double::LOG2_E_LOW]).chain(&double::THIRD);
    let all = all
        .chain(&double::ATANH)
        .chain([&double::TWO_OVER_PI])
        .chain(&double::HALF_PI)
        .chain(&double::SIN)
        .chain(&double::COS);
    let all = all.chain(&double::SINH).chain(&double::ATAN).chain(&double::ATAN_HIGH).chain(&double::ATAN_LOW);
    assert_eq!(of("f64"), all.map(|x| x.to_bits()).collect::<Vec<_>>());
}

#[test]
fn the_bits_of_two_over_pi() {
    assert_eq!(after("two_over_pi_bits[20] = {", "\n    };"), TWO_OVER_PI_BITS);
}

/// The hexadecimal numbers among a type's constants in the header, in order.
fn of(ty: &str) -> Vec<u64> {
    after(&format!("struct Elementary<{ty}> {{"), "\n};")
}

/// The hexadecimal numbers from these words to this end.
fn after(words: &str, end: &str) -> Vec<u64> {
    let (_, rest) = HEADER.split_once(words).expect("its constants");
    let (own, _) = rest.split_once(end).expect("their end");
    let digits = |text: &str| text.chars().take_while(char::is_ascii_hexdigit).collect::<String>();
    own.split("0x").skip(1).map(|text| u64::from_str_radix(&digits(text), 16).expect("a number")).collect()
}
