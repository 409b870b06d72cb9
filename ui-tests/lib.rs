//! Nothing of its own: the tests beside compile the programs of `fail/` and `pass/`.
