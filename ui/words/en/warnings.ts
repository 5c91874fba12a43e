/** English words of the warnings of imports and exports, by their codes. */
export const warnings = {
  not_carried_over: "Not carried over",
  kept_as_property: "Kept as properties",
  likely_typo: "Likely misspelt",
  key_made: "Names that became other keys",
  text_changed: "Texts that were made to fit",
  assumed: "Assumed, because the source says nothing",
  tag_kept: "Tags that were here with other texts",
  not_written: "Not written",
  written_otherwise: "Written in another form",
} as const;
