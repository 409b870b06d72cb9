//! temporary
use systolic_compiler::{evaluate::*, model::*, fault::message};
use systolic_oracle::*;
#[test]
fn workloads() {
    let text = std::fs::read_to_string("/work/shared/workloads.rs").unwrap();
    let tokens: proc_macro2::TokenStream = text.parse().unwrap();
    let group = tokens.into_iter().find_map(|t| if let proc_macro2::TokenTree::Group(g) = t { Some(g.stream()) } else { None }).unwrap();
    let start = std::time::Instant::now();
    let checked = systolic_compiler::check(group);
    println!("check {:?}", start.elapsed());
    for f in &checked.faults { println!("{}", message(f)); }
    for (tree, instances) in &checked.kernels {
        for l in instances {
            let kernel = l.kernel();
            assert_eq!(wrong_copies(kernel), [0usize; 0]);
            for n in [1, 2, 3, 5, 9, 33] {
                let sizes = vec![n; kernel.sizes.len()];
                let world = World::new(kernel, &sizes);
                if !world.is_assumed() || world.has_more_points_than(3000) { continue; }
                for v in violations(kernel, &sizes).iter().take(1) { println!("{} {n}: {v}", tree.name.text); }
                for m in &kernel.maps {
                    let p = Places::new(kernel, m);
                    for v in map_violations(kernel, m, &p, &sizes).iter().take(1) { println!("{} {:?} {n}: {v}", tree.name.text, m.name.as_ref().map(|n| &n.text)); }
                }
                if let Err(e) = evaluate(kernel, &sizes, &random_inputs(kernel, &sizes, 1)) { println!("{} {n}: {e}", tree.name.text); }
            }
        }
    }
    println!("{} kernels", checked.kernels.len());
}
