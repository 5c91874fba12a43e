import { join } from "node:path";
import type { Answer, Runtime } from "../../shared/actions/contract/call.ts";
import type { Searches } from "../../shared/actions/contract/ports.ts";
import type { Service } from "../../shared/actions/pipeline/call-context.ts";
import { includeMember } from "../../shared/domain/model/content.ts";
import { Problem, type ProblemCode } from "../../shared/domain/problems.ts";
import { createImporter } from "../../shared/formats/importer.ts";
import type { CallerCache } from "../../shared/identity/caller-cache.ts";
import type { IssuerConfiguration } from "../../shared/identity/issuers/configuration.ts";
import { openKeyFile } from "../../shared/identity/tokens/file-keys.ts";
import { mintToken, type SigningKeys } from "../../shared/identity/tokens/mint-token.ts";
import { createService } from "../../shared/service/create-service.ts";
import type { Table } from "../../shared/store/table/table.ts";
import { writePerson, writeRoles } from "./accounts.ts";
import { CACHED_OBJECTS } from "./cached-objects.ts";
import { type CallControls, createHttpCalls } from "./http-call.ts";
import { ISSUER } from "./issuer.ts";
import { realRuntime } from "./runtime.ts";
import { freshTable } from "./table.ts";
import { createFolder } from "./temporary-folder.ts";
import { unorderedTable } from "./unordered-table.ts";

export const BOOTSTRAP_SECRET = "bootstrap-secret-of-the-tests";

/** Someone who calls: their token, or none. */
export type Caller = string | undefined;

/** A whole service on a table of its own, and people with each managed role. */
export interface World {
  readonly service: Service;
  readonly table: Table;
  readonly keys: SigningKeys;
  readonly people: Readonly<Record<"admin" | "manager" | "reader" | "nobody", string>>;
  /** Calls an action over HTTP as the administrator, or as `caller`; the answer's body. */
  run(action: string, payload?: object, caller?: Caller, controls?: CallControls): Promise<Body>;
  answer(action: string, payload?: object, caller?: Caller, controls?: CallControls): Promise<Answer>;
  /** The problem an action ends in; fails when it ends in none. */
  problem(action: string, payload?: object, caller?: Caller, controls?: CallControls): Promise<Problem>;
}

/** A JSON body, looked into without types, as callers do. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every action
export type Body = any;

let keysOfRun: Promise<SigningKeys> | undefined;

export function testKeys(): Promise<SigningKeys> {
  keysOfRun ??= openKeyFile(join(createFolder(), "keys.json"));
  return keysOfRun;
}

interface WorldOptions {
  readonly bootstrapSecret?: string;
  readonly table?: Table;
  readonly runtime?: Runtime;
  /** Called with the id of every job that is accepted; without it nobody runs them. */
  readonly startJob?: (id: string) => Promise<void>;
  /** Issuers whose tokens are accepted beside the service's own. */
  readonly issuers?: IssuerConfiguration;
  /** A world to be another process of, over its table and with its people. */
  readonly beside?: World;
  /** 0 for a service that reads everything from its table. */
  readonly cachedObjects?: number | undefined;
  readonly callerCache?: CallerCache;
  /** The place where searches look; the memory of the process unless given. */
  readonly searches?: () => Promise<Searches>;
}

/** A new world; `table` puts something between the service and its table. */
export async function createWorld(options: WorldOptions = {}): Promise<World> {
  const { runtime = realRuntime, issuers, cachedObjects = CACHED_OBJECTS } = options;
  const table = options.table ?? options.beside?.table ?? (await freshTable());
  const keys = await testKeys();
  const answered = unorderedTable(table);
  const service = createService({
    connector: { connect: () => answered },
    runtime,
    keys,
    issuer: ISSUER,
    bootstrapSecret: async () => options.bootstrapSecret ?? BOOTSTRAP_SECRET,
    importer: createImporter({ allowPrivate: false }),
    startJob: options.startJob ?? (async () => undefined),
    ...(issuers && { issuers: async () => issuers }),
    cachedObjects,
    ...includeMember("callerCache", options.callerCache),
    ...(options.searches && { searches: options.searches }),
    facts: { version: "0.0.0-test", engine: "test", endpoint: "http://endpoint.example", table: "test" },
  });
  const people = options.beside?.people ?? (await settle(table, keys, runtime));
  const call = createHttpCalls(service, ISSUER);
  const answer: World["answer"] = (action, payload = {}, ...rest) =>
    call({ action, payload, token: rest.length > 0 ? rest[0] : people.admin, controls: rest[1] ?? {} });
  return {
    service,
    table,
    keys,
    people,
    answer,
    run: async (...call) => (await answer(...call)).body,
    problem: async (...call) => {
      try {
        await answer(...call);
      } catch (error) {
        if (error instanceof Problem) return error;
        throw error;
      }
      throw new Error(`${call[0]} raised no problem`);
    },
  };
}

/** Writes roles and one user of each, as the bootstrap and user management do, and signs them in. */
async function settle(table: Table, keys: SigningKeys, runtime: Runtime): Promise<World["people"]> {
  const createdAt = new Date(runtime.now()).toISOString();
  const roles = await writeRoles(table, runtime.newId, createdAt);
  const sign = async (username: keyof World["people"]): Promise<string> => {
    const fullname = `The ${username}`;
    const given = roles.filter((r) => r.key === username).map((r) => r.id);
    await writePerson(table, { username, id: runtime.newId(), fullname, roles: given, createdAt });
    const bearer = { username, fullname, tokenEpoch: 1 };
    return (await mintToken(bearer, { keys, issuer: ISSUER, audience: "metaction", runtime })).access_token;
  };
  const [admin, manager] = [await sign("admin"), await sign("manager")];
  return { admin, manager, reader: await sign("reader"), nobody: await sign("nobody") };
}

/** The code of the problem a promise ends in; "none" when it succeeds. */
export async function codeOf(promise: Promise<unknown>): Promise<ProblemCode | "none"> {
  try {
    await promise;
    return "none";
  } catch (error) {
    if (error instanceof Problem) return error.code;
    throw error;
  }
}
