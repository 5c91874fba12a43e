import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { mayConnectTo } from "../../shared/formats/common/fetch/connect-source.ts";
import { createImporter } from "../../shared/formats/importer.ts";
import {
  FORBIDDEN_URLS,
  INTERNAL_NAMES,
  INTERNAL_URLS,
  INTERNAL_V4,
  INTERNAL_V6,
  PUBLIC_NEIGHBOURS,
} from "./internal-addresses.ts";
import { problemOf } from "./reading.ts";
import { type Listening, PUBLIC, serve, serveTcp, type TestNetwork, testNetwork } from "./source-server.ts";

const SCHEMA = JSON.stringify({ name: "t", fields: [{ name: "a" }] });
const INTERNAL = [...INTERNAL_V4, ...INTERNAL_V6];

let outside: Listening;
let canary: Listening;
let requests = 0;
/** Locations to which the outside server redirects callers, by path. */
const redirects = new Map<string, string>();

beforeAll(async () => {
  outside = await serve((request, response) => {
    requests++;
    const location = redirects.get(request.url ?? "");
    if (location !== undefined) response.writeHead(302, { location }).end();
    else response.writeHead(200, { "content-type": "application/json" }).end(SCHEMA);
  });
  canary = await serveTcp((socket) =>
    socket.end(`HTTP/1.1 200 OK\r\ncontent-length: ${SCHEMA.length}\r\n\r\n${SCHEMA}`),
  );
});

afterAll(async () => {
  expect(canary.connections(), "connections to internal addresses").toBe(0);
  await outside.close();
  await canary.close();
});

const NAMES = {
  "outside.test": [[PUBLIC]],
  ...Object.fromEntries(Object.entries(INTERNAL_NAMES).map(([name, address]) => [name, [[address]]])),
};

const importOver = ({ dial, resolve }: TestNetwork, from: string): Promise<unknown> =>
  createImporter({ allowPrivate: false, dial, resolve }).read({ from }, {});

/** Checks that an import is refused, in words that say nothing of the inside, after connecting to `dialled` alone. */
async function expectRefused(network: TestNetwork, from: string, dialled: readonly string[]) {
  const problem = await problemOf(importOver(network, from));
  expect(problem.code).toBe("source_not_recognised");
  expect(problem.message).not.toMatch(/secret|refused|ECONN|127\.0|169\.254/);
  expect(network.dialled).toEqual(dialled);
}

test("the tables hold at least 120 URLs and 60 addresses", () => {
  expect(new Set(INTERNAL_URLS).size).toBeGreaterThanOrEqual(120);
  expect(new Set(INTERNAL).size).toBeGreaterThanOrEqual(60);
});

describe("an internal address is never connected to", () => {
  test.each(INTERNAL_URLS)("directly: %j", (url) => expectRefused(testNetwork(outside, canary, NAMES), url, []));

  // The URL `http:127.0.0.1` is a path when it follows an http address, and leads back outside.
  test.each(INTERNAL_URLS.filter((u) => u !== "http:127.0.0.1"))("by a redirect: %j", async (url) => {
    redirects.set("/go", encodeHeader(url));
    await expectRefused(testNetwork(outside, canary, NAMES), "http://outside.test/go", [PUBLIC]);
  });

  test.each(INTERNAL)("by a name that resolves to it: %s", async (address) => {
    for (const answer of [[address], [PUBLIC, address], [address, PUBLIC]])
      await expectRefused(testNetwork(outside, canary, { "evil.test": [answer] }), "http://evil.test/", []);
  });

  test.each(INTERNAL)("by a name that resolves to it the second time: %s", async (address) => {
    const rebinding = { "evil.test": [[PUBLIC], [address]] };
    const once = testNetwork(outside, canary, rebinding);
    await importOver(once, "http://evil.test/");
    expect(once.lookedUp).toEqual(["evil.test"]);
    expect(once.dialled).toEqual([PUBLIC]);
    redirects.set("/go", "http://evil.test/");
    await expectRefused(testNetwork(outside, canary, rebinding), "http://evil.test/go", [PUBLIC]);
  });

  test("by schema files of a package", async () => {
    const resources = [...INTERNAL_URLS, ...FORBIDDEN_URLS].map((schema, i) => ({ name: `r${i}`, schema }));
    const network = testNetwork(outside, canary, {});
    const importer = createImporter({ allowPrivate: false, dial: network.dial, resolve: network.resolve });
    expect((await problemOf(importer.read({ content: { name: "p", resources } }, {}))).code).toBe("invalid_content");
    expect(network.dialled).toEqual([]);
  });

  test("when the connection ends at another address than the requested one", async () => {
    // A network that takes a public address and still leads to loopback, as a proxy below us would.
    const dial = () => connect({ host: "127.0.0.1", port: outside.port });
    const resolve = async () => [PUBLIC];
    const before = requests;
    const problem = await problemOf(
      createImporter({ allowPrivate: false, dial, resolve }).read({ from: "http://outside.test/" }, {}),
    );
    expect(problem.message).toMatch(/no public address/);
    expect(requests).toBe(before);
  });
});

/** Returns a URL as a Location header has it: characters outside of ASCII are percent-encoded in UTF-8. */
function encodeHeader(url: string): string {
  return url.replace(/[^\x20-\x7e]+/g, (part) => encodeURIComponent(part).replace(/%0A|%09/g, ""));
}

describe("a URL with another scheme is never followed", () => {
  test.each(FORBIDDEN_URLS)("directly: %j", async (url) => {
    const network = testNetwork(outside, canary, NAMES);
    await expectRefused(network, url, []);
    expect(network.lookedUp).toEqual([]);
  });

  // A Location may be relative, so these lead back outside, where they are fine.
  test.each(
    FORBIDDEN_URLS.filter((u) => u !== "//outside.test/x" && u !== "nothing"),
  )("by a redirect: %j", async (url) => {
    redirects.set("/go", url);
    await expectRefused(testNetwork(outside, canary, NAMES), "http://outside.test/go", [PUBLIC]);
  });
});

describe("a permitted address", () => {
  const local = ["127.0.0.1", "10.1.2.3", "172.20.0.1", "192.168.1.1", "::1", "fd12::1", "8.8.8.8"];
  const never = [
    ...["169.254.169.254", "169.254.170.2", "fd00:ec2::254", "fe80::1", "0.0.0.0", "224.0.0.1", "::ffff:127.0.0.1"],
  ];
  const invalid = ["", "1.2.3", "1.2.3.4.5", "1.2.3.256", "01.2.3.4", "fe80::1%lo", "::g", "1:2:3", "example.org"];

  test.each([
    ["a public one", true, false, PUBLIC_NEIGHBOURS],
    ["not an internal one", false, false, INTERNAL],
    ["not an invalid one", false, false, invalid],
    ["a local one too with local addresses permitted", true, true, local],
    ["not a reserved one even with local addresses permitted", false, true, never],
  ])("is %s", (_, isPermitted, allowPrivate, addresses) =>
    expect(addresses.filter((address) => mayConnectTo(address, allowPrivate) !== isPermitted)).toEqual([]));

  test("is the public server, resolved once and connected to for each file", async () => {
    const network = testNetwork(outside, canary, NAMES);
    await importOver(network, "http://outside.test/a");
    await importOver(network, "http://outside.test/b");
    expect(network).toMatchObject({ dialled: [PUBLIC, PUBLIC], lookedUp: ["outside.test", "outside.test"] });
  });

  test("is outside in the system's own network stack too", async () => {
    const importer = createImporter({ allowPrivate: false });
    for (const host of ["127.0.0.1", "localhost", "[::1]", "0.0.0.0"]) {
      for (const port of ["", `:${canary.port}`]) {
        const problem = await problemOf(importer.read({ from: `http://${host}${port}/` }, {}));
        expect(problem.code).toBe("source_not_recognised");
      }
    }
  });
});
