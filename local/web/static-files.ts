import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { HASHED } from "../../packaging/web/sources.ts";
import { acceptsCoding, acceptsGzip, acceptsType, parseTags } from "../../shared/http/content-negotiation.ts";
import {
  decodePercent,
  getHeader,
  isApiPath,
  type PlainRequest,
  type PlainResponse,
  type RequestHeaders,
} from "../../shared/http/request.ts";

/** The forms of a file: as it is, and compressed. */
export type Coding = "identity" | "br" | "gzip";

/** A file of the web application in all its forms. */
export interface StaticFile {
  readonly mediaType: string;
  readonly tag: string;
  /** True if its name changes with its content. */
  readonly isHashed: boolean;
  readonly forms: ReadonlyMap<Coding, Uint8Array>;
}

/** The files of the web application by the path at which they are served. */
export type StaticFiles = ReadonlyMap<string, StaticFile>;

/** The path of the one page, which shows the screen that the address names. */
export const PAGE = "/index.html";

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".ico": "image/x-icon",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json",
  ".map": "application/json",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
  ".wasm": "application/wasm",
  ".webmanifest": "application/manifest+json",
  ".woff2": "font/woff2",
};

const COMPRESSED: readonly (readonly [ending: string, coding: Coding])[] = [
  [".br", "br"],
  [".gz", "gzip"],
];

/** Reads the files of a folder into memory, so that no request names a file. */
export async function readStaticFiles(folder: string): Promise<StaticFiles> {
  const contents = new Map<string, Uint8Array>();
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const file = join(entry.parentPath, entry.name);
    const path = file.slice(folder.length).replaceAll("\\", "/");
    if (entry.isFile() && !path.includes("/.")) contents.set(path, await readFile(file));
  }
  const files = new Map<string, StaticFile>();
  for (const [path, content] of contents) {
    if (COMPRESSED.some(([ending]) => path.endsWith(ending))) continue;
    const forms = new Map<Coding, Uint8Array>([["identity", content]]);
    for (const [ending, coding] of COMPRESSED) {
      const bytes = contents.get(path + ending);
      if (bytes) forms.set(coding, bytes);
    }
    const isHashed = path.startsWith(`/${HASHED}/`);
    files.set(path, { mediaType: getMediaType(path), tag: computeDigest(content), isHashed, forms });
  }
  if (!files.has(PAGE)) throw new Error(`there is no ${PAGE} in ${folder}`);
  return files;
}

function getMediaType(path: string) {
  const mediaType = MEDIA_TYPES[extname(path)];
  if (mediaType === undefined) throw new Error(`there is no media type for ${path}`);
  return mediaType;
}

function computeDigest(content: Uint8Array) {
  return createHash("sha256").update(content).digest("base64url").slice(0, 22);
}

const FOR_EVER = "public, max-age=31536000, immutable";
/** Cached, but checked each time for a newer version. */
const ALWAYS_ASKED = "no-cache";

/** Returns a file in the smallest form that the caller accepts; 304 if the caller has it. */
export function answerFile(file: StaticFile, headers: RequestHeaders, security: WebHeaders): PlainResponse {
  const coding = chooseCoding(file, getHeader(headers, "accept-encoding"));
  // Each form has its own tag (RFC 9110 section 8.8.3.3).
  const tag = coding === "identity" ? file.tag : `${file.tag}-${coding}`;
  const fileHeaders = {
    ...security,
    etag: `"${tag}"`,
    "cache-control": file.isHashed ? FOR_EVER : ALWAYS_ASKED,
    vary: "Accept, Accept-Encoding",
  };
  if (isCurrent(tag, getHeader(headers, "if-none-match"))) return { status: 304, headers: fileHeaders, body: "" };
  const body = file.forms.get(coding) ?? "";
  return {
    status: 200,
    headers: {
      ...fileHeaders,
      "content-type": file.mediaType,
      "content-length": String(body.length),
      ...(coding !== "identity" && { "content-encoding": coding }),
    },
    body,
  };
}

function chooseCoding({ forms }: StaticFile, header: string | undefined): Coding {
  if (forms.has("br") && acceptsCoding(header, "br")) return "br";
  return forms.has("gzip") && acceptsGzip(header) ? "gzip" : "identity";
}

function isCurrent(tag: string, header: string | undefined) {
  const tags = header === undefined ? [] : parseTags(header);
  return typeof tags !== "string" && tags.some(({ opaque }) => opaque === "*" || opaque === tag);
}

/** Returns true for a request that reads a path outside of the API. */
export function isForWeb({ method, path }: PlainRequest): boolean {
  return (method === "GET" || method === "HEAD") && path.startsWith("/") && !isApiPath(path);
}

/** Returns true if the path may be the address of a screen and the caller accepts a page. */
export function isForPage({ path, headers }: PlainRequest): boolean {
  if (path.startsWith(`/${HASHED}/`) || !acceptsType(getHeader(headers, "accept"), "text/html")) return false;
  return path.split("/").every((segment) => decodePercent(segment)?.startsWith(".") === false);
}

/** Headers of every page and file of the web application. */
export type WebHeaders = Readonly<Record<string, string>>;

/** Returns the headers that isolate the web application. Its scripts may call `origins`. */
export function createSecurityHeaders(origins: readonly string[]): WebHeaders {
  const directives = [
    "default-src 'none'",
    "script-src 'self' 'wasm-unsafe-eval'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "worker-src 'self'",
    "manifest-src 'self'",
    `connect-src ${["'self'", ...origins].join(" ")}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ];
  return {
    "content-security-policy": directives.join("; "),
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
  };
}
