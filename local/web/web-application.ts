import type { PlainRequest, PlainResponse } from "../../shared/http/request.ts";
import {
  answerFile,
  createSecurityHeaders,
  isForPage,
  isForWeb,
  PAGE,
  type StaticFiles,
  type WebHeaders,
} from "./static-files.ts";

/** The web application that is served in addition to the API. */
export interface WebApplication {
  /** Answers a request for a page or a file; undefined for other requests. */
  answer(request: PlainRequest): Promise<PlainResponse | undefined>;
  /** Builds the sources if needed. The first request for a page does so too. */
  begin(): void;
  stop(): Promise<void>;
}

/** The source of the files, and how to stop what makes them. */
export interface WebFiles {
  /** Resolves with the files, however long it takes; calls `building` if they must be built. */
  readonly read: (building: () => void) => Promise<StaticFiles>;
  readonly stop: () => Promise<void>;
}

/** Creates a web application that reads its files when needed. `report` gets the reason of a failure. */
export function createWebApplication(
  { read, stop }: WebFiles,
  origins: readonly string[],
  report: (reason: string) => void,
): WebApplication {
  const security = createSecurityHeaders(origins);
  let isStopped = false;
  let state: StaticFiles | "building" | "failed" = "building";
  let lookup: Promise<void> | undefined;
  /** Resolves once it is known whether there are files, or they are being built. */
  const begin = () => {
    lookup ??= new Promise((resolve) => {
      const fail = (error: unknown) => {
        state = "failed";
        const reason = error instanceof Error ? error.message : String(error);
        if (!isStopped) report(`The web application could not be built, so there is the API alone:\n${reason}`);
      };
      read(resolve)
        .then((files) => {
          state = files;
        }, fail)
        .then(resolve);
    });
    return lookup;
  };
  return {
    answer: async (request) => {
      if (!isForWeb(request)) return undefined;
      await begin();
      if (typeof state !== "string") return answerFrom(state, request, security);
      if (!isForPage(request)) return undefined;
      return formatPage(state, security);
    },
    begin: () => void begin(),
    stop: async () => {
      isStopped = true;
      await stop();
    },
  };
}

function answerFrom(files: StaticFiles, request: PlainRequest, security: WebHeaders): PlainResponse | undefined {
  const file = files.get(request.path) ?? (isForPage(request) ? files.get(PAGE) : undefined);
  return file && answerFile(file, request.headers, security);
}

const AGAIN_SECONDS = "2";

/** Pages that are answered while there are no files. */
const PAGES = {
  building: {
    title: "Building the web application",
    text: "This takes some seconds at the first start and after an update. The page loads itself again; the API answers already.",
    headers: { refresh: AGAIN_SECONDS, "retry-after": AGAIN_SECONDS },
  },
  failed: {
    title: "The web application could not be built",
    text: "The terminal in which the service runs says why. The API answers; start the service again to build once more.",
    headers: {},
  },
} as const;

function formatPage(state: keyof typeof PAGES, security: WebHeaders): PlainResponse {
  const { title, text, headers } = PAGES[state];
  const body = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>${title} - Metaction</title>
<style>body { font: 16px/1.5 system-ui, sans-serif; margin: 20vh auto; max-width: 36em; padding: 0 16px }</style>
<h1>${title}</h1>
<p>${text}
</html>
`;
  return {
    status: 503,
    headers: {
      ...security,
      ...headers,
      "content-type": "text/html; charset=utf-8",
      "content-length": String(Buffer.byteLength(body)),
      "cache-control": "no-store",
    },
    body,
  };
}
