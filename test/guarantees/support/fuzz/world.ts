import type { Action } from "../../../../shared/actions/contract/action.ts";
import type { Importer } from "../../../../shared/actions/contract/ports.ts";
import type { Service } from "../../../../shared/actions/pipeline/call-context.ts";
import { Problem } from "../../../../shared/domain/problems.ts";
import { BOOTSTRAP, type ItemKey, logPartition, seenKey } from "../../../../shared/store/table/keys.ts";
import { FORMAT, type Table, type Write } from "../../../../shared/store/table/table.ts";
import { writePerson } from "../../../support/accounts.ts";
import { ACTIONS } from "../../../support/actions.ts";
import { openTable } from "../../../support/table.ts";
import { createWorld, type World } from "../../../support/world.ts";
import { isOfAccounts } from "../grants/account-calls.ts";
import { chainOf, type Known, kindMade, samplePayload, type WorldState } from "../payloads.ts";
import { createKnowledge, type Knowledge } from "./known.ts";

/** A whole service with a few models in it, whose every write is seen. */
export interface FuzzWorld {
  readonly world: World;
  readonly service: Service;
  readonly known: Knowledge;
  /** Name of the table, which no answer may tell. */
  readonly table: string;
  /** Returns the keys of the items that were written or deleted since the last time. */
  readonly takeWritten: () => readonly ItemKey[];
}

const USER = { username: "ada", password: "Violet-Harbor-7-Lantern" };

/** Rounds of making one object with every action that makes some, how many of them make models too, and how many models get more. */
const ROUNDS = { all: 6, models: 2, inhabited: 2 };

/** A new world on a table of its own, filled through the actions that make objects, whichever there are. */
export async function createFuzzWorld(importer: Importer, seed: number): Promise<FuzzWorld> {
  const opened = await openTable();
  const watched = watchTable(opened.table);
  const world = await createWorld({ table: watched.table });
  await addUser(world);
  const service: Service = { ...world.service, ports: (deadline) => ({ ...world.service.ports(deadline), importer }) };
  const { username, password } = USER;
  const known = createKnowledge({ Username: [username], LoginName: [username], PasswordClear: [password] });
  await fill(world, known, seed);
  watched.takeWritten();
  return { world, service, known, table: opened.name, takeWritten: watched.takeWritten };
}

async function addUser({ table, service }: World) {
  const { runtime } = service;
  const createdAt = new Date(runtime.now()).toISOString();
  const id = runtime.newId();
  // Another password than the administrator has: with theirs, an input could end the tokens that all inputs are sent with.
  await writePerson(table, { ...USER, id, fullname: "Ada Lovelace", roles: [], createdAt });
  const used = { ...BOOTSTRAP, v: FORMAT, operation: runtime.newId(), time: createdAt, revision: 1 };
  await table.write({ put: used, expect: { absent: true } });
}

async function fill(world: World, known: Knowledge, seed: number) {
  const makers = ACTIONS.filter((action) => kindMade(action) !== undefined && !isOfAccounts(action));
  for (let round = 0; round < ROUNDS.all; round++) {
    for (const [i, action] of makers.entries()) {
      const makesModel = kindMade(action)?.name === "model";
      if (!makesModel || round < ROUNDS.models) await make(world, known, action, seed + 97 * round + i);
    }
  }
}

/** The first models with what is in them: what is made inside of models is made there, so that it meets. */
function inhabited({ objects, values }: Knowledge): WorldState {
  const first = objects.filter((known) => known.kind.name === "model").slice(0, ROUNDS.inhabited);
  const isShared = ({ kind }: Known) => kind.ledger === "tags";
  const within = objects.filter((known) => isShared(known) || first.includes(chainOf(known).at(-1) ?? known));
  return { objects: within, ...(values && { values }) };
}

async function make(world: World, known: Knowledge, action: Action, seed: number) {
  const payload = samplePayload(action, inhabited(known), seed);
  // Every object of a world is made, by the payload of the call, and comes from no other source.
  if (!payload || "from" in payload || "into" in payload) return;
  try {
    known.learn(action, payload, await world.run(`${action.group}/${action.name}`, payload));
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== "key_taken") throw error;
  }
}

/** Passes every call on, and notes the keys of those items whose writes succeeded. */
function watchTable(inner: Table): { readonly table: Table; takeWritten(): readonly ItemKey[] } {
  const written: ItemKey[] = [];
  const noted =
    <A, R>(send: (asked: A) => Promise<R>, keysOf: (asked: A) => readonly ItemKey[]) =>
    async (asked: A): Promise<R> => {
      const answer = await send(asked);
      // Every call records when its actor called last, also if it fails.
      written.push(...keysOf(asked).filter(({ sk }) => !sk.startsWith(seenKey("").sk)));
      return answer;
    };
  const table: Table = {
    ...inner,
    transactWrite: noted(inner.transactWrite, (writes) => writes.flatMap(listChangedKeys)),
    write: noted(inner.write, listChangedKeys),
    batchPut: noted(inner.batchPut, (items) => items),
    batchDelete: noted(inner.batchDelete, (keys) => keys),
  };
  return { table, takeWritten: () => written.splice(0) };
}

function listChangedKeys(write: Write): readonly ItemKey[] {
  return "put" in write ? [write.put] : "delete" in write ? [write.delete] : [];
}

/** Revisions of log entries among written items, by ledger. */
export function listCommits(written: readonly ItemKey[]): readonly (readonly [ledger: string, revision: number])[] {
  const prefix = logPartition("");
  const entries = written.filter(({ pk }) => pk.startsWith(prefix));
  return entries.map(({ pk, sk }) => [pk.slice(prefix.length), Number(sk)]);
}
