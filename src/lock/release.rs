//! The release line: which revision follows, and its place in the manifest's text.

use harnessc_runtime::load::Loaded;
use toml_edit::{DocumentMut, Item, Table, Value};

/// What `[release]` states.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReleaseLine {
    /// The digest of the lock that this one follows.
    pub predecessor: String,
    /// One above that lock's.
    pub revision: u64,
}

/// What follows these locks: one above the larger revision, behind the lock that has it. Of two with the same one, the
/// first is followed. Nothing without a lock, or above the last number there is.
pub fn after(bases: &[Loaded]) -> Option<ReleaseLine> {
    let base = bases.iter().rev().max_by_key(|base| base.lock.revision)?;
    let revision = base.lock.revision.checked_add(1)?;
    Some(ReleaseLine { predecessor: base.digest.clone(), revision })
}

/// The manifest's text with that release line. Every other byte stays: comments, order, layout, line ends.
///
/// # Errors
/// The text is no TOML, or its `release` is no table.
pub fn written(manifest: &str, line: &ReleaseLine) -> Result<String, String> {
    // The editor drops the mark that some editors put before the first byte.
    let (mark, manifest) =
        manifest.strip_prefix('\u{feff}').map_or(("", manifest), |rest| ("\u{feff}", rest));
    let mut document: DocumentMut =
        manifest.parse().map_err(|error: toml_edit::TomlError| error.to_string())?;
    let release = document.entry("release").or_insert_with(|| Item::Table(Table::new()));
    let Some(table) = release.as_table_like_mut() else { return Err("`release` is no table".to_owned()) };
    let revision = i64::try_from(line.revision).map_err(|error| error.to_string())?;
    for (key, value) in
        [("revision", Value::from(revision)), ("predecessor", Value::from(line.predecessor.as_str()))]
    {
        match table.get_mut(key).and_then(Item::as_value_mut) {
            Some(old) => {
                // A comment behind the value belongs to the key.
                let decor = old.decor().clone();
                *old = value;
                *old.decor_mut() = decor;
            }
            None => {
                table.insert(key, Item::Value(value));
            }
        }
    }
    let text = document.to_string();
    // The editor writes LF alone; a file that ends its lines otherwise goes on doing so.
    let crlf = manifest.contains("\r\n") && !manifest.replace("\r\n", "").contains('\n');
    let text = if crlf { text.replace("\r\n", "\n").replace('\n', "\r\n") } else { text };
    Ok(format!("{mark}{text}"))
}

#[cfg(test)]
mod tests {
    use super::{ReleaseLine, written};

    fn set(manifest: &str) -> String {
        written(manifest, &ReleaseLine { predecessor: "sha256:ab".to_owned(), revision: 8 }).unwrap()
    }

    #[test]
    fn two_values_change_and_no_other_byte() {
        let before = "# the desk\n[policy]\nname   =  \"desk\" # kept\n\n[release]  # by release\nrevision =   7 # seven\n\
                      predecessor = 'sha256:00'\n\n\n[expect]\nharnesses=2\n";
        let after = before.replace("  7 #", "  8 #").replace("'sha256:00'", "\"sha256:ab\"");
        assert_eq!(set(before), after);
        assert_eq!(set(&after), after);
        assert_eq!(set(&before.replace('\n', "\r\n")), after.replace('\n', "\r\n"));
    }

    #[test]
    fn a_manifest_without_a_line_gets_one() {
        let before = "[policy]\nname = \"desk\"\n\n[[mirror]]\nof = \"tools\"\nfile = \"a\"\npattern = 'b'\n";
        assert_eq!(set(before), format!("{before}\n[release]\nrevision = 8\npredecessor = \"sha256:ab\"\n"));
        let inline = "release = { revision = 1, predecessor = \"\" }\n[policy]\nname = \"desk\"\n";
        assert_eq!(
            set(inline),
            "release = { revision = 8, predecessor = \"sha256:ab\" }\n[policy]\nname = \"desk\"\n"
        );
        assert!(written("release = 1\n", &ReleaseLine { predecessor: String::new(), revision: 1 }).is_err());
    }
}
