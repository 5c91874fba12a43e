import { commentOn, ON } from "../definitions.ts";
import type { Drafting } from "./drafting.ts";
import { enumChange, isRemade } from "./remade.ts";

/** Says of everything what it says on the right, where it did not say so before. */
export function comment({ draft, matched, ready }: Drafting): void {
  const say = (
    on: string,
    before: string | undefined,
    after: string | undefined,
    ...things: readonly object[]
  ): void => {
    if (before !== after) draft.add(commentOn(on, after), { needs: ready(...things) });
  };
  const { tables, keptTables, foreignKeys, enums } = matched;
  for (const { left, right, columns } of keptTables) {
    say(ON.table(right), left.entity.description, right.entity.description, right);
    for (const { left: was, right: is } of columns.kept) {
      say(ON.column(right, is), was.attribute.description, is.attribute.description, right, is);
    }
    for (const one of columns.come) say(ON.column(right, one), undefined, one.attribute.description, right, one);
  }
  for (const table of tables.come) {
    say(ON.table(table), undefined, table.entity.description, table);
    for (const one of table.columns) say(ON.column(table, one), undefined, one.attribute.description, table);
  }
  for (const kept of foreignKeys.kept) {
    const before = isRemade(kept, matched) ? undefined : kept.left.description;
    say(ON.foreignKey(kept.right), before, kept.right.description, kept.right.from, kept.right);
  }
  for (const key of foreignKeys.come) say(ON.foreignKey(key), undefined, key.description, key.from, key);
  for (const kept of enums.kept) {
    const before = enumChange(kept, matched) === "replaced" ? undefined : kept.left.type.description;
    say(ON.enum(kept.right), before, kept.right.type.description, kept.right);
  }
  for (const one of enums.come) say(ON.enum(one), undefined, one.type.description, one);
}
