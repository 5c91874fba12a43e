import { LIMITS } from "./limits.ts";

/** Every sort of warning that an import or an export gives, with its meaning in one sentence. */
export const WARNINGS = {
  not_carried_over: "A fact of the source has no place in the model and is not in it.",
  kept_as_property: "A value does not fit the place of its member and is kept as a property.",
  likely_typo: "A member looks like a known one that is misspelt; it is kept as a property.",
  key_made: "A name is no legal key, or its key is taken, so another key was made of it.",
  text_changed: "A text breaks a limit and was made to fit.",
  assumed: "The source says nothing, or nothing usable, and a default stands in.",
  tag_kept: "A global tag or a tag group is here with other texts, which it keeps.",
  not_written: "A fact of the model has no place in the format and is not in the export.",
  written_otherwise: "A fact of the model is in the export in another form.",
} as const satisfies Readonly<Record<string, string>>;

/** The code of a sort of warning. */
export type WarningCode = keyof typeof WARNINGS;

/** Equal warnings in one row: how many there are, and the first of their places as JSON pointers. */
export interface Warning {
  readonly code: WarningCode;
  readonly detail: string;
  readonly count: number;
  /** At most `LIMITS.warningPointers`, and less where `LIMITS.importWarningBytes` asks for it. */
  readonly pointers: readonly string[];
}

/** Takes down warnings one by one. */
export interface WarningCollector {
  add(code: WarningCode, detail: string, pointer: string): void;
  /**
   * One row for warnings of equal code and detail, in the order of the first of each; beyond `LIMITS.warningDetails` details
   * of one code the others share a last row of that code. The places are as many as `LIMITS.importWarningBytes` leaves room for.
   */
  listRows(): readonly Warning[];
}

interface OpenRow {
  readonly code: WarningCode;
  readonly detail: string;
  count: number;
  readonly pointers: string[];
}

/** An empty list of warnings. */
export function createWarningCollector(): WarningCollector {
  const rows = new Map<string, OpenRow>();
  const details = new Map<WarningCode, number>();

  const rowOf = (code: WarningCode, detail: string): OpenRow => {
    const known = rows.get(`${code} ${detail}`);
    if (known) return known;
    const named = details.get(code) ?? 0;
    if (named >= LIMITS.warningDetails && detail !== OTHER_WARNINGS) return rowOf(code, OTHER_WARNINGS);
    details.set(code, named + 1);
    const row = { code, detail, count: 0, pointers: [] };
    rows.set(`${code} ${detail}`, row);
    return row;
  };

  return {
    add: (code, detail, pointer) => {
      const row = rowOf(code, detail);
      row.count++;
      if (row.pointers.length < LIMITS.warningPointers) row.pointers.push(pointer);
    },
    listRows: () => addPointers([...rows.values()]),
  };
}

/** The sentence of the last row of a code. */
const OTHER_WARNINGS = "more warnings of this code, each in other words";

/** The rows with their first places, then with their second ones and so on, as far as the bytes reach. */
function addPointers(rows: readonly OpenRow[]): readonly Warning[] {
  const kept = rows.map((row) => ({ ...row, pointers: [] as string[] }));
  let bytes = Buffer.byteLength(JSON.stringify(kept));
  for (let place = 0; place < LIMITS.warningPointers; place++) {
    for (const [i, { pointers }] of rows.entries()) {
      const pointer = pointers[place];
      if (pointer === undefined) continue;
      const size = Buffer.byteLength(JSON.stringify(pointer)) + 1;
      if (bytes + size > LIMITS.importWarningBytes) continue;
      bytes += size;
      kept[i]?.pointers.push(pointer);
    }
  }
  return kept;
}
