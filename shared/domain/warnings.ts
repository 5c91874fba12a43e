import { LIMITS } from "./limits.ts";

export const WARNINGS = {
  not_carried_over: "The model cannot represent a part of the source; it was left out.",
  kept_as_property: "A value is not valid for its member; it was kept as a property.",
  likely_typo: "A member name looks like a misspelled known name; it was kept as a property.",
  key_made: "A name is not a valid key, or the key is taken; another key was generated from it.",
  text_changed: "A text exceeded a limit and was changed to fit.",
  assumed: "The source has no usable value; a default was used.",
  tag_kept: "A global tag or tag group already exists with other texts; it was not changed.",
  not_written: "The format cannot represent a part of the model; it was left out of the export.",
  written_otherwise: "A part of the model was exported in another form.",
} as const satisfies Readonly<Record<string, string>>;

export type WarningCode = keyof typeof WARNINGS;

/** Group of equal warnings: their count, and the first of their paths as JSON pointers. */
export interface Warning {
  readonly code: WarningCode;
  readonly detail: string;
  readonly count: number;
  readonly pointers: readonly string[];
}

/** Collects warnings and groups equal ones. */
export type WarningCollector = ReturnType<typeof createWarningCollector>;

type OpenRow = Omit<Warning, "count" | "pointers"> & { count: number; readonly pointers: string[] };

/** Creates an empty collector. */
export function createWarningCollector() {
  const rows = new Map<string, OpenRow>();
  const details = new Map<WarningCode, number>();

  const findRow = (code: WarningCode, detail: string): OpenRow => {
    const entry = rows.get(`${code} ${detail}`);
    if (entry) return entry;
    const index = details.get(code) ?? 0;
    if (index >= LIMITS.warningDetails && detail !== OTHER_WARNINGS) return findRow(code, OTHER_WARNINGS);
    details.set(code, index + 1);
    const row = { code, detail, count: 0, pointers: [] };
    rows.set(`${code} ${detail}`, row);
    return row;
  };

  return {
    add: (code: WarningCode, detail: string, pointer: string) => {
      const row = findRow(code, detail);
      row.count++;
      if (row.pointers.length < LIMITS.warningPointers) row.pointers.push(pointer);
    },
    /** Returns one row for equal warnings, within `LIMITS.warningDetails` and `LIMITS.importWarningBytes`. */
    listRows: () => addPointers([...rows.values()]),
  };
}

const OTHER_WARNINGS = "more warnings with this code and different details";

function addPointers(rows: readonly OpenRow[]): readonly Warning[] {
  const results = rows.map((row) => ({ ...row, pointers: [] as string[] }));
  let bytes = Buffer.byteLength(JSON.stringify(results));
  for (let index = 0; index < LIMITS.warningPointers; index++) {
    for (const [i, { pointers }] of rows.entries()) {
      const pointer = pointers[index];
      if (pointer === undefined) continue;
      const size = Buffer.byteLength(JSON.stringify(pointer)) + 1;
      if (bytes + size > LIMITS.importWarningBytes) continue;
      bytes += size;
      results[i]?.pointers.push(pointer);
    }
  }
  return results;
}
