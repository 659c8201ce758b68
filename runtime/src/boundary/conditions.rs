//! What surrounds a call: the token's claims, the call itself, and what the server observes at that moment.

use super::Overlay;
use crate::upstream::Upstreams;

/// The server could not look something up. It never says why: whatever the reason, the call is denied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unreadable;

/// Something the server looked up, or could not.
pub type Fact<T> = Result<T, Unreadable>;

/// What the authenticated token says. A token carries no list of tools.
#[derive(Clone, Copy, Debug)]
pub struct Claims<'a> {
    /// Whom the token is for: the name of the server itself.
    pub audience: &'a str,
    /// The harness; `None`: the token says that the run wears none.
    pub harness: Option<&'a str>,
    /// The organization.
    pub organization: &'a str,
    /// The run role.
    pub role: &'a str,
    /// The run.
    pub run: &'a str,
    /// The scopes that were granted on the surface.
    pub scopes: &'a [&'a str],
}

/// A call as it came in.
#[derive(Clone, Copy, Debug)]
pub struct Call<'a> {
    /// The raw bytes of its arguments; a call without arguments has `{}`.
    pub input: &'a [u8],
    /// The surface, from the listener that took the call and never from the call itself.
    pub surface: Option<&'a str>,
    /// The tool's name, compared exactly.
    pub tool: &'a str,
}

/// What the server observes when the call comes in.
#[derive(Clone, Copy, Debug)]
pub struct Conditions<'a> {
    /// The latest time that the store's clock ever showed, in milliseconds since the epoch.
    pub high_water_ms: u64,
    /// Whether the kill switch is on. Unreadable means on.
    pub kill_switch: Fact<bool>,
    /// The store's clock, in milliseconds since the epoch.
    pub now_ms: Fact<u64>,
    /// What stands over the lock at run time.
    pub overlay: Fact<&'a Overlay>,
    /// The last look at each outside server. One that was not looked at in time withholds its tools.
    pub upstreams: &'a Upstreams,
}

impl Conditions<'_> {
    /// Whether the kill switch is on, by the server's row, by the overlay or by doubt about either.
    #[must_use]
    pub fn is_killed(&self) -> bool {
        self.kill_switch != Ok(false) || self.overlay.is_ok_and(Overlay::is_killed)
    }
}
