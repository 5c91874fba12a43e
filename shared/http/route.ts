/** The destination of a path. */
export type Route =
  | { readonly to: "action"; readonly group: string; readonly name: string }
  | { readonly to: "discovery" }
  | { readonly to: "health" }
  | { readonly to: "well-known"; readonly document: WellKnown };

/** The documents that other services verify our tokens with. */
export type WellKnown = "configuration" | "keys";

/** The paths of these documents (RFC 8615). Only this spelling is accepted. */
const WELL_KNOWN: ReadonlyMap<string, WellKnown> = new Map([
  ["/.well-known/openid-configuration", "configuration"],
  ["/.well-known/jwks.json", "keys"],
]);

const SEGMENT = /^[a-z][a-z0-9_-]*$/;

/**
 * Parses a path as it was sent. Undefined for an unknown path. Each segment is decoded once and must then be a plain name, so
 * that another spelling never reaches another route.
 */
export function parseRoute(path: string): Route | undefined {
  const document = WELL_KNOWN.get(path);
  if (document) return { to: "well-known", document };
  const [root, ...segments] = path.split("/", 6);
  if (root !== "" || segments.length === 0) return undefined;
  const names = segments.map(decodeSegment);
  if (!names.every((name) => name !== undefined)) return undefined;
  const [first, second, third, fourth] = names;
  if (names.length === 1)
    return first === "api" ? { to: "discovery" } : first === "health" ? { to: "health" } : undefined;
  if (first !== "api" || second === undefined || third === undefined) return undefined;
  if (names.length === 3) return { to: "action", group: second, name: third };
  if (names.length === 4 && second === "actions" && fourth !== undefined)
    return { to: "action", group: third, name: fourth };
  return undefined;
}

/** Returns the methods that a route supports, for `Allow` (RFC 9110 section 10.2.1). */
export function listMethods(route: Route): readonly string[] {
  return route.to === "action" ? ["GET", "POST", "OPTIONS"] : ["GET", "HEAD", "OPTIONS"];
}

function decodeSegment(segment: string): string | undefined {
  try {
    const name = decodeURIComponent(segment);
    return SEGMENT.test(name) ? name : undefined;
  } catch {
    return undefined;
  }
}

/** The first segments of the paths of the API. All other paths belong to the web application. */
const API_ROOTS: readonly string[] = ["api", "health", ".well-known"];

/** Returns true for a path of the API, as it was sent; the first segment may be percent-encoded. */
export function isApiPath(path: string): boolean {
  const first = path.split("/", 2)[1] ?? "";
  try {
    return API_ROOTS.includes(decodeURIComponent(first));
  } catch {
    return false;
  }
}
