//! Prints the warp programs of the kernels in a file: `cargo run -p systolic-compiler --example program FILE [KERNEL]`.
use systolic_compiler::compile::compile_layout;
use systolic_compiler::mapping::{Layout, Target};
use systolic_compiler::schedule::print;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().expect("a file");
    let wanted = arguments.next();
    let text = std::fs::read_to_string(&path).expect("a file that can be read");
    let at = text.find("systolic! {").expect("a block") + "systolic! {".len();
    let end = text.rfind('}').expect("an end");
    let checked = systolic_compiler::check(text[at..end].parse().expect("tokens"));
    for (tree, instances) in &checked.kernels {
        if wanted.as_ref().is_some_and(|w| *w != tree.name.text) {
            continue;
        }
        for lawful in instances {
            for map in lawful.maps() {
                let name = map.mapping().name.as_ref().map_or(String::new(), |n| format!(", map {}", n.text));
                println!("{} {}{name}", tree.name.text, lawful.kernel().instance);
                match Layout::new(lawful.kernel(), map, Target::Gpu).map(|layout| compile_layout(&layout)) {
                    Some(Ok(program)) => println!("{}", print(&program)),
                    Some(Err(_)) => println!("    no order"),
                    None => println!("    cannot be undone"),
                }
            }
        }
    }
}
