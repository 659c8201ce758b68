// Every tool the bot can be given. harness.toml holds this list against the policy's own.
export const allToolMeta = [
  'wiki_search', 'wiki_read_page', 'documents_search', 'resolve_ref',
  'desk_list_files', 'desk_find_files', 'desk_read_markdown', 'desk_read_cells', 'desk_list_revisions', 'desk_list_bin', 'desk_list_panels',
  'desk_create_file', 'desk_copy_file', 'desk_import_file', 'desk_arrange_folder',
  'desk_rename_file', 'desk_move_file', 'desk_update_cells', 'desk_update_markdown', 'desk_restore_revision', 'desk_restore_file',
  'desk_clear_cells', 'desk_delete_file',
] as const;
