import { afterAll, beforeAll, expect } from "vitest";
import * as z from "zod/mini";
import type { Answer, Controls } from "../../../shared/actions/contract/call.ts";
import { toJsonSchema } from "../../../shared/actions/describe/json-schema.ts";
import type { Problem } from "../../../shared/domain/problems.ts";
import { countedTable } from "../../support/counted-table.ts";
import { openTable } from "../../support/table.ts";
import { type Body, type Caller, createWorld, type World } from "../../support/world.ts";
import { listUndeclaredIds } from "./declared-ids.ts";
import { imagesOf, type TableImage } from "./table-image.ts";

/** An answer that was checked against the schema its action declares. */
export type Checked = Answer & { readonly body: Body };

export type CheckedWorld = Awaited<ReturnType<typeof createCheckedWorld>>;

/** The world of a test file, which can be left for a new one, so that looking at its table stays quick. */
export interface FileWorld extends CheckedWorld {
  /** Goes on with a new world on an empty table. */
  renew(): Promise<void>;
}

type OnCapacity = Parameters<typeof openTable>[0];

/** The world of one test file: made before its first test. `onCapacity` is told of every store call. */
export function useWorld(onCapacity?: OnCapacity): FileWorld {
  let world: CheckedWorld | undefined;
  const renew = async () => {
    world = await createCheckedWorld(onCapacity);
  };
  beforeAll(renew);
  afterAll(() => {
    world = undefined;
  });
  /** Reads each member from the world that the file has by then. */
  const get = (_: FileWorld, member: string | symbol): unknown => {
    if (!world) throw new Error("the world is made before the first test, not before");
    return member === "renew" ? renew : Reflect.get(world, member);
  };
  return new Proxy({} as FileWorld, { get });
}

/** Creates a world whose every answer is checked, and whose table can be looked at. */
async function createCheckedWorld(onCapacity?: OnCapacity) {
  const opened = await openTable(onCapacity);
  const { table, writes } = countedTable(opened.table);
  let world = await createWorld({ table });
  const images = imagesOf(opened);
  let remembered: TableImage | undefined;
  let seen: { readonly image: TableImage; readonly at: number } | undefined;
  /** The table as it is; what was read last is right as long as nothing was sent to be written. */
  const known = async (): Promise<TableImage> => {
    const at = writes();
    if (seen?.at !== at) seen = { image: await images.take(), at };
    return seen.image;
  };
  const expectUnchanged = async <T>(something: () => Promise<T>, look: () => Promise<TableImage>): Promise<T> => {
    const before = await known();
    const result = await something();
    const after = await look();
    expect([...after.keys()].filter((line) => !before.has(line))).toEqual([]);
    expect(after.size).toBe(before.size);
    return result;
  };
  const checked = async (action: string, answer: Promise<Answer>): Promise<Checked> => {
    const made = await answer;
    if (!made.notModified) await expectDeclared(world, action, made);
    return made;
  };
  const ok = (action: string, payload: object = {}, controls: Partial<Controls> = {}) =>
    checked(action, world.answer(action, payload, world.people.admin, controls));
  return {
    ...world,
    get service() {
      return world.service;
    },
    run: (...call: Parameters<World["run"]>) => world.run(...call),
    answer: (...call: Parameters<World["answer"]>) => world.answer(...call),
    problem: (...call: Parameters<World["problem"]>) => world.problem(...call),
    /** Returns the answer of a call of the administrator. */
    ok,
    okAs: (caller: Caller, action: string, payload: object = {}) =>
      checked(action, world.answer(action, payload, caller)),
    /** Returns the body of an answer to the administrator. */
    read: async (action: string, payload?: object): Promise<Body> => (await ok(action, payload)).body,
    /** Returns the problem that a call of the administrator ends in. */
    refused: (action: string, payload: object = {}, controls: Partial<Controls> = {}) =>
      world.problem(action, payload, world.people.admin, controls),
    /** Does something, and fails if it sent a write after which any item of the table is another. */
    writesNothing: <T>(something: () => Promise<T>) => expectUnchanged(something, known),
    /** Does something, and fails if any item of the table is another afterwards. */
    keepsEveryByte: <T>(something: () => Promise<T>) => expectUnchanged(something, images.take),
    remember: async () => {
      remembered = await known();
    },
    /** Puts the table back to how it was remembered: for tests that each begin on the same. */
    putBack: async () => {
      if (!remembered) throw new Error("nothing is remembered yet");
      await images.putBack(remembered, await known());
      seen = { image: remembered, at: writes() };
      // A log that goes back is none that a process follows.
      world = await createWorld({ beside: world });
    },
  };
}

/** The body is what the action's output declares: every member of it, and no other, and which members hold ids. */
async function expectDeclared(world: World, name: string, answer: Answer) {
  const [group = "", action = ""] = name.split("/");
  const { output } = await world.service.registry.find(group, action);
  const sent: unknown = answer.body === undefined ? undefined : JSON.parse(JSON.stringify(answer.body));
  const parsed = z.safeParse(output.schema(), sent);
  expect(parsed.error?.issues ?? [], `${name} answers what it declares`).toEqual([]);
  // An object schema drops members it does not declare.
  expect(sent, `${name} answers no more than it declares`).toEqual(parsed.data);
  expect(answer.mediaType).toBe(output.mediaType);
  expect(listUndeclaredIds(sent, toJsonSchema(output)), `${name} declares every id`).toEqual([]);
}

/** Reads every page of a list in order; `read` returns the page after a cursor. Throws an error when a cursor repeats. */
export async function readPages<P extends Pick<Answer, "next">>(
  read: (after: { cursor?: string }) => Promise<P>,
): Promise<readonly P[]> {
  const pages = [await read({})];
  const cursors = new Set<string>();
  for (let cursor = pages[0]?.next; cursor !== undefined; cursor = pages.at(-1)?.next) {
    if (cursors.has(cursor)) throw new Error(`The cursor ${cursor} repeats: the list never ends.`);
    cursors.add(cursor);
    pages.push(await read({ cursor }));
  }
  return pages;
}

/** Returns the actor with this subject; `read` answers the body of a call. */
export async function findActor(read: (action: string) => Promise<Body>, subject: string): Promise<Body> {
  return (await read("auth/actor_list")).items.find((actor: Body) => actor.subject === subject);
}

let counted = 0;

/** A key that no other test of the file has. */
export const newKey = (word = "k"): string => `${word}-${++counted}`;

const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

export const NO_ID = "01900000-0000-7000-8000-000000000000";

/** The answer says that something was written: the model `modelId` is at `revision` now. */
export function expectWritten(answer: Checked, expected: { key: string; modelId?: string; revision: number }): void {
  const { key, revision } = expected;
  expect(answer.body).toMatchObject({ status: "ok", key, revision, changed: true });
  expect(answer.body.id).toMatch(UUID_V7);
  expect(answer.etag).toBe(`${expected.modelId ?? answer.body.id}-${revision}`);
}

/** Expects a problem with this code, and each of these texts in its message. */
export function expectProblem(problem: Pick<Problem, "code" | "message">, code: string, ...texts: string[]): void {
  expect(problem.code, problem.message).toBe(code);
  for (const text of texts) expect(problem.message).toContain(text);
}

/** The problem lists a fault at each of these pointers, in any order, and no other. */
export function expectFaults(problem: Problem, ...pointers: readonly string[]): void {
  expect(problem.code, problem.message).toBe("bad_parameters");
  expect((problem.members.errors ?? []).map((e) => e.pointer).sort()).toEqual([...pointers].sort());
  for (const fault of problem.members.errors ?? []) expect(fault.detail.length).toBeGreaterThan(10);
}
