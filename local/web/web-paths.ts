import { HASHED } from "../../functions/web/web-folder.ts";
import { acceptsType } from "../../shared/http/accept.ts";
import { isApiPath } from "../../shared/http/api-paths.ts";
import { headerOf, type PlainRequest } from "../../shared/http/request.ts";

/** True for a request that reads a path which is not the API's. */
export function isForWeb({ method, path }: PlainRequest): boolean {
  return (method === "GET" || method === "HEAD") && path.startsWith("/") && !isApiPath(path);
}

/**
 * True where the path may be the address of a screen and the caller takes a page: a program that asks for JSON at a wrong
 * path is told so, and so is whoever asks for a hashed file that is not there, or for a name that begins with a dot.
 */
export function isForPage({ path, headers }: PlainRequest): boolean {
  if (path.startsWith(`/${HASHED}/`) || !acceptsType(headerOf(headers, "accept"), "text/html")) return false;
  try {
    return path.split("/").every((segment) => !decodeURIComponent(segment).startsWith("."));
  } catch {
    return false;
  }
}
