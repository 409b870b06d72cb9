//! Type inference: unknown types that become equal, as a union-find over the expressions and variables of an instance.
use super::Type;

/// An unknown type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TypeId(usize);

/// The constraint that literals put on an unknown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Asks {
    Nothing,
    /// An integer literal: any numeric type.
    Number,
    /// A literal with a point or an exponent: a float type.
    Float,
}

#[derive(Clone, Debug)]
enum Node {
    Same(usize),
    Open(Asks),
    /// The type and the reason: "`x` is an array of f32".
    Known(Type, String),
}

/// Two types that should be equal.
#[derive(Clone, Debug)]
pub struct Conflict {
    pub expected: String,
    pub found: String,
    pub because: String,
}

#[derive(Debug, Default)]
pub struct Unknowns {
    nodes: Vec<Node>,
}

impl Unknowns {
    pub fn open(&mut self, asks: Asks) -> TypeId {
        self.nodes.push(Node::Open(asks));
        TypeId(self.nodes.len() - 1)
    }

    pub fn known(&mut self, ty: Type, because: impl Into<String>) -> TypeId {
        self.nodes.push(Node::Known(ty, because.into()));
        TypeId(self.nodes.len() - 1)
    }

    fn root(&self, id: TypeId) -> usize {
        let mut k = id.0;
        while let Node::Same(next) = self.nodes[k] {
            k = next;
        }
        k
    }

    pub fn same(&self, a: TypeId, b: TypeId) -> bool {
        self.root(a) == self.root(b)
    }

    pub fn get(&self, id: TypeId) -> Option<Type> {
        match &self.nodes[self.root(id)] {
            Node::Known(ty, _) => Some(*ty),
            _ => None,
        }
    }

    /// Gives an unknown this type if it has none yet.
    pub fn fall_back(&mut self, id: TypeId, ty: Type) {
        let root = self.root(id);
        if let Node::Open(_) = self.nodes[root] {
            self.nodes[root] = Node::Known(ty, String::new());
        }
    }

    /// Makes two unknowns equal. Fails if their types conflict; `found` is the unexpected one in the message.
    pub fn unify(&mut self, expected: TypeId, found: TypeId) -> Result<(), Conflict> {
        let (a, b) = (self.root(expected), self.root(found));
        if a == b {
            return Ok(());
        }
        let conflict =
            |e: String, f: String, because: &str| Err(Conflict { expected: e, found: f, because: because.to_string() });
        match (self.nodes[a].clone(), self.nodes[b].clone()) {
            (Node::Known(x, why), Node::Known(y, other)) if x != y => {
                conflict(x.to_string(), y.to_string(), if why.is_empty() { &other } else { &why })
            }
            (Node::Known(x, why), Node::Open(asks)) if !admits(x, asks) => conflict(x.to_string(), words(asks), &why),
            (Node::Open(asks), Node::Known(y, why)) if !admits(y, asks) => conflict(words(asks), y.to_string(), &why),
            (Node::Open(x), Node::Open(y)) => {
                self.nodes[a] = Node::Open(x.max(y));
                self.nodes[b] = Node::Same(a);
                Ok(())
            }
            (Node::Open(_), _) => {
                self.nodes[a] = Node::Same(b);
                Ok(())
            }
            _ => {
                self.nodes[b] = Node::Same(a);
                Ok(())
            }
        }
    }
}

fn admits(ty: Type, asks: Asks) -> bool {
    match asks {
        Asks::Nothing => true,
        Asks::Number => ty.is_numeric(),
        Asks::Float => ty.is_float(),
    }
}

fn words(asks: Asks) -> String {
    match asks {
        Asks::Nothing => "some type".to_string(),
        Asks::Number => "a number".to_string(),
        Asks::Float => "a float".to_string(),
    }
}
