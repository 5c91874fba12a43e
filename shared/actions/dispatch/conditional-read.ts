import type { Controls } from "../contract/controls.ts";
import { etagOf } from "../contract/controls.ts";
import type { View } from "../contract/view.ts";
import type { Ledgers } from "./ledgers.ts";
/** The entity tag of the copy a caller still has, if that is right; `*` matches any (RFC 9110 section 13.1.2). */
export async function unmovedTag(view: View, ledgers: Ledgers, controls: Controls): Promise<string | undefined> {
  const etag = etagOf(view);
  if (controls.ifNoneMatch.includes(etag) || controls.ifNoneMatch.includes("*")) return etag;
  if (!controls.ifNoneMatch.some((tag) => tag.startsWith(`${etag}.`))) return undefined;
  const withTags = etagOf(view, await ledgers.unshownTags());
  return controls.ifNoneMatch.includes(withTags) ? withTags : undefined;
}
