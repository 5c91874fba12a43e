/** English words of tags on objects. */
export const tag = {
  add: "Add a tag",
  remove: "Take off the tag {{tag}}",
  search: "Search tags",
  create: "Make the local tag “{{tag}}”",
  nothing: "No other tag fits",
  none: "No tags",
} as const;
