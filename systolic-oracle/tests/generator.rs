//! The random kernels are what they are meant to be: text that the front end takes, a good share of it lawful, and
//! every law broken by some.
mod common;

use common::resolve;
use std::collections::BTreeMap;
use systolic_compiler::model::{Kernel, Places};
use systolic_oracle::{World, map_violations, random_kernel, some_sizes, violations};

/// What brute force says at small sizes: the first law broken, or none.
fn judge(kernel: &Kernel) -> &'static str {
    let sizes: Vec<Vec<i128>> = match kernel.maps.first() {
        Some(mapping) => some_sizes(kernel, mapping),
        None => (1..6).map(|n| vec![n; kernel.sizes.len()]).collect(),
    };
    let small = |s: &&Vec<i128>| !World::new(kernel, s).has_more_points_than(1000);
    if let Some(v) = sizes.iter().filter(small).find_map(|s| violations(kernel, s).into_iter().next()) {
        return v.law.name();
    }
    for mapping in &kernel.maps {
        let places = Places::new(kernel, mapping);
        if let Some(v) =
            sizes.iter().filter(small).find_map(|s| map_violations(kernel, mapping, &places, s).into_iter().next())
        {
            return v.law.name();
        }
    }
    "lawful"
}

#[test]
fn a_good_share_is_lawful_and_every_law_is_broken() {
    let count = 250;
    let mut tally: BTreeMap<&str, usize> = BTreeMap::new();
    for seed in 0..count {
        let text = random_kernel(seed);
        assert_eq!(text, random_kernel(seed), "the same seed gives the same text");
        let law = match resolve(&text) {
            Ok(instances) => judge(&instances[0].0),
            Err(faults) => {
                println!("seed {seed}: {:?}\n{text}", faults[0].fact);
                "front end"
            }
        };
        *tally.entry(law).or_default() += 1;
    }
    println!("{tally:?}");
    assert!(tally["lawful"] * 4 >= count as usize, "{tally:?}");
    assert!(tally.get("front end").copied().unwrap_or(0) * 20 <= count as usize, "{tally:?}");
    for law in ["defined", "bounds", "cycle", "outputs", "collision", "lanes", "causality", "broadcast", "blocks"] {
        assert!(tally.contains_key(law), "no kernel breaks {law}: {tally:?}");
    }
}
