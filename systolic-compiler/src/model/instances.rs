//! The combinations of generics that a kernel lists.
use super::Type;
use std::fmt;

/// One value for every generic, in source order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instance {
    pub arguments: Vec<(String, Argument)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Argument {
    Number(u64),
    Type(Type),
}

impl Instance {
    pub fn number(&self, name: &str) -> Option<u64> {
        self.arguments.iter().find_map(|(n, a)| match a {
            Argument::Number(v) if n == name => Some(*v),
            _ => None,
        })
    }

    pub fn ty(&self, name: &str) -> Option<Type> {
        self.arguments.iter().find_map(|(n, a)| match a {
            Argument::Type(t) if n == name => Some(*t),
            _ => None,
        })
    }

    /// The type that a name stands for: a type of the language, or a generic type.
    pub fn type_named(&self, name: &str) -> Option<Type> {
        Type::parse(name).or_else(|| self.ty(name))
    }
}

/// `T = f32, Q = 5`
impl fmt::Display for Instance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (k, (name, argument)) in self.arguments.iter().enumerate() {
            let comma = if k > 0 { ", " } else { "" };
            match argument {
                Argument::Number(v) => write!(f, "{comma}{name} = {v}")?,
                Argument::Type(t) => write!(f, "{comma}{name} = {t}")?,
            }
        }
        Ok(())
    }
}
