//! Where the crates come from: a clone, or a repository. They are not on a registry yet.
use std::path::{Path, PathBuf};

/// Where a dependency comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The folder of a clone.
    Clone(PathBuf),
    /// The URL of a repository.
    Git(String),
}

impl Origin {
    /// What the user names, or the clone that this program was built in.
    pub fn find(path: Option<&Path>, git: Option<&str>) -> Result<Origin, String> {
        match (path, git) {
            (_, Some(url)) => Ok(Origin::Git(url.to_string())),
            (Some(path), None) => clone(path)
                .map(Origin::Clone)
                .ok_or_else(|| format!("{} is no clone of systolic: it has no systolic/Cargo.toml", path.display())),
            (None, None) => {
                let built = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
                clone(&built).map(Origin::Clone).ok_or_else(|| {
                    "say where systolic is, by `--systolic PATH` of a clone or `--git URL`: the crates are not on a \
                     registry yet, and the clone that this program was built in is gone"
                        .to_string()
                })
            }
        }
    }

    /// The right side of a line of a manifest.
    pub fn line(&self, name: &str, features: &[&str]) -> String {
        let from = match self {
            Origin::Clone(folder) => format!("path = {:?}", folder.join(name).display().to_string()),
            Origin::Git(url) => format!("git = {url:?}"),
        };
        let features = if features.is_empty() { String::new() } else { format!(", features = {features:?}") };
        format!("{{ {from}{features} }}")
    }

    /// The arguments of `cargo add`.
    pub fn arguments(&self, name: &str) -> Vec<String> {
        match self {
            Origin::Clone(folder) => vec!["--path".to_string(), folder.join(name).display().to_string()],
            Origin::Git(url) => vec![name.to_string(), "--git".to_string(), url.clone()],
        }
    }
}

/// The folder of a clone, from its own path or that of its crate `systolic`.
fn clone(path: &Path) -> Option<PathBuf> {
    let path = path.canonicalize().ok()?;
    let is_clone = |folder: &Path| {
        ["systolic", "systolic-build"].iter().all(|name| folder.join(name).join("Cargo.toml").is_file())
    };
    let above = path.parent().filter(|_| path.file_name().is_some_and(|name| name == "systolic"));
    [Some(path.as_path()), above].into_iter().flatten().find(|folder| is_clone(folder)).map(PathBuf::from)
}

#[cfg(test)]
mod tests {
    use super::Origin;
    use std::path::Path;

    #[test]
    fn clones_and_repositories() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").canonicalize().expect("the repository");
        let here = Origin::find(None, None).expect("this clone");
        assert_eq!(here, Origin::Clone(root.clone()));
        assert_eq!(Origin::find(Some(&root.join("systolic")), None), Ok(here.clone()));
        assert!(Origin::find(Some(&root.join("docs")), None).is_err_and(|why| why.contains("is no clone of systolic")));
        assert!(here.line("systolic", &["cuda"]).ends_with("systolic\", features = [\"cuda\"] }"));
        let git = Origin::find(None, Some("https://example.org/s")).expect("a repository");
        assert_eq!(git.line("systolic", &[]), "{ git = \"https://example.org/s\" }");
    }
}
