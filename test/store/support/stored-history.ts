import { beginCall } from "../../../shared/actions/contract/call.ts";
import { runJob } from "../../../shared/actions/pipeline/run-job.ts";
import { KINDS } from "../../../shared/domain/kinds.ts";
import { LIMITS } from "../../../shared/domain/limits.ts";
import { createAccountStore } from "../../../shared/store/accounts/account-store.ts";
import { reopenBootstrap } from "../../../shared/store/accounts/account-writes.ts";
import { createPublicKeyStore } from "../../../shared/store/accounts/unlogged-items.ts";
import { makeSnapshot } from "../../../shared/store/commit/snapshot-writes.ts";
import { sweep } from "../../../shared/store/sweep/sweep.ts";
import { createRetryingTable, createRetryPolicy } from "../../../shared/store/table/retry.ts";
import type { Table } from "../../../shared/store/table/table.ts";
import { BOOTSTRAP_SECRET, createWorld, type World } from "../../support/world.ts";
import { quickRuntime } from "./quick-runtime.ts";

/** A call of an action. In payloads `$name` stands for the id that an earlier step kept under this name. */
interface CallStep {
  readonly call: string;
  readonly payload: object;
  readonly idempotencyKey?: string;
  readonly keep?: string;
  readonly refused?: true;
}

/** A call inside a model that becomes a job. A worker runs the job, it is cancelled, or it waits. */
interface JobStep {
  readonly job: string;
  readonly modelKey: string;
  readonly input: object;
  readonly record?: string;
  readonly end: "run" | "cancel" | "wait";
}

export type HistoryStep =
  | CallStep
  | JobStep
  /** The clock moves on, and the administrator signs in again. */
  | { readonly advanceMs: number }
  | { readonly sweep: true }
  /** The sweeper makes a snapshot of a model, as it does after many commits. */
  | { readonly snapshotOf: string; readonly revision: number }
  /** An external actor with this subject calls for the first time. */
  | { readonly provision: string }
  | { readonly publicKey: string }
  /** The bootstrap is reopened for the secret with this digest. */
  | { readonly reopen: string };

const ADMIN = { username: "ada", fullname: "Ada Lovelace", password: "Violet-Harbor-7-Lantern" };
const FROM = { sourceAddress: "192.0.2.1" };
const WORKER_MS = 900_000;
/** Time at which the history of the fixture begins. */
export const HISTORY_START = "2027-03-01T12:00:00Z";

/** A service on a table. Only the steps move its clock, and its ids are the same in every run. */
export class HistoryRun {
  readonly runtime;
  readonly #table: Table;
  readonly #keptIds = new Map<string, string>();
  #world: World | undefined;
  #token: string | undefined;
  #password = ADMIN.password;

  constructor(table: Table, start = HISTORY_START) {
    let ids = 0;
    const clock = quickRuntime(start);
    const newId = () => {
      const time = clock.now().toString(16).padStart(12, "0");
      ids += 1;
      return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-${ids.toString(16).padStart(10, "0")}00`;
    };
    this.#table = table;
    this.runtime = { ...clock, newId, random: () => 0.5 };
  }

  /** Creates the first administrator in an empty table. */
  async bootstrap(): Promise<void> {
    const world = await this.#open();
    const answer = await world.run("auth/admin_bootstrap", { ...ADMIN, secret: BOOTSTRAP_SECRET }, undefined);
    this.#token = answer.access_token;
  }

  async signIn(password = this.#password): Promise<void> {
    this.#password = password;
    const world = await this.#open();
    const { username } = ADMIN;
    this.#token = (await world.run("auth/login", { username, password }, undefined, FROM)).access_token;
  }

  async run(steps: readonly HistoryStep[]): Promise<void> {
    for (const step of steps) {
      await this.#runStep(step).catch((error: unknown) => {
        throw new Error(`failed: ${JSON.stringify(step).slice(0, 300)}`, { cause: error });
      });
    }
  }

  /** Runs an action as the administrator and returns the answer's body. */
  async call(action: string, payload: object, idempotencyKey?: string) {
    const controls = { ...FROM, ...(idempotencyKey !== undefined && { idempotencyKey }) };
    return (await this.#open()).run(action, this.#fill(payload), this.#token, controls);
  }

  /** Opens the service. Its table holds nobody but those whom the history creates. */
  async #open(): Promise<World> {
    this.#world ??= await createWorld({ table: this.#table, runtime: this.runtime, beside: await createWorld() });
    return this.#world;
  }

  #fill<T extends object>(payload: T): T {
    const text = JSON.stringify(payload);
    return JSON.parse(text.replace(/\$([a-z]\w*)/g, (whole, name) => this.#keptIds.get(name) ?? whole));
  }

  async #runStep(step: HistoryStep): Promise<void> {
    const { runtime } = this;
    if ("call" in step) await this.#runCall(step);
    else if ("job" in step) await this.#runJob(step);
    else if ("sweep" in step) await sweep(this.#table, runtime);
    else if ("publicKey" in step) await this.#putPublicKey(step.publicKey);
    else if ("provision" in step) await this.#provisionActor(step.provision);
    else if ("reopen" in step) await reopenBootstrap(this.#table, runtime, step.reopen);
    else if ("advanceMs" in step) {
      runtime.advance(step.advanceMs);
      await this.signIn();
    } else {
      const retryPolicy = createRetryPolicy(runtime);
      const context = { table: createRetryingTable(this.#table, retryPolicy), runtime, retryPolicy };
      const { id } = this.#fill({ id: step.snapshotOf });
      await makeSnapshot(context, id, { revision: step.revision, blob: runtime.newId() });
    }
  }

  async #runCall({ call, payload, idempotencyKey, keep, refused }: CallStep): Promise<void> {
    if (refused) {
      await (await this.#open()).problem(call, this.#fill(payload), this.#token, FROM);
      return;
    }
    const { id } = await this.call(call, payload, idempotencyKey);
    if (keep !== undefined) this.#keptIds.set(keep, id);
  }

  async #runJob({ job: action, modelKey, input, record, end }: JobStep): Promise<void> {
    const { runtime } = this;
    const { service } = await this.#open();
    const deadline = runtime.now() + LIMITS.callMs;
    const { jobs, identity } = service.ports(deadline);
    const origin = { requestId: "job", channel: "http" } as const;
    const claims = await identity.verify(String(this.#token));
    const principal = await identity.findPrincipal(claims, { ...origin, deadline });
    const { actorId, issuer, subject, fullname } = principal;
    const expiresAt = Math.floor(runtime.now() / 1000) + 86_400;
    const { id } = await jobs.accept(
      beginCall({ ...origin, action, principal, deadline }, runtime),
      // The stored order has its members in this order.
      {
        payload: { path: [{ kind: KINDS.model, ref: { scheme: "key", value: modelKey } }], input: { ...input } },
        prepared: undefined,
        channel: "http",
        requestId: "job",
        principal: { actorId, issuer, subject, fullname },
        ...(record !== undefined && { claim: { id: record, fingerprint: `${record}-fingerprint`, expiresAt } }),
      },
      10,
    );
    if (end === "cancel") await jobs.cancel(id);
    if (end === "run") await this.work(id);
  }

  /** Has a worker run a job. Throws when the job does not succeed. */
  async work(id: string): Promise<void> {
    const outcome = await runJob(id, (await this.#open()).service, this.runtime.now() + WORKER_MS);
    if (outcome !== "done") throw new Error(`the job ended as ${outcome}`);
  }

  async #provisionActor(subject: string): Promise<void> {
    const profile = { issuer: "https://people.example", subject, fullname: "Someone", issuedAt: 1_800_000_000 };
    const origin = { requestId: "provision", channel: "http", deadline: this.runtime.now() + LIMITS.callMs } as const;
    await createAccountStore(this.#table, this.runtime).provisionActor(profile, origin);
  }

  async #putPublicKey(kid: string): Promise<void> {
    const jwk = { kty: "EC", crv: "P-256", x: "x", y: "y", kid, alg: "ES256", use: "sig" } as const;
    await createPublicKeyStore(() => this.#table).put(kid, jwk);
  }
}
