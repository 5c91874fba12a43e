import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { createRegistry } from "../../../shared/actions/catalogue.ts";
import type { Claims, Identity } from "../../../shared/actions/contract/ports.ts";
import type { Service } from "../../../shared/actions/pipeline/call-context.ts";
import { createUnscopedCallers } from "../../../shared/actions/pipeline/caller-rights.ts";
import { createWriteQueue } from "../../../shared/actions/pipeline/write-queue.ts";
import { Problem } from "../../../shared/domain/problems.ts";
import { roomOf } from "../../support/actions.ts";
import { SMALL_ACTIONS } from "./small-actions.ts";

/** The tokens the test identity knows. */
export const TOKENS = { reader: "reader.token-1", disabled: "disabled.token-2" } as const;

const refuse = (): Promise<never> => Promise.reject(new Problem("not_signed_in", "The token is not known"));

const UNREACHABLE = new Proxy({} as never, {
  get: (_, name) => {
    throw new Error(`no action of the small service reaches ${String(name)}`);
  },
});

const identity: Partial<Identity> = {
  verify: async (token): Promise<Claims> => {
    const subject = Object.entries(TOKENS).find(([, known]) => known === token)?.[0];
    return subject === undefined ? refuse() : { issuer: "urn:test", subject, issuedAt: 0 };
  },
  findPrincipal: async ({ issuer, subject }) => {
    if (subject === "disabled") throw new Problem("actor_disabled", "The actor is disabled");
    return {
      actorId: "a-1",
      issuer,
      subject,
      fullname: "Ada Reader",
      claimedRoles: [],
      permissions: new Set(["model_read"]),
      scopes: [],
    };
  },
  noteCall: async () => undefined,
  login: refuse,
  bootstrap: refuse,
};

const FACTS = { version: "0.0.0", engine: "none", endpoint: "none", table: "none" };

/** A service of free-standing actions and the real dispatch, which tests the transports without a store. */
export const createSmallService = (): Service => ({
  registry: createRegistry([roomOf(...SMALL_ACTIONS)]),
  runtime: { now: Date.now, newId: randomUUID, random: Math.random, sleep: (ms) => sleep(ms) },
  unscopedCallers: createUnscopedCallers(),
  writeQueue: createWriteQueue(),
  facts: FACTS,
  verification: { configuration: async () => ({ issuer: "urn:test" }), keySet: async () => ({ keys: [] }) },
  ports: () => ({
    ...{ store: UNREACHABLE, jobs: UNREACHABLE, runs: UNREACHABLE, checks: UNREACHABLE, audit: UNREACHABLE },
    ...{ searches: UNREACHABLE, importer: UNREACHABLE, exporter: UNREACHABLE, digest: UNREACHABLE, find: UNREACHABLE },
    ...{ listActions: UNREACHABLE, service: FACTS },
    identity: identity as Identity,
  }),
});
