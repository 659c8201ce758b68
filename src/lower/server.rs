//! Outside servers: how each is reached, and its pinned list.

use harnessc_runtime::lock::Server;

use super::values::{names, required, text};
use crate::model::tools as stated;

pub(super) fn server(stated: &stated::Server) -> Server {
    Server {
        command: names(stated.command.iter().flatten()),
        tools: required(stated.tools.as_ref()),
        url: text(stated.url.as_ref()),
    }
}
