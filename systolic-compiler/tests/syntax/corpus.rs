//! Every construct once: parsed, printed and parsed again.
use super::*;
use systolic_compiler::syntax::{print_expr, print_kernel};
use tree::*;

const EVERYTHING: &str = r#"
/// 1-D convolution: inputs stay, weights are broadcast, sums migrate.
#[cfg(feature = "a")]
pub(in crate::a) kernel conv<type T in [f32, f64], const Q: usize in [2, 5,], const H: usize = 3,>(
    x: [T; C + Q - 1, 2 * R] border clamp,
    a: [f32; N] border constant(-1.5),
    b: [f32; N] border constant(s),
    c: [u8; N] border zero, d: [bool; N] border constant(true), e: [f16; N] border reflect, f: [bf16; N] border wrap,
    g: [i8; N] border symmetric,
    w: const [T; Q],
    s: f32,
    steps: size,
) -> (z: [T; C], y: [f32; N],) where C % 4 == 0, T != f64, Q <= C, {
    const K: [f32; 3, 2] = [[0.25, -1], [1e3, 5f32], [2., 0xff_u8],];
    const A: f64 = -0.5f64;
    const B: bool = false;
    for c in 0..C, q in c - 1..Q + 1, {
        X[c, q] = if q == 0 || c == C - 1 { x[c + q] } else if !(c < 2) { X[c + 1, q - 1] } else { min(a[c], 0.0, s) };
        W[c, q,] = w[q] * -128i8 as T - -(1) + f();
        if q == Q - 1 && c != 3 { z[c] = X[c, q]; y[c] = W[c, q]; }
        z[c + 1] = X[c, q];
    }
    map {
        tile c by 28 as (cb, ci); tile ci by Q as (a, b,); tile b by (2 * Q + 1) as (d, e);
        blocks (cb, q); warps (w);
        space_time (ci, q) -> (s, t) = [[1, Q / 2], [0, -1],] reverse [[1, 1], [0, 1]];
        lanes s fold (Q + 1);
        reorder (k, jb); unroll (p, q);
        stage x in shared at rb; stage a in registers at t;
        overlap c by 2; overlap c by Q; overlap c by (k + 1); overlap c by (k, 2 * m);
        resident (4 * Q); ahead 3;
    }
    map rows on cpu where Q == 2, H > 1 { lanes (s1, s2); }
    map on gpu { lanes (s); }
    map on where Q == 5 { lanes s fold 4; }
    map on on cpu {}
    map where Q == 3, T == f32 {}
}
kernel size(map: size, tile: f32, on: [f32; kernel]) -> (by: [f32; kernel]) {
    for lanes in 0..kernel { by[lanes] = tile * on[lanes] + fold; }
}
"#;

#[test]
fn every_construct() {
    let block = block(EVERYTHING);
    let [conv, size] = block.kernels.as_slice() else { panic!("two kernels") };
    assert_eq!((conv.attributes.len(), conv.visibility.to_string().as_str()), (2, "pub (in crate :: a)"));
    assert_eq!((conv.generics.len(), conv.parameters.len(), conv.outputs.len()), (3, 11, 2));
    assert_eq!((conv.conditions.len(), conv.constants.len(), conv.loops.len()), (3, 3, 2));
    assert_eq!((conv.statements.len(), conv.maps.len(), conv.maps[0].clauses.len()), (4, 6, 17));
    let names: Vec<_> = conv.maps.iter().map(|m| (m.name.as_ref().map(|n| n.text.as_str()), m.on)).collect();
    let want = [
        (None, None),
        (Some("rows"), Some(Device::Cpu)),
        (None, Some(Device::Gpu)),
        (Some("on"), None),
        (Some("on"), Some(Device::Cpu)),
        (None, None),
    ];
    assert_eq!(names, want);
    assert_eq!(source(EVERYTHING, &conv.maps[0].clauses[0].at), "tile c by 28 as (cb, ci);");
    assert_eq!(source(EVERYTHING, &conv.generics[0].name.at), "T");
    assert_eq!(size.name.text, "size");
    assert!(source(EVERYTHING, &size.at).starts_with("kernel size(") && source(EVERYTHING, &size.at).ends_with("}\n}"));
    assert!(parse(TokenStream::new()).faults.is_empty());
}

#[test]
fn printing_is_a_fixed_point() {
    let first = block(EVERYTHING);
    let text = print(&first);
    let second = block(&text);
    assert_eq!(first, second);
    assert_eq!(text, print(&second));
}

#[test]
fn layout() {
    let text = r#"/// Sums.
pub(crate) kernel sum<const Q: usize = 5>(x: [f32; N], w: const [f32; Q]) -> (y: [f32; N]) {
    const A: f32 = -0.5;
    for i in 0..N, q in 0..Q {
        Y[i, q] = A * x[i + q] * w[q] + if q == 0 { 0.0 } else { Y[i, q - 1] };
        if q == Q - 1 { y[i] = Y[i, q]; }
    }
    map rows on gpu where Q > 3, T == f64 {
        tile i by (8 * Q) as (ib, ii);
        space_time (ii, q) -> (s, t) = [[1, 0],
                                        [0, 1]]
            reverse [[1, 0],
                     [0, 1]];
        lanes s fold 4;
    }
}
"#;
    assert_eq!(print_kernel(&block(text).kernels[0]), text);
    assert_eq!(print(&block(text)), text);
}

/// Expressions, and the same with all parentheses written.
#[test]
fn precedence() {
    let cases = [
        ("a + b * c", "(a + (b * c))"),
        ("a - b - c", "((a - b) - c)"),
        ("a * b / c % d", "(((a * b) / c) % d)"),
        ("-a * b", "((-a) * b)"),
        ("-a as f32", "((-a) as f32)"),
        ("-1 as f32", "(-1 as f32)"),
        ("!a as i32 * 2", "(((!a) as i32) * 2)"),
        ("a as i32 as f32", "((a as i32) as f32)"),
        ("a as i32 < b", "((a as i32) < b)"),
        ("a as i32<b", "((a as i32) < b)"),
        ("a as i32 << 2", "((a as i32) << 2)"),
        ("2 * a as i32", "(2 * (a as i32))"),
        ("a << b + c", "(a << (b + c))"),
        ("a & b << c", "(a & (b << c))"),
        ("a ^ b & c", "(a ^ (b & c))"),
        ("a | b ^ c", "(a | (b ^ c))"),
        ("a == b | c", "(a == (b | c))"),
        ("a < b && c >= d || e != f", "(((a < b) && (c >= d)) || (e != f))"),
        ("a || b && c || d", "((a || (b && c)) || d)"),
        ("a - 1", "(a - 1)"),
        ("a - -1", "(a - -1)"),
        ("a-1", "(a - 1)"),
        ("a<-1", "(a < -1)"),
        ("- 1", "-1"),
        ("--1", "(-(-1))"),
        ("-(1)", "(-(1))"),
        ("-(-1.5)", "(-(-1.5))"),
        ("!-1", "(!-1)"),
        ("!!a", "(!(!a))"),
        ("-!-a", "(-(!(-a)))"),
        ("- - -a", "(-(-(-a)))"),
        ("if a { b } else { c } + d", "((if a { b } else { c }) + d)"),
        ("a * if b { c } else { d } + e", "((a * (if b { c } else { d })) + e)"),
        ("-if a { b } else { c }", "(-(if a { b } else { c }))"),
        ("if a { b } else { c } as f32", "((if a { b } else { c }) as f32)"),
        ("if if a { b } else { c } { d } else { e }", "(if (if a { b } else { c }) { d } else { e })"),
        ("if a < b { c } else if d { e } else { f }", "(if (a < b) { c } else (if d { e } else { f }))"),
        ("0.5 + 1. - 1e5 * 3f32", "((0.5 + 1.0) - (1e5 * 3f32))"),
        ("f(a + 1, -b) + x[i - 1, j]", "(f((a + 1), (-b)) + x[(i - 1), j])"),
        ("1_000u16 + 0xff + 0b11i8", "((1000u16 + 255) + 3i8)"),
        ("true && !false", "(true && (!false))"),
    ];
    for (text, want) in cases {
        let tree = block(&equation(text));
        assert_eq!(full(value(&tree)), want, "{text}");
        let printed = print_expr(value(&tree));
        assert_eq!(value(&block(&equation(&printed))), value(&tree), "{text} printed as {printed}");
    }
}

fn full(expr: &Expr) -> String {
    let all = |items: &[Expr]| items.iter().map(full).collect::<Vec<_>>().join(", ");
    match &expr.kind {
        ExprKind::Unary { op, operand } => {
            let sign = if *op == UnaryOp::Neg { "-" } else { "!" };
            let literal = *op == UnaryOp::Neg && matches!(operand.kind, ExprKind::Int { .. } | ExprKind::Float { .. });
            if literal { format!("({sign}({}))", full(operand)) } else { format!("({sign}{})", full(operand)) }
        }
        ExprKind::Binary { left, right, .. } => {
            // The operator as the printer writes it between two names.
            let mut bare = expr.clone();
            if let ExprKind::Binary { left, right, .. } = &mut bare.kind {
                left.kind = ExprKind::Name("a".into());
                right.kind = ExprKind::Name("a".into());
            }
            let op = print_expr(&bare);
            format!("({}{}{})", full(left), &op[1..op.len() - 1], full(right))
        }
        ExprKind::Cast { operand, ty } => format!("({} as {})", full(operand), ty.text),
        ExprKind::If { condition, then, otherwise } => {
            let otherwise = match otherwise.kind {
                ExprKind::If { .. } => full(otherwise),
                _ => format!("{{ {} }}", full(otherwise)),
            };
            format!("(if {} {{ {} }} else {otherwise})", full(condition), full(then))
        }
        ExprKind::Index { name, indices } => format!("{}[{}]", name.text, all(indices)),
        ExprKind::Call { function, arguments } => format!("{}({})", function.text, all(arguments)),
        _ => print_expr(expr),
    }
}

/// Printed with only the parentheses that the grammar and readers need.
#[test]
fn parentheses() {
    let cases = [
        ("((a)) + (b * c)", "a + b * c"),
        ("(a + b) * c", "(a + b) * c"),
        ("a - (b - c)", "a - (b - c)"),
        ("(a < b) == (c < d)", "(a < b) == (c < d)"),
        ("(a as i32) < b", "(a as i32) < b"),
        ("(a as i32) > b", "a as i32 > b"),
        ("(a + b) as f32", "(a + b) as f32"),
        ("-(a as i32)", "-(a as i32)"),
        ("-(a * b)", "-(a * b)"),
        ("(if a { b } else { c }) + d", "(if a { b } else { c }) + d"),
        ("a + (if b { c } else { d })", "a + if b { c } else { d }"),
        ("a + (if b { c } else { d }) + e", "a + (if b { c } else { d }) + e"),
        (
            "(a * if b { c } else { d }) * (e + if f { g } else { h })",
            "a * (if b { c } else { d }) * (e + if f { g } else { h })",
        ),
        ("if a { b } else { if c { d } else { e } }", "if a { b } else if c { d } else { e }"),
    ];
    for (text, want) in cases {
        assert_eq!(print_expr(value(&block(&equation(text)))), want);
    }
}

#[test]
fn places() {
    let text = equation("(a + b) * x[i - 1] as f32 + -1.5");
    let tree = block(&text);
    let ExprKind::Binary { left, right, .. } = &value(&tree).kind else { panic!() };
    assert_eq!(source(&text, &value(&tree).at), "(a + b) * x[i - 1] as f32 + -1.5");
    assert_eq!(source(&text, &left.at), "(a + b) * x[i - 1] as f32");
    assert_eq!(source(&text, &right.at), "-1.5");
    let ExprKind::Binary { left, right, .. } = &left.kind else { panic!() };
    assert_eq!((source(&text, &left.at), source(&text, &right.at)), ("(a + b)", "x[i - 1] as f32"));
}
