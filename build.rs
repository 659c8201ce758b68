//! Finds the rules: each `src/rules/<name>.md` with its `<name>.rs` becomes one entry of the table in `src/rules/mod.rs`.
//!
//! Nothing lists the rules by hand, so adding one touches its two files and its tests alone.

use std::error::Error;
use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs};

fn main() -> Result<(), Box<dyn Error>> {
    let root = env::var("CARGO_MANIFEST_DIR")?;
    let folder = Path::new(&root).join("src/rules");
    println!("cargo::rerun-if-changed={}", folder.display());
    let mut names = Vec::new();
    for entry in fs::read_dir(&folder)? {
        let path = entry?.path();
        let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default().to_owned();
        if path.extension().is_some_and(|extension| extension == "md") {
            names.push(stem);
        } else if path.extension().is_some_and(|extension| extension == "rs")
            && stem != "mod"
            && !path.with_extension("md").exists()
        {
            return Err(format!("src/rules/{stem}.rs has no page: write src/rules/{stem}.md").into());
        }
    }
    names.sort();
    fs::write(Path::new(&env::var("OUT_DIR")?).join("rules.rs"), table(&folder, &names)?)?;
    Ok(())
}

fn table(folder: &Path, names: &[String]) -> Result<String, Box<dyn Error>> {
    let mut modules = String::new();
    let mut rows = String::new();
    for name in names {
        let code = folder.join(format!("{name}.rs"));
        if !code.exists() {
            return Err(format!("src/rules/{name}.md has no rule: write src/rules/{name}.rs").into());
        }
        let page = folder.join(format!("{name}.md"));
        let levels = levels(&fs::read_to_string(&page)?);
        let id = name.replace('_', "-");
        writeln!(modules, "#[path = {:?}]\nmod {name};", code.display().to_string())?;
        writeln!(
            rows,
            "    Rule {{ id: RuleId({id:?}), found: {name}::FOUND, levels: &[{levels}], page: include_str!({:?}) }},",
            page.display().to_string()
        )?;
    }
    Ok(format!("{modules}\n/// Every rule, by id.\npub static RULES: &[Rule] = &[\n{rows}];\n"))
}

/// The page's `level:` line as the variants of `Level`; a word that is none of them does not compile.
fn levels(page: &str) -> String {
    let line = page.lines().find_map(|line| line.strip_prefix("level:")).unwrap_or_default();
    let variants = line.split(',').map(|word| {
        let (first, rest) = word.trim().split_at_checked(1).unwrap_or_default();
        format!("Level::{}{rest}", first.to_uppercase())
    });
    variants.collect::<Vec<_>>().join(", ")
}
