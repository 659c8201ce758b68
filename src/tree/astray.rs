//! Folders that are a slip away from one that is read: what they hold looks as though it were in force.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;

use super::entry::{Entry, FOLDERS, Found, Use};
use crate::source::disk;

/// Folders of which one says what all of their kind hold.
const SINGULAR: [(&str, &str); 2] = [("harnesses", "harness"), ("policies", "policy")];

/// Whether a name is `meant` but for its case, one letter, or its plural.
fn near(name: &str, meant: &str) -> bool {
    let folded = name.to_lowercase();
    let singular = SINGULAR.iter().any(|(many, one)| *many == meant && folded == *one);
    name != meant && (singular || folded == meant || strsim::damerau_levenshtein(&folded, meant) == 1)
}

/// The folder of a tree that the way to a file was probably to go through, and the way that it goes.
fn meant(path: &str) -> Option<(&str, &'static str, Use)> {
    FOLDERS.iter().find_map(|(folder, purpose)| {
        let mut end = 0;
        let mut strays = false;
        let mut rest = path;
        for part in folder.split('/') {
            let (name, below) = rest.split_once('/')?;
            if name != part && !near(name, part) {
                return None;
            }
            strays |= name != part;
            end += name.len() + 1;
            rest = below;
        }
        let extension = path.rsplit('/').next()?.rsplit_once('.')?.1;
        let written = path.get(..end.checked_sub(1)?)?;
        let is_own = FOLDERS.iter().any(|(own, _)| *own == written);
        (strays && !is_own && extension == purpose.extension()).then_some((written, *folder, *purpose))
    })
}

/// For each folder astray the first file in it that would be read.
pub(super) fn among<'p>(paths: impl Iterator<Item = &'p str>) -> Vec<Entry> {
    let mut first = BTreeMap::new();
    for path in paths {
        if let Some((written, folder, purpose)) = meant(path) {
            first.entry(written).or_insert((path, folder, purpose));
        }
    }
    let entry = |(path, folder, purpose): (&str, &'static str, Use)| Entry {
        path: path.to_owned(),
        purpose,
        found: Found::Astray(folder),
    };
    first.into_values().map(entry).collect()
}

/// As [`among`], on the disk. Nothing but folders that may be meant is looked into.
pub(super) fn below(root: &Path) -> io::Result<Vec<Entry>> {
    let mut ways = Vec::new();
    for (folder, _) in FOLDERS {
        let mut reached = vec![String::new()];
        for part in folder.split('/') {
            let mut further = Vec::new();
            for way in reached {
                let names = disk::folders(&root.join(&way))?;
                let names = names.into_iter().filter(|name| name == part || near(name, part));
                further.extend(names.map(|name| if way.is_empty() { name } else { format!("{way}/{name}") }));
            }
            reached = further;
        }
        ways.extend(reached.into_iter().filter(|way| FOLDERS.iter().all(|(own, _)| own != way)));
    }
    let mut paths = Vec::new();
    for way in ways {
        let walked = disk::walk(root, &way).map_err(|(_, error)| error)?;
        paths.extend(
            walked.into_iter().filter(|entry| entry.kind == Some(disk::Kind::File)).map(|entry| entry.path),
        );
    }
    Ok(among(paths.iter().map(String::as_str)))
}

#[cfg(test)]
mod tests {
    use super::meant;

    #[test]
    fn a_slip_is_told_from_a_folder_of_another_name() {
        for (path, folder) in [
            ("policy/people.yaml", Some("policies")),
            ("Policies/people.yaml", Some("policies")),
            ("policys/a/people.yaml", None),
            ("policie/a/people.yaml", Some("policies")),
            ("harness/desk.yaml", Some("harnesses")),
            ("tool/desk.yaml", Some("tools")),
            ("tests/Policy/desk.yaml", Some("tests/policy")),
            ("test/policy/desk.yaml", Some("tests/policy")),
            ("prompt/v1/refusals.txt", Some("prompts")),
            ("prompt/v1/refusals.yaml", None),
            ("policies/people.yaml", None),
            ("tests/policy/desk.yaml", None),
            ("tests/unit/desk.yaml", None),
            ("docs/tools/desk.yaml", None),
            ("tool/desk.rs", None),
            ("toolbox/desk.yaml", None),
            ("harness.yaml", None),
        ] {
            assert_eq!(meant(path).map(|(_, folder, _)| folder), folder, "{path}");
        }
    }
}
