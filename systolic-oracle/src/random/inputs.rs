//! Random inputs: arrays with and without borders, parameters by value, scalars. Reads are usually in range.
use super::Random;
use super::loops::Loops;
use super::sum::Sum;
use super::types::{Type, literal};

/// The signature, extended while the body is generated.
pub struct Inputs<'l> {
    loops: &'l Loops,
    pub ty: Type,
    pub parameters: Vec<String>,
    /// The names of the array parameters.
    pub arrays: Vec<String>,
    pub constants: Vec<String>,
    /// Arrays with a border, and their ranks: they may be read at any index.
    bordered: Vec<(String, usize)>,
    /// Expressions that read an element in range.
    ready: Vec<String>,
    /// A scalar parameter.
    scalar: Option<String>,
    count: usize,
}

impl<'l> Inputs<'l> {
    pub fn new(random: &mut Random, loops: &'l Loops, ty: Type) -> Inputs<'l> {
        let mut inputs = Inputs {
            loops,
            ty,
            parameters: Vec::new(),
            arrays: Vec::new(),
            constants: Vec::new(),
            bordered: Vec::new(),
            ready: Vec::new(),
            scalar: None,
            count: 0,
        };
        if random.chance(15) {
            let name = inputs.fresh("a");
            inputs.parameters.push(format!("{name}: {ty}"));
            inputs.ready.push(name.clone());
            inputs.scalar = Some(name);
        }
        // Every size must be given by something: a parameter of its own, or the only unknown of an array's dimension.
        for size in &loops.sizes {
            if random.chance(40) {
                inputs.parameters.push(format!("{size}: size"));
            } else {
                let more = random.pick(&[0, 0, 1, 2]);
                inputs.bordered_array(random, vec![Sum::name(size).add(more).to_string()]);
            }
        }
        if random.chance(10) {
            let value = literal(random, ty);
            inputs.constants.push(format!("const K: {ty} = {value};"));
            inputs.ready.push("K".to_string());
        }
        let fixed: Vec<usize> = (0..loops.list.len()).filter(|k| loops.list[*k].length.is_some()).collect();
        if let Some(k) = fixed.first()
            && !loops.list[*k].leans
            && random.chance(25)
        {
            let l = &loops.list[*k];
            let index = Sum::name(&l.name).plus(-1, &l.low);
            let length = l.length.unwrap_or(1);
            if random.chance(60) {
                let name = inputs.fresh("w");
                inputs.parameters.push(format!("{name}: const [{ty}; {length}]"));
                inputs.ready.push(format!("{name}[{index}]"));
            } else {
                let values: Vec<String> = (0..length).map(|_| literal(random, ty)).collect();
                inputs.constants.push(format!("const C: [{ty}; {length}] = [{}];", values.join(", ")));
                inputs.ready.push(format!("C[{index}]"));
            }
        }
        inputs
    }

    fn fresh(&mut self, letter: &str) -> String {
        self.count += 1;
        format!("{letter}{}", self.count)
    }

    fn bordered_array(&mut self, random: &mut Random, dims: Vec<String>) -> String {
        let name = self.fresh("x");
        let border = match random.below(10) {
            0..=2 => "zero".to_string(),
            3..=5 => "clamp".to_string(),
            6 => "reflect".to_string(),
            7 => "symmetric".to_string(),
            8 => "wrap".to_string(),
            _ => {
                let scalar = self.scalar.clone().filter(|_| random.chance(50));
                format!("constant({})", scalar.unwrap_or_else(|| literal(random, self.ty)))
            }
        };
        self.arrays.push(name.clone());
        self.bordered.push((name.clone(), dims.len()));
        self.parameters.push(format!("{name}: [{}; {}] border {border}", self.ty, dims.join(", ")));
        name
    }

    /// A random affine form of the loops.
    fn form(&self, random: &mut Random) -> Sum {
        let mut form = Sum::number(random.within(-2, 2));
        for l in &self.loops.list {
            form = form.plus(random.pick(&[-1, 0, 0, 1, 1, 1, 2]), &Sum::name(&l.name));
        }
        form
    }

    /// An expression that reads an input.
    pub fn load(&mut self, random: &mut Random) -> String {
        if !self.ready.is_empty() && random.chance(50) {
            return random.pick(&self.ready);
        }
        if !self.bordered.is_empty() && random.chance(60) {
            let (name, rank) = random.pick(&self.bordered);
            let index: Vec<String> = (0..rank).map(|_| self.form(random).to_string()).collect();
            return format!("{name}[{}]", index.join(", "));
        }
        let rank = random.pick(&[1, 1, 1, 2, 2, 3]);
        let forms = (0..rank).map(|_| self.form(random)).collect();
        let load = self.array_of(random, forms);
        self.ready.push(load.clone());
        load
    }

    /// An expression that reads a new array at these forms of the loops, shifted so that all reads are in range.
    pub fn array_of(&mut self, random: &mut Random, forms: Vec<Sum>) -> String {
        if random.chance(25) {
            let dims = forms.iter().map(|_| random.within(1, 9).to_string()).collect();
            let name = self.bordered_array(random, dims);
            let index: Vec<String> = forms.iter().map(Sum::to_string).collect();
            return format!("{name}[{}]", index.join(", "));
        }
        let (mut dims, mut index) = (Vec::new(), Vec::new());
        for form in forms {
            let (least, most) = (self.loops.bound(&form, false), self.loops.bound(&form, true));
            dims.push(most.plus(-1, &least).add(1).to_string());
            // Sometimes one too far, which violates `bounds`.
            let slip = if random.chance(3) { random.pick(&[-1, 1]) } else { 0 };
            index.push(form.plus(-1, &least).add(slip).to_string());
        }
        let name = self.plain_array(dims);
        format!("{name}[{}]", index.join(", "))
    }

    /// Several expressions that read one array around an element, as in a stencil.
    pub fn stencil(&mut self, random: &mut Random) -> Vec<String> {
        let mut names = self.loops.names();
        random.shuffle(&mut names);
        names.truncate(if random.chance(50) { 1 } else { 2 });
        let forms: Vec<Sum> = names.iter().map(|name| Sum::name(name)).collect();
        let bordered = random.chance(50);
        let rim = if bordered { 0 } else { 1 };
        let mut dims = Vec::new();
        for form in &forms {
            let (least, most) = (self.loops.bound(form, false), self.loops.bound(form, true));
            dims.push(most.plus(-1, &least).add(1 + 2 * rim).to_string());
        }
        let name = if bordered { self.bordered_array(random, dims) } else { self.plain_array(dims) };
        let mut reads = Vec::new();
        for _ in 0..random.within(2, 4) {
            let at =
                |form: &Sum| form.plus(-1, &self.loops.bound(form, false)).add(rim + random.within(-1, 1)).to_string();
            let index: Vec<String> = forms.iter().map(at).collect();
            reads.push(format!("{name}[{}]", index.join(", ")));
        }
        reads
    }

    fn plain_array(&mut self, dims: Vec<String>) -> String {
        let name = self.fresh("y");
        self.arrays.push(name.clone());
        self.parameters.push(format!("{name}: [{}; {}]", self.ty, dims.join(", ")));
        name
    }
}
