//! Mutants of the workloads: every kind of mistake a user can make, by seed, each with the laws it may break.
use proc_macro2::{TokenStream, TokenTree};
use systolic_compiler::fault::Law::{self, *};
use systolic_compiler::syntax::tree::{Matrix as MatrixTree, *};
use systolic_compiler::syntax::{self, print_expr, print_kernel};
use systolic_oracle::Random;

pub struct Kind {
    pub name: &'static str,
    /// What it may break. A mutant may also be lawful by chance.
    pub laws: &'static [Law],
    make: fn(&mut Case) -> Option<()>,
    /// Of the workloads whose text has this word.
    only: &'static str,
}

pub struct Mutant {
    pub kind: &'static str,
    pub laws: &'static [Law],
    pub of: String,
    pub text: String,
    /// What one of the faults must point at, any of these; empty where many places would do.
    pub places: Vec<String>,
}

/// A kernel under change.
struct Case<'r> {
    kernel: Kernel,
    random: &'r mut Random,
    places: Vec<String>,
    /// Set by kinds that work on tokens.
    text: Option<String>,
}

/// What can go wrong once an equation reads elsewhere: the equations themselves, then the wires of a map.
const READS: &[Law] = &[Defined, Bounds, Cycle, Types, Collision, Lanes, Causality, Broadcast, Blocks, Resources];
const GUARDS: &[Law] = &[Defined, Bounds, Cycle, Outputs, Types, Causality, Broadcast, Blocks, Resources];
const WIRES: &[Law] = &[Causality, Broadcast, Blocks, Resources];
const ROWS: &[Law] = &[Matrix, Names, Collision, Lanes, Causality, Broadcast, Blocks, Resources];

const fn kind(name: &'static str, laws: &'static [Law], make: fn(&mut Case) -> Option<()>) -> Kind {
    Kind { name, laws, make, only: "" }
}

pub const KINDS: &[Kind] = &[
    kind("drop a separator", &[Syntax], drop_separator),
    kind("misspell a keyword", &[Syntax], misspell_keyword),
    kind("insert a stray token", &[Syntax], stray_token),
    kind("misspell a variable", &[Names], misspell_variable),
    kind("misspell a loop", &[Names], misspell_loop),
    kind("misspell a type", &[Names], misspell_type),
    kind("repeat an equation", &[Names], repeat_equation),
    kind("read an output", &[Names, Rank], read_output),
    kind("write an input", &[Names, Rank], write_input),
    kind("block a tiled loop", &[Names], block_tiled_loop),
    kind("overlap what is not tiled", &[Names], overlap_untiled),
    kind("drop an index", &[Rank], drop_index),
    kind("add an index", &[Rank], add_index),
    kind("literal of another type", &[Types], other_literal),
    kind("parameter of another type", &[Types], other_parameter_type),
    kind("literal out of range", &[Types], literal_out_of_range),
    kind("wrong number of arguments", &[Types], wrong_arguments),
    kind("size that no shape gives", &[Sizes], unknown_size),
    kind("tile of nothing", &[Sizes], empty_tile),
    kind("fold of nothing", &[Sizes], empty_fold),
    kind("huge number in an index", &[Sizes, Bounds], huge_index),
    kind("const parameter of run-time length", &[Sizes], run_time_const),
    kind("scale an index of a variable", &[Uniform], scale_index),
    kind("swap two indices of a variable", &[Uniform], swap_indices),
    kind("multiply two loops", &[Uniform], multiply_loops),
    kind("permute a left side", &[Uniform], permute_left_side),
    kind("drop a guard", GUARDS, drop_guard),
    kind("change the sign of a distance", READS, change_sign),
    kind("lengthen a distance", READS, lengthen_distance),
    kind("weaken a guard", GUARDS, weaken_guard),
    kind("shift a guard", GUARDS, shift_guard),
    kind("exchange the sides of an if", GUARDS, exchange_sides),
    kind("shift an array's index", &[Bounds, Causality, Broadcast, Blocks, Resources], shift_array_index),
    kind("lengthen a loop", &[Defined, Bounds, Outputs, Collision, Lanes, Causality, Resources], lengthen_loop),
    kind("drop a border", &[Bounds], drop_border),
    kind("read oneself", &[Cycle, Types], read_oneself),
    kind("define by its reader", &[Cycle, Types, Defined, Bounds], define_by_reader),
    kind("there and back", &[Cycle, Defined], there_and_back),
    kind("drop a store", &[Outputs, Types], drop_store),
    kind("repeat a store", &[Outputs], repeat_store),
    kind("weaken a store's guard", &[Outputs, Bounds, Defined], weaken_store_guard),
    kind("drop a store's guard", &[Outputs, Bounds, Defined, Blocks], drop_store_guard),
    kind("store at a constant", &[Outputs, Bounds], store_at_constant),
    kind("store on a value", &[Outputs, Types], store_on_value),
    kind("repeat a row", &[Matrix], repeat_row),
    kind("zero a row", &[Matrix], zero_row),
    kind("drop a row", &[Matrix], drop_row),
    kind("shorten a row", &[Matrix], shorten_row),
    kind("huge entry", &[Matrix], huge_entry),
    kind("take a loop twice", &[Matrix, Names], take_loop_twice),
    kind("wrong reverse", &[Reverse], wrong_reverse),
    kind("short reverse", &[Reverse], short_reverse),
    kind("fewer rows", &[Collision, Names, Lanes], fewer_rows),
    kind("zero an entry", ROWS, zero_entry),
    kind("swap two rows", ROWS, swap_rows),
    kind("add two rows into one", &[Collision, Names, Lanes, Causality], merge_rows),
    kind("widen a tile", &[Lanes, Causality, Blocks, Resources], widen_tile),
    kind("drop lanes", &[Lanes], drop_lanes),
    kind("lanes of run-time length", &[Lanes, Broadcast, Causality], run_time_lanes),
    kind("too many warps", &[Lanes], many_warps),
    kind("drop a tile", &[Names, Lanes, Causality, Broadcast], drop_tile),
    kind("negate a time row", &[Causality, Broadcast], negate_time_row),
    kind("change a sign in a row", ROWS, change_row_sign),
    kind("warps along a carried loop", &[Broadcast, Causality, Collision, Lanes], carried_warps),
    kind("lanes along a carried loop", &[Broadcast, Causality, Lanes, Resources], carried_lanes),
    kind("block a sequential loop", &[Blocks, Names], block_sequential),
    kind("block every loop", &[Blocks, Broadcast, Causality, Lanes], block_all),
    Kind { name: "narrow an overlap", laws: &[Blocks], make: narrow_overlap, only: "overlap" },
    Kind { name: "drop an overlap", laws: &[Blocks], make: drop_overlap, only: "overlap" },
    kind("large const parameter", &[Resources], large_parameter),
    kind("large generic", &[Resources, Sizes, Matrix, Collision, Lanes, Causality, Broadcast, Blocks], large_generic),
    kind("fold too large", WIRES, large_fold),
];

/// A mutant of a kind, or none where this kernel has nothing to change.
pub fn mutant(kind: &Kind, kernel: &Kernel, seed: u64) -> Option<Mutant> {
    if !print_kernel(kernel).contains(kind.only) {
        return None;
    }
    let mut random = Random::new(seed);
    let mut case = Case { kernel: kernel.clone(), random: &mut random, places: Vec::new(), text: None };
    (kind.make)(&mut case)?;
    let text = case.text.unwrap_or_else(|| print_kernel(&case.kernel));
    let of = kernel.name.text.clone();
    Some(Mutant { kind: kind.name, laws: kind.laws, of, text, places: case.places })
}

/// Mutants of every kind, `each` of them, over the workloads in an order by seed.
pub fn mutants(workloads: &[Kernel], each: usize, seed: u64) -> Vec<Mutant> {
    let mut all: Vec<Mutant> = Vec::new();
    for (n, kind) in KINDS.iter().enumerate() {
        let mut random = Random::new(seed.wrapping_mul(1000) + n as u64);
        let mut order: Vec<usize> = (0..workloads.len()).collect();
        random.shuffle(&mut order);
        let mut of_kind: Vec<Mutant> = Vec::new();
        for k in order.iter().cycle().take(2 * workloads.len()) {
            if of_kind.len() == each {
                break;
            }
            let Some(made) = mutant(kind, &workloads[*k], random.below(1 << 62) as u64) else { continue };
            if made.text != print_kernel(&workloads[*k]) && !of_kind.iter().any(|m| m.text == made.text) {
                of_kind.push(made);
            }
        }
        all.extend(of_kind);
    }
    all
}

// --- Reading small texts ---

fn kernel_from(text: &str) -> Kernel {
    let parsed = syntax::parse(text.parse().expect("tokens"));
    parsed.block.kernels.into_iter().next().unwrap_or_else(|| panic!("{:?}\n{text}", parsed.faults))
}

fn expr_from(text: &str) -> Expr {
    let kernel = kernel_from(&format!("kernel k(n: size) -> (z: [f32; n]) {{ for i in 0..n {{ z[i] = {text}; }} }}"));
    match kernel.statements.into_iter().next() {
        Some(Statement::Assign(assign)) => assign.value,
        other => panic!("{other:?}"),
    }
}

fn map_from(text: &str) -> Map {
    let text = format!("kernel k(n: size) -> (z: [f32; n]) {{ for i in 0..n {{ z[i] = 0.0; }} map {{ {text} }} }}");
    kernel_from(&text).maps.remove(0)
}

fn name(text: &str) -> systolic_compiler::region::Name {
    systolic_compiler::region::Name::new(text, proc_macro2::Span::call_site())
}

// --- Walking a kernel ---

/// Where an expression stands.
#[derive(Clone, Default)]
struct Site {
    /// The variable whose equation it is in; none in a store.
    variable: Option<String>,
    in_index: bool,
    in_condition: bool,
    /// Under an `as`, where an index may be a value.
    in_cast: bool,
}

fn walk(expr: &mut Expr, site: &Site, visit: &mut dyn FnMut(&mut Expr, &Site)) {
    visit(expr, site);
    let index = Site { in_index: true, ..site.clone() };
    let cast = Site { in_cast: true, ..site.clone() };
    let condition_site = Site { in_condition: true, ..site.clone() };
    match &mut expr.kind {
        ExprKind::Index { indices, .. } => indices.iter_mut().for_each(|e| walk(e, &index, visit)),
        ExprKind::Unary { operand, .. } => walk(operand, site, visit),
        ExprKind::Cast { operand, .. } => walk(operand, &cast, visit),
        ExprKind::Binary { left, right, .. } => {
            walk(left, site, visit);
            walk(right, site, visit);
        }
        ExprKind::If { condition, then, otherwise } => {
            walk(condition, &condition_site, visit);
            walk(then, site, visit);
            walk(otherwise, site, visit);
        }
        ExprKind::Call { arguments, .. } => arguments.iter_mut().for_each(|e| walk(e, site, visit)),
        _ => {}
    }
}

impl Case<'_> {
    fn is_output(&self, name: &str) -> bool {
        self.kernel.outputs.iter().any(|o| o.name.text == name)
    }

    fn variables(&self) -> Vec<String> {
        let target = |s: &Statement| match s {
            Statement::Assign(a) if !self.is_output(&a.target.text) => Some(a.target.text.clone()),
            _ => None,
        };
        self.kernel.statements.iter().filter_map(target).collect()
    }

    fn is_loop(&self, name: &str) -> bool {
        self.kernel.loops.iter().any(|l| l.name.text == name)
    }

    fn each_value(&mut self, visit: &mut dyn FnMut(&mut Expr, &Site)) {
        let variables = self.variables();
        for statement in &mut self.kernel.statements {
            match statement {
                Statement::Assign(assign) => {
                    let variable = Some(assign.target.text.clone()).filter(|n| variables.contains(n));
                    walk(&mut assign.value, &Site { variable, ..Site::default() }, visit);
                }
                Statement::If { stores, .. } => {
                    stores.iter_mut().for_each(|s| walk(&mut s.value, &Site::default(), visit));
                }
            }
        }
    }

    /// Changes one of the expressions that `pick` likes.
    fn change(&mut self, pick: &dyn Fn(&Expr, &Site) -> bool, change: &mut dyn FnMut(&mut Expr, &Site)) -> Option<()> {
        let mut count = 0;
        self.each_value(&mut |e, site| count += usize::from(pick(e, site)));
        if count == 0 {
            return None;
        }
        let chosen = self.random.below(count);
        let mut at = 0;
        self.each_value(&mut |e, site| {
            if pick(e, site) {
                at += 1;
                if at == chosen + 1 {
                    change(e, site);
                }
            }
        });
        Some(())
    }

    fn map(&mut self) -> Option<&mut Map> {
        let count = self.kernel.maps.len();
        if count == 0 {
            return None;
        }
        let chosen = self.random.below(count);
        Some(&mut self.kernel.maps[chosen])
    }

    /// The new loops and the matrix of a map that has them, and the names in `lanes` and `warps`.
    fn matrix(&mut self) -> Option<(Vec<String>, &mut Clause)> {
        let map = self.map()?;
        let space = map
            .clauses
            .iter()
            .flat_map(|c| match &c.kind {
                ClauseKind::Lanes { loops, .. } | ClauseKind::Warps(loops) => loops.clone(),
                _ => Vec::new(),
            })
            .map(|n| n.text)
            .collect();
        let clause = map.clauses.iter_mut().find(|c| matches!(c.kind, ClauseKind::SpaceTime { .. }))?;
        Some((space, clause))
    }

    fn assigns(&mut self, output: bool) -> Vec<&mut Assign> {
        let outputs: Vec<String> = self.kernel.outputs.iter().map(|o| o.name.text.clone()).collect();
        let all = self.kernel.statements.iter_mut().flat_map(|s| match s {
            Statement::Assign(a) => vec![a],
            Statement::If { stores, .. } => stores.iter_mut().collect(),
        });
        all.filter(|a| outputs.contains(&a.target.text) == output).collect()
    }

    fn one<T>(&mut self, count: usize, get: impl FnOnce(&mut Self, usize) -> T) -> Option<T> {
        if count == 0 {
            return None;
        }
        let k = self.random.below(count);
        Some(get(self, k))
    }
}

fn read_of<'e>(e: &'e Expr, among: &[String]) -> Option<&'e Vec<Expr>> {
    match &e.kind {
        ExprKind::Index { name, indices } if among.contains(&name.text) => Some(indices),
        _ => None,
    }
}

fn is_shifted(e: &Expr) -> bool {
    matches!(e.kind, ExprKind::Binary { op: BinaryOp::Add | BinaryOp::Sub, .. })
}

fn left_side(assign: &Assign) -> String {
    let indices: Vec<String> = assign.indices.iter().map(print_expr).collect();
    format!("{}[{}]", assign.target.text, indices.join(", "))
}

// --- Tokens ---

/// The bytes of every token, delimiters of groups apart.
pub fn token_ranges(tokens: TokenStream) -> Vec<(std::ops::Range<usize>, String)> {
    let mut all = Vec::new();
    for token in tokens {
        match token {
            TokenTree::Group(group) => {
                all.push((group.span_open().byte_range(), "(".to_string()));
                all.extend(token_ranges(group.stream()));
                all.push((group.span_close().byte_range(), ")".to_string()));
            }
            other => all.push((other.span().byte_range(), other.to_string())),
        }
    }
    all
}

fn edit_token(
    case: &mut Case,
    pick: impl Fn(&str) -> bool,
    edit: impl FnOnce(&str, &mut Random) -> String,
) -> Option<String> {
    let mut text = print_kernel(&case.kernel);
    let tokens: Vec<_> = token_ranges(text.parse().ok()?).into_iter().filter(|(_, t)| pick(t)).collect();
    if tokens.is_empty() {
        return None;
    }
    let (range, word) = tokens[case.random.below(tokens.len())].clone();
    let new = edit(&word, case.random);
    text.replace_range(range, &new);
    case.text = Some(text);
    Some(new)
}

fn drop_separator(case: &mut Case) -> Option<()> {
    // A trailing comma may be left out.
    let pick = |t: &str| matches!(t, ";" | "," | "else" | "in" | "for" | "by" | "kernel");
    edit_token(case, pick, |_, _| " ".to_string())?;
    let text = case.text.clone()?;
    let trailing = syntax::parse(text.parse().ok()?).faults.is_empty();
    (!trailing).then_some(())
}

fn misspell(word: &str, random: &mut Random) -> String {
    let at = random.below(word.len());
    match random.below(2) {
        0 if word.len() > 3 => format!("{}{}", &word[..at], &word[at + 1..]),
        _ => format!("{}{}", &word[..=at], &word[at..]),
    }
}

fn misspell_keyword(case: &mut Case) -> Option<()> {
    let words = [
        "kernel",
        "for",
        "tile",
        "blocks",
        "space_time",
        "lanes",
        "unroll",
        "overlap",
        "border",
        "warps",
        "map",
        "stage",
    ];
    let new = edit_token(case, |t| words.contains(&t), misspell)?;
    case.places = vec![new];
    Some(())
}

fn stray_token(case: &mut Case) -> Option<()> {
    let stray = case.random.pick(&["@", "$", "?", "=>", "::", "let", "..="]);
    edit_token(case, |t| matches!(t, ";" | "for" | "in" | "="), |word, _| format!(" {stray} {word}"))?;
    Some(())
}

// --- Names ---

fn misspell_variable(case: &mut Case) -> Option<()> {
    let variables = case.variables();
    let mut new = String::new();
    case.change(&|e, _| read_of(e, &variables).is_some(), &mut |e, _| {
        if let ExprKind::Index { name, .. } = &mut e.kind {
            name.text = format!("{}q", name.text);
            new = name.text.clone();
        }
    })?;
    case.places = vec![new];
    Some(())
}

fn misspell_loop(case: &mut Case) -> Option<()> {
    let loops: Vec<String> = case.kernel.loops.iter().map(|l| l.name.text.clone()).collect();
    let mut new = String::new();
    case.change(&|e, site| site.in_index && matches!(&e.kind, ExprKind::Name(n) if loops.contains(n)), &mut |e, _| {
        if let ExprKind::Name(n) = &mut e.kind {
            *n = format!("{n}z");
            new = n.clone();
        }
    })?;
    case.places = vec![new];
    Some(())
}

fn misspell_type(case: &mut Case) -> Option<()> {
    let count = case.kernel.parameters.len();
    case.one(count, |case, k| {
        let (ParameterKind::Array { array: ArrayType { element: ty, .. }, .. }
        | ParameterKind::Const { array: ArrayType { element: ty, .. } }
        | ParameterKind::Scalar { ty }) = &mut case.kernel.parameters[k].kind
        else {
            return None;
        };
        ty.text = format!("{}4", ty.text);
        case.places = vec![ty.text.clone()];
        Some(())
    })?
}

fn repeat_equation(case: &mut Case) -> Option<()> {
    let variables = case.variables();
    let equations: Vec<Statement> = case
        .kernel
        .statements
        .iter()
        .filter(|s| matches!(s, Statement::Assign(a) if variables.contains(&a.target.text)))
        .cloned()
        .collect();
    let again = (!equations.is_empty()).then(|| case.random.pick(&equations))?;
    if let Statement::Assign(a) = &again {
        case.places = vec![a.target.text.clone(), left_side(a)];
    }
    case.kernel.statements.push(again);
    Some(())
}

fn read_output(case: &mut Case) -> Option<()> {
    let variables = case.variables();
    let outputs: Vec<String> = case.kernel.outputs.iter().map(|o| o.name.text.clone()).collect();
    let output = case.random.pick(&outputs);
    case.change(&|e, site| read_of(e, &variables).is_some() && site.variable.is_some(), &mut |e, _| {
        if let ExprKind::Index { name, .. } = &mut e.kind {
            name.text = output.clone();
        }
    })?;
    case.places = vec![output];
    Some(())
}

fn write_input(case: &mut Case) -> Option<()> {
    let inputs: Vec<String> = case.kernel.parameters.iter().map(|p| p.name.text.clone()).collect();
    let input = case.random.pick(&inputs);
    let count = case.assigns(false).len();
    case.one(count, |case, k| case.assigns(false)[k].target.text = input.clone())?;
    Some(())
}

fn block_tiled_loop(case: &mut Case) -> Option<()> {
    let map = case.map()?;
    let of = map.clauses.iter().find_map(|c| match &c.kind {
        ClauseKind::Tile { of, .. } => Some(of.clone()),
        _ => None,
    })?;
    let blocks = map.clauses.iter_mut().find_map(|c| match &mut c.kind {
        ClauseKind::Blocks(names) => Some(names),
        _ => None,
    })?;
    blocks[0] = of.clone();
    case.places = vec![of.text];
    Some(())
}

fn overlap_untiled(case: &mut Case) -> Option<()> {
    let text = print_kernel(&case.kernel);
    let loops: Vec<_> = case
        .kernel
        .loops
        .iter()
        .map(|l| l.name.clone())
        .filter(|n| !text.contains(&format!("tile {} by", n.text)))
        .collect();
    let of = (!loops.is_empty()).then(|| case.random.pick(&loops))?;
    let map = case.map()?;
    map.clauses.extend(map_from(&format!("overlap {} by 1;", of.text)).clauses);
    case.places = vec![of.text];
    Some(())
}

// --- Rank ---

fn drop_index(case: &mut Case) -> Option<()> {
    let mut place = String::new();
    let mut which = case.random.below(1 << 30);
    case.change(&|e, _| matches!(&e.kind, ExprKind::Index { indices, .. } if indices.len() > 1), &mut |e, _| {
        if let ExprKind::Index { indices, .. } = &mut e.kind {
            which %= indices.len();
            indices.remove(which);
        }
        place = print_expr(e);
    })?;
    case.places = vec![place];
    Some(())
}

fn add_index(case: &mut Case) -> Option<()> {
    let mut place = String::new();
    case.change(&|e, _| matches!(&e.kind, ExprKind::Index { .. }), &mut |e, _| {
        if let ExprKind::Index { indices, .. } = &mut e.kind {
            indices.push(indices[0].clone());
        }
        place = print_expr(e);
    })?;
    case.places = vec![place];
    Some(())
}

// --- Types ---

fn other_literal(case: &mut Case) -> Option<()> {
    let new = expr_from(&case.random.pick(&["true", "7bool", "7.5u8"]).replace("7bool", "false"));
    case.change(
        &|e, site| {
            !site.in_index && !site.in_condition && matches!(e.kind, ExprKind::Int { .. } | ExprKind::Float { .. })
        },
        &mut |e, _| e.kind = new.kind.clone(),
    )
}

fn other_parameter_type(case: &mut Case) -> Option<()> {
    let ty = case.random.pick(&["bool", "i64", "f64", "u16", "bf16"]);
    let count = case.kernel.parameters.len();
    case.one(count, |case, k| {
        let (ParameterKind::Array { array: ArrayType { element, .. }, .. }
        | ParameterKind::Const { array: ArrayType { element, .. } }
        | ParameterKind::Scalar { ty: element }) = &mut case.kernel.parameters[k].kind
        else {
            return None;
        };
        element.text = ty.to_string();
        Some(())
    })?
}

fn literal_out_of_range(case: &mut Case) -> Option<()> {
    let new = expr_from("1000000000000000000000000");
    case.change(
        &|e, site| !site.in_index && !site.in_condition && !site.in_cast && matches!(e.kind, ExprKind::Int { .. }),
        &mut |e, _| e.kind = new.kind.clone(),
    )?;
    case.places = vec![print_expr(&new)];
    Some(())
}

fn wrong_arguments(case: &mut Case) -> Option<()> {
    case.change(&|e, _| matches!(e.kind, ExprKind::Call { .. }), &mut |e, _| {
        if let ExprKind::Call { function, arguments } = &mut e.kind {
            if matches!(function.text.as_str(), "min" | "max") {
                arguments.truncate(1);
            } else {
                arguments.push(arguments[0].clone());
                arguments.push(arguments[0].clone());
                arguments.push(arguments[0].clone());
            }
        }
    })
}

// --- Sizes ---

fn unknown_size(case: &mut Case) -> Option<()> {
    let count = case.kernel.loops.len();
    let new = case.random.pick(&["Size", "Other", "K9"]);
    let chosen = case.random.below(count);
    let mut hit = false;
    let generics: Vec<String> = case.kernel.generics.iter().map(|g| g.name.text.clone()).collect();
    let loops: Vec<String> = case.kernel.loops.iter().map(|l| l.name.text.clone()).collect();
    walk(&mut case.kernel.loops[chosen].high, &Site::default(), &mut |e, _| {
        if let ExprKind::Name(n) = &mut e.kind
            && !generics.contains(n)
            && !loops.contains(n)
        {
            *n = new.to_string();
            hit = true;
        }
    });
    case.places = vec![new.to_string()];
    hit.then_some(())
}

fn empty_tile(case: &mut Case) -> Option<()> {
    let zero = expr_from(case.random.pick(&["0", "(1 - 1)", "(2 - 5)"]));
    let map = case.map()?;
    let by = map.clauses.iter_mut().find_map(|c| match &mut c.kind {
        ClauseKind::Tile { by, .. } => Some(by),
        _ => None,
    })?;
    *by = zero;
    Some(())
}

fn empty_fold(case: &mut Case) -> Option<()> {
    let map = case.map()?;
    let fold = map.clauses.iter_mut().find_map(|c| match &mut c.kind {
        ClauseKind::Lanes { fold, .. } => Some(fold),
        _ => None,
    })?;
    *fold = Some(expr_from("0"));
    case.places = vec!["0".to_string()];
    Some(())
}

fn huge_index(case: &mut Case) -> Option<()> {
    let huge = case.random.pick(&["100000000000000000000000000000", "85070591730234615865843651857942052864"]);
    let new = expr_from(huge);
    case.change(&|e, site| site.in_index && matches!(e.kind, ExprKind::Int { .. }), &mut |e, _| {
        e.kind = new.kind.clone()
    })
}

fn run_time_const(case: &mut Case) -> Option<()> {
    let size = case.kernel.outputs[0].array.dims[0].clone();
    let generics: Vec<String> = case.kernel.generics.iter().map(|g| g.name.text.clone()).collect();
    if !matches!(&size.kind, ExprKind::Name(n) if !generics.contains(n)) {
        return None;
    }
    let array = case.kernel.parameters.iter_mut().find_map(|p| match &mut p.kind {
        ParameterKind::Const { array } => Some(array),
        _ => None,
    })?;
    array.dims[0] = size;
    Some(())
}

// --- Uniform ---

fn scale_index(case: &mut Case) -> Option<()> {
    let variables = case.variables();
    let mut place = String::new();
    let mut which = case.random.below(1 << 30);
    case.change(&|e, _| read_of(e, &variables).is_some(), &mut |e, _| {
        if let ExprKind::Index { indices, .. } = &mut e.kind {
            which %= indices.len();
            let new = expr_from(&format!("2 * ({})", print_expr(&indices[which])));
            place = print_expr(&new);
            indices[which] = new;
        }
    })?;
    case.places = vec![place];
    Some(())
}

fn swap_indices(case: &mut Case) -> Option<()> {
    let variables = case.variables();
    case.change(&|e, _| read_of(e, &variables).is_some_and(|i| i.len() > 1), &mut |e, _| {
        if let ExprKind::Index { indices, .. } = &mut e.kind {
            indices.swap(0, 1);
        }
    })
}

fn multiply_loops(case: &mut Case) -> Option<()> {
    let variables = case.variables();
    let loops: Vec<String> = case.kernel.loops.iter().map(|l| l.name.text.clone()).collect();
    let (a, b) = (case.random.pick(&loops), case.random.pick(&loops));
    let new = expr_from(&format!("{a} * {b}"));
    case.change(
        &|e, _| matches!(&e.kind, ExprKind::Index { name, .. } if !variables.contains(&name.text)),
        &mut |e, _| {
            if let ExprKind::Index { indices, .. } = &mut e.kind {
                indices[0] = new.clone();
            }
        },
    )?;
    case.places = vec![print_expr(&new)];
    Some(())
}

fn permute_left_side(case: &mut Case) -> Option<()> {
    let count = case.assigns(false).len();
    case.one(count, |case, k| {
        let mut all = case.assigns(false);
        let indices = &mut all[k].indices;
        (indices.len() > 1).then(|| indices.rotate_left(1))
    })?
}

// --- Guards and distances ---

fn is_guard_if(e: &Expr) -> bool {
    let mut plain = true;
    if let ExprKind::If { condition, .. } = &e.kind {
        walk(&mut (**condition).clone(), &Site::default(), &mut |c, _| {
            plain &= !matches!(c.kind, ExprKind::Index { .. } | ExprKind::Cast { .. });
        });
        return plain;
    }
    false
}

fn drop_guard(case: &mut Case) -> Option<()> {
    case.change(&|e, site| site.variable.is_some() && is_guard_if(e), &mut |e, _| {
        if let ExprKind::If { otherwise, .. } = &e.kind {
            *e = (**otherwise).clone();
        }
    })
}

fn exchange_sides(case: &mut Case) -> Option<()> {
    case.change(&|e, site| site.variable.is_some() && is_guard_if(e), &mut |e, _| {
        if let ExprKind::If { then, otherwise, .. } = &mut e.kind {
            std::mem::swap(then, otherwise);
        }
    })
}

fn has_shift(e: &Expr, variables: &[String]) -> bool {
    read_of(e, variables).is_some_and(|i| i.iter().any(is_shifted))
}

fn change_sign(case: &mut Case) -> Option<()> {
    let variables = case.variables();
    case.change(&|e, _| has_shift(e, &variables), &mut |e, _| {
        if let ExprKind::Index { indices, .. } = &mut e.kind
            && let Some(index) = indices.iter_mut().find(|i| is_shifted(i))
            && let ExprKind::Binary { op, .. } = &mut index.kind
        {
            *op = if *op == BinaryOp::Add { BinaryOp::Sub } else { BinaryOp::Add };
        }
    })
}

fn lengthen_distance(case: &mut Case) -> Option<()> {
    let variables = case.variables();
    let more = case.random.pick(&["1", "2", "40"]);
    case.change(&|e, _| has_shift(e, &variables), &mut |e, _| {
        if let ExprKind::Index { indices, .. } = &mut e.kind
            && let Some(index) = indices.iter_mut().find(|i| is_shifted(i))
        {
            let sign = if matches!(index.kind, ExprKind::Binary { op: BinaryOp::Add, .. }) { "+" } else { "-" };
            *index = expr_from(&format!("{} {sign} {more}", print_expr(index)));
        }
    })
}

fn weaken(e: &mut Expr) {
    if let ExprKind::Binary { op, .. } = &mut e.kind {
        *op = match *op {
            BinaryOp::Eq => BinaryOp::Ne,
            BinaryOp::Lt => BinaryOp::Le,
            BinaryOp::Gt => BinaryOp::Ge,
            BinaryOp::Or => BinaryOp::And,
            BinaryOp::And => BinaryOp::Or,
            _ => return,
        };
    }
}

fn is_comparison(e: &Expr) -> bool {
    use BinaryOp::{And, Eq, Gt, Lt, Or};
    let plain = |e: &Expr| {
        let mut plain = true;
        walk(&mut e.clone(), &Site::default(), &mut |c, _| {
            plain &= !matches!(
                c.kind,
                ExprKind::Index { .. } | ExprKind::Cast { .. } | ExprKind::Binary { op: BinaryOp::Rem, .. }
            );
        });
        plain
    };
    matches!(e.kind, ExprKind::Binary { op: Eq | Lt | Gt | Or | And, .. }) && plain(e)
}

fn weaken_guard(case: &mut Case) -> Option<()> {
    case.change(&|e, site| site.in_condition && !site.in_index && is_comparison(e), &mut |e, _| weaken(e))
}

fn shift_guard(case: &mut Case) -> Option<()> {
    let by = case.random.pick(&["+ 1", "- 1", "+ 2"]);
    let pick = |e: &Expr, site: &Site| {
        site.in_condition
            && is_comparison(e)
            && !matches!(e.kind, ExprKind::Binary { op: BinaryOp::And | BinaryOp::Or, .. })
    };
    case.change(&pick, &mut |e, _| {
        if let ExprKind::Binary { right, .. } = &mut e.kind {
            **right = expr_from(&format!("{} {by}", print_expr(right)));
        }
    })
}

// --- Arrays ---

fn shift_array_index(case: &mut Case) -> Option<()> {
    let variables = case.variables();
    let by = case.random.pick(&["+ 1", "- 1", "+ 7"]);
    let mut which = case.random.below(1 << 30);
    case.change(
        &|e, _| matches!(&e.kind, ExprKind::Index { name, .. } if !variables.contains(&name.text)),
        &mut |e, _| {
            if let ExprKind::Index { indices, .. } = &mut e.kind {
                which %= indices.len();
                indices[which] = expr_from(&format!("{} {by}", print_expr(&indices[which])));
            }
        },
    )
}

fn lengthen_loop(case: &mut Case) -> Option<()> {
    let k = case.random.below(case.kernel.loops.len());
    let (low, high) = (&case.kernel.loops[k].low, &case.kernel.loops[k].high);
    if case.random.chance(50) {
        case.kernel.loops[k].high = expr_from(&format!("{} + 1", print_expr(high)));
    } else {
        case.kernel.loops[k].low = expr_from(&format!("{} - 1", print_expr(low)));
    }
    Some(())
}

fn drop_border(case: &mut Case) -> Option<()> {
    let count = case.kernel.parameters.len();
    case.one(count, |case, k| match &mut case.kernel.parameters[k].kind {
        ParameterKind::Array { border, .. } if border.is_some() => {
            *border = None;
            Some(())
        }
        _ => None,
    })?
}

// --- Cycles ---

fn loops_of(case: &Case) -> Vec<Expr> {
    case.kernel.loops.iter().map(|l| expr_from(&l.name.text)).collect()
}

fn read_oneself(case: &mut Case) -> Option<()> {
    let variables = case.variables();
    let here = loops_of(case);
    let pick = |e: &Expr, site: &Site| {
        !site.in_index && !site.in_condition && site.variable.is_some() && read_of(e, &variables).is_some()
    };
    case.change(&pick, &mut |e, site| {
        if let (ExprKind::Index { name: read, indices }, Some(own)) = (&mut e.kind, &site.variable) {
            read.text = own.clone();
            *indices = here.clone();
        }
    })
}

/// `W` becomes `V` here, where `V` reads `W` here.
fn define_by_reader(case: &mut Case) -> Option<()> {
    let variables = case.variables();
    let here: Vec<String> = case.kernel.loops.iter().map(|l| l.name.text.clone()).collect();
    let mut pairs = Vec::new();
    case.each_value(&mut |e, site| {
        if let (ExprKind::Index { name, indices }, Some(own)) = (&e.kind, &site.variable)
            && variables.contains(&name.text)
            && name.text != *own
            && indices.iter().map(print_expr).eq(here.iter().cloned())
        {
            pairs.push((own.clone(), name.text.clone()));
        }
    });
    let (reader, read) = (!pairs.is_empty()).then(|| case.random.pick(&pairs))?;
    let new = expr_from(&format!("{reader}[{}]", here.join(", ")));
    case.assigns(false).into_iter().find(|a| a.target.text == read)?.value = new;
    Some(())
}

fn there_and_back(case: &mut Case) -> Option<()> {
    let variables = case.variables();
    let pick = |e: &Expr, site: &Site| {
        has_shift(e, &variables)
            && matches!((&e.kind, &site.variable), (ExprKind::Index { name, .. }, Some(v)) if name.text == *v)
    };
    case.change(&pick, &mut |e, _| {
        let mut back = e.clone();
        if let ExprKind::Index { indices, .. } = &mut back.kind {
            for index in indices.iter_mut() {
                if let ExprKind::Binary { op, .. } = &mut index.kind {
                    *op = if *op == BinaryOp::Add { BinaryOp::Sub } else { BinaryOp::Add };
                }
            }
        }
        *e = expr_from(&format!("max({}, {})", print_expr(e), print_expr(&back)));
    })
}

// --- Outputs ---

fn drop_store(case: &mut Case) -> Option<()> {
    let output = case.random.pick(&case.kernel.outputs).name.text;
    let statements = &mut case.kernel.statements;
    for statement in statements.iter_mut() {
        if let Statement::If { stores, .. } = statement {
            stores.retain(|s| s.target.text != output);
        }
    }
    statements.retain(|s| match s {
        Statement::If { stores, .. } => !stores.is_empty(),
        Statement::Assign(a) => a.target.text != output,
    });
    (!statements.is_empty()).then_some(())
}

fn repeat_store(case: &mut Case) -> Option<()> {
    let outputs: Vec<String> = case.kernel.outputs.iter().map(|o| o.name.text.clone()).collect();
    let is_store = |s: &&Statement| match s {
        Statement::If { .. } => true,
        Statement::Assign(a) => outputs.contains(&a.target.text),
    };
    let stores: Vec<Statement> = case.kernel.statements.iter().filter(is_store).cloned().collect();
    let again = case.random.pick(&stores);
    case.places = match &again {
        Statement::If { stores, .. } => stores.iter().map(left_side).collect(),
        Statement::Assign(a) => vec![left_side(a)],
    };
    case.kernel.statements.push(again);
    Some(())
}

fn store_guard(case: &mut Case, edit: impl FnOnce(&mut Random, &mut Expr, &[Assign])) -> Option<()> {
    let Case { kernel, random, .. } = case;
    let mut all: Vec<_> = kernel
        .statements
        .iter_mut()
        .filter_map(|s| match s {
            Statement::If { condition, stores } => Some((condition, stores)),
            _ => None,
        })
        .collect();
    if all.is_empty() {
        return None;
    }
    let k = random.below(all.len());
    let (condition, stores) = &mut all[k];
    edit(random, condition, stores);
    Some(())
}

fn weaken_store_guard(case: &mut Case) -> Option<()> {
    store_guard(case, |random, condition, _| match random.below(3) {
        0 => weaken(condition),
        1 => *condition = expr_from(&format!("!({})", print_expr(condition))),
        _ => {
            if let ExprKind::Binary { right, .. } = &mut condition.kind {
                weaken(right);
            }
        }
    })
}

fn drop_store_guard(case: &mut Case) -> Option<()> {
    let mut found = None;
    for (k, s) in case.kernel.statements.iter().enumerate() {
        if let Statement::If { stores, .. } = s {
            found = Some((k, stores.clone()));
        }
    }
    let (k, stores) = found?;
    case.kernel.statements.splice(k..=k, stores.into_iter().map(Statement::Assign));
    Some(())
}

fn store_at_constant(case: &mut Case) -> Option<()> {
    let constant = expr_from(case.random.pick(&["0", "3", "-1"]));
    let count = case.assigns(true).len();
    case.one(count, |case, k| {
        let mut all = case.assigns(true);
        all[k].indices[0] = constant;
    })
}

fn store_on_value(case: &mut Case) -> Option<()> {
    store_guard(case, |_, condition, stores| {
        let value = print_expr(&stores[0].value);
        *condition = expr_from(&format!("{} && ({value}) > ({value})", print_expr(condition)));
    })
}

// --- Matrices ---

impl Case<'_> {
    fn with_matrix(
        &mut self,
        edit: impl FnOnce(
            &mut Random,
            &[String],
            &mut Vec<systolic_compiler::region::Name>,
            &mut Vec<systolic_compiler::region::Name>,
            &mut MatrixTree,
            &mut Option<MatrixTree>,
        ) -> Option<Vec<String>>,
    ) -> Option<()> {
        let mut random = Random::new(self.random.below(1 << 62) as u64);
        let (space, clause) = self.matrix()?;
        let ClauseKind::SpaceTime { old, new, matrix, reverse } = &mut clause.kind else { return None };
        self.places = edit(&mut random, &space, old, new, matrix, reverse)?;
        Some(())
    }
}

fn print_row(row: &MatrixRow) -> String {
    format!("[{}]", row.entries.iter().map(print_expr).collect::<Vec<_>>().join(", "))
}

fn repeat_row(case: &mut Case) -> Option<()> {
    case.with_matrix(|random, _, _, _, m, _| {
        if m.rows.len() < 2 {
            return None;
        }
        let k = 1 + random.below(m.rows.len() - 1);
        m.rows[k] = m.rows[0].clone();
        Some(vec![print_row(&m.rows[k])])
    })
}

fn zero_row(case: &mut Case) -> Option<()> {
    case.with_matrix(|random, _, _, _, m, _| {
        let k = random.below(m.rows.len());
        m.rows[k].entries.iter_mut().for_each(|e| *e = expr_from("0"));
        Some(vec![print_row(&m.rows[k])])
    })
}

fn drop_row(case: &mut Case) -> Option<()> {
    case.with_matrix(|random, _, _, _, m, _| {
        if m.rows.len() < 2 {
            return None;
        }
        m.rows.remove(random.below(m.rows.len()));
        let rows: Vec<String> = m.rows.iter().map(print_row).collect();
        Some(vec![format!("[{}]", rows.join(", "))])
    })
}

fn shorten_row(case: &mut Case) -> Option<()> {
    case.with_matrix(|random, _, _, _, m, _| {
        let k = random.below(m.rows.len());
        if m.rows[k].entries.len() < 2 {
            return None;
        }
        m.rows[k].entries.pop();
        Some(vec![print_row(&m.rows[k])])
    })
}

fn huge_entry(case: &mut Case) -> Option<()> {
    case.with_matrix(|random, _, _, _, m, _| {
        let k = random.below(m.rows.len());
        let j = random.below(m.rows[k].entries.len());
        let huge = random.pick(&["1000000000000000000000", "-9223372036854775809", "1000000000000000000"]);
        m.rows[k].entries[j] = expr_from(huge);
        Some(vec![huge.to_string()])
    })
}

fn take_loop_twice(case: &mut Case) -> Option<()> {
    // A loop less for the matrix is one more for `reorder`, which is said first.
    if print_kernel(&case.kernel).contains("reorder") {
        return None;
    }
    case.with_matrix(|_, _, old, _, _, _| {
        if old.len() < 2 {
            return None;
        }
        old[1] = old[0].clone();
        Some(vec![old[0].text.clone()])
    })
}

fn wrong_reverse(case: &mut Case) -> Option<()> {
    case.with_matrix(|random, _, old, _, m, reverse| {
        if m.rows.len() != old.len() {
            return None;
        }
        let mut wrong = m.clone();
        let (k, j) = (random.below(old.len()), random.below(old.len()));
        wrong.rows[k].entries[j] = expr_from(random.pick(&["2", "-3", "7"]));
        *reverse = Some(wrong.clone());
        Some(vec![format!("[{}]", wrong.rows.iter().map(print_row).collect::<Vec<_>>().join(", "))])
    })
}

fn short_reverse(case: &mut Case) -> Option<()> {
    case.with_matrix(|_, _, _, _, m, reverse| {
        let mut short = m.clone();
        if short.rows.len() < 2 {
            return None;
        }
        short.rows.pop();
        *reverse = Some(short);
        Some(Vec::new())
    })
}

fn fewer_rows(case: &mut Case) -> Option<()> {
    let mut gone = String::new();
    case.with_matrix(|_, space, _, new, m, _| {
        let k = (0..new.len()).rev().find(|k| !space.contains(&new[*k].text))?;
        gone = new.remove(k).text;
        m.rows.remove(k);
        (!new.is_empty()).then(Vec::new)
    })?;
    no_longer_unrolled(case, &gone);
    Some(())
}

fn no_longer_unrolled(case: &mut Case, row: &str) {
    for clause in case.kernel.maps.iter_mut().flat_map(|m| &mut m.clauses) {
        if let ClauseKind::Unroll(names) = &mut clause.kind {
            names.retain(|n| n.text != row);
        }
    }
    for map in &mut case.kernel.maps {
        map.clauses.retain(|c| !matches!(&c.kind, ClauseKind::Unroll(names) if names.is_empty()));
    }
}

fn is_zero(e: &Expr) -> bool {
    matches!(e.kind, ExprKind::Int { value: 0, .. })
}

fn zero_entry(case: &mut Case) -> Option<()> {
    case.with_matrix(|random, _, _, _, m, _| {
        let all: Vec<(usize, usize)> = (0..m.rows.len())
            .flat_map(|k| (0..m.rows[k].entries.len()).map(move |j| (k, j)))
            .filter(|(k, j)| m.rows[*k].entries.get(*j).is_some_and(|e| !is_zero(e)))
            .collect();
        let (k, j) = random.pick(&all);
        m.rows[k].entries[j] = expr_from("0");
        Some(Vec::new())
    })
}

fn swap_rows(case: &mut Case) -> Option<()> {
    case.with_matrix(|random, _, _, _, m, _| {
        if m.rows.len() < 2 {
            return None;
        }
        let k = random.below(m.rows.len() - 1);
        m.rows.swap(k, k + 1);
        Some(Vec::new())
    })
}

fn merge_rows(case: &mut Case) -> Option<()> {
    let mut gone = String::new();
    case.with_matrix(|_, space, _, new, m, _| {
        let time: Vec<usize> = (0..new.len()).filter(|k| !space.contains(&new[*k].text)).collect();
        let (a, b) = (*time.first()?, *time.get(1)?);
        for j in 0..m.rows[a].entries.len() {
            let sum = format!("{} + {}", print_expr(&m.rows[a].entries[j]), print_expr(&m.rows[b].entries[j]));
            m.rows[a].entries[j] = expr_from(&sum);
        }
        gone = new.remove(b).text;
        m.rows.remove(b);
        Some(Vec::new())
    })?;
    no_longer_unrolled(case, &gone);
    Some(())
}

fn negate(e: &Expr) -> Expr {
    expr_from(&format!("0 - ({})", print_expr(e)))
}

fn negate_time_row(case: &mut Case) -> Option<()> {
    case.with_matrix(|random, space, _, new, m, _| {
        let time: Vec<usize> = (0..new.len()).filter(|k| !space.contains(&new[*k].text)).collect();
        let k = (!time.is_empty()).then(|| random.pick(&time))?;
        m.rows[k].entries.iter_mut().for_each(|e| *e = negate(e));
        Some(Vec::new())
    })
}

fn change_row_sign(case: &mut Case) -> Option<()> {
    case.with_matrix(|random, _, _, _, m, _| {
        let k = random.below(m.rows.len());
        let j = (0..m.rows[k].entries.len()).rev().find(|j| !is_zero(&m.rows[k].entries[*j]))?;
        m.rows[k].entries[j] = negate(&m.rows[k].entries[j]);
        Some(Vec::new())
    })
}

// --- Maps ---

fn widen_tile(case: &mut Case) -> Option<()> {
    let by = case.random.pick(&["100", "33", "64"]);
    let map = case.map()?;
    let mut tiles: Vec<&mut Expr> = map
        .clauses
        .iter_mut()
        .filter_map(|c| match &mut c.kind {
            ClauseKind::Tile { by, .. } => Some(by),
            _ => None,
        })
        .collect();
    **tiles.first_mut()? = expr_from(by);
    Some(())
}

fn drop_lanes(case: &mut Case) -> Option<()> {
    let map = case.map()?;
    map.clauses.retain(|c| !matches!(c.kind, ClauseKind::Lanes { .. }));
    case.places = vec!["map".to_string()];
    Some(())
}

/// A loop from the outside whose length is a run-time size.
fn long_loop(case: &Case) -> Option<String> {
    let generics: Vec<&str> = case.kernel.generics.iter().map(|g| g.name.text.as_str()).collect();
    let long = case
        .kernel
        .loops
        .iter()
        .find(|l| matches!(&l.high.kind, ExprKind::Name(n) if !generics.contains(&n.as_str())))?;
    Some(long.name.text.clone())
}

fn replace_map(case: &mut Case, clauses: &str) -> Option<()> {
    case.kernel.maps = vec![map_from(clauses)];
    Some(())
}

fn run_time_lanes(case: &mut Case) -> Option<()> {
    let long = long_loop(case)?;
    case.places = vec![long.clone()];
    replace_map(case, &format!("lanes {long};"))
}

fn many_warps(case: &mut Case) -> Option<()> {
    let long = long_loop(case)?;
    replace_map(case, &format!("tile {long} by 64 as (m_b, m_w); tile m_w by 1 as (m_v, m_l); warps (m_v); lanes m_l;"))
}

fn drop_tile(case: &mut Case) -> Option<()> {
    let map = case.map()?;
    let at = map.clauses.iter().position(|c| matches!(c.kind, ClauseKind::Tile { .. }))?;
    let ClauseKind::Tile { of, outer, inner, .. } = map.clauses.remove(at).kind else { return None };
    for clause in &mut map.clauses {
        let rename = |names: &mut Vec<systolic_compiler::region::Name>| {
            names.retain(|n| *n != outer);
            names.iter_mut().filter(|n| **n == inner).for_each(|n| n.text = of.text.clone());
        };
        match &mut clause.kind {
            ClauseKind::Blocks(n) | ClauseKind::Warps(n) | ClauseKind::Reorder(n) => rename(n),
            ClauseKind::SpaceTime { old, .. } => rename(old),
            ClauseKind::Lanes { loops, .. } => rename(loops),
            ClauseKind::Tile { of: tiled, .. } if *tiled == inner => tiled.text = of.text.clone(),
            _ => {}
        }
    }
    map.clauses.retain(|c| !matches!(&c.kind, ClauseKind::Blocks(n) | ClauseKind::Reorder(n) if n.is_empty()));
    Some(())
}

/// Two loops, the first of them one that values are carried along, where there is one.
fn two_loops(case: &mut Case) -> Option<(String, String)> {
    let mut loops: Vec<String> = case.kernel.loops.iter().map(|l| l.name.text.clone()).collect();
    case.random.shuffle(&mut loops);
    Some((loops.first()?.clone(), loops.get(1)?.clone()))
}

fn carried_warps(case: &mut Case) -> Option<()> {
    let (a, b) = two_loops(case)?;
    replace_map(case, &format!("tile {a} by 4 as (m_b, m_w); warps (m_w); tile {b} by 32 as (n_b, n_l); lanes n_l;"))
}

fn carried_lanes(case: &mut Case) -> Option<()> {
    let (a, _) = two_loops(case)?;
    let fold = case.random.pick(&["", " fold 2", " fold 4"]);
    replace_map(case, &format!("tile {a} by 32 as (m_b, m_l); lanes m_l{fold};"))
}

fn block_sequential(case: &mut Case) -> Option<()> {
    let map = case.map()?;
    let blocked: Vec<String> = map
        .clauses
        .iter()
        .filter_map(|c| match &c.kind {
            ClauseKind::Blocks(n) => Some(n.iter().map(|n| n.text.clone()).collect::<Vec<_>>()),
            _ => None,
        })
        .flatten()
        .collect();
    let outer = map.clauses.iter().rev().find_map(|c| match &c.kind {
        ClauseKind::Tile { outer, .. } if !blocked.contains(&outer.text) => Some(outer.text.clone()),
        _ => None,
    })?;
    map.clauses.retain(|c| !matches!(c.kind, ClauseKind::Blocks(_) | ClauseKind::Reorder(_)));
    map.clauses.extend(map_from(&format!("blocks ({outer});")).clauses);
    Some(())
}

fn block_all(case: &mut Case) -> Option<()> {
    let (a, b) = two_loops(case)?;
    replace_map(case, &format!("blocks ({a}); tile {b} by 32 as (n_b, n_l); lanes n_l;"))
}

fn narrow_overlap(case: &mut Case) -> Option<()> {
    let mut random = Random::new(case.random.below(1 << 62) as u64);
    let map = case.map()?;
    let mut all: Vec<_> = map
        .clauses
        .iter_mut()
        .filter_map(|c| match &mut c.kind {
            ClauseKind::Overlap { before, after, .. } => Some((before, after)),
            _ => None,
        })
        .collect();
    if all.is_empty() {
        return None;
    }
    let k = random.below(all.len());
    let (before, after) = &mut all[k];
    match random.below(4) {
        0 => **before = expr_from(&format!("({} - 1)", print_expr(before))),
        1 => **after = Some(expr_from("0")),
        2 => **before = expr_from("1"),
        _ => (**after, **before) = (Some(before.clone()), expr_from("0")),
    }
    Some(())
}

fn drop_overlap(case: &mut Case) -> Option<()> {
    let map = case.map()?;
    let at = map.clauses.iter().position(|c| matches!(c.kind, ClauseKind::Overlap { .. }))?;
    map.clauses.remove(at);
    Some(())
}

fn large_parameter(case: &mut Case) -> Option<()> {
    let length = case.random.pick(&["1100", "64, 64", "2000"]);
    let text = format!("kernel k(big: const [f32; {length}]) -> (z: [f32; 1]) {{ for i in 0..1 {{ z[i] = 0.0; }} }}");
    case.kernel.parameters.extend(kernel_from(&text).parameters);
    case.places = vec!["big".to_string()];
    Some(())
}

fn large_generic(case: &mut Case) -> Option<()> {
    // Brute force would count every lane of a wide overlap.
    if print_kernel(&case.kernel).contains("overlap") {
        return None;
    }
    let value = case.random.pick(&[1500u64, 40, 4000]);
    let count = case.kernel.generics.len();
    case.one(count, |case, k| match &mut case.kernel.generics[k].list {
        GenericList::Numbers { values, .. } => {
            values.truncate(1);
            values[0].0 = value;
            Some(())
        }
        GenericList::Types { .. } => None,
    })?
}

fn large_fold(case: &mut Case) -> Option<()> {
    let long = long_loop(case)?;
    let fold = case.random.pick(&["64", "128", "300"]);
    replace_map(case, &format!("tile {long} by (32 * {fold}) as (m_b, m_l); lanes m_l fold {fold};"))
}
