/**
 * The first segments of the paths that are the API's: whatever lies below them is answered by the dispatcher, and all else
 * belongs to the web application.
 */
export const API_ROOTS: readonly string[] = ["api", "health", ".well-known"];

/** True for a path, as it was sent, that is the API's in whatever way its first segment is spelled. */
export function isApiPath(path: string): boolean {
  const first = path.split("/", 2)[1] ?? "";
  try {
    return API_ROOTS.includes(decodeURIComponent(first));
  } catch {
    return false;
  }
}
