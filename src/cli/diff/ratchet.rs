//! Acknowledgements on the command line: reading those that came with a change, and writing one.

use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use super::DiffArgs;
use super::side::{self, Papers, Side};
use crate::cli::outcome::{Said, Trouble};
use crate::cli::session::Session;
use crate::diff::acknowledge::{self, Acknowledgement, Asked, FOLDER, File, NAMESPACE};
use crate::diff::{Grade, Report};
use crate::lock::SigningKey;
use crate::report::visible;
use crate::source::{Fault, disk, git};

/// The day that `--today` states, or the system's.
pub(super) fn today(args: &DiffArgs) -> Result<String, Trouble> {
    for (name, stated) in [("--today", &args.today), ("--until", &args.until)] {
        if let Some(stated) = stated.as_ref().filter(|stated| !acknowledge::is_date(stated)) {
            let message = format!("`{name} {}` is no day", visible(stated));
            return Err(Trouble::Usage(message, "write it as YYYY-MM-DD, as 2026-12-31".to_owned()));
        }
    }
    args.today.clone().map_or_else(|| day_of(SystemTime::now()), Ok)
}

/// The day of a clock in UTC. One before 1970 is wrong, and every acknowledgement would count under it.
fn day_of(now: SystemTime) -> Result<String, Trouble> {
    match now.duration_since(UNIX_EPOCH) {
        Ok(since) => Ok(day(since.as_secs() / 86_400)),
        Err(_) => Err(Trouble::Usage(
            "the system's clock stands before 1970, so nobody can tell which acknowledgements still count"
                .to_owned(),
            "set the clock, or say the day with `--today YYYY-MM-DD`".to_owned(),
        )),
    }
}

/// The date of a day counted from 1970-01-01 (Hinnant, "chrono-compatible low-level date algorithms").
fn day(days: u64) -> String {
    let shifted = days + 719_468;
    let (era, of_era) = (shifted / 146_097, shifted % 146_097);
    let year_of_era = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted_month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * shifted_month + 2) / 5 + 1;
    let month = if shifted_month < 10 { shifted_month + 3 } else { shifted_month - 9 };
    let year = year_of_era + era * 400 + u64::from(month <= 2);
    format!("{year:04}-{month:02}-{day:02}")
}

/// Holds the acknowledgements of the head against the change.
pub(super) fn judge(
    session: &Session,
    args: &DiffArgs,
    (base, head): (&Side, &Side),
    (today, change): (&str, &str),
    report: &mut Report,
) -> Result<(), Trouble> {
    let Some(own) = &head.tree else { return Ok(()) };
    let none = Papers::new();
    let known = base.tree.as_ref().map_or(&none, |tree| &tree.papers);
    let files = files(&own.papers, known);
    let signers = base.tree.as_ref().and_then(side::OfTree::signers);
    let authors = if signers.is_some() && files.iter().any(|file| !file.in_base) {
        authors(session, args)?
    } else {
        Vec::new()
    };
    let asked = Asked {
        base: &report.base.digest,
        head: &report.head.digest,
        change,
        is_changed: report.grade > Grade::Equal,
        base_is_tree: base.tree.is_some(),
        signers: signers.as_deref(),
        stated: &args.author,
        authors: &authors,
        today,
    };
    let (accepted, faults) = acknowledge::judge(&files, &asked);
    if !asked.is_changed && !asked.base_is_tree && files.iter().any(|file| !file.in_base) {
        report.notes.push(
            "base and head are the same lock, so the acknowledgement beside it was held against nothing; name the base \
             that the change goes into, as `git:main`"
                .to_owned(),
        );
    }
    (report.acknowledged, report.faults) = (accepted, faults);
    Ok(())
}

/// A paper's name, which is the digest of its change: one that the base has is the same wherever it is moved to.
fn name_of(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

fn files(own: &Papers, known: &Papers) -> Vec<File> {
    let papers = own.iter().filter(|(path, _)| path.ends_with(".toml"));
    let file = |(path, bytes): &(String, Vec<u8>)| {
        let beside = format!("{path}.sig");
        File {
            path: path.clone(),
            bytes: bytes.clone(),
            signature: own.iter().find(|(other, _)| *other == beside).map(|(_, bytes)| bytes.clone()),
            in_base: known.iter().any(|(other, _)| name_of(other) == name_of(path)),
        }
    };
    papers.map(file).collect()
}

/// Who wrote the change: those who are named, and those who committed it.
fn authors(session: &Session, args: &DiffArgs) -> Result<Vec<String>, Trouble> {
    let mut authors = args.author.clone();
    if let Some((base, _)) = side::revision(&args.base) {
        let folder = session.manifest(None).ok().and_then(|path| path.parent().map(Path::to_owned));
        let head = args.head.as_deref().and_then(side::revision).map_or("HEAD", |(revision, _)| revision);
        // Whoever commits the acknowledgement has not written what it is about.
        let except = [format!("{FOLDER}/*.toml"), format!("{FOLDER}/*.toml.sig")];
        let except = except.each_ref().map(String::as_str);
        let committed =
            git::authors(&folder.unwrap_or_default(), base, head, &except)?.ok_or_else(cut_off)?;
        authors.extend(committed);
    }
    Ok(authors)
}

/// The clone ends within the commits of the change.
fn cut_off() -> Trouble {
    Trouble::Usage(
        "this clone is shallow and ends within the commits of the change, so nobody can tell who wrote it, and whether \
         they acknowledge their own"
            .to_owned(),
        "fetch what is missing with `git fetch --unshallow`, or check out with `fetch-depth: 0`".to_owned(),
    )
}

/// Writes the acknowledgement of this change into the tree that widens.
pub(super) fn write(
    args: &DiffArgs,
    report: &Report,
    head: &Side,
    (why, who, until): (&str, &str, &str),
    today: &str,
) -> Result<Said, Trouble> {
    let mut said = Said::default();
    if until < today {
        return Err(Trouble::Usage(
            format!("`--until {until}` is over: today is {today}"),
            "name the last day on which the acknowledgement is to count".to_owned(),
        ));
    }
    let Some(folder) = head.tree.as_ref().and_then(|tree| tree.folder.as_ref()) else {
        return Err(Trouble::Usage(
            "an acknowledgement is written into a tree, and the head is none on this disk".to_owned(),
            "leave the head out to acknowledge what the tree here changes".to_owned(),
        ));
    };
    let Some(change) = &report.change else {
        said.line("nothing here needs an acknowledgement");
        return Ok(said);
    };
    if [why, who].iter().any(|text| text.trim().is_empty()) {
        return Err(Trouble::Usage(
            "an acknowledgement says who gives it, and why".to_owned(),
            "state both `--acknowledge WHY` and `--who NAME`".to_owned(),
        ));
    }
    let own = Acknowledgement {
        base: report.base.digest.clone(),
        head: report.head.digest.clone(),
        change: change.clone(),
        who: who.to_owned(),
        why: why.to_owned(),
        until: until.to_owned(),
    };
    let text = own.text();
    let signature = args.sign.as_deref().map(|key| signature(key, &text)).transpose()?;
    let folder = folder.join(FOLDER);
    let fault = |path: &Path, error| Fault::new("cannot be written", path, Some(error));
    disk::make_folder(&folder).map_err(|error| fault(&folder, error))?;
    let path = folder.join(Acknowledgement::file_name(change));
    disk::write(&path, text.as_bytes()).map_err(|error| fault(&path, error))?;
    said.line(format!("wrote {}", visible(&path.display().to_string())));
    if let Some(signature) = signature {
        let beside = crate::lock::signature_path(&path);
        disk::write(&beside, signature.as_bytes()).map_err(|error| fault(&beside, error))?;
        said.line(format!("wrote {}", visible(&beside.display().to_string())));
    }
    let counts = report.counts;
    let line = format!(
        "it acknowledges {} widened, {} altered and {} narrowed changes until {until}; read them with `harnessc diff {}`",
        counts.widened, counts.altered, counts.narrowed, args.base
    );
    said.line(visible(&line));
    Ok(said)
}

fn signature(key: &Path, text: &str) -> Result<String, Trouble> {
    let refused = |error: crate::lock::KeyError| {
        let shown = visible(&key.display().to_string()).into_owned();
        let help = format!("leave `--sign` out, then `ssh-keygen -Y sign -n {NAMESPACE} -f KEY FILE`");
        Trouble::Usage(format!("{shown}: {error}"), help)
    };
    let own = SigningKey::load(key)?.map_err(&refused)?;
    own.sign_for(NAMESPACE, text.as_bytes()).map_err(refused)
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, UNIX_EPOCH};

    use super::{Trouble, day, day_of};

    #[test]
    fn a_clock_before_1970_asks_for_the_day() {
        assert_eq!(day_of(UNIX_EPOCH).ok().as_deref(), Some("1970-01-01"));
        let Err(Trouble::Usage(_, help)) = day_of(UNIX_EPOCH - Duration::from_secs(1)) else {
            panic!("a day before 1970")
        };
        assert!(help.contains("--today"), "{help}");
    }

    #[test]
    fn days_become_dates() {
        for (days, date) in
            [(0, "1970-01-01"), (59, "1970-03-01"), (11_016, "2000-02-29"), (20_818, "2026-12-31")]
        {
            assert_eq!(day(days), date);
        }
    }
}
