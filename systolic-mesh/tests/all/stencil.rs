//! Random stencils as text: most can be cut along all axes, some along none.
use systolic_compiler::evaluate::SplitMix;

const LOOPS: [&str; 3] = ["i", "j", "k"];
const SIZES: [&str; 3] = ["A", "B", "C"];
const BORDERS: [&str; 6] = ["zero", "clamp", "reflect", "symmetric", "wrap", "constant(7)"];

/// A stencil; equal for equal seeds.
pub fn text(seed: u64) -> String {
    let mut draw = Draw { random: SplitMix::new(seed ^ 0x5eed), dims: 1 };
    draw.dims = 1 + draw.below(3);
    let inputs: Vec<Array> = (0..1 + draw.below(3)).map(|_| draw.array()).collect();
    let parameters: Vec<String> = inputs.iter().enumerate().map(|(n, input)| input.declared(n)).collect();
    let (names, sizes) = (LOOPS[..draw.dims].join(", "), SIZES[..draw.dims].join(", "));
    let wide = draw.below(4) == 0;
    let bounds: Vec<String> = (0..draw.dims).map(|d| format!("{} in 0..{}", LOOPS[d], SIZES[d])).collect();
    let mut body = format!("V[{names}] = {};\n", draw.value(&inputs, 2));
    let last = if draw.below(2) == 0 {
        body.push_str(&format!("W[{names}] = {};\n", draw.chain("V")));
        "W"
    } else {
        "V"
    };
    let first = if wide { LOOPS[0].to_string() + " * 2" } else { LOOPS[0].to_string() };
    let rest = LOOPS[1..draw.dims].iter().map(|l| format!(", {l}")).collect::<String>();
    body.push_str(&format!("y[{first}{rest}] = {last}[{names}];\n"));
    if wide {
        body.push_str(&format!("y[{first} + 1{rest}] = {};\n", draw.value(&inputs, 1)));
    }
    let sizes = if wide { sizes.replacen('A', "2 * A", 1) } else { sizes };
    format!(
        "kernel drawn({}) -> (y: [i64; {sizes}]) {{ for {} {{ {body} }} }}",
        parameters.join(", "),
        bounds.join(", ")
    )
}

/// An input: per axis its loop, its stride and how much longer it is.
struct Array {
    axes: Vec<(usize, usize, usize)>,
    border: Option<&'static str>,
}

impl Array {
    fn declared(&self, number: usize) -> String {
        let length = |(axis, stride, more): &(usize, usize, usize)| format!("{stride} * {} + {more}", SIZES[*axis]);
        let lengths: Vec<String> = self.axes.iter().map(length).collect();
        let border = self.border.map_or(String::new(), |border| format!(" border {border}"));
        format!("x{number}: [i64; {}]{border}", lengths.join(", "))
    }
}

struct Draw {
    random: SplitMix,
    dims: usize,
}

impl Draw {
    fn below(&mut self, n: usize) -> usize {
        self.random.below(n as u64) as usize
    }

    /// A number from −`far` to `far`.
    fn offset(&mut self, far: usize) -> i64 {
        self.below(2 * far + 1) as i64 - far as i64
    }

    fn array(&mut self) -> Array {
        let border = (self.below(5) > 0).then(|| BORDERS[self.below(BORDERS.len())]);
        let first = if self.below(6) == 0 { self.dims - 1 } else { 0 };
        let stride = |draw: &mut Draw| if draw.below(4) == 0 { 2 + draw.below(2) } else { 1 };
        // Every size must follow from the length of some axis: the first input has all of them as they are.
        let axes =
            (first..self.dims).map(|axis| (axis, stride(self), if border.is_none() { self.below(4) } else { 0 }));
        Array { axes: axes.collect(), border }
    }

    /// A read of an input; without a border it stays inside.
    fn read(&mut self, inputs: &[Array]) -> String {
        let number = self.below(inputs.len());
        let array = &inputs[number];
        let far = if self.below(8) == 0 { 12 } else { 3 };
        let mut index = Vec::new();
        for (axis, stride, more) in &array.axes {
            let plus = match array.border {
                Some(_) => self.offset(far),
                None => self.below(stride + more) as i64,
            };
            index.push(format!("{stride} * {} + {plus}", LOOPS[*axis]).replace("+ -", "- "));
        }
        // Factors that differ show which element was read.
        format!("{} * x{number}[{}]", 1 + self.below(97), index.join(", "))
    }

    /// A condition on loops and sizes.
    fn guard(&mut self) -> String {
        let (d, c) = (self.below(self.dims), self.below(5));
        let (l, n) = (LOOPS[d], SIZES[d]);
        match self.below(10) {
            0 => format!("{l} == {c}"),
            1 | 2 => format!("{l} < {c}"),
            3 | 4 => format!("{l} >= {n} - {c}"),
            5 => format!("{n} - {l} != {c}"),
            6 | 7 => format!("{l} % {} == {}", 2 + c, c / 2),
            8 if self.dims > 1 => format!("{} == {} + {c}", LOOPS[0], LOOPS[1]),
            8 => format!("2 * {l} < {n}"),
            _ => format!("({l} > {c} || {l} == {n} - 1)"),
        }
    }

    fn value(&mut self, inputs: &[Array], depth: usize) -> String {
        match self.below(if depth == 0 { 2 } else { 5 }) {
            0 | 1 => self.read(inputs),
            2 => {
                format!("if {} {{ {} }} else {{ {} }}", self.guard(), self.read(inputs), self.value(inputs, depth - 1))
            }
            _ => format!("{} + {}", self.read(inputs), self.value(inputs, depth - 1)),
        }
    }

    /// Reads a variable at a distance along every axis, away from the ends.
    fn chain(&mut self, variable: &str) -> String {
        let (mut index, mut inside) = (Vec::new(), Vec::new());
        for d in 0..self.dims {
            let plus = self.offset(2);
            index.push(format!("{} + {plus}", LOOPS[d]).replace("+ -", "- "));
            inside.push(format!("{l} >= 2 && {l} < {} - 2", SIZES[d], l = LOOPS[d]));
        }
        let names = LOOPS[..self.dims].join(", ");
        let (there, inside) = (index.join(", "), inside.join(" && "));
        format!("if {inside} {{ {variable}[{there}] - 5 * {variable}[{names}] }} else {{ {variable}[{names}] }}")
    }
}
