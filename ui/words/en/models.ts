/** English words of the list of models. */
export const models = {
  title: "Models",
  search: "Search by name or key",
  none: "Nothing fits “{{text}}”",
  name: "Name",
  version: "Version",
  authority: "Authority",
  system: "System",
  canonical: "Canonical",
  emptyTitle: "No models yet",
  emptyText: "A model describes one set of data: its entities, their attributes, types and relationships.",
} as const;
