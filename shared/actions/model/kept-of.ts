import type { ModelDocument } from "../../domain/document.ts";
import type { Warning } from "../../domain/warnings.ts";
import type { View } from "../contract/view.ts";

/** What a document says of the model itself that stays as it is, each as a warning; nothing of what it said `before`. */
export async function keptOf(
  view: View,
  { leftOut = [], ...document }: ModelDocument,
  before?: ModelDocument,
): Promise<readonly Warning[]> {
  const { version, authority } = await view.model();
  const kept = { version, authority };
  return Object.entries(kept).flatMap(([member, value]) => {
    // The names of both are members of a document.
    const said = document[member as keyof typeof kept];
    const isOld = before && before[member as keyof typeof kept] === said;
    if (said === value || isOld || leftOut.includes(member)) return [];
    const detail = `the ${member} stays ${value}; ${WAYS[member as keyof typeof kept]} changes it`;
    return [{ code: "not_carried_over" as const, detail, count: 1, pointers: [`/${member}`] }];
  });
}

const WAYS = { version: "model_release", authority: "model_update_authority" } as const;
