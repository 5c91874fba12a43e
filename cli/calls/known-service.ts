import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { isRedirect, problemOfAnswer } from "../../client/api-problem.ts";
import { ApiProblem } from "../../client/create-client.ts";
import { type Terminal, userFolder } from "../terminal/terminal.ts";
import type { Description, OpenApi } from "./description.ts";

/** Milliseconds for which a description is used without asking whether it still holds. */
const FRESH = 10 * 60_000;
const PATIENCE = 15_000;

/** The version of the kept form; another form gets another number. */
const FORM = 4;

interface Kept {
  readonly form: typeof FORM;
  readonly url: string;
  readonly etag: string;
  readonly asked: number;
  readonly description: Description;
}

/** The description of a service, and whether it is current. */
export interface KnownService {
  readonly description: Description;
  /** True where the service was asked just now, so that nothing can be missing. */
  readonly isCurrent: boolean;
}

/**
 * The description of the service at a URL: from the cache while that is fresh, else from the service, which is asked by ETag;
 * where it cannot be reached, an older copy does. `current` asks in any case.
 */
export async function knowService(
  place: Terminal,
  url: string,
  options: { readonly current?: boolean; readonly fetch?: typeof fetch } = {},
): Promise<KnownService> {
  const file = `${userFolder(place, "cache")}/${encodeURIComponent(url).slice(0, 200)}.json`;
  const kept = await readKept(file, url);
  const age = kept ? place.now() - kept.asked : FRESH;
  if (kept && !options.current && age >= 0 && age < FRESH) return { description: kept.description, isCurrent: false };
  const { fetch: send = globalThis.fetch } = options;
  let answer: Response;
  try {
    answer = await send(`${url}/api`, {
      headers: { accept: "application/json", ...(kept && { "if-none-match": kept.etag }) },
      signal: AbortSignal.any([place.signal, AbortSignal.timeout(PATIENCE)]),
      redirect: "manual",
    });
    if (answer.status === 304 && kept) {
      await keep(file, { ...kept, asked: place.now() });
      return { description: kept.description, isCurrent: true };
    }
    if (answer.ok) return await learn(file, url, answer, place.now());
  } catch (error) {
    if (place.signal.aborted) throw place.signal.reason;
    if (error instanceof ApiProblem && !kept) throw error;
    if (kept) return { description: kept.description, isCurrent: false };
    const members = { status: 0, title: "No answer", retryable: true };
    throw new ApiProblem("no_answer", `${url} cannot be reached`, members, { cause: error });
  }
  if (kept) return { description: kept.description, isCurrent: false };
  throw isRedirect(answer) ? problemOfAnswer(answer, undefined) : notMetaction(url, answer.status);
}

async function learn(file: string, url: string, answer: Response, now: number): Promise<KnownService> {
  const { describedBy } = await import("./description.ts");
  const api = (await answer.json().catch(() => undefined)) as OpenApi | undefined;
  if (api?.info === undefined || api.paths === undefined) throw notMetaction(url, answer.status);
  const description = describeApi(api, describedBy, url);
  const etag = answer.headers.get("etag") ?? "";
  await keep(file, { form: FORM, url, etag, asked: now, description });
  return { description, isCurrent: true };
}

/** The description of a document; `unexpected_answer` where it is of another shape than the one known here. */
function describeApi(api: OpenApi, describedBy: (api: OpenApi) => Description, url: string): Description {
  try {
    return describedBy(api);
  } catch (cause) {
    const members = { status: 200, title: "Unexpected answer", retryable: false };
    const detail = `${url}/api describes the service in a way that this command line cannot read; one of the two may be too old`;
    throw new ApiProblem("unexpected_answer", detail, members, { cause });
  }
}

function notMetaction(url: string, status: number): ApiProblem {
  const members = { status, title: "Unexpected answer", retryable: false };
  return new ApiProblem("unexpected_answer", `${url} is no Metaction service: ${url}/api answered ${status}`, members);
}

async function readKept(file: string, url: string): Promise<Kept | undefined> {
  try {
    const kept = JSON.parse(readFileSync(file, "utf8")) as Kept;
    return kept.form === FORM && kept.url === url ? kept : undefined;
  } catch {
    // The kept description is absent or not readable: the service is asked again.
    return undefined;
  }
}

/** A cache that cannot be written costs time only. */
async function keep(file: string, kept: Kept): Promise<void> {
  const draft = `${file}.${process.pid}`;
  try {
    mkdirSync(file.slice(0, file.lastIndexOf("/")), { recursive: true, mode: 0o700 });
    writeFileSync(draft, JSON.stringify(kept));
    renameSync(draft, file);
  } catch {}
}
