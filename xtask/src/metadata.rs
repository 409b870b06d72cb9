//! The packages that `cargo metadata` lists.
use crate::json::Json;
use crate::tools::{cargo, shown};

/// The relevant metadata of a package.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Package {
    pub name: String,
    pub version: String,
    /// The licence expression in its manifest.
    pub licence: Option<String>,
    /// Whether `publish = false` keeps it in this repository.
    pub private: bool,
}

/// The packages that cargo lists with these arguments.
pub fn packages(arguments: &[&str]) -> Result<Vec<Package>, String> {
    let mut command = cargo();
    command.args(["metadata", "--format-version", "1"]).args(arguments);
    let output = command.output().map_err(|e| format!("{}: {e}", shown(&command)))?;
    if !output.status.success() {
        return Err(format!("{}\n{}", shown(&command), String::from_utf8_lossy(&output.stderr).trim()));
    }
    let json = Json::parse(&String::from_utf8_lossy(&output.stdout))?;
    let mut packages = json.list("packages").iter().map(package).collect::<Result<Vec<_>, _>>()?;
    packages.sort();
    Ok(packages)
}

fn package(json: &Json) -> Result<Package, String> {
    let text = |name: &str| json.text(name).map(String::from);
    Ok(Package {
        name: text("name").ok_or("a package without a name")?,
        version: text("version").ok_or("a package without a version")?,
        licence: text("license"),
        // An empty list of registries means private; a package that may be published has `null`.
        private: json.get("publish") == Some(&Json::List(Vec::new())),
    })
}
