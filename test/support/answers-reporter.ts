import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import type { Reporter, TestModule, Vitest } from "vitest/node";
import { createCatalogue } from "../../shared/actions/catalogue.ts";
import type { Action } from "../../shared/actions/contract/action.ts";
import { listErrors } from "../../shared/actions/describe/describe.ts";
import type { ProblemCode } from "../../shared/domain/problems.ts";
import { ANSWERS_FOLDER, answersSeen } from "./answers-seen.ts";

/** Problem codes of transport, store and clock, which any action may answer; test/http and test/store raise each. */
const OF_ANY: ReadonlySet<ProblemCode> = new Set([
  ...(["bad_request", "not_acceptable", "too_large", "query_too_long", "unsupported_media_type"] as const),
  ...(["result_too_large", "wrong_host"] as const),
  ...(["throttled", "contention", "internal", "unavailable", "newer_format", "out_of_time"] as const),
]);

/** Codes that an action declares by what it is, although nothing leads to them in these suites. */
const NEVER: ReadonlySet<string> = new Set([
  // The whole payload is secret, and so no part of the fingerprint that tells two calls with one key apart.
  "auth/change_my_password idempotency_key_reused",
  // Only one who administers by claim can end the last who does by assignment: test/guarantees/grants has those.
  "auth/actor_disable last_administrator",
  "auth/user_disable last_administrator",
  "auth/user_delete last_administrator",
]);

/** The folders whose suites test the answers of actions: a run of all their files has to see every one. */
const FOLDERS = ["test/actions", "test/every-action", "test/identity", "test/search", "test/shape", "test/store"];

/** Fails a run of all suites without a success, or a declared problem, of an action over HTTP. */
export class AnswersReporter implements Reporter {
  #root = process.cwd();
  readonly #folder = mkdtempSync(join(tmpdir(), "metaction-answers-"));

  onInit(vitest: Vitest): void {
    this.#root = vitest.config.root;
    process.env[ANSWERS_FOLDER] = this.#folder;
  }

  async onTestRunEnd(modules: readonly TestModule[]): Promise<void> {
    const ran = new Set(modules.map((one) => relative(this.#root, one.moduleId)));
    const isWhole =
      filesOf(this.#root).every((path) => ran.has(path)) && modules.every((one) => one.state() === "passed");
    const missing = isWhole ? await unseen(answersSeen(this.#folder)) : [];
    rmSync(this.#folder, { recursive: true });
    if (missing.length === 0) return;
    process.stderr.write(`Declared, and never answered over HTTP in this run:\n  ${missing.join("\n  ")}\n`);
    process.exitCode = 1;
  }
}

function filesOf(root: string): readonly string[] {
  return FOLDERS.flatMap((folder) =>
    readdirSync(join(root, folder)).flatMap((name) => (name.endsWith(".test.ts") ? [`${folder}/${name}`] : [])),
  );
}

async function unseen(seen: ReadonlySet<string>): Promise<readonly string[]> {
  return (await createCatalogue().list()).flatMap((action) =>
    declared(action)
      .map((code) => `${action.group}/${action.name} ${code}`)
      .filter((line) => !seen.has(line) && !NEVER.has(line)),
  );
}

function declared(action: Action): readonly string[] {
  return ["ok", ...listErrors(action).filter((code) => !OF_ANY.has(code) || action.errors.includes(code))];
}
