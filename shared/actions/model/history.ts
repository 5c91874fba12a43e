import * as z from "zod/mini";
import { CHANNELS } from "../../domain/channels.ts";
import { getFieldsOfKind } from "../../domain/fields/model-fields.ts";
import { model } from "../../domain/kinds.ts";
import { LIMITS } from "../../domain/limits.ts";
import { includeMember } from "../../domain/model/content.ts";
import { Problem } from "../../domain/problems.ts";
import { parseStoredJson } from "../../domain/text/json-values.ts";
import { objectId } from "../../domain/values/model-types.ts";
import { modelVersion } from "../../domain/values/value-types.ts";
import { createNamedSchema, describe, describeList, describeText } from "../building/answers.ts";
import { createIdSchema, createOwnIdSchema } from "../building/ids.ts";
import { createImageByKeySchema, createImageSchema } from "../building/images.ts";
import {
  createCursorProblem,
  createListOutput,
  modelRead,
  pagingParams,
  toPage,
  toReading,
} from "../building/reads.ts";
import type { Action } from "../contract/action.ts";
import { formatEtag } from "../contract/call.ts";
import { defineAction } from "../contract/define-action.ts";
import { allowParam } from "../contract/params.ts";
import {
  type CommitFacts,
  type CommitRange,
  createNotThereProblem,
  type Members,
  type Past,
  type PastChange,
  type PastCommit,
} from "../contract/store.ts";
import type { Page, ReadView, Rows } from "../contract/view.ts";

const createFactSchemas = () => ({
  revision: z.int(),
  time: describeText("ISO 8601."),
  actor: z.optional(createIdSchema("actor", "Id of the actor.")),
  apiToken: z.optional(createIdSchema("api_token", "Id of the API token of the call.")),
  channel: z.enum(CHANNELS),
  requestId: describeText("Id of the request."),
  run: z.optional(createOwnIdSchema("Id of the run, as `run_get` reads it.")),
  source: z.optional(
    describeText(
      "The label of the source of an import or an apply, or what was restored or undone, such as `revision 4`.",
    ),
  ),
  actions: describeList(z.string(), "`<group>/<action>` of all actions of the commit."),
});

const historyVersions = defineAction({
  ...modelRead,
  name: "history_versions",
  title: "List versions",
  description:
    "Lists the released versions of a model, newest first. An administrator can also list those of a deleted model, by its id, outside a batch.",
  past: true,
  within: model,
  input: pagingParams,
  output: createListOutput("The released versions.", () =>
    createNamedSchema("ReleasedVersion", { version: z.string(), ...createFactSchemas() }),
  ),
  errors: [],
  example: { modelRef: "key:crm" },
  run: async ({ view, input, ports }) => {
    const etag = formatEtag(view);
    const { after, limit = Number.POSITIVE_INFINITY } = toPage(input);
    const past = await ports.store.openPast();
    const releases = await past.listReleases(view);
    const rest = releases.filter((release) => after === undefined || release.revision < Number(after));
    const page = rest.slice(0, limit);
    const facts = await past.readCommitFacts(
      view,
      page.map(({ revision }) => revision),
    );
    const items = page.flatMap(({ version, revision }) => {
      const commit = facts.get(revision);
      return commit ? [{ version, ...commit }] : [];
    });
    const last = page.at(-1);
    const next = rest.length > page.length && last ? { next: String(last.revision) } : {};
    return { ...toReading({ items, ...next }, (rows) => ({ items: rows })), etag };
  },
});

const createSideSchema = (when: string) =>
  createImageSchema(`The changed members, ${when}; null for absent members. Objects are listed by id.`);

const createChangeSchema = () =>
  createNamedSchema("CommittedChange", {
    ...createFactSchemas(),
    change: z.enum(["create", "update", "delete"]),
    kind: describeText("The stored kind: `attribute` for attributes of entities and of relationships."),
    id: createOwnIdSchema("Id of the object."),
    key: z.string(),
    before: createSideSchema("before the change"),
    beforeByKey: createImageByKeySchema("before"),
    after: createSideSchema("after the change"),
    afterByKey: createImageByKeySchema("after"),
    counts: z.optional(
      describe(
        z.record(z.string(), z.int()),
        "For a model that was created with content: the number of objects of each kind.",
      ),
    ),
  });

const historyVersionChanges = defineAction({
  ...modelRead,
  name: "history_version_changes",
  title: "List changes of a version",
  description:
    "Lists the changes of a model, oldest first: with `version` the changes since the previous release that it released, without it the changes that are not released yet. " +
    "With `objectId`, an object that was never in the model is `not_found`; " +
    "an empty list means that the object did not change. " +
    "An object that was deleted together with its owner has no row. A page may have fewer rows than requested. " +
    "An administrator can also read the history of a deleted model, by its id, outside a batch.",
  past: true,
  within: model,
  input: {
    version: allowParam(modelVersion, "A released version; unreleased changes unless given."),
    objectId: allowParam(objectId, "Only changes of the object with this id.", "objectRef"),
    ...pagingParams,
  },
  output: createListOutput("The changes, each with its commit.", createChangeSchema),
  errors: [],
  example: { modelRef: "key:crm" },
  run: async ({ view, input, ports }) => {
    const etag = formatEtag(view);
    const past = await ports.store.openPast();
    const range = {
      ...(await findRevisionRange(past, view, input.version)),
      ...includeMember("objectId", input.objectId),
    };
    const rows = await listChanges(past, view, range, toPage(input));
    if (rows.items.length === 0 && input.objectId !== undefined) await requireChanged(past, view, input.objectId);
    return { ...toReading<ChangeRow>(rows, (items) => ({ items })), etag };
  },
});

async function findRevisionRange(
  past: Past,
  view: ReadView,
  version: string | undefined,
): Promise<{ from: number; to: number }> {
  const to = view.revision;
  const releases = await past.listReleases(view, version);
  if (version === undefined) return { from: (releases[0]?.revision ?? 0) + 1, to };
  const at = releases.findIndex((release) => release.version === version);
  const release = releases[at];
  if (!release) throw createNotThereProblem(view, { version });
  return { from: (releases[at + 1]?.revision ?? 0) + 1, to: release.revision };
}

/** Throws `not_found` for an object that the model never had. Reads the log up to its creation. */
async function requireChanged(past: Past, view: ReadView, id: string) {
  for await (const _ of past.listCommits(view, { from: 1, to: view.revision, objectId: id })) return;
  throw new Problem("not_found", `model ${view.modelKey} never had an object id:${id}; see history_version_changes`);
}

export const historyActions = [historyVersions, historyVersionChanges] as const satisfies readonly Action[];

interface ChangeRow extends CommitFacts, PastChange {
  readonly counts?: Readonly<Record<string, number>>;
}

interface Position {
  readonly revision: number;
  readonly index: number;
}

/** Returns a page of changes. A full page ends early; without a limit, too many throw `result_too_large`. */
async function listChanges(past: Past, view: ReadView, range: CommitRange, page: Page): Promise<Rows<ChangeRow>> {
  const start = page.after === undefined ? { revision: range.from, index: 0 } : parsePosition(page.after);
  const limit = page.limit ?? Number.POSITIVE_INFINITY;
  const most = page.limit === undefined ? LIMITS.inflatedResponseBytes : LIMITS.responseBytes;
  const items: ChangeRow[] = [];
  let bytes = 0;
  for await (const commit of past.listCommits(view, { ...range, from: Math.max(range.from, start.revision) })) {
    const rows = toChangeRows(commit, view);
    for (let i = commit.revision === start.revision ? start.index : 0; i < rows.length; i++) {
      const row = rows[i];
      if (!row) break;
      bytes += JSON.stringify(row).length;
      if (items.length === limit || (bytes > most && items.length > 0)) {
        if (page.limit === undefined) throw createTooManyProblem(items.length);
        return { items, next: `${commit.revision}.${i}` };
      }
      items.push(row);
    }
  }
  return { items };
}

function toChangeRows(commit: PastCommit, { ledgerId: modelId }: ReadView): readonly ChangeRow[] {
  const { changes, creation, ...facts } = commit;
  if (!creation) return changes.map((change) => ({ ...facts, ...parseJsonMembers(change) }));
  const { key, counts } = creation;
  return [{ ...facts, change: "create", kind: "model", id: modelId, key, counts }];
}

function parseJsonMembers({ before, after, ...change }: PastChange): PastChange {
  const fields = getFieldsOfKind(change.kind) ?? {};
  const parse = (members: Members): Members =>
    Object.fromEntries(
      Object.entries(members).map(([name, value]) => {
        const isText = fields[name]?.is === "json" && typeof value === "string";
        return [name, isText ? parseStoredJson(value) : value];
      }),
    );
  return { ...change, ...(before && { before: parse(before) }), ...(after && { after: parse(after) }) };
}

function parsePosition(text: string): Position {
  const [, revision, index] = /^(\d{1,12})\.(\d{1,9})$/.exec(text) ?? [];
  if (revision !== undefined && index !== undefined) return { revision: Number(revision), index: Number(index) };
  throw createCursorProblem();
}

function createTooManyProblem(rows: number): Problem {
  return new Problem("result_too_large", `There are more than ${rows} changes, too many for one answer; set limit`);
}
