import { LIMITS } from "../domain/limits.ts";

const STANDARD_PORTS = new Set(["", "80", "443"]);

/** Why a URL is not fetched, before any name is looked up; undefined when nothing speaks against it. */
export function urlFault(url: URL, allowPrivate: boolean): string | undefined {
  if (url.protocol !== "http:" && url.protocol !== "https:") return "only http:// and https:// addresses are fetched";
  if (url.username !== "" || url.password !== "") return "an address with a user name or a password is not fetched";
  if (!allowPrivate && !STANDARD_PORTS.has(url.port)) return "only the ports 80 and 443 are fetched";
  return undefined;
}

/** Query parameters that carry an authorisation rather than say what is asked for. */
const SECRET_PARAMETER = /token|secret|passw|credential|signature|^sig$|^x-amz-|^x-goog-|api[-_]?key|^key$|^auth/i;

/** A URL as it may be stored and shown: without user name, password, fragment and query parameters that look like secrets. */
export function publicForm(url: URL): string {
  const shown = new URL(url);
  shown.username = "";
  shown.password = "";
  shown.hash = "";
  const secret = [...shown.searchParams.keys()].filter((name) => SECRET_PARAMETER.test(name));
  for (const name of secret) shown.searchParams.delete(name);
  return shown.href;
}

/** The label of the source at a URL: the URL without its query; undefined when it is longer than a link may be. */
export function labelOf(url: URL): string | undefined {
  const named = new URL(publicForm(url));
  named.search = "";
  return named.href.length <= LIMITS.urlCharacters ? named.href : undefined;
}
