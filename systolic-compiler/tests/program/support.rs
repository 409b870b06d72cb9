//! Kernels of the repository by name, and their programs.
use systolic_compiler::compile::compile;
use systolic_compiler::laws::Lawful;
use systolic_compiler::mapping::Target;
use systolic_compiler::schedule::Schedule;

/// The first instance of a kernel in a file of `tests/kernels` whose generic arguments contain `instance`.
pub fn kernel(file: &str, name: &str, instance: &str) -> Lawful {
    let path = format!("{}/../tests/kernels/{file}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).expect("the file is there");
    let blocks = text.split("systolic! {").skip(1).map(|rest| &rest[..end(rest)]);
    for block in blocks {
        let checked = systolic_compiler::check(block.parse().expect("tokens"));
        for (tree, instances) in checked.kernels {
            if tree.name.text == name {
                let fits = |l: &Lawful| l.kernel().instance.to_string().contains(instance);
                return instances.into_iter().find(fits).expect("the instance is listed");
            }
        }
    }
    panic!("no kernel {name} in {file}")
}

/// The position of the brace that closes one opened before the text.
pub fn end(text: &str) -> usize {
    let mut depth = 1;
    for (at, letter) in text.char_indices() {
        depth += i32::from(letter == '{') - i32::from(letter == '}');
        if depth == 0 {
            return at;
        }
    }
    text.len()
}

/// The program of the map with this name, "" for the unnamed one.
pub fn program(lawful: &Lawful, map: &str, target: Target) -> Schedule {
    let named = |m: &&systolic_compiler::laws::LawfulMap| m.mapping().name.as_ref().map_or("", |n| &n.text) == map;
    let map = lawful.maps().iter().find(named).expect("the map is there");
    compile(lawful.kernel(), map, target).expect("it has a program")
}

/// The kernel of a block, which must be lawful.
pub fn text(block: &str) -> Lawful {
    let checked = systolic_compiler::check(block.parse().expect("tokens"));
    assert!(checked.faults.is_empty(), "{:?}", checked.faults);
    checked.kernels.into_iter().flat_map(|(_, instances)| instances).next().expect("an instance")
}

/// The only instance of a kernel in a text.
pub fn checked(text: &str) -> Lawful {
    let all = systolic_compiler::check(text.parse().expect("tokens"));
    assert!(all.faults.is_empty(), "{:?}", all.faults.iter().map(|fault| fault.law()).collect::<Vec<_>>());
    all.kernels.into_iter().flat_map(|(_, instances)| instances).next().expect("an instance")
}
