import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { isRedirect, toApiProblem } from "../../client/api-problem.ts";
import { ApiProblem } from "../../client/create-client.ts";
import { getUserFolder, type Terminal } from "../terminal/terminal.ts";
import { type Description, type OpenApi, toDescription } from "./description.ts";

/** Milliseconds for which a description is used without asking the service again. */
const FRESH = 10 * 60_000;
const PATIENCE = 15_000;

/** Version of the cached form; increase it when the form changes. */
const FORM = 6;

interface Entry {
  readonly form: typeof FORM;
  readonly url: string;
  readonly etag: string;
  readonly asked: number;
  readonly description: Description;
}

/** Description of a service, and whether it is current. */
export interface KnownService {
  readonly description: Description;
  readonly isCurrent: boolean;
}

/** Returns the description at a URL: from the cache while fresh, else by ETag, else an older copy. */
export async function knowService(
  terminal: Terminal,
  url: string,
  options: { readonly current?: boolean; readonly fetch?: typeof fetch } = {},
): Promise<KnownService> {
  const file = `${getUserFolder(terminal, "cache")}/${encodeURIComponent(url).slice(0, 200)}.json`;
  const entry = await readEntry(file, url);
  const age = entry ? terminal.now() - entry.asked : FRESH;
  if (entry && !options.current && age >= 0 && age < FRESH) return { description: entry.description, isCurrent: false };
  const { fetch: send = globalThis.fetch } = options;
  let answer: Response;
  try {
    answer = await send(`${url}/api`, {
      headers: { accept: "application/json", ...(entry && { "if-none-match": entry.etag }) },
      signal: AbortSignal.any([terminal.signal, AbortSignal.timeout(PATIENCE)]),
      redirect: "manual",
    });
    if (answer.status === 304 && entry) {
      await keep(file, { ...entry, asked: terminal.now() });
      return { description: entry.description, isCurrent: true };
    }
    if (answer.ok) return await learnService(file, url, answer, terminal.now());
  } catch (error) {
    if (terminal.signal.aborted) throw terminal.signal.reason;
    if (error instanceof ApiProblem && !entry) throw error;
    if (entry) return { description: entry.description, isCurrent: false };
    const members = { status: 0, title: "No answer", retryable: true };
    throw new ApiProblem("no_answer", `${url} cannot be reached`, members, { cause: error });
  }
  if (entry) return { description: entry.description, isCurrent: false };
  throw isRedirect(answer) ? toApiProblem(answer, undefined) : createNotMetactionProblem(url, answer.status);
}

async function learnService(file: string, url: string, answer: Response, now: number): Promise<KnownService> {
  const api = (await answer.json().catch(() => undefined)) as OpenApi | undefined;
  if (api?.info === undefined || api.paths === undefined) throw createNotMetactionProblem(url, answer.status);
  const description = describeApi(api, url);
  await keep(file, { form: FORM, url, etag: answer.headers.get("etag") ?? "", asked: now, description });
  return { description, isCurrent: true };
}

/** Converts an OpenAPI document to a description. Throws `unexpected_answer` when the document has another shape. */
function describeApi(api: OpenApi, url: string): Description {
  try {
    return toDescription(api);
  } catch (cause) {
    const detail = `The description at ${url}/api has a form that this command line cannot read. Update the older of the two.`;
    throw createUnexpectedProblem(detail, 200, { cause });
  }
}

function createNotMetactionProblem(url: string, status: number): ApiProblem {
  return createUnexpectedProblem(`${url} is not a Metaction service: ${url}/api answered ${status}.`, status);
}

function createUnexpectedProblem(detail: string, status: number, options?: ErrorOptions): ApiProblem {
  return new ApiProblem("unexpected_answer", detail, { status, title: "Unexpected answer", retryable: false }, options);
}

async function readEntry(file: string, url: string): Promise<Entry | undefined> {
  try {
    const entry = JSON.parse(readFileSync(file, "utf8")) as Entry;
    return entry.form === FORM && entry.url === url ? entry : undefined;
  } catch {
    // The cached description is missing or unreadable: ask the service again.
    return undefined;
  }
}

/** A cache that cannot be written only costs time. */
async function keep(file: string, entry: Entry) {
  const draft = `${file}.${process.pid}`;
  try {
    mkdirSync(file.slice(0, file.lastIndexOf("/")), { recursive: true, mode: 0o700 });
    writeFileSync(draft, JSON.stringify(entry), { mode: 0o600 });
    renameSync(draft, file);
  } catch {}
}
