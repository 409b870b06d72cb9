//! What a mapping is worth, as data: the analysis behind `describe`.
