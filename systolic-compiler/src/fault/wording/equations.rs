//! The text of the laws on equations, from `syntax` to `outputs`.
use super::super::*;
use super::{LIMIT, a, count, element, other, point, quoted};
use crate::target::shown;

pub fn syntax(fact: &SyntaxFact) -> String {
    match fact {
        SyntaxFact::Expected { expected, found } => format!("expected {expected}, found {found}"),
        SyntaxFact::Misspelt { found, keyword } => format!("`{found}` is no word of the language; `{keyword}` is"),
        SyntaxFact::TooDeep { limit } => format!("nested more than {limit} deep: a limit; name parts by variables"),
        SyntaxFact::TooLong { limit } => format!("more than {limit} tokens in one block: a limit; make several blocks"),
        SyntaxFact::LiteralTooLarge { text } => format!("`{text}` is larger than any type holds"),
        SyntaxFact::Repeated { what } => format!("a second {what}: a map has one at most"),
        SyntaxFact::Reserved { word } => format!("`{word}` is a word of Rust and cannot be a name"),
        SyntaxFact::NotHere { what } => format!("the language has no {what}"),
    }
}

pub fn names(fact: &NamesFact) -> String {
    match fact {
        NamesFact::Unknown { name, wanted: Kind::Variable } => format!("nothing is called `{name}` here"),
        NamesFact::Unknown { name, wanted } => format!("`{name}` is not {}", a(*wanted)),
        NamesFact::Twice { name, first: Kind::Generic, second: Kind::Generic } => {
            format!("`{name}` stands twice among the generics")
        }
        NamesFact::Twice { name, first, second } if first == second => {
            format!("`{name}` is defined twice, each time as {}", a(*first))
        }
        NamesFact::Twice { name, first, second } => {
            format!("`{name}` is {} already, and would be {} too", a(*first), a(*second))
        }
        NamesFact::TypeClash { ty, kernel } => {
            format!("the type `{ty}` would be defined twice: a map of the kernel `{kernel}` makes it too")
        }
        NamesFact::SecondUnnamed => "a second map without a name, for the same device and condition".to_string(),
        NamesFact::OutputRead { name } => {
            format!("`{name}` is an output: it is stored, never read")
        }
        NamesFact::InputWritten { name, kind } => format!("`{name}` is {} and cannot be written", a(*kind)),
        NamesFact::EquationInIf { name } => {
            format!("`{name}` is a variable: an `if` around it would leave points without a value")
        }
        NamesFact::Wrong { name, is: is @ (Kind::Size | Kind::SizeParameter), wanted: Kind::Generic } => {
            format!("`{name}` is {}, known only at run time; a number or a generic belongs here", a(*is))
        }
        NamesFact::Wrong { name, is, wanted } => format!("`{name}` is {}, but {} belongs here", a(*is), a(*wanted)),
        NamesFact::Taken { name, by } => format!("`{name}` belongs to `{by}` already"),
        NamesFact::Tiled { name, outer, inner } => {
            format!("`{name}` was tiled: its loops are now `{outer}` and `{inner}`")
        }
        NamesFact::NotTiled { name } => format!("`{name}` is not tiled, so its tiles have no edge to overlap"),
        NamesFact::OverlapInner { name } => {
            format!("`{name}` was made by a tile; `overlap` takes the kernel's own loops: a limit")
        }
        NamesFact::NotTime { name } => format!("`{name}` is not a time loop, so it cannot be unrolled"),
        NamesFact::RunTimeLength { name } => {
            format!("`{name}` has a length known only at run time, so it cannot be unrolled")
        }
        NamesFact::Reorder { expected } if expected.is_empty() => {
            "`reorder` names the sequential loops, and there are none".to_string()
        }
        NamesFact::Reorder { expected } => {
            format!("`reorder` must name exactly the sequential loops: {}", quoted(expected))
        }
        NamesFact::TooMany { clause, limit } => format!("`{clause}` takes {limit} loops at most"),
        NamesFact::StageAt { name } => {
            format!("`{name}` is no place to stage at: name a block loop, a sequential loop or a rolled time row")
        }
        NamesFact::MapCondition { name } => {
            format!("`{name}` is not a generic, and a map's `where` speaks of generics only")
        }
        NamesFact::TypesCompared { text } => {
            format!("`{text}` compares types, and only a whole condition of a `where` does that")
        }
        NamesFact::LoopInSize { name } => {
            format!("`{name}` is a loop; dimensions and `where` speak of sizes and generics")
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
        RankFact::Nesting { name, expected: 0 } => format!("a plain value belongs here in `{name}`, not a list"),
        RankFact::Nesting { name, .. } => {
            format!("a list belongs here: the lists of `{name}` are nested as its dimensions, `[[…], […]]`")
        }
    }
}

pub fn types(fact: &TypesFact) -> String {
    match fact {
        TypesFact::Mismatch { expected, found, because } if because.is_empty() => {
            format!("expected {expected}, found {found}")
        }
        TypesFact::Mismatch { expected, found, because } => format!("expected {expected}, found {found}: {because}"),
        TypesFact::NoType { what } => format!("nothing says which type {what} has"),
        TypesFact::NoOperation { operation, ty } if operation == "unary -" => {
            format!("{ty} has no negative values, so no `-` stands before one")
        }
        TypesFact::NoOperation { operation, ty } => format!("{ty} has no `{operation}`"),
        TypesFact::LiteralRange { text, ty, low, high } => {
            format!("{text} is out of the range of {ty}, {low} to {high}")
        }
        TypesFact::FloatLiteral { text, ty } => format!("`{text}` is no {ty}"),
        TypesFact::IndexAsValue { text } => format!("`{text}` is an index, and a value belongs here"),
        TypesFact::NoCast { from, to } => format!("{from} cannot become {to} by `as`"),
        TypesFact::Arguments { function, expected, found } => {
            format!("`{function}` takes {expected} arguments, not {found}")
        }
        TypesFact::Suffix { suffix } => format!("`{suffix}` is no type of such a literal"),
        TypesFact::BorderValue => "a border's value is a literal or a scalar parameter of the array's type".to_string(),
    }
}

pub fn sizes(fact: &SizesFact) -> String {
    match fact {
        SizesFact::NotGiven { name } => format!("no input's shape gives the size `{name}`"),
        SizesFact::NotAlone { name, beside } if beside.is_empty() => {
            format!("no input's shape gives the size `{name}`")
        }
        SizesFact::NotAlone { name, beside } => {
            format!("the size `{name}` stands only beside {}, so no shape gives it alone", quoted(beside))
        }
        SizesFact::Overflow { text } => format!("`{text}` overflows"),
        SizesFact::TooLarge { text, limit } => format!("`{text}` holds a number beyond ±{limit}: a limit"),
        SizesFact::TileBelowOne { value } => format!("a tile has at least 1 point, not {value}"),
        SizesFact::FoldBelowOne { value } => format!("a fold is at least 1, not {value}"),
        SizesFact::OutOfRange { clause, value, least, most } => {
            format!("`{clause}` takes a number from {least} to {most}, not {value}")
        }
        SizesFact::OverlapNegative { value } => format!("an overlap is at least 0, not {value}"),
        SizesFact::DivisionByZero { text } => format!("`{text}` divides by zero"),
        SizesFact::Modulus { value } => format!("a remainder is by a number of at least 1, not {value}"),
        SizesFact::Elements { name, expected, found: 0 } => {
            format!("a dimension of `{name}` is {expected}; it must lie between 1 and 1048576")
        }
        SizesFact::Elements { name, expected, found } => {
            format!("`{name}` wants {expected} elements here, not {found}")
        }
        SizesFact::RunTimeConst { name } => {
            format!("the dimensions of `{name}` are numbers and generics: they are known when compiling")
        }
        SizesFact::NoInstances => {
            "no combination of the generics fulfils this, so the kernel has no instance".to_string()
        }
        SizesFact::TooManyInstances { limit } => format!("more than {limit} combinations of generics: a limit"),
        SizesFact::NoSizes { condition } => format!("no sizes fulfil `{condition}`"),
    }
}

pub fn uniform(fact: &UniformFact) -> String {
    match fact {
        UniformFact::Index { variable, expected_loop, text } => {
            format!("`{variable}` is read at `{text}`; expected `{expected_loop}` plus a constant")
        }
        UniformFact::LeftSide { variable, expected } => {
            format!("the left side of an equation names the loops in order: `{variable}[{}]`", expected.join(", "))
        }
        UniformFact::NotAffine { text, what } => {
            format!("`{text}` is not affine, and {what} must be: sums of loops and sizes times constants")
        }
        UniformFact::ValueIndex { text } => format!("`{text}` is a value, and a value cannot be an index: a limit"),
        UniformFact::InnerLoop { name, of } if name == of => format!("the bounds of `{of}` mention `{of}` itself"),
        UniformFact::InnerLoop { name, of } => {
            format!("the bounds of `{of}` mention `{name}`, which is opened inside it")
        }
        UniformFact::RemainderForm { text } => {
            format!("`{text}`: a remainder may only be compared as `… % constant == constant`")
        }
        UniformFact::LoopDivision { text, of } => {
            format!("`{text}` divides the loop `{of}`; an index is a sum of loops and sizes times constants")
        }
        UniformFact::RunTimeDivision { text } => {
            format!("`{text}` divides what is known only at run time; name the quotient as a size")
        }
    }
}

pub fn defined(fact: &DefinedFact) -> String {
    match fact {
        DefinedFact::Outside { variable, loop_name, below, .. } => format!(
            "`{variable}` is read {} the range of `{loop_name}`, where it has no value",
            if *below { "below" } else { "beyond" }
        ),
        DefinedFact::Undecided => format!("could not decide whether this read stays in the loops; {LIMIT}"),
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
        BoundsFact::Outside { array, store: true, .. } => format!("a store to `{array}` leaves the array"),
        BoundsFact::Outside { array, .. } => format!("a read of `{array}` leaves the array"),
        BoundsFact::Empty { array, .. } => {
            format!("a read of `{array}` meets an empty array, and its border has no element to take")
        }
        BoundsFact::Undecided { array } => format!("could not decide whether `{array}` is left here; {LIMIT}"),
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
        BoundsFact::Undecided { .. } => String::new(),
    }
}

pub fn cycle(fact: &CycleFact) -> String {
    match fact {
        CycleFact::Ring { steps, .. } if steps.len() == 1 => format!("`{}` needs its own value", steps[0].0),
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
                [one] => format!("values of `{one}` need each other in a ring"),
                _ => format!("values of {} need each other in a ring", quoted(&names)),
            }
        }
        CycleFact::NoOrder { variables } => {
            format!("no order of the values of {} was found, and no ring either; {LIMIT}", quoted(variables))
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
        OutputsFact::Twice { output, same_store: true } => format!("an element of `{output}` is stored at two points"),
        OutputsFact::Twice { output, .. } => {
            format!("an element of `{output}` is stored here, and by a store above too")
        }
        OutputsFact::Never { output, stored_anywhere: false } => format!("nothing is stored in `{output}`"),
        OutputsFact::Never { output, .. } => format!("an element of `{output}` is never stored"),
        OutputsFact::NotAGuard { output } => format!(
            "whether `{output}` is stored depends on a value; the condition of a store speaks of loops, sizes and generics"
        ),
        OutputsFact::Undecided { output, what } => format!("could not decide of `{output}` {what}; {LIMIT}"),
    }
}

pub fn outputs_proof(fact: &OutputsFact, witness: &Witness) -> String {
    let at = element(witness.element.as_deref().unwrap_or_default());
    match fact {
        OutputsFact::Twice { output, .. } => match witness.other.as_ref() == Some(&witness.point) {
            true => format!("point {} stores `{output}{at}` in both", point(&witness.point)),
            false => format!("points {} and {} both store `{output}{at}`", point(&witness.point), other(witness)),
        },
        OutputsFact::Never { output, .. } => format!("`{output}{at}` is stored at no point"),
        _ => String::new(),
    }
}
