//! The user's package, from `cargo metadata`: where it is, where cargo builds, and which `systolic` it depends on.
use crate::command::{cargo, output};
use serde_json::Value;
use std::path::{Path, PathBuf};

/// The line of a build script that compiles kernels.
pub const CALL: &str = "systolic_build::compile();";

/// Whether the text of a build script has that call, however it ends.
pub fn compiles_kernels(script: &str) -> bool {
    script.contains(CALL.trim_end_matches("();"))
}

const NO_PACKAGE: &str = "there is no package";
const WHICH_PACKAGE: &str = "say which package";

/// A package of the user.
pub struct Package {
    pub name: String,
    pub manifest: PathBuf,
    /// Its folder.
    pub root: PathBuf,
    /// The folder of its workspace.
    pub workspace: PathBuf,
    /// The folder in which cargo builds.
    pub target: PathBuf,
    /// How it depends on `systolic` and on `systolic-build`, as the right side of a line of a manifest, without features.
    systolic: Option<Source>,
    build: Option<Source>,
    /// The manifests of all packages of the workspace whose build scripts compile kernels.
    pub builders: Vec<PathBuf>,
    /// What its manifest asks for.
    declared: Vec<Declared>,
    /// The file of its build script.
    pub script: Option<PathBuf>,
}

/// A dependency as the manifest has it.
#[derive(Clone, Debug)]
pub struct Declared {
    name: String,
    build: bool,
    pub features: Vec<String>,
    /// The path of a clone, the URL of a repository, or a version.
    pub from: String,
}

/// Where a dependency comes from, as keys of a manifest: `path = "…"`, `version = "=0.1.0"`, `git = "…", rev = "…"`.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Source(String);

impl Package {
    /// The package of this name, or the one of the current folder.
    pub fn find(name: Option<&str>) -> Result<Package, String> {
        Package::with(name, &[])
    }

    /// The same without its dependencies: for commands that build nothing, so that cargo need not know them.
    pub fn find_here(name: Option<&str>) -> Result<Package, String> {
        Package::with(name, &["--no-deps"])
    }

    /// The same in another folder.
    pub fn find_at(folder: &Path, name: Option<&str>) -> Result<Package, String> {
        Package::in_folder(folder, name, &["--no-deps"])
    }

    fn with(name: Option<&str>, options: &[&str]) -> Result<Package, String> {
        let here = std::env::current_dir().map_err(|e| format!("the current folder: {e}"))?;
        Package::in_folder(&here, name, options)
    }

    fn in_folder(folder: &Path, name: Option<&str>, options: &[&str]) -> Result<Package, String> {
        let here = folder.canonicalize().map_err(|e| format!("{}: {e}", folder.display()))?;
        let text = output(cargo().current_dir(&here).args(["metadata", "--format-version", "1"]).args(options));
        let text = text.map_err(|why| why.strip_prefix("error: ").map(String::from).unwrap_or(why))?;
        let metadata: Value = serde_json::from_str(&text).map_err(|e| format!("the metadata of cargo: {e}"))?;
        Package::from(&metadata, name, &here)
    }

    /// How the manifest depends on a package, to build it or its build script.
    pub fn declared(&self, name: &str, build: bool) -> Option<&Declared> {
        self.declared.iter().find(|one| one.name == name && one.build == build)
    }

    fn from(metadata: &Value, name: Option<&str>, here: &Path) -> Result<Package, String> {
        let folder = |key: &str| metadata[key].as_str().map(PathBuf::from).ok_or(format!("cargo names no {key}"));
        let (workspace, target) = (folder("workspace_root")?, folder("target_directory")?);
        let packages = metadata["packages"].as_array().map(Vec::as_slice).unwrap_or_default();
        let members = metadata["workspace_members"].as_array().map(Vec::as_slice).unwrap_or_default();
        let members: Vec<&Value> = packages.iter().filter(|package| members.contains(&package["id"])).collect();
        let root = |package: &Value| Path::new(text(&package["manifest_path"])).parent().map(PathBuf::from);
        let chosen = match name {
            Some(name) => members.iter().find(|package| text(&package["name"]) == name),
            None if members.len() == 1 => members.first(),
            // The innermost folder around the current one.
            None => {
                let around = |package: &&&Value| root(package).is_some_and(|root| here.starts_with(root));
                let depth = |package: &&&Value| root(package).map_or(0, |root| root.components().count());
                members.iter().filter(around).max_by_key(depth)
            }
        };
        let Some(package) = chosen else {
            let names: Vec<String> = members.iter().map(|package| format!("`{}`", text(&package["name"]))).collect();
            return Err(match name {
                Some(name) => format!("{NO_PACKAGE} `{name}`; there are {}", names.join(", ")),
                None => format!("{WHICH_PACKAGE}, by `--package`: there are {}", names.join(", ")),
            });
        };
        let of = |dependency: &str| source(metadata, packages, package, dependency);
        let builders = members.iter().filter(|member| source(metadata, packages, member, "systolic-build").is_some());
        let builders = builders.map(|member| PathBuf::from(text(&member["manifest_path"]))).collect();
        Ok(Package {
            name: text(&package["name"]).to_string(),
            manifest: PathBuf::from(text(&package["manifest_path"])),
            root: root(package).ok_or("cargo names no folder of the package")?,
            workspace,
            target,
            systolic: of("systolic"),
            build: of("systolic-build"),
            builders,
            declared: declared(package),
            script: script(package),
        })
    }

    /// The dependencies of a program that measures: on the CPU, or on a GPU with kernels that a build script compiles.
    pub fn dependencies(&self, gpu: bool) -> Result<String, String> {
        let name = &self.name;
        let Source(systolic) =
            self.systolic.as_ref().ok_or(format!("the package `{name}` does not depend on `systolic`"))?;
        if !gpu {
            return Ok(format!("[dependencies]\nsystolic = {{ {systolic} }}\n"));
        }
        let missing =
            format!("the package `{name}` has no build dependency `systolic-build`, which compiles kernels for GPUs");
        let Source(build) = self.build.as_ref().ok_or(missing)?;
        Ok(format!(
            "[dependencies]\nsystolic = {{ {systolic}, features = [\"cuda\"] }}\n\n\
             [build-dependencies]\nsystolic-build = {{ {build} }}\n"
        ))
    }
}

/// Whether a package was not found because there is no manifest at all, as cargo says it.
pub fn is_nowhere(why: &str) -> bool {
    why.starts_with("could not find `Cargo.toml`")
}

/// Whether a package was not found because of the name that the user gave, or did not give.
pub fn is_unnamed(why: &str) -> bool {
    why.starts_with(NO_PACKAGE) || why.starts_with(WHICH_PACKAGE)
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

/// The dependencies of a manifest. Those of tests and examples count as others.
fn declared(package: &Value) -> Vec<Declared> {
    let enabled = enabled(package);
    let one = |dependency: &Value| {
        let name = text(&dependency["name"]).to_string();
        let features = list(&dependency["features"]).map(text).map(String::from);
        let by_default = enabled.iter().filter_map(|feature| {
            let (of, feature) = feature.split_once('/')?;
            (of.trim_end_matches('?') == name).then(|| feature.to_string())
        });
        let from = match (dependency["path"].as_str(), dependency["source"].as_str()) {
            (Some(path), _) => path.to_string(),
            (None, Some(source)) if source.starts_with("git+") => source.trim_start_matches("git+").to_string(),
            _ => text(&dependency["req"]).to_string(),
        };
        let build = dependency["kind"].as_str() == Some("build");
        Declared { features: features.chain(by_default).collect(), from, build, name }
    };
    list(&package["dependencies"]).map(one).collect()
}

/// The features of a package that are on by default, and those that they turn on.
fn enabled(package: &Value) -> Vec<String> {
    let mut found = vec!["default".to_string()];
    let mut next = 0;
    while let Some(feature) = found.get(next) {
        let more: Vec<String> = list(&package["features"][feature]).map(text).map(String::from).collect();
        next += 1;
        for feature in more {
            if !found.contains(&feature) {
                found.push(feature);
            }
        }
    }
    found
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().map(Vec::as_slice).unwrap_or_default().iter()
}

/// The file of a package's build script.
fn script(package: &Value) -> Option<PathBuf> {
    let is_script = |target: &&Value| list(&target["kind"]).any(|kind| text(kind) == "custom-build");
    list(&package["targets"]).find(is_script).map(|target| PathBuf::from(text(&target["src_path"])))
}

/// The source of the package that a dependency of this name was resolved to.
fn source(metadata: &Value, packages: &[Value], package: &Value, name: &str) -> Option<Source> {
    let nodes = metadata["resolve"]["nodes"].as_array()?;
    let node = nodes.iter().find(|node| node["id"] == package["id"])?;
    let ids = node["dependencies"].as_array()?;
    let found = packages.iter().find(|package| text(&package["name"]) == name && ids.contains(&package["id"]))?;
    let keys = match found["source"].as_str() {
        None => format!("path = {:?}", Path::new(text(&found["manifest_path"])).parent()?.to_str()?),
        Some(source) => match source.strip_prefix("git+").and_then(|git| git.split_once('#')) {
            Some((url, rev)) => format!("git = {:?}, rev = {rev:?}", url.split('?').next().unwrap_or(url)),
            None => format!("version = {:?}", format!("={}", text(&found["version"]))),
        },
    };
    Some(Source(keys))
}

#[cfg(test)]
mod tests {
    use super::Package;
    use serde_json::{Value, json};
    use std::path::Path;

    fn metadata(source: Value) -> Value {
        json!({
            "workspace_root": "/w", "target_directory": "/w/target",
            "workspace_members": ["a", "b"],
            "packages": [
                { "id": "a", "name": "a", "version": "1.0.0", "manifest_path": "/w/Cargo.toml", "source": null },
                { "id": "b", "name": "b", "version": "1.0.0", "manifest_path": "/w/b/Cargo.toml", "source": null },
                { "id": "s", "name": "systolic", "version": "0.1.2", "manifest_path": "/s/Cargo.toml", "source": source },
                { "id": "t", "name": "systolic-build", "version": "0.1.2", "manifest_path": "/t/Cargo.toml", "source": null },
            ],
            "resolve": { "nodes": [
                { "id": "a", "dependencies": ["s"] },
                { "id": "b", "dependencies": ["s", "t"] },
            ] },
        })
    }

    fn found(metadata: &Value, name: Option<&str>, here: &str) -> Result<Package, String> {
        Package::from(metadata, name, Path::new(here))
    }

    #[test]
    fn the_package_of_a_name_or_a_folder() {
        let metadata = metadata(Value::Null);
        let name = |name, here| found(&metadata, name, here).map(|package| package.name);
        assert_eq!(name(Some("b"), "/w").as_deref(), Ok("b"));
        assert_eq!(name(None, "/w/b/src").as_deref(), Ok("b"));
        assert_eq!(name(None, "/w/src").as_deref(), Ok("a"));
        assert_eq!(found(&metadata, Some("a"), "/").map(|a| a.builders), Ok(vec!["/w/b/Cargo.toml".into()]));
        assert_eq!(name(Some("c"), "/w"), Err("there is no package `c`; there are `a`, `b`".to_string()));
        assert_eq!(name(None, "/else"), Err("say which package, by `--package`: there are `a`, `b`".to_string()));
    }

    #[test]
    fn what_a_manifest_asks_for() {
        let mut metadata = metadata(Value::Null);
        metadata["packages"][0]["dependencies"] = json!([
            { "name": "systolic", "kind": null, "features": [], "path": "/s" },
            { "name": "systolic-build", "kind": "build", "features": [], "source": "git+https://example.org/s" },
        ]);
        metadata["packages"][0]["features"] = json!({ "default": ["gpu"], "gpu": ["systolic/cuda"], "other": ["x/y"] });
        metadata["packages"][0]["targets"] = json!([{ "kind": ["custom-build"], "src_path": "/w/build.rs" }]);
        let package = found(&metadata, Some("a"), "/").expect("a package");
        let systolic = package.declared("systolic", false).expect("a dependency");
        assert_eq!((systolic.features.as_slice(), systolic.from.as_str()), (&["cuda".to_string()][..], "/s"));
        assert!(package.declared("systolic", true).is_none());
        assert_eq!(package.declared("systolic-build", true).expect("a dependency").from, "https://example.org/s");
        assert_eq!(package.script.as_deref(), Some(Path::new("/w/build.rs")));
    }

    #[test]
    fn where_a_dependency_comes_from() {
        let of =
            |source: Value, gpu| found(&metadata(source), Some("b"), "/").and_then(|package| package.dependencies(gpu));
        assert_eq!(of(Value::Null, false).as_deref(), Ok("[dependencies]\nsystolic = { path = \"/s\" }\n"));
        let registry = of(json!("registry+https://example.org/index"), true).expect("dependencies");
        assert!(registry.contains("systolic = { version = \"=0.1.2\", features = [\"cuda\"] }"), "{registry}");
        assert!(registry.contains("[build-dependencies]\nsystolic-build = { path = \"/t\" }"), "{registry}");
        let git = of(json!("git+https://example.org/s.git?branch=main#0123"), false).expect("dependencies");
        assert!(git.contains("{ git = \"https://example.org/s.git\", rev = \"0123\" }"), "{git}");
        let without = found(&metadata(Value::Null), Some("a"), "/").and_then(|package| package.dependencies(true));
        assert!(without.is_err_and(|why| why.contains("no build dependency `systolic-build`")));
    }
}
