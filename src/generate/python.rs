//! Constants for Python 3.11 and later: a `StrEnum` for each section.

use std::fmt::Write as _;

use super::names::{comment, literal, long, settled, upper};
use super::{Clash, Constants, Group, header};

/// The module's text.
///
/// # Errors
/// Keys of one section come to one member.
pub fn python(constants: &Constants) -> Result<String, Vec<Clash>> {
    let names = settled(&constants.groups, upper)?;
    let policy = literal(&constants.policy, long);
    let mut out = format!(
        "# {}\n\nfrom collections.abc import Mapping\nfrom enum import StrEnum\nfrom types import MappingProxyType\nfrom typing import Final\n\n",
        header("python")
    );
    let _ = writeln!(out, "POLICY: Final = {policy}\nREVISION: Final = {}", constants.revision);
    for (name, version) in &constants.versions {
        let _ = writeln!(out, "{name}: Final = {}", literal(version, long));
    }
    constants.groups.iter().zip(&names).for_each(|(group, members)| one(group, members, &mut out));
    Ok(out)
}

fn one(group: &Group, members: &[String], out: &mut String) {
    let name = group.name;
    let _ = write!(out, "\n\nclass {name}(StrEnum):\n    \"\"\"The {}.\"\"\"\n\n", group.plural);
    for (member, key) in members.iter().zip(&group.keys) {
        let title = comment(&key.title);
        if !title.is_empty() {
            let _ = writeln!(out, "    # {title}");
        }
        let _ = writeln!(out, "    {member} = {}", literal(&key.key, long));
    }
    if group.is_versioned() {
        let table = format!("{}_VERSIONS", upper(name));
        let _ = write!(out, "\n\n{table}: Final[Mapping[{name}, int]] = MappingProxyType(\n    {{\n");
        for (member, key) in members.iter().zip(&group.keys) {
            let _ = writeln!(out, "        {name}.{member}: {},", key.version.unwrap_or_default());
        }
        out.push_str("    }\n)\n");
    }
}
