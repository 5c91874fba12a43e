import { FIRST_WORDS, OBJECTS, type StatementClass } from "./clauses.ts";
import type { Token } from "./scanner.ts";

/** Number of tokens that classify a statement. */
export const HEAD_TOKENS = 16;

const SETTING: StatementClass = { skipped: "setting" };
const BLOCK: StatementClass = { skipped: "routine", isRoutine: true };

/** Classifies a statement by its first tokens. */
export function classifyStatement(head: readonly Token[]): StatementClass {
  const [first, second] = head;
  switch (first?.key) {
    case "CREATE":
      return classifyCreate(head);
    case "DECLARE":
      return BLOCK;
    case "BEGIN": {
      const next = second?.key ?? "";
      const isTransaction = /^(TRAN|WORK|IMMEDIATE|EXCLUSIVE|DEFERRED|ISOLATION|READ)/.test(next);
      return next === "" || isTransaction ? SETTING : BLOCK;
    }
    case "ALTER":
      return classifyAlter(head);
    case "DROP":
      return classifyDrop(head);
    case "RENAME":
      return second?.key === "TABLE" ? { kind: "rename table" } : { skipped: "other" };
    default:
      return FIRST_WORDS.get(first?.key ?? "") ?? { skipped: "other" };
  }
}

function classifyCreate(head: readonly Token[]): StatementClass {
  const object = findObjectWord(head);
  // The body of a type is code.
  if (object === "TYPE" && head.some(({ key }) => key === "BODY")) return BLOCK;
  return OBJECTS.get(object) ?? { skipped: "database" };
}

function findObjectWord(head: readonly Token[]): string {
  const from = head.slice(1);
  const stop = from.findIndex(({ key, kind }) => key === "(" || (kind === "text" && key === ""));
  const words = stop < 0 ? from : from.slice(0, stop);
  return words.find(({ kind, key }) => kind === "word" && OBJECTS.has(key))?.key ?? "";
}

function classifyAlter(head: readonly Token[]): StatementClass {
  const object = head.slice(1, 6).find(({ key }) => /^(TABLE|TYPE|SESSION|SEQUENCE|INDEX|VIEW)$/.test(key))?.key;
  if (object === "TABLE") return { kind: "alter table" };
  if (object === "TYPE") return { kind: "alter type" };
  if (object === "SESSION") return { kind: "alter session" };
  if (object === "SEQUENCE") return { skipped: "sequence" };
  const found = OBJECTS.get(findObjectWord(head));
  if (found?.isRoutine) return found;
  return { skipped: found?.skipped ?? "database" };
}

function classifyDrop(head: readonly Token[]): StatementClass {
  const object = findObjectWord(head);
  if (object === "TABLE" || object === "VIEW") return { kind: "drop" };
  return { skipped: OBJECTS.get(object)?.skipped ?? "database" };
}
