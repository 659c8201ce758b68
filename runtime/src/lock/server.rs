//! Outside servers: how each is reached, and which list of its tools is pinned.

use serde::{Deserialize, Serialize};

/// One outside server (`servers.<key>`), as stated: whoever answers at another address is another server.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Server {
    /// `command`: the program and its arguments, in their order. No secret stands here: a lock is read by many.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub command: Vec<String>,
    /// `tools`: the file of the pinned list, one of the sources.
    pub tools: String,
    /// `url`, of one form that every reader takes apart alike ([`is_plain`](Self::is_plain)), without a name or a password in it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
}

impl Server {
    /// How it is reached, as one text: its URL, its command as a JSON list, or both as a JSON object. `None`: the policy
    /// leaves that to whoever runs the tool server.
    #[must_use]
    pub fn address(&self) -> Option<String> {
        match (&self.url, self.command.as_slice()) {
            (None, []) => None,
            (Some(url), []) => Some(url.clone()),
            (None, command) => Some(serde_json::json!(command).to_string()),
            // Two keys in the order of their names, whatever order a map keeps.
            (Some(url), command) => {
                let (command, url) = (serde_json::json!(command), serde_json::json!(url));
                Some(format!("{{\"command\":{command},\"url\":{url}}}"))
            }
        }
    }

    /// Whether a URL is written `scheme://authority…` (RFC 3986) with an authority that is not empty, and holds no `\`, white
    /// space or control character. Of any other, readers make different things: to browsers `https:/me:secret@desk.example` has
    /// a user and a password too.
    #[must_use]
    pub fn is_plain(url: &str) -> bool {
        let Some((scheme, rest)) = url.split_once("://") else { return false };
        let is_scheme = scheme.starts_with(|first: char| first.is_ascii_alphabetic())
            && scheme.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.'));
        let is_odd = |c: char| c == '\\' || c.is_whitespace() || c.is_control();
        is_scheme && !rest.is_empty() && !rest.starts_with(['/', '?', '#']) && !rest.contains(is_odd)
    }

    /// Whether a URL holds a name or a password (RFC 3986, userinfo) to the most lenient of its readers: however many slashes,
    /// of either kind, stand before them.
    #[must_use]
    pub fn holds_credentials(url: &str) -> bool {
        let is_slash = |c: char| matches!(c, '/' | '\\');
        // Readers of the WHATWG's URLs drop these wherever they stand.
        let kept: String = url.chars().filter(|c| !matches!(c, '\t' | '\n' | '\r')).collect();
        let rest = match kept.split_once(':') {
            Some((scheme, rest)) if !scheme.contains(['/', '\\', '?', '#', '@']) => {
                if rest.starts_with(is_slash) { rest } else { kept.as_str() }
            }
            _ => kept.as_str(),
        };
        let rest = rest.trim_start_matches(is_slash);
        rest.split(['/', '\\', '?', '#']).next().is_some_and(|authority| authority.contains('@'))
    }
}

#[cfg(test)]
mod tests {
    use super::Server;

    #[test]
    fn an_address_is_one_text_and_holds_no_credentials() {
        let url = Some("https://desk.example/mcp".to_owned());
        let command = vec!["desk".to_owned(), "--stdio".to_owned()];
        let server = Server { command, tools: "vendor/desk.json".to_owned(), url };
        assert_eq!(
            server.address().as_deref(),
            Some(r#"{"command":["desk","--stdio"],"url":"https://desk.example/mcp"}"#)
        );
        let launched = Server { url: None, ..server.clone() };
        assert_eq!(launched.address().as_deref(), Some(r#"["desk","--stdio"]"#));
        let called = Server { command: Vec::new(), ..server };
        assert_eq!(called.address().as_deref(), Some("https://desk.example/mcp"));
        assert_eq!(Server { url: None, ..called }.address(), None);
        for (url, holds) in [
            ("https://u:p@desk.example/mcp", true),
            ("u@desk.example", true),
            ("https://desk.example/@me?to=a@b", false),
            ("https://desk.example", false),
            ("https:/me:secret@desk.example", true),
            ("https:///me:secret@desk.example", true),
            ("https:\\\\me:secret@desk.example", true),
            ("https:me:secret@desk.example", true),
            ("https:/\t/me:secret@desk.example", true),
            ("//me:secret@desk.example", true),
            ("me:secret@desk.example", true),
            ("https://desk.example\\@me", false),
            ("https://desk.example:8443/mcp", false),
        ] {
            assert_eq!(Server::holds_credentials(url), holds, "{url}");
        }
    }

    #[test]
    fn an_address_has_one_form() {
        for url in
            ["https://desk.example", "http+unix://desk:8443/mcp?a=b@c#d", "https://[::1]:8443/", "HTTPS://d"]
        {
            assert!(Server::is_plain(url), "{url}");
        }
        for url in [
            "",
            "desk.example",
            "desk.example/mcp",
            "//desk.example",
            "https:/desk.example",
            "https:///desk.example",
            "https:\\\\desk.example",
            "https://",
            "https://?a",
            "://desk.example",
            "1https://desk.example",
            "ht tps://desk.example",
            "https://desk.example/a b",
            "https://desk.example\\@me",
            "https://desk\n.example",
            "https://desk.example/\u{0}",
        ] {
            assert!(!Server::is_plain(url), "{url:?}");
        }
    }
}
