//! What an upstream lists now: its `tools/list`, read as strictly as a call.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::{Bounds, Unfit};
use crate::json::read_value;

/// The most tools that one list holds.
const MAX_TOOLS: usize = 10_000;

/// A whole list: every page of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listing {
    /// By name; `None`: the name stands more than once, so that nobody knows which one is meant.
    tools: BTreeMap<String, Option<Map<String, Value>>>,
}

impl Listing {
    /// Reads the `result` objects of `tools/list`, one a page, in order, each weighed already by its own time and once more
    /// here by bytes and depth. The last page, and no other, has no `nextCursor`: a list that goes on is none.
    ///
    /// # Errors
    /// Where a page passes a bound, has a key twice, or is no page of a list.
    pub fn read(pages: &[&[u8]], bounds: &Bounds) -> Result<Self, Unfit> {
        let mut tools = BTreeMap::new();
        let (mut bytes, last) = (0_usize, pages.len().checked_sub(1).ok_or(Unfit::Unreadable)?);
        for (at, page) in pages.iter().enumerate() {
            bytes = bytes.saturating_add(page.len());
            bounds.fits(bytes)?;
            bounds.weigh(page, 0)?;
            let Ok(Value::Object(page)) = read_value(page) else { return Err(Unfit::Unreadable) };
            let goes_on = page.get("nextCursor").is_some_and(|cursor| !cursor.is_null());
            let Some(Value::Array(listed)) = page.get("tools") else { return Err(Unfit::Unreadable) };
            if goes_on == (at == last) || tools.len().saturating_add(listed.len()) > MAX_TOOLS {
                return Err(Unfit::Unreadable);
            }
            for tool in listed {
                let Value::Object(tool) = tool else { return Err(Unfit::Unreadable) };
                let Some(name) = tool.get("name").and_then(Value::as_str) else {
                    return Err(Unfit::Unreadable);
                };
                let told = tools.contains_key(name);
                tools.insert(name.to_owned(), Some(tool.clone()).filter(|_| !told));
            }
        }
        Ok(Self { tools })
    }

    /// What is listed under a name. Outer `None`: nothing; inner `None`: more than one.
    pub(super) fn of(&self, name: &str) -> Option<Option<&Map<String, Value>>> {
        self.tools.get(name).map(Option::as_ref)
    }
}

#[cfg(test)]
mod tests {
    use super::{Bounds, Listing, Unfit};

    fn read(pages: &[&str]) -> Result<Listing, Unfit> {
        let pages: Vec<&[u8]> = pages.iter().map(|page| page.as_bytes()).collect();
        Listing::read(&pages, &Bounds::default())
    }

    #[test]
    fn a_list_is_whole_or_none() {
        let (one, two) =
            (r#"{"nextCursor":"2","tools":[{"name":"a"}]}"#, r#"{"tools":[{"name":"b"},{"name":"b"}]}"#);
        let whole = read(&[one, two]).unwrap();
        assert!(whole.of("a").is_some_and(|tool| tool.is_some()));
        assert_eq!((whole.of("b"), whole.of("c")), (Some(None), None));
        for pages in [
            &[one][..],
            &[two, two],
            &[],
            &[r#"{"tools":[{"name":"a","name":"b"}]}"#],
            &[r#"{"tools":[{"title":"a"}]}"#],
            &[r#"{"tools":["a"]}"#],
            &[r#"{"tools":{}}"#],
            &["[]"],
            &["{"],
        ] {
            assert_eq!(read(pages), Err(Unfit::Unreadable), "{pages:?}");
        }
    }

    #[test]
    fn the_bounds_hold_over_all_pages() {
        let pages = [r#"{"nextCursor":"2","tools":[]}"#, r#"{"tools":[]}"#].map(str::as_bytes);
        let bounds = |max_bytes, max_depth| Bounds { max_bytes, max_depth, ..Bounds::default() };
        assert!(Listing::read(&pages, &bounds(41, 2)).is_ok());
        assert_eq!(Listing::read(&pages, &bounds(40, 2)), Err(Unfit::TooLarge));
        assert_eq!(Listing::read(&pages, &bounds(41, 1)), Err(Unfit::TooDeep));
    }
}
