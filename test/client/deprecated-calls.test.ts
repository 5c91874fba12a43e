import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "../..");

const PROGRAM = `
  import type { CallOf } from "../../client/create-client.ts";
  import { entityShow, entityTouch } from "../support/deprecated-actions.ts";
  type Of<T> = T extends { readonly calls?: infer C } ? CallOf<NonNullable<C>> : never;
  export async function use(show: Of<typeof entityShow>, touch: Of<typeof entityTouch>) {
    const at = { modelRef: "key:crm", entityRef: "key:customer" } as const;
    const { revision } = await touch({ ...at, label: "a" });
    await touch.answer({ ...at, label: "a" });
    await show(at); // deprecated
    const { body } = await show.answer(at); // deprecated
    await touch({ ...at, label: "a", strict: true }); // deprecated
    await touch.answer({ ...at, strict: true }); // deprecated
    return [revision satisfies number, body.key satisfies string];
  }
`;

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: { readonly items?: readonly unknown[] };
  readonly result?: { readonly items: readonly Diagnostic[] };
}

interface Diagnostic {
  readonly range: { readonly start: { readonly line: number } };
  readonly tags?: readonly number[];
  readonly message: string;
}

/** Sends requests of the Language Server Protocol, and answers those of the server with null. */
function connect({ stdin, stdout }: ChildProcessWithoutNullStreams) {
  const answers = new Map<number, (message: Message) => void>();
  const send = (message: object) => {
    const text = JSON.stringify({ jsonrpc: "2.0", ...message });
    stdin.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
  };
  let received = "";
  stdout.setEncoding("latin1").on("data", (chunk: string) => {
    received += chunk;
    for (
      let head = /Content-Length: (\d+).*?\r\n\r\n/s.exec(received);
      head;
      head = /Content-Length: (\d+).*?\r\n\r\n/s.exec(received)
    ) {
      const [from, bytes] = [head.index + head[0].length, Number(head[1])];
      if (received.length < from + bytes) return;
      const { id, method, params, ...message } = JSON.parse(received.slice(from, from + bytes)) as Message;
      received = received.slice(from + bytes);
      if (id !== undefined && method !== undefined) send({ id, result: params?.items?.map(() => null) ?? null });
      else if (id !== undefined) answers.get(id)?.(message);
    }
  });
  let last = 0;
  const ask = (method: string, params: object) =>
    new Promise<Message>((resolve) => {
      answers.set(++last, resolve);
      send({ id: last, method, params });
    });
  return { send, ask };
}

test("an editor marks calls of deprecated actions and with deprecated parameters, and no other calls", async () => {
  const compiler = join(ROOT, "node_modules/typescript/bin/tsc");
  const server = spawn(process.execPath, [compiler, "--lsp", "--stdio"], { cwd: ROOT });
  const { send, ask } = connect(server);
  const textDocument = { diagnostic: { tagSupport: { valueSet: [1, 2] } } };
  await ask("initialize", { processId: null, rootUri: pathToFileURL(ROOT).href, capabilities: { textDocument } });
  send({ method: "initialized", params: {} });
  const uri = pathToFileURL(join(ROOT, "test/client/deprecated-use.ts")).href;
  const opened = { uri, languageId: "typescript", version: 1, text: PROGRAM };
  send({ method: "textDocument/didOpen", params: { textDocument: opened } });
  const { result } = await ask("textDocument/diagnostic", { textDocument: { uri } });
  server.kill();
  const marked = PROGRAM.split("\n").flatMap((line, i) => (line.endsWith("// deprecated") ? [i] : []));
  const DEPRECATED = 2;
  expect(result?.items.map(({ range, tags, message }) => [range.start.line, tags, message])).toEqual(
    marked.map((line) => [line, [DEPRECATED], expect.stringContaining("is deprecated")]),
  );
});
