//! Prints the predicted cost of the kernels of a file on an H200:
//! `cargo run -p systolic-compiler --example cost FILE [KERNEL] SIZE=…`. Sizes that are not given are 8192.
use std::collections::BTreeMap;
use systolic_compiler::compile::compile;
use systolic_compiler::cost::cost;
use systolic_compiler::mapping::Target;
use systolic_compiler::model::Int;
use systolic_compiler::target::gpu::H200;

fn main() {
    let (given, words): (Vec<String>, Vec<String>) = std::env::args().skip(1).partition(|a| a.contains('='));
    let given: BTreeMap<&str, Int> = given.iter().filter_map(|a| a.split_once('=')).map(size).collect();
    let path = words.first().expect("a file");
    let text = std::fs::read_to_string(path).expect("a file that can be read");
    let at = text.find("systolic! {").expect("a block") + "systolic! {".len();
    let end = text.rfind('}').expect("an end");
    let checked = systolic_compiler::check(text[at..end].parse().expect("tokens"));
    for (tree, instances) in &checked.kernels {
        if words.get(1).is_some_and(|wanted| *wanted != tree.name.text) {
            continue;
        }
        for lawful in instances {
            let sizes: Vec<Int> =
                lawful.kernel().sizes.iter().map(|s| given.get(s.name.as_str()).copied().unwrap_or(8192)).collect();
            for map in lawful.maps() {
                let name = map.mapping().name.as_ref().map_or(String::new(), |n| format!(", map {}", n.text));
                println!("{} {}{name}", tree.name.text, lawful.kernel().instance);
                match compile(lawful.kernel(), map, Target::Gpu).ok() {
                    Some(program) => println!("{}\n", cost(&H200, lawful.kernel(), &program, &sizes, None)),
                    None => println!("    no program\n"),
                }
            }
        }
    }
}

fn size<'a>((name, value): (&'a str, &str)) -> (&'a str, Int) {
    (name, value.parse().expect("a size is a number"))
}
