import { securityHeaders, type WebHeaders } from "../../functions/web/security-headers.ts";
import type { PlainRequest, PlainResponse } from "../../shared/http/request.ts";
import { answerFile, isForPage, isForWeb, PAGE, type StaticFiles } from "./static-files.ts";
import { buildingPage, failedPage } from "./waiting-page.ts";

/** The web application beside the API. */
export interface WebApplication {
  /** The answer to a request for a page or a file; undefined for what the dispatcher has to answer. */
  answer(request: PlainRequest): Promise<PlainResponse | undefined>;
  /** Sees to it that there is a build of the sources; the first page that is asked for does so too. */
  begin(): void;
  /** Ends a build under way. */
  stop(): Promise<void>;
}

/** Where the files come from, and how to end what makes them. */
export interface WebFiles {
  /** Resolves with the files, however long it takes; calls `building` where they are not at hand and have to be made. */
  readonly read: (building: () => void) => Promise<StaticFiles>;
  readonly stop: () => Promise<void>;
}

/**
 * The web application of some files, which are read when the first page is asked for or `begin` is called. `origins` are those
 * that its scripts may call. `tell` takes the reason, one or more lines, where the files cannot be had.
 */
export function createWebApplication(
  { read, stop }: WebFiles,
  origins: readonly string[],
  tell: (reason: string) => void,
): WebApplication {
  const secured = securityHeaders(origins);
  let isStopped = false;
  let known: StaticFiles | "building" | "failed" = "building";
  let isLooked: Promise<void> | undefined;
  /** Resolves once it is known whether there are files, or they are being made. */
  const begin = (): Promise<void> => {
    isLooked ??= new Promise((resolve) => {
      const failed = (error: unknown): void => {
        known = "failed";
        const reason = error instanceof Error ? error.message : String(error);
        if (!isStopped) tell(`The web application could not be built, so there is the API alone:\n${reason}`);
      };
      const came = (files: StaticFiles): void => {
        known = files;
      };
      read(resolve).then(came, failed).then(resolve);
    });
    return isLooked;
  };
  return {
    answer: async (request) => {
      if (!isForWeb(request)) return undefined;
      await begin();
      if (typeof known !== "string") return answerFrom(known, request, secured);
      if (!isForPage(request)) return undefined;
      return known === "building" ? buildingPage(secured) : failedPage(secured);
    },
    begin: () => void begin(),
    stop: async () => {
      isStopped = true;
      await stop();
    },
  };
}

function answerFrom(files: StaticFiles, request: PlainRequest, secured: WebHeaders): PlainResponse | undefined {
  const file = files.get(request.path) ?? (isForPage(request) ? files.get(PAGE) : undefined);
  return file && answerFile(file, request.headers, secured);
}
