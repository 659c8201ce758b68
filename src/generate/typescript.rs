//! Constants for TypeScript: for each section an object `as const`, and the union of its values under the same name.

use std::fmt::Write as _;

use super::names::{braced, comment, literal, pascals, upper};
use super::{Constants, Group, header};

/// The module's text.
pub fn typescript(constants: &Constants) -> String {
    let policy = literal(&constants.policy, braced);
    let mut out = format!("// {}\n\n", header("typescript"));
    let _ = writeln!(out, "export const POLICY = {policy};\nexport const REVISION = {};", constants.revision);
    for (name, version) in &constants.versions {
        let _ = writeln!(out, "export const {name} = {};", literal(version, braced));
    }
    constants.groups.iter().for_each(|group| one(group, &mut out));
    out
}

fn one(group: &Group, out: &mut String) {
    let name = group.name;
    let members = pascals(group);
    let _ = write!(out, "\n/** The {}. */\nexport const {name} = {{\n", group.plural);
    for (member, key) in members.iter().zip(&group.keys) {
        let title = comment(&key.title).replace("*/", "*\\/");
        if !title.is_empty() {
            let _ = writeln!(out, "  /** {title} */");
        }
        let _ = writeln!(out, "  {member}: {},", literal(&key.key, braced));
    }
    let _ = write!(
        out,
        "}} as const;\n\nexport type {name} = (typeof {name})[keyof typeof {name}];\n\nexport function is{name}(key: string): key is {name} {{\n  return (Object.values({name}) as string[]).includes(key);\n}}\n"
    );
    if group.is_versioned() {
        let _ =
            writeln!(out, "\nexport const {}_VERSIONS: Readonly<Record<{name}, number>> = {{", upper(name));
        for (member, key) in members.iter().zip(&group.keys) {
            let _ = writeln!(out, "  [{name}.{member}]: {},", key.version.unwrap_or_default());
        }
        out.push_str("};\n");
    }
}
