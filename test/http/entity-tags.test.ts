import { expect, test } from "vitest";
import { createWorld } from "../support/world.ts";
import { describeTransports, post } from "./support/transports.ts";

const world = await createWorld();
const entities = Array.from({ length: 60 }, (_, i) => ({ name: `e${i}`, schema: { fields: [{ name: "a" }] } }));
await world.run("model/import", { content: { name: "large", resources: entities } });

const authorization = `Bearer ${world.people.admin}`;
const GZIP = { "accept-encoding": "gzip" };
const ROWS = { accept: "application/x-ndjson" };
const EXPORT = "/api/model/model_export?modelRef=key:large";
const LIST = "/api/model/entity_list?modelRef=key:large";

describeTransports(
  "the entity tag of an answer about a model",
  ({ send }) => {
    const get = (target: string, headers: Readonly<Record<string, string>> = {}) =>
      send({ target, headers: { authorization, ...headers } });

    test("has the form of the answer, with a different tag for each form", async () => {
      const plain = (await get(LIST)).headers.etag ?? "";
      expect(plain).toMatch(/^"[0-9a-f-]{36}-\d+"$/);
      const formed = (ending: string) => plain.replace(/"$/, `${ending}"`);
      expect((await get(LIST, GZIP)).headers.etag).toBe(formed("-gzip"));
      expect((await get(LIST, ROWS)).headers.etag).toBe(formed("-ndjson"));
      expect((await get(LIST, { ...ROWS, ...GZIP })).headers.etag).toBe(formed("-ndjson-gzip"));
      const small = await get("/api/model/model_get?modelRef=key:large", GZIP);
      expect([small.headers["content-encoding"], small.headers.etag]).toEqual([undefined, plain]);
    });

    test("varies by Accept and Accept-Encoding for caches", async () => {
      for (const target of [LIST, EXPORT, "/api", "/health", "/nowhere", "/api/model/nothing"])
        expect((await get(target)).headers.vary).toBe("Origin, Accept, Accept-Encoding");
    });

    test.each([
      ["the same form", GZIP, GZIP, 304],
      ["rows again", ROWS, ROWS, 304],
      ["compressed rows again", { ...ROWS, ...GZIP }, { ...ROWS, ...GZIP }, 304],
      ["what would be compressed now", {}, GZIP, 304],
      ["what may not be compressed now", GZIP, {}, 200],
      ["rows in the place of one text", {}, ROWS, 200],
      ["one text in the place of rows", ROWS, {}, 200],
      ["rows in the place of one compressed text", GZIP, ROWS, 200],
      ["rows that may not be compressed now", { ...ROWS, ...GZIP }, ROWS, 200],
    ])("matches a copy that is requested as %s", async (_, first, then, status) => {
      const { etag = "" } = (await get(LIST, first)).headers;
      for (const held of [etag, `W/${etag}`, `"other,", ,${etag}`]) {
        const again = await get(LIST, { ...then, "if-none-match": held });
        expect([again.status, again.status === 304 ? again.headers.etag : etag]).toEqual([status, etag]);
      }
    });

    test("names the revision, in any form", async () => {
      for (const form of [{}, GZIP, ROWS, { ...ROWS, ...GZIP }]) {
        const { etag = "" } = (await get(LIST, form)).headers;
        expect((await get(LIST, { ...form, "if-none-match": "*" })).status).toBe(304);
        const write = { modelRef: "key:large", entityRef: "key:e1", value: "" };
        const pinned = { authorization, "if-match": etag };
        expect((await send(post("/api/model/entity_update_description", write, pinned))).status).toBe(200);
        const behind = { ...pinned, "if-match": etag.replace(/-\d+(?=(-[a-z]+)*"$)/, "-99") };
        expect((await send(post("/api/model/entity_update_description", write, behind))).status).toBe(412);
      }
    });
  },
  world.service,
);
