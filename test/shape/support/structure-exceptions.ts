/** Functions over the limit of lines, as `path:name`, with the reason why they stay whole. */
export const LARGE_FUNCTIONS: ReadonlyMap<string, string> = new Map([]);

/** Files under the limit of lines with a single importer, with the reason why they stay separate. */
export const SMALL_FILES: ReadonlyMap<string, string> = new Map([]);
