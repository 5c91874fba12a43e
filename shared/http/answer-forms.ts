/** How an entity tag ends of an answer that goes out in another form than one JSON text: a row on each line, or compressed. */
export const FORM_SUFFIX = { rows: "-ndjson", gzip: "-gzip" } as const;

/** The `Vary` of every answer: its form, its coding and its cross-origin headers follow from these. */
export const VARY = "Origin, Accept, Accept-Encoding";
