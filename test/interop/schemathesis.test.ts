import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { countOfRun, seedOf } from "../support/chance.ts";
import { ADMINISTRATOR, becomeAdministrator, type LocalProcess, startProcess } from "../support/local-process.ts";
import { thoseWithTools } from "./support/left-out.ts";
import { runStep } from "./support/run-step.ts";
import { pythonTools } from "./support/toolbox.ts";

const TESTER = join(import.meta.dirname, "tester");
const EXAMPLES = countOfRun("METACTION_SCHEMATHESIS_EXAMPLES", 20);
/** Milliseconds for all operations; 20 random calls each take two and a half minutes. */
const TIMEOUT = 600_000 + 30_000 * EXAMPLES;
const SEED = seedOf("schemathesis");

const folder = await mkdtemp(join(tmpdir(), "metaction-schemathesis-"));
let service: LocalProcess;
let description: string;

beforeAll(async () => {
  service = await startProcess(join(folder, "store"));
  await becomeAdministrator(service);
  description = await (await fetch(`${service.url}/api`)).text();
});

afterAll(async () => {
  await service.interrupt();
  await rm(folder, { recursive: true });
});

/** Runs all phases of schemathesis with a description of the service. Throws an error with its findings. */
async function schemathesis(text: string, ...words: readonly string[]): Promise<string> {
  const { username, password } = ADMINISTRATOR;
  const document = join(folder, "openapi.json");
  await writeFile(document, text);
  const config = join(TESTER, "schemathesis.toml");
  const run = ["--config-file", config, "run", document, "--url", service.url, "--no-color", "--seed", `${SEED}`];
  const env = {
    PYTHONPATH: TESTER,
    PYTHONDONTWRITEBYTECODE: "1",
    METACTION_URL: service.url,
    METACTION_ADMINISTRATOR: JSON.stringify({ username, password }),
    METACTION_DOCUMENT: document,
  };
  const phases = ["--phases", "examples,coverage,fuzzing", "--max-examples", `${EXAMPLES}`];
  const options = { cwd: folder, env, timeout: TIMEOUT };
  return runStep(join(await pythonTools(), "schemathesis"), [...run, ...words, ...phases], options);
}

const there = await thoseWithTools([{ name: "schemathesis", needs: ["python3"] }]);

describe.each(there)("$name", () => {
  test(
    `finds no violation in any operation (${EXAMPLES} random calls each, seed ${SEED})`,
    async () => {
      const said = await schemathesis(description);
      const { paths } = JSON.parse(description) as { paths: Record<string, object> };
      const operations = Object.values(paths).flatMap(Object.keys).length;
      expect(said).toContain(`Selected: ${operations}/${operations}`);
      // No example has the password that `auth/login` and `auth/change_my_password` need.
      expect(said).toContain("Authentication failed: 2 operations");
      console.log(said.slice(said.indexOf("= SUMMARY =")));
    },
    TIMEOUT,
  );

  /** Runs schemathesis on one operation of the description with `from` replaced by `to`. Returns its findings. */
  const foundWith = (path: string, from: string, to: string) => {
    expect(description).toContain(from);
    return schemathesis(description.replaceAll(from, to), "--include-path", path).then(
      () => "nothing",
      (error: Error) => error.message,
    );
  };

  test("finds an answer that violates its schema, and an undescribed status", async () => {
    const path = "/api/model/model_get";
    expect(await foundWith(path, '"revision":{"type":"integer"', '"revision":{"type":"string"')).toContain(
      "Response violates schema",
    );
    expect(await foundWith(path, '"400":', '"418":')).toContain("Undocumented status code");
  });

  test("finds a rule of parameters without a description", async () => {
    const said = "Give either `version` or `revision`. ";
    expect(await foundWith("/api/model/model_restore", said, "")).toContain("Schema-valid request rejected");
  });

  test("finds a rule of all operations without a description", async () => {
    const absent = " A parameter that is `null` or an empty text counts as absent.";
    expect(await foundWith("/api/model/entity_list", absent, "")).toContain("Schema-violating request accepted");
    const get = "; the document describes GET only for actions that change nothing";
    expect(await foundWith("/api/model/model_restore", get, "")).toContain("Unsupported method");
  });

  test("finds a described parameter that is refused, and an undescribed one that is accepted", async () => {
    const path = "/api/model/entity_list";
    expect(await foundWith(path, '"maximum":1000', '"maximum":2000')).toContain("Schema-valid request rejected");
    expect(await foundWith(path, '"maximum":1000', '"maximum":500')).toContain("Schema-violating request accepted");
  });
});
