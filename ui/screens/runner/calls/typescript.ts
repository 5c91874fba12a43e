import { quotedTags, TOKEN_VARIABLE, variableIn, type WrittenCall } from "./call.ts";

/** A call as a program with `metaction/client`; token and secrets come from the environment. */
export function programOf(call: WrittenCall): string {
  const { action, url, payload, ifMatch, idempotencyKey, dryRun } = call;
  const members = Object.entries(payload).map(([name, value]) => [name, written(value)] as const);
  const options = [
    ...(ifMatch ? [["ifMatch", tagsWritten(ifMatch)] as const] : []),
    ...(dryRun ? [["dryRun", "true"] as const] : []),
    ...(idempotencyKey && !dryRun ? [["idempotencyKey", JSON.stringify(idempotencyKey)] as const] : []),
  ];
  const given = [
    ...(members.length + options.length > 0 ? [objectOf(members)] : []),
    ...(options.length > 0 ? [objectOf(options)] : []),
  ];
  return [
    `import { createClient } from "metaction/client";`,
    "",
    `const api = createClient({ url: ${JSON.stringify(url)}${action.isPublic ? "" : `, token: process.env.${TOKEN_VARIABLE}`} });`,
    "",
    `const answer = await api.${action.group}.${action.name}(${given.join(", ")});`,
    "console.log(JSON.stringify(answer));",
  ].join("\n");
}

function tagsWritten(tags: string): string {
  const list = quotedTags(tags)
    .split(", ")
    .map((tag) => tag.replaceAll('"', ""));
  return written(list.length === 1 ? list[0] : list);
}

/** A value as an expression: JSON, but for names that need no quotes. */
function written(value: unknown): string {
  const variable = variableIn(value);
  if (variable !== undefined) return `process.env.${variable} ?? ""`;
  if (Array.isArray(value)) return value.length === 0 ? "[]" : listOf(value.map(written));
  if (typeof value === "object" && value !== null)
    return objectOf(Object.entries(value).map(([name, member]) => [name, written(member)] as const));
  return JSON.stringify(value);
}

/** Characters of a line before its parts get lines of their own. */
const LINE = 72;

function objectOf(members: readonly (readonly [string, string])[]): string {
  if (members.length === 0) return "{}";
  return inLines(
    members.map(([name, value]) => `${memberName(name)}: ${value}`),
    "{ ",
    " }",
  );
}

function listOf(items: readonly string[]): string {
  return inLines(items, "[", "]");
}

function inLines(parts: readonly string[], open: string, close: string): string {
  const line = `${open}${parts.join(", ")}${close}`;
  if (line.length <= LINE && !line.includes("\n")) return line;
  const inner = parts.map((part) => `  ${part.replaceAll("\n", "\n  ")},\n`).join("");
  return `${open.trim()}\n${inner}${close.trim()}`;
}

function memberName(name: string): string {
  // A member of this name would set what the object inherits.
  if (name === "__proto__") return '["__proto__"]';
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
}
