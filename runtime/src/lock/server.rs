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
    /// `url`, without a name or a password in it.
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

    /// Whether its URL holds a name or a password (RFC 3986, userinfo).
    #[must_use]
    pub fn holds_credentials(url: &str) -> bool {
        let rest = url.split_once("//").map_or(url, |(_, rest)| rest);
        rest.split(['/', '?', '#']).next().is_some_and(|authority| authority.contains('@'))
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
        ] {
            assert_eq!(Server::holds_credentials(url), holds, "{url}");
        }
    }
}
