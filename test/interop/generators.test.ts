import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ADMINISTRATOR, becomeAdministrator, type LocalProcess, startProcess } from "../support/local-process.ts";
import { GENERATORS } from "./support/generators.ts";
import { type LaterService, startLaterService } from "./support/later-service.ts";
import { thoseWithTools } from "./support/left-out.ts";

const PACKAGE = join(import.meta.dirname, "../../examples/library/datapackage.json");

const clients = await mkdtemp(join(tmpdir(), "metaction-clients-"));
const document = join(clients, "openapi.json");
let service: LocalProcess;
let laterService: LaterService;

beforeAll(async () => {
  service = await startProcess(join(clients, "store"));
  await becomeAdministrator(service);
  laterService = await startLaterService(service.url);
  await writeFile(document, await (await fetch(`${service.url}/api`)).text());
});

afterAll(async () => {
  laterService.close();
  await service.interrupt();
  await rm(clients, { recursive: true });
});

describe.each(await thoseWithTools(GENERATORS))("the client of $name", ({ name, generate, compile, run }) => {
  const key = `library-${GENERATORS.findIndex((one) => one.name === name)}`;
  const place = { document, folder: join(clients, key) };

  test("is generated and compiles", async () => {
    await mkdir(place.folder);
    await generate(place);
    await compile(place);
  });

  test.each([
    ["signs in, imports, reads, updates, searches, and gets a problem", "", () => service],
    ["accepts members and values of a later version", "-later", () => laterService],
  ])("%s", async (_of, suffix, of) => {
    const text = `A book of ${key}${suffix}.`;
    const words = [of().url, ADMINISTRATOR.username, ADMINISTRATOR.password, PACKAGE, key + suffix, text];
    expect(JSON.parse(await run(place, words))).toEqual({
      entities: 2,
      before: null,
      rehearsed: ["update"],
      changed: true,
      after: text,
      listed: ["book"],
      found: ["book"],
      refused: [404, "not_found"],
    });
  });
});
