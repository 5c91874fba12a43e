/** The revisions that writes of this page made, each by the one it was made on. */
const followers = new Map<string, string>();

const modelAndRevision = (etag: string): string => etag.replace(/\.\d+$/, "");

/** Notes that a write which held at one revision made another. */
export function noteOwnWrite(before: string | undefined, after: string | undefined): void {
  if (before === undefined || after === undefined) return;
  const [from, to] = [modelAndRevision(before), modelAndRevision(after)];
  if (from !== to) followers.set(from, to);
}

/**
 * The revision that a write may name when the person saw `etag`: that one, or the last of the writes which this page made
 * on top of it, of which the person knows as well.
 */
export function revisionSeen(etag: string): string {
  let seen = modelAndRevision(etag);
  for (let next = followers.get(seen); next !== undefined; next = followers.get(seen)) seen = next;
  return seen;
}
