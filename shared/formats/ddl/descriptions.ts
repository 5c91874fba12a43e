import type { Diagnostics } from "../common/diagnostics.ts";
import type { DdlDialect } from "./dialect.ts";

type Owner = "table" | "column";

/** Returns a description as the dialect stores it: on one line, or with a limited length. */
export function fitDescription(text: string, owner: Owner, { comments }: DdlDialect): string {
  const line = comments.place === "lines" ? text.replace(/\s+/g, " ").trim() : text;
  const maxLength = comments[owner];
  // A pair of surrogates is not split.
  return line.length <= maxLength ? line : line.slice(0, maxLength).replace(/[\ud800-\udbff]$/, "");
}

/** Warns about a description that the dialect stores in part only. */
export function warnDescription(text: string | undefined, owner: Owner, at: Diagnostics, dialect: DdlDialect): void {
  if (text === undefined || (owner === "table" && dialect.comments.place === "lines")) return;
  if (fitDescription(text, owner, dialect) === text) return;
  const limit = `comments on a ${owner} have at most ${dialect.comments[owner]} characters`;
  const detail = dialect.comments.place === "lines" ? "comments are on one line" : limit;
  at.warn("/description", "written_otherwise", `${dialect.name}: ${detail}`);
}
