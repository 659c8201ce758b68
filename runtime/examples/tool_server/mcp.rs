//! MCP over stdio: two methods, both answered by the desk. The server asks nothing of its client.

use std::future::Future;
use std::sync::{Arc, Mutex};

use rmcp::model::{
    CallToolRequestParams, CallToolResult, Content, Implementation, ListToolsResult, PaginatedRequestParams,
    ServerCapabilities, ServerInfo, Tool,
};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer, ServerHandler, ServiceExt as _};

use crate::approvals::Door;
use crate::desk::Desk;
use crate::options::Options;
use crate::reply::Reply;
use crate::system::Failed;

struct Console(Arc<Mutex<Desk>>);

/// Serves one run until its client goes, then ends it and recomputes the chain.
pub(crate) fn serve(options: &Options) -> Result<(), Failed> {
    // Whoever is second is turned away at the door, before anything is read or written.
    let door = Door::open(options.one("approvals")?)?;
    let desk = Arc::new(Mutex::new(Desk::open(options)?));
    door.attend(Arc::clone(&desk));
    let console = Console(Arc::clone(&desk));
    let ended = tokio::runtime::Builder::new_current_thread().enable_time().build()?.block_on(async {
        let running = console.serve(rmcp::transport::stdio()).await;
        let running = running.map_err(|error| error.to_string())?;
        running.waiting().await.map_err(|error| error.to_string())
    });
    let closed = desk.lock().map_err(|_| broken())?.close()?;
    eprintln!("{closed}");
    ended.map(drop).map_err(Failed::new)
}

fn broken() -> Failed {
    Failed::new("the run is in an unknown state")
}

impl Console {
    fn with<T>(&self, ask: impl FnOnce(&mut Desk) -> Result<T, String>) -> Result<T, ErrorData> {
        // A thread that failed half-way leaves nothing that could be trusted.
        let mut desk = self.0.lock().map_err(|_| ErrorData::internal_error(broken().to_string(), None))?;
        ask(&mut desk).map_err(|why| ErrorData::invalid_request(why, None))
    }

    fn list(&self) -> Result<ListToolsResult, ErrorData> {
        let tools = self.with(|desk| {
            let tool = |shown: harnessc_runtime::boundary::Shown| {
                let input =
                    serde_json::from_str(&shown.input).map_err(|_| "a schema is no object".to_owned())?;
                Ok(Tool::new(shown.name, shown.description, Arc::new(input)).with_title(shown.title))
            };
            desk.list()?.into_iter().map(tool).collect::<Result<Vec<Tool>, String>>()
        })?;
        Ok(ListToolsResult::with_all_items(tools))
    }

    fn call(&self, request: &CallToolRequestParams) -> Result<CallToolResult, ErrorData> {
        let input = request
            .arguments
            .clone()
            .map_or_else(|| "{}".to_owned(), |arguments| serde_json::Value::Object(arguments).to_string());
        let Reply { failed, structured, text } =
            self.with(|desk| Ok(desk.call(&request.name, input.as_bytes())))?;
        let content = vec![Content::text(text)];
        let mut result =
            if failed { CallToolResult::error(content) } else { CallToolResult::success(content) };
        result.structured_content = structured;
        Ok(result)
    }
}

impl ServerHandler for Console {
    fn get_info(&self) -> ServerInfo {
        ServerInfo::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(Implementation::new("tool_server", env!("CARGO_PKG_VERSION")))
    }

    fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> impl Future<Output = Result<ListToolsResult, ErrorData>> + Send + '_ {
        std::future::ready(self.list())
    }

    fn call_tool(
        &self,
        request: CallToolRequestParams,
        _: RequestContext<RoleServer>,
    ) -> impl Future<Output = Result<CallToolResult, ErrorData>> + Send + '_ {
        std::future::ready(self.call(&request))
    }
}
