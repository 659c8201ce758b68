//! Constants for TypeScript: for each section an object `as const`, and the union of its values under the same name.

use std::fmt::Write as _;

use super::names::{braced, literal, pascal, prose, settled, upper};
use super::{Clash, Constants, Group, header};

/// The module's text.
///
/// # Errors
/// Keys of one section come to one property.
pub fn typescript(constants: &Constants) -> Result<String, Vec<Clash>> {
    let names = settled(&constants.groups, pascal)?;
    let policy = literal(&constants.policy, braced);
    let mut out = format!("// {}\n\n", header("typescript"));
    let _ = writeln!(out, "export const POLICY = {policy};\nexport const REVISION = {};", constants.revision);
    for (name, version) in &constants.versions {
        let _ = writeln!(out, "export const {name} = {};", literal(version, braced));
    }
    constants.groups.iter().zip(&names).for_each(|(group, members)| one(group, members, &mut out));
    Ok(out)
}

fn one(group: &Group, members: &[String], out: &mut String) {
    let name = group.name;
    let _ = write!(out, "\n/** The {}. */\nexport const {name} = {{\n", group.plural);
    for (member, key) in members.iter().zip(&group.keys) {
        let title = prose(&key.title).replace("*/", "*\\/");
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
