//! The text of the laws on equations, from `syntax` to `outputs`.
use super::super::*;
use super::{LIMIT, a, count, element, other, point, quoted};
use crate::target::shown;

pub fn syntax(fact: &SyntaxFact) -> String {
    match fact {
        SyntaxFact::Expected { expected, found } => format!("expected {expected}, found {found}"),
        SyntaxFact::Misspelt { found, keyword } => format!("expected `{keyword}`, found `{found}`"),
        SyntaxFact::TooDeep { limit } => {
            format!("nested more than {limit} levels deep: a limit; move parts into variables")
        }
        SyntaxFact::TooLong { limit } => {
            format!("more than {limit} tokens in one block: a limit; split it into several blocks")
        }
        SyntaxFact::LiteralTooLarge { text } => format!("`{text}` is too large for any type"),
        SyntaxFact::Repeated { what } => format!("expected at most one {what} per map, found a second"),
        SyntaxFact::Reserved { word } => format!("`{word}` is a Rust keyword and cannot be a name"),
        SyntaxFact::NotHere { what } => format!("the language has no {what}"),
    }
}

pub fn names(fact: &NamesFact) -> String {
    match fact {
        NamesFact::Unknown { name, expected: Kind::Variable } => format!("nothing is called `{name}` here"),
        NamesFact::Unknown { name, expected } => format!("`{name}` is not {}", a(*expected)),
        NamesFact::Twice { name, first: Kind::Generic, second: Kind::Generic } => {
            format!("`{name}` is defined twice among the generics")
        }
        NamesFact::Twice { name, first, second } if first == second => {
            format!("`{name}` is defined twice, each time as {}", a(*first))
        }
        NamesFact::Twice { name, first, second } => {
            format!("`{name}` is already {}; it cannot also be {}", a(*first), a(*second))
        }
        NamesFact::TypeClash { ty, kernel } => {
            format!("the type `{ty}` would be defined twice: a map of the kernel `{kernel}` defines it too")
        }
        NamesFact::SecondUnnamed => {
            "expected at most one unnamed map per device and condition, found a second".to_string()
        }
        NamesFact::OutputRead { name } => format!("`{name}` is an output and cannot be read"),
        NamesFact::InputWritten { name, kind } => format!("`{name}` is {} and cannot be written", a(*kind)),
        NamesFact::EquationInIf { name } => {
            format!("`{name}` is a variable: an `if` around its equation would leave points without a value")
        }
        NamesFact::Wrong { name, is: is @ (Kind::Size | Kind::SizeParameter), expected: Kind::Generic } => {
            format!("expected a number or a generic, found `{name}`, {} known only at run time", a(*is))
        }
        NamesFact::Wrong { name, is, expected } => format!("expected {}, found `{name}`, {}", a(*expected), a(*is)),
        NamesFact::OtherLoops { text, first } => {
            format!(
                "`{text}`: lengths are indexed by the same loops everywhere, and `{first}` is indexed by others: a limit"
            )
        }
        NamesFact::Taken { name, by } => format!("`{by}` already uses `{name}`"),
        NamesFact::Tiled { name, outer, inner } => {
            format!("`{name}` was tiled: its loops are now `{outer}` and `{inner}`")
        }
        NamesFact::NotTiled { name } => format!("`{name}` is not tiled, so it has no tiles to overlap"),
        NamesFact::OverlapInner { name } => {
            format!("`{name}` is a loop of a tile, but `overlap` takes only the kernel's own loops: a limit")
        }
        NamesFact::NotTime { name } => format!("`{name}` is not a time loop, so it cannot be unrolled"),
        NamesFact::RunTimeLength { name } => {
            format!("`{name}` has a length known only at run time, so it cannot be unrolled")
        }
        NamesFact::Reorder { expected } if expected.is_empty() => {
            "`reorder` names the sequential loops, but there are none".to_string()
        }
        NamesFact::Reorder { expected } => {
            format!("`reorder` must name exactly the sequential loops: {}", quoted(expected))
        }
        NamesFact::TooMany { clause, limit } => format!("`{clause}` takes at most {limit} loops"),
        NamesFact::StageAt { name } => {
            format!(
                "cannot stage at `{name}`: expected a block loop, a sequential loop or a time row that is not unrolled"
            )
        }
        NamesFact::MapCondition { name } => {
            format!("`{name}` is not a generic, and the `where` of a map may use only generics")
        }
        NamesFact::TypesCompared { text } => {
            format!("`{text}` compares types, which only a whole condition of a `where` can do")
        }
        NamesFact::LoopInSize { name } => {
            format!("`{name}` is a loop; dimensions and `where` may use only sizes and generics")
        }
    }
}

pub fn rank(fact: &RankFact) -> String {
    match fact {
        RankFact::Indices { name, kind, expected: 0, .. } => format!("`{name}` is {} and takes no index", a(*kind)),
        RankFact::Indices { name, kind, expected, found } => {
            let each = match (expected, kind) {
                (1, _) => "",
                (_, Kind::Variable) => ", one per loop",
                _ => ", one per dimension",
            };
            let expected = count(*expected, "index", "indices");
            format!("`{name}` is {}: expected {expected}{each}, found {found}", a(*kind))
        }
        RankFact::Dimensions { name, found } => {
            format!("`{name}` has {}; arrays have 1 to 4", count(*found, "dimension", "dimensions"))
        }
        RankFact::Shift { name, expected, found } => {
            let expected = count(*expected, "number", "numbers");
            format!("`shift {name}`: expected {expected}, one per loop, found {found}")
        }
        RankFact::Nesting { name, expected: 0 } => format!("expected a value in `{name}`, found a list"),
        RankFact::Nesting { name, .. } => {
            format!("expected a list in `{name}`, found a value: lists are nested once per dimension, `[[…], […]]`")
        }
    }
}

pub fn types(fact: &TypesFact) -> String {
    match fact {
        TypesFact::Mismatch { expected, found, because } if because.is_empty() => {
            format!("expected {expected}, found {found}")
        }
        TypesFact::Mismatch { expected, found, because } => format!("expected {expected}, found {found}: {because}"),
        TypesFact::NoType { what } => format!("cannot infer the type of {what}"),
        TypesFact::NoOperation { operation, ty } if operation == "unary -" => {
            format!("cannot apply unary `-` to {ty}, which has no negative values")
        }
        TypesFact::NoOperation { operation, ty } => format!("{ty} has no `{operation}`"),
        TypesFact::LiteralRange { text, ty, low, high } => {
            format!("{text} is out of the range of {ty}, {low} to {high}")
        }
        TypesFact::FloatLiteral { text, ty } => format!("`{text}` is not a value of {ty}"),
        TypesFact::Lengths { found } => format!("lengths are integers, found {found}"),
        TypesFact::IndexType { ty } => format!("an index is an integer, found {ty}"),
        TypesFact::IndexAsValue { text } => format!("expected a value, found the index `{text}`"),
        TypesFact::NoCast { from, to } => format!("cannot convert {from} to {to} with `as`"),
        TypesFact::Arguments { function, expected, found } => {
            let arguments = if expected == "1" { "argument" } else { "arguments" };
            format!("`{function}`: expected {expected} {arguments}, found {found}")
        }
        TypesFact::Suffix { suffix } => format!("`{suffix}` is not a type that this literal can have"),
        TypesFact::BorderValue => {
            "the value of a border must be a literal or a scalar parameter of the array's type".to_string()
        }
    }
}

pub fn sizes(fact: &SizesFact) -> String {
    match fact {
        SizesFact::NotGiven { name } => format!("no input's shape gives the size `{name}`"),
        SizesFact::NotAlone { name, beside } if beside.is_empty() => {
            format!("no input's shape gives the size `{name}`")
        }
        SizesFact::NotAlone { name, beside } => {
            format!("the size `{name}` occurs only together with {}, so no shape gives its value", quoted(beside))
        }
        SizesFact::NoLengths { name, range } => format!("no length lies in {range}, so no call could pass `{name}`"),
        SizesFact::Overflow { text } => format!("`{text}` overflows"),
        SizesFact::TooLarge { text, limit } => format!("`{text}` contains a number beyond ±{limit}: a limit"),
        SizesFact::TileBelowOne { value } => format!("expected a tile of at least 1, found {value}"),
        SizesFact::FoldBelowOne { value } => format!("expected a fold of at least 1, found {value}"),
        SizesFact::OutOfRange { clause, value, least, most } => {
            format!("`{clause}`: expected a number from {least} to {most}, found {value}")
        }
        SizesFact::OverlapNegative { value } => format!("expected an overlap of at least 0, found {value}"),
        SizesFact::DivisionByZero { text } => format!("`{text}` divides by zero"),
        SizesFact::Modulus { value } => format!("expected a divisor of at least 1 after `%`, found {value}"),
        SizesFact::Elements { name, expected, found: 0 } => {
            format!("a dimension of `{name}` is {expected}; it must lie between 1 and 1048576")
        }
        SizesFact::Elements { name, expected, found } => {
            format!("`{name}`: expected {expected} elements here, found {found}")
        }
        SizesFact::RunTimeConst { name } => {
            format!("the dimensions of `{name}` must be known at compile time: only numbers and generics")
        }
        SizesFact::NoInstances => {
            "no combination of the generics satisfies this, so the kernel has no instance".to_string()
        }
        SizesFact::TooManyInstances { limit } => format!("more than {limit} combinations of generics: a limit"),
        SizesFact::NoSizes { condition } => format!("no sizes satisfy `{condition}`"),
    }
}

pub fn uniform(fact: &UniformFact) -> String {
    match fact {
        UniformFact::Index { variable, expected_loop, text } => {
            format!("`{variable}` is read at `{text}`; expected `{expected_loop}` plus a constant")
        }
        UniformFact::LeftSide { variable, expected } => {
            format!("the left side of an equation must name all loops in order: `{variable}[{}]`", expected.join(", "))
        }
        UniformFact::NotAffine { text, what: "a constant of integers and generics" } => {
            format!("expected a constant of integers and generics, found `{text}`")
        }
        UniformFact::NotAffine { text, what } => {
            format!("`{text}` is not affine, but {what} must be: a sum of loops and sizes times constants")
        }
        UniformFact::ValueIndex { text } => {
            format!("`{text}` is a value: only reads of arrays with a border may have such an index")
        }
        UniformFact::LengthIndex { text, lengths } => format!(
            "the lengths `{lengths}` are read at `{text}`; every index of lengths is a loop, or a loop plus a number: a limit"
        ),
        UniformFact::InnerLoop { name, of } if name == of => format!("the bounds of `{of}` mention `{of}` itself"),
        UniformFact::InnerLoop { name, of } => {
            format!("the bounds of `{of}` mention `{name}`, which is an inner loop")
        }
        UniformFact::RemainderForm { text } => {
            format!("`{text}`: a remainder may only be compared as `… % constant == constant`")
        }
        UniformFact::LoopDivision { text, of } => {
            format!("`{text}` divides the loop `{of}`; an index must be a sum of loops and sizes times constants")
        }
        UniformFact::RunTimeDivision { text } => {
            format!("`{text}` divides a number known only at run time; name the quotient as a size instead")
        }
    }
}

pub fn defined(fact: &DefinedFact) -> String {
    match fact {
        DefinedFact::Outside { variable, loop_name, below, .. } => format!(
            "`{variable}` is read {} the range of `{loop_name}`, where it has no value",
            if *below { "below" } else { "beyond" }
        ),
        DefinedFact::Undecided => format!("could not decide whether this read stays within the loops; {LIMIT}"),
    }
}

pub fn defined_proof(fact: &DefinedFact, witness: &Witness) -> String {
    match fact {
        DefinedFact::Outside { loop_name, below, bound, .. } => format!(
            "point {} reads {}, but `{loop_name}` {} {bound}",
            point(&witness.point),
            other(witness),
            if *below { "begins at" } else { "ends before" },
        ),
        DefinedFact::Undecided => String::new(),
    }
}

pub fn bounds(fact: &BoundsFact) -> String {
    match fact {
        BoundsFact::Outside { array, store: true, .. } => format!("a store to `{array}` is out of bounds"),
        BoundsFact::Outside { array, .. } => format!("a read of `{array}` is out of bounds"),
        BoundsFact::ByValue { array } => {
            format!("an index that is a value needs a border: `{array}` may be read outside")
        }
        BoundsFact::Empty { array, .. } => {
            format!("`{array}` may be empty where it is read, and then its border has no element to take")
        }
        BoundsFact::Undecided { array } => {
            format!("could not decide whether this access to `{array}` stays in bounds; {LIMIT}")
        }
    }
}

pub fn bounds_proof(fact: &BoundsFact, witness: &Witness) -> String {
    match fact {
        BoundsFact::Outside { array, axis, length, store, .. } => {
            let at = element(witness.element.as_deref().unwrap_or_default());
            let verb = if *store { "stores" } else { "reads" };
            let dimension = ["first", "second", "third", "fourth"].get(*axis).copied().unwrap_or("last");
            let one = witness.element.as_ref().is_some_and(|e| e.len() == 1);
            let what = if one { format!("`{array}`") } else { format!("the {dimension} dimension") };
            format!("point {} {verb} `{array}{at}`, but {what} has length {length}", point(&witness.point))
        }
        BoundsFact::Empty { array, axis } => {
            let dimension = ["first", "second", "third", "fourth"].get(*axis).copied().unwrap_or("last");
            format!("point {} reads `{array}`, whose {dimension} dimension has length 0", point(&witness.point))
        }
        BoundsFact::ByValue { .. } | BoundsFact::Undecided { .. } => String::new(),
    }
}

pub fn cycle(fact: &CycleFact) -> String {
    match fact {
        CycleFact::Ring { steps, .. } if steps.len() == 1 => format!("`{}` depends on its own value", steps[0].0),
        CycleFact::Ring { steps, .. } => {
            let mut names: Vec<String> = Vec::new();
            steps
                .iter()
                .filter(|(n, _)| !names.contains(n))
                .map(|(n, _)| n.clone())
                .collect::<Vec<_>>()
                .into_iter()
                .for_each(|n| {
                    if !names.contains(&n) {
                        names.push(n)
                    }
                });
            match names.as_slice() {
                [one] => format!("values of `{one}` depend on each other in a cycle"),
                _ => format!("values of {} depend on each other in a cycle", quoted(&names)),
            }
        }
        CycleFact::NoOrder { variables } => {
            format!("found neither an order in which to compute {} nor a cycle; {LIMIT}", quoted(variables))
        }
    }
}

pub fn cycle_proof(fact: &CycleFact) -> String {
    match fact {
        CycleFact::Ring { steps, loops } => {
            let value = |(name, at): &(String, Vec<i128>)| {
                let named: Vec<(String, i128)> = loops.iter().cloned().zip(at.iter().copied()).collect();
                format!("`{name}` at {}", point(&named))
            };
            let last = steps.first().map(value).unwrap_or_default();
            let mut text = String::new();
            for (k, step) in steps.iter().enumerate() {
                let next = value(step);
                if k > 0 && text.len() + next.len() + last.len() > shown::RING {
                    text.push_str(&format!("{} more, the last of which needs ", steps.len() - k));
                    break;
                }
                text.push_str(&next);
                text.push_str(if k == 0 { " needs " } else { ", which needs " });
            }
            format!("{text}{last}")
        }
        CycleFact::NoOrder { .. } => String::new(),
    }
}

pub fn outputs(fact: &OutputsFact) -> String {
    match fact {
        OutputsFact::Twice { output, is_scalar, same_store: true } => {
            format!("{} is stored at two points", an_element(output, *is_scalar))
        }
        OutputsFact::Twice { output, is_scalar, .. } => {
            format!("{} is stored here and also by a store above", an_element(output, *is_scalar))
        }
        OutputsFact::Never { output, stored_anywhere: false, .. } => format!("nothing is stored in `{output}`"),
        OutputsFact::Never { output, is_scalar, .. } => {
            format!("{} is never stored", an_element(output, *is_scalar))
        }
        OutputsFact::NotAGuard { output } => format!(
            "whether `{output}` is stored depends on a value; the condition of a store may use only loops, sizes and generics"
        ),
        OutputsFact::Undecided { output, what } => format!("could not decide for `{output}` {what}; {LIMIT}"),
    }
}

fn an_element(output: &str, is_scalar: bool) -> String {
    if is_scalar { format!("`{output}`") } else { format!("an element of `{output}`") }
}

pub fn outputs_proof(fact: &OutputsFact, witness: &Witness) -> String {
    let at = match fact {
        OutputsFact::Twice { is_scalar: true, .. } | OutputsFact::Never { is_scalar: true, .. } => String::new(),
        _ => element(witness.element.as_deref().unwrap_or_default()),
    };
    match fact {
        OutputsFact::Twice { output, .. } => match witness.other.as_ref() == Some(&witness.point) {
            true => format!("both stores write `{output}{at}` at point {}", point(&witness.point)),
            false => format!("points {} and {} both store `{output}{at}`", point(&witness.point), other(witness)),
        },
        OutputsFact::Never { output, .. } => format!("no point stores `{output}{at}`"),
        _ => String::new(),
    }
}
