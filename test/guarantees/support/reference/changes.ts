import { Like } from "./expected-answer.ts";
import type { RefChange } from "./write-result.ts";

/** Rows of changes in any order; what went with its owner, of which `maybe` has the ids, may be told of too. */
export function changesAre(sure: readonly RefChange[], maybe: readonly string[] = []): Like {
  return new Like(`these changes: ${JSON.stringify(sure)}`, (actual, differs) => {
    const told = Array.isArray(actual) ? ([...actual] as RefChange[]) : [];
    for (const row of sure) {
      const at = told.findIndex(
        (one) => one.change === row.change && one.kind === row.kind && one.key === row.key && !differs(row, one),
      );
      if (at < 0) return `no ${JSON.stringify(row)} in ${JSON.stringify(actual)}`;
      told.splice(at, 1);
    }
    const more = told.filter((one) => !(one.change === "delete" && maybe.some((id) => !differs(id, one.id))));
    return more.length > 0 ? `also ${JSON.stringify(more)}` : undefined;
  });
}
