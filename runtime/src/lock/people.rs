//! Personas and run roles.

use serde::{Deserialize, Serialize};

use super::Effect;

/// One persona (`personas.<key>`): what the people who have it may do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Persona {
    /// `bundle`, resolved to deed names, sorted; a tool with cases stands as each of them.
    pub bundle: Vec<String>,
    /// False for `harness: none`: its runs wear no harness and read only.
    pub harness: bool,
    /// `title`.
    pub title: String,
}

/// One run role (`roles.<key>`). A tree without roles has one named `run`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Role {
    /// `effects`, which narrows further; absent: every effect.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub effects: Option<Vec<Effect>>,
    /// `reads_untrusted`; prose reaches these roles alone.
    pub reads_untrusted: bool,
    /// `title`, where it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// `tools`.
    pub tools: RoleTools,
}

/// What a role holds before the harness narrows it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RoleTools {
    /// Whatever the harness holds.
    HarnessToolset,
    /// These deeds, sorted; a tool with cases stands as each of them.
    List(Vec<String>),
}
