import { CLI_AGENT } from "../../shared/domain/channels.ts";
import type { Common } from "../input/flags.ts";
import { quoteForShell } from "../input/values.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { quoteWithVariables } from "./secrets.ts";

/** The `fetch` of a command, and the curl command printed under `--curl`. */
export interface Fetching {
  readonly send: typeof fetch;
  readonly getCommand: () => string | undefined;
}

/** Creates a `fetch` that logs requests under `--verbose` and only records them under `--curl`. */
export function createFetch({ stderr }: Terminal, { curl, verbose }: Common, tokenFrom?: string): Fetching {
  let command: string | undefined;
  const send: typeof fetch = async (input, options) => {
    const url = String(input);
    const headers = { ...(options?.headers as Record<string, string>), "user-agent": CLI_AGENT };
    const init = { ...options, headers };
    const { method = "GET" } = init;
    if (curl) {
      command = formatCurl(url, init, tokenFrom);
      return Response.json(null);
    }
    if (!verbose) return fetch(input, init);
    const start = performance.now();
    stderr.writeLine(`> ${method} ${url}`);
    const answer = await fetch(input, init);
    const duration = Math.round(performance.now() - start);
    const requestId = answer.headers.get("x-request-id");
    stderr.writeLine(`< ${answer.status} in ${duration} ms${requestId ? `, request id ${requestId}` : ""}`);
    return answer;
  };
  return { send, getCommand: () => command };
}

/** Formats a curl command for a POSIX shell, without the token and without secrets, for which it uses variables. */
function formatCurl(url: string, init: RequestInit | undefined, tokenFrom: string | undefined) {
  const headers = Object.entries((init?.headers ?? {}) as Record<string, string>);
  const pairs = headers.filter(([name]) => !["accept", "authorization", "content-type", "user-agent"].includes(name));
  const words = ["curl", quoteWord(url)];
  if (tokenFrom !== undefined) words.push("-H", `"Authorization: Bearer $METACTION_TOKEN"`);
  for (const [name, value] of pairs) words.push("-H", quoteWord(`${name}: ${value}`));
  if (init?.body) words.push("--json", quoteWord(String(init.body)));
  return words.join(" ");
}

function quoteWord(word: string) {
  return quoteWithVariables(quoteForShell(word, /^[\w:/.=-]+$/));
}
