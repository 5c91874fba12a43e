import { createServer } from "node:https";
import { setDefaultCACertificates } from "node:tls";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createImporter } from "../../shared/formats/importer.ts";
import { makeCertificate } from "./certificate.ts";
import { problemOf } from "./reading.ts";
import { type Listening, PUBLIC, serveTcp, serveWith, testNetwork } from "./source-server.ts";

const SCHEMA = JSON.stringify({ name: "t", fields: [{ name: "a" }] });
const trusted = makeCertificate("outside.test", "other.test");
const untrusted = makeCertificate("outside.test");

let good: Listening;
let bad: Listening;
let canary: Listening;
const serverNames: unknown[] = [];

beforeAll(async () => {
  setDefaultCACertificates([trusted.cert]);
  const answer = createServer(trusted, (request, response) => {
    serverNames.push((request.socket as { servername?: unknown }).servername);
    const to: Record<string, string> = { "/down": "http://outside.test/", "/up": "https://other.test/x" };
    const location = to[request.url ?? ""];
    if (location === undefined) response.end(SCHEMA);
    else response.writeHead(307, { location }).end();
  });
  good = await serveWith(answer);
  bad = await serveWith(createServer(untrusted, (_, response) => response.end(SCHEMA)));
  canary = await serveTcp((socket) => socket.destroy());
});

afterAll(() => Promise.all([good.close(), bad.close(), canary.close()]));

const NAMES = { "outside.test": [[PUBLIC]], "other.test": [[PUBLIC]], "wrong.test": [[PUBLIC]] };

function importFrom(server: Listening, from: string) {
  const { dial, resolve } = testNetwork(server, canary, NAMES);
  return createImporter({ allowPrivate: false, dial, resolve }).read({ from }, {});
}

describe("a source over https", () => {
  test("is read if its certificate is trusted and matches its name", async () => {
    const { document } = await importFrom(good, "https://outside.test/x?ref=main&token=abc#top");
    expect(document.origin).toBe("https://outside.test/x");
    expect(serverNames.at(-1)).toBe("outside.test");
  });

  test("may redirect to another https address, and the origin is the requested one", async () => {
    const { document } = await importFrom(good, "https://outside.test/up");
    expect(serverNames.at(-1)).toBe("other.test");
    expect(document.origin).toBe("https://outside.test/up");
  });

  test("may not redirect to http", async () => {
    const problem = await problemOf(importFrom(good, "https://outside.test/down"));
    expect(problem.message).toMatch(/redirects from https to http/);
  });

  test.each([
    ["has a certificate nobody trusts", () => bad, "https://outside.test/"],
    ["has a certificate for another name", () => good, "https://wrong.test/"],
    ["has a certificate for a name and is asked for by address", () => good, `https://${PUBLIC}/`],
    ["speaks no TLS", () => canary, "https://outside.test/"],
  ])("is refused if it %s", async (_, server, from) => {
    const problem = await problemOf(importFrom(server(), from));
    expect(problem.code).toBe("source_not_recognised");
    expect(problem.message).toMatch(/no secure connection could be made$/);
  });
});
