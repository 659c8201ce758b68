//! What every HTML page has in common: escaped text, one style for light and dark, nothing that runs or is fetched.

use std::fmt;

use super::visible::visible;

/// A text in which nothing is markup, for elements and quoted attributes alike.
#[derive(Clone, Copy, Debug)]
pub(super) struct Text<'a>(pub(super) &'a str);

impl fmt::Display for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        escape(&visible(self.0), f)
    }
}

/// The same for text of several lines.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lines<'a>(pub(super) &'a str);

impl fmt::Display for Lines<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        escape(&super::visible::visible_lines(self.0), f)
    }
}

fn escape(text: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    use fmt::Write as _;
    for c in text.chars() {
        match c {
            '&' => f.write_str("&amp;")?,
            '<' => f.write_str("&lt;")?,
            '>' => f.write_str("&gt;")?,
            '"' => f.write_str("&quot;")?,
            '\'' => f.write_str("&#39;")?,
            '\u{fffe}' | '\u{ffff}' => write!(f, "\\u{{{:x}}}", u32::from(c))?,
            _ => f.write_char(c)?,
        }
    }
    Ok(())
}

/// The style of every page.
pub(super) const CSS: &str = "\
:root{color-scheme:light dark;--ink:#1d2126;--dim:#5c6470;--paper:#fff;--card:#f5f6f8;--line:#d9dde3;--link:#0b57d0;--good:#2e6b37;--warn:#8a5300;--bad:#b3261e;--goodbg:#e2f1e4;--warnbg:#fdebd0;--badbg:#fbdfdd}\
@media(prefers-color-scheme:dark){:root{--ink:#e6e8eb;--dim:#a0a8b3;--paper:#15181c;--card:#1e2227;--line:#343a42;--link:#8ab4f8;--good:#8fd19a;--warn:#f0b95c;--bad:#f5958d;--goodbg:#1c3322;--warnbg:#3d2d10;--badbg:#4a1f1c}}\
*{box-sizing:border-box}body{margin:0;background:var(--paper);color:var(--ink);font:15px/1.5 system-ui,-apple-system,'Segoe UI',sans-serif}\
main{max-width:1180px;margin:0 auto;padding:1rem}nav{border-bottom:1px solid var(--line);padding:.6rem 1rem;display:flex;gap:1rem;flex-wrap:wrap}\
a{color:var(--link)}h1{font-size:1.5rem;margin:.6rem 0;overflow-wrap:anywhere}h2{font-size:1.15rem;margin:1.8rem 0 .5rem;border-bottom:1px solid var(--line);padding-bottom:.2rem}\
.dim{color:var(--dim)}code,pre{font:13px/1.45 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}code{overflow-wrap:anywhere}pre{background:var(--card);padding:.7rem;overflow:auto;white-space:pre-wrap;overflow-wrap:anywhere;border-radius:6px}\
td code{overflow-wrap:normal}.wide{overflow-x:auto;-webkit-overflow-scrolling:touch}table{border-collapse:collapse;width:100%}th,td{text-align:left;vertical-align:top;padding:.35rem .6rem;border-bottom:1px solid var(--line)}th{color:var(--dim);font-weight:600;white-space:nowrap}\
dl{display:grid;grid-template-columns:max-content 1fr;gap:.25rem 1rem;margin:.5rem 0}dt{color:var(--dim)}dd{margin:0;overflow-wrap:anywhere}\
.tag{display:inline-block;padding:0 .45rem;border-radius:9px;background:var(--card);white-space:nowrap;font-size:.87rem}.good{color:var(--good);background:var(--goodbg)}.warn{color:var(--warn);background:var(--warnbg)}.bad{color:var(--bad);background:var(--badbg)}\
details{margin:.4rem 0}summary{cursor:pointer}:target{outline:2px solid var(--link);outline-offset:4px}section.page{border-top:3px solid var(--line);margin-top:2.5rem}\
@media(max-width:640px){main{padding:.7rem}dl{grid-template-columns:1fr;gap:0}dd{margin-bottom:.4rem}h1{font-size:1.25rem}table{font-size:.9rem}}\
@media print{nav{display:none}details>*{display:block}}";

/// What tells a page of ours from any other.
const GENERATOR: &str = "<meta name=\"generator\" content=\"harnessc\">";

/// Whether a file is a page of ours, or holds nothing: one that may be written over.
pub fn is_own(bytes: &[u8]) -> bool {
    let head = bytes.get(..1024).unwrap_or(bytes);
    bytes.is_empty() || String::from_utf8_lossy(head).lines().any(|line| line == GENERATOR)
}

/// A whole page. `more` is style of its own; `body` is markup.
pub(super) fn page(title: &str, more: &str, body: &str) -> String {
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n\
         {GENERATOR}\n\
         <meta name=\"referrer\" content=\"no-referrer\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{}</title>\n<style>{CSS}{more}</style>\n</head>\n<body>\n{body}</body>\n</html>\n",
        Text(title)
    )
}
