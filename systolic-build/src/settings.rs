//! Settings that the user makes by environment variables.

/// Requests machine code in addition to the PTX: `90`, or `80,90`.
pub const ARCHITECTURES: &str = "SYSTOLIC_CUDA_ARCH";
/// Turns every reason that keeps a kernel off the GPU into an error.
pub const REQUIRE: &str = "SYSTOLIC_REQUIRE_NVCC";

/// Whether this value of a variable means yes.
pub fn says_yes(value: Option<&str>) -> bool {
    !matches!(value.map(str::trim), None | Some("" | "0" | "false"))
}

/// The numbers in a list; used without nvcc, when they cannot be checked.
pub fn numbers(list: &str) -> Vec<u32> {
    words(list).filter_map(|word| number(word).ok()).collect()
}

fn words(list: &str) -> impl Iterator<Item = &str> {
    list.split([',', ' ', ';']).filter(|word| !word.is_empty())
}

fn number(word: &str) -> Result<u32, std::num::ParseIntError> {
    word.strip_prefix("sm_").unwrap_or(word).parse()
}

/// The architectures of a list that nvcc supports, and a message for each of the others.
pub fn architectures(list: &str, known: &[u32]) -> (Vec<u32>, Vec<String>) {
    let (mut chosen, mut faults) = (Vec::new(), Vec::new());
    for word in words(list) {
        match number(word) {
            Ok(number) if known.contains(&number) => chosen.push(number),
            _ => faults.push(unknown(word, known)),
        }
    }
    chosen.sort_unstable();
    chosen.dedup();
    (chosen, faults)
}

fn unknown(word: &str, known: &[u32]) -> String {
    let known: Vec<String> = known.iter().map(ToString::to_string).collect();
    format!(
        "{ARCHITECTURES}: this nvcc does not support the architecture `{word}`; it supports {}. \
         There is no machine code for it: the driver compiles the PTX instead",
        known.join(", ")
    )
}

#[cfg(test)]
mod tests {
    use super::{architectures, says_yes};

    #[test]
    fn lists_of_architectures() {
        let known = [75, 80, 90];
        assert_eq!(architectures("", &known), (vec![], vec![]));
        assert_eq!(architectures("90", &known), (vec![90], vec![]));
        assert_eq!(architectures("90, sm_80,90", &known), (vec![80, 90], vec![]));
        let (chosen, faults) = architectures("42,80,hopper", &known);
        assert_eq!((chosen, faults.len()), (vec![80], 2));
        assert!(faults[0].contains("`42`") && faults[0].contains("it supports 75, 80, 90"), "{}", faults[0]);
        assert!(faults[1].contains("`hopper`"), "{}", faults[1]);
    }

    #[test]
    fn yes_and_no() {
        let values = [None, Some(""), Some("0"), Some("1"), Some("yes")];
        assert_eq!(values.map(says_yes), [false, false, false, true, true]);
    }
}
