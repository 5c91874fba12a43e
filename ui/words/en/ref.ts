/** English words of fields for refs. */
export const ref = {
  search: "Search by name or key",
  asTyped: "Use {{ref}}",
  loading: "Loading",
  nothing: "Nothing fits",
  others_one: "{{count}} more; type to find it",
  others_other: "{{count}} more; type to find them",
} as const;
