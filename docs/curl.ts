import type { Descriptor } from "../shared/actions/describe/describe.ts";

/** A call of the action's example as a shell command. */
export function curlOf(d: Descriptor): string {
  const words = [
    "curl -sS",
    `"$METACTION_URL/api/${d.group}/${d.name}"`,
    ...(d.rule === "public" ? [] : ['-H "Authorization: Bearer $TOKEN"']),
  ];
  if (Object.keys(d.example).length === 0) return [...words, ...(isRead(d) ? [] : ["-X POST"])].join(" ");
  const payload = ["  -H 'Content-Type: application/json'", `  -d ${shellQuoted(JSON.stringify(d.example))}`];
  return [words.join(" "), ...payload].join(" \\\n");
}

function isRead(d: Descriptor): boolean {
  return d.intent === "read" || d.intent === "other";
}

function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
