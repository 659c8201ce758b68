//! Whether words stand in a projection as they are quoted.

use serde_json::Value;

/// What marks a title that nobody vouches for; a quote out of one keeps it.
const UNTRUSTED: &str = "untrusted:";

/// The words as they may be shown, where they stand verbatim in one value of the projection: inside a string, or as a
/// whole number, `true`, `false`. Words that are put together out of two values stand nowhere.
pub(super) fn verbatim(projection: &Value, quote: &str) -> Option<String> {
    match projection {
        Value::Array(items) => items.iter().find_map(|item| verbatim(item, quote)),
        Value::Object(members) => members.values().find_map(|member| verbatim(member, quote)),
        Value::String(text) if text.contains(quote) => {
            let labelled = text.starts_with(UNTRUSTED) && !quote.starts_with(UNTRUSTED);
            Some(if labelled { format!("{UNTRUSTED} {quote}") } else { quote.to_owned() })
        }
        Value::Number(_) | Value::Bool(_) => Some(projection.to_string()).filter(|shown| shown == quote),
        Value::String(_) | Value::Null => None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::verbatim;

    #[test]
    fn words_stand_in_one_value_or_nowhere() {
        let seen = json!({"rows": [{"id": "R-1", "note": "Export failed at 03:00"}, {"count": 12}], "title": "untrusted: Dear"});
        for held in ["Export failed", "R-1", "12", "at 03:00"] {
            assert_eq!(verbatim(&seen, held).as_deref(), Some(held));
        }
        for invented in ["export failed", "R-1Export", "2", "Export  failed", "note", "null"] {
            assert_eq!(verbatim(&seen, invented), None, "{invented}");
        }
        assert_eq!(verbatim(&seen, "Dear").as_deref(), Some("untrusted: Dear"));
    }
}
