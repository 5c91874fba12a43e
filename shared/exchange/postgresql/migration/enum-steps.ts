import { createEnum } from "../definitions.ts";
import type { SqlEnum } from "../enums.ts";
import { sqlString } from "../sql-text.ts";
import { type Drafting, scopeOf } from "./drafting.ts";
import { enumChange } from "./remade.ts";
import { nameIn } from "./rename.ts";

/** Makes enums that come, and gives those that stay their new values. */
export function makeEnums(drafting: Drafting): void {
  const { draft, matched, by, ready } = drafting;
  const create = (one: SqlEnum): void => {
    by(one, draft.add(createEnum(one), { takes: [nameIn(scopeOf(one.schema), one.name)] }));
  };
  for (const one of matched.enums.come) create(one);
  for (const kept of matched.enums.kept) {
    const { left, right } = kept;
    const change = enumChange(kept, matched);
    if (change === "replaced") create(right);
    if (change !== "added") continue;
    for (const [i, value] of right.values.entries()) {
      if (left.values.includes(value)) continue;
      const before = right.values[i - 1];
      const place = before === undefined ? `BEFORE ${sqlString(left.values[0] ?? "")}` : `AFTER ${sqlString(before)}`;
      const sql = `ALTER TYPE ${right.text} ADD VALUE ${sqlString(value)} ${place};`;
      by(right, draft.add(sql, { needs: ready(right) }));
    }
  }
}

/** Drops the enums that no column has any more. */
export function dropEnums({ draft, left, matched, enumNow, ready }: Drafting): void {
  const replaced = matched.enums.kept.filter((kept) => enumChange(kept, matched) === "replaced");
  for (const one of [...matched.enums.gone, ...replaced.map((kept) => kept.left)]) {
    const columns = left.tables.flatMap((table) =>
      table.columns.filter(({ type }) => type.enum === one).flatMap((column) => [table, column]),
    );
    draft.add(`DROP TYPE ${enumNow.get(one) ?? one.text};`, { needs: ready(one, ...columns) });
  }
}
