//! Constants for Rust: an enum for each section.

use std::fmt::Write as _;

use super::names::{braced, literal, prose, settled, variant};
use super::{Clash, Constants, Group, header};

/// What a program does not use of this is no mistake of its author's.
const UNUSED: &str = concat!("#[", "allow(dead_code)]\n");

/// The module's text.
///
/// # Errors
/// Keys of one section come to one variant.
pub fn rust(constants: &Constants) -> Result<String, Vec<Clash>> {
    let names = settled(&constants.groups, variant)?;
    let policy = literal(&constants.policy, braced);
    let mut out = format!("// {}\n\n", header("rust"));
    let _ = writeln!(out, "/// The policy's name.\n{UNUSED}pub const POLICY: &str = {policy};");
    let _ = writeln!(
        out,
        "/// The revision that these names are of.\n{UNUSED}pub const REVISION: u64 = {};",
        constants.revision
    );
    for (name, version) in &constants.versions {
        let said = name.to_ascii_lowercase();
        let _ = writeln!(
            out,
            "/// The policy's `{said}`.\n{UNUSED}pub const {name}: &str = {};",
            literal(version, braced)
        );
    }
    constants.groups.iter().zip(&names).for_each(|(group, variants)| one(group, variants, &mut out));
    Ok(out)
}

fn one(group: &Group, variants: &[String], out: &mut String) {
    let name = group.name;
    let _ = write!(
        out,
        "\n/// The {}.\n{UNUSED}#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]\npub enum {name} {{\n",
        group.plural
    );
    for (variant, key) in variants.iter().zip(&group.keys) {
        let title = prose(&key.title);
        let said = if title.is_empty() { named(&key.key) } else { title };
        let _ = writeln!(out, "    /// {said}\n    {variant},");
    }
    let _ = write!(
        out,
        "}}\n\n{UNUSED}impl {name} {{\n    /// All of them, in their order.\n    pub const ALL: &'static [Self] = &[\n"
    );
    for variant in variants {
        let _ = writeln!(out, "        Self::{variant},");
    }
    out.push_str("    ];\n\n    /// The key, as the policy and the audit trail write it.\n    #[must_use]\n    pub const fn key(self) -> &'static str {\n        match self {\n");
    for (variant, key) in variants.iter().zip(&group.keys) {
        let _ = writeln!(out, "            Self::{variant} => {},", literal(&key.key, braced));
    }
    out.push_str("        }\n    }\n");
    if group.is_versioned() {
        out.push_str("\n    /// The version that these names are of.\n    #[must_use]\n    pub const fn version(self) -> u64 {\n        match self {\n");
        for (variant, key) in variants.iter().zip(&group.keys) {
            let _ = writeln!(out, "            Self::{variant} => {},", key.version.unwrap_or_default());
        }
        out.push_str("        }\n    }\n");
    }
    let _ = write!(
        out,
        "\n    /// The one of this key.\n    #[must_use]\n    pub fn of(key: &str) -> Option<Self> {{\n        Self::ALL.iter().copied().find(|own| own.key() == key)\n    }}\n}}\n\nimpl std::fmt::Display for {name} {{\n    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {{\n        f.write_str(self.key())\n    }}\n}}\n"
    );
}

/// A key without a title: as code where nothing in it ends the code.
fn named(key: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | '/');
    if key.chars().all(plain) { format!("`{key}`") } else { prose(key) }
}
