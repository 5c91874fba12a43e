import * as z from "zod/mini";
import { CHANNELS } from "../../domain/channels.ts";
import { getFieldsOfKind } from "../../domain/fields/model-fields.ts";
import { model } from "../../domain/kinds.ts";
import { LIMITS } from "../../domain/limits.ts";
import { optionalMember } from "../../domain/model/content.ts";
import { Problem } from "../../domain/problems.ts";
import { parseStoredJson } from "../../domain/text/json-values.ts";
import { objectId } from "../../domain/values/model-types.ts";
import { modelVersion } from "../../domain/values/value-types.ts";
import { namedObject } from "../building/answers.ts";
import { idOf, imageByKey } from "../building/ids.ts";
import { listOutput, pageOf, paging, readingOf } from "../building/reads.ts";
import type { Action } from "../contract/action.ts";
import { etagOf } from "../contract/call.ts";
import { defineAction } from "../contract/define-action.ts";
import { optional } from "../contract/params.ts";
import {
  type CommitFacts,
  type CommitRange,
  type Members,
  noMoment,
  type Past,
  type PastChange,
  type PastCommit,
} from "../contract/store.ts";
import type { Page, Rows, View } from "../contract/view.ts";

const facts = () => ({
  revision: z.int(),
  time: z.string().check(z.describe("ISO 8601.")),
  actor: z.optional(idOf("actor", "Id of the actor.")),
  apiToken: z.optional(idOf("api_token", "Id of the API token the call came with.")),
  channel: z.enum(CHANNELS),
  requestId: z.string(),
  actions: z.array(z.string()).check(z.describe("`<group>/<action>` of everything the commit did.")),
});

const historyVersions = defineAction({
  group: "model",
  name: "history_versions",
  title: "List versions",
  description:
    "Lists the released versions of a model, newest first. An administrator reads those of a deleted model too, by its id, outside a batch.",
  intent: "read",
  rule: "model_read",
  past: true,
  within: model,
  input: paging,
  output: listOutput("The released versions.", () =>
    namedObject("ReleasedVersion", { version: z.string(), ...facts() }),
  ),
  errors: [],
  example: { modelRef: "key:crm" },
  run: async ({ view, input, ports }) => {
    const etag = etagOf(view);
    const { after, limit = Number.POSITIVE_INFINITY } = pageOf(input);
    const past = await ports.store.past();
    const releases = await past.releases(view);
    const rest = releases.filter((release) => after === undefined || release.revision < Number(after));
    const page = rest.slice(0, limit);
    const facts = await past.facts(
      view,
      page.map(({ revision }) => revision),
    );
    const items = page.flatMap(({ version, revision }) => {
      const commit = facts.get(revision);
      return commit ? [{ version, ...factsOf(commit) }] : [];
    });
    const last = page.at(-1);
    const next = rest.length > page.length && last ? { next: String(last.revision) } : {};
    return { ...readingOf({ items, ...next }, (rows) => ({ items: rows })), etag };
  },
});

const image = (when: string) =>
  z.optional(
    z
      .record(z.string(), z.unknown())
      .check(
        z.describe(`The members that changed, ${when}; null for one that was not there. Objects are named by id.`),
      ),
  );

const changeSchema = () =>
  namedObject("CommittedChange", {
    ...facts(),
    change: z.enum(["create", "update", "delete"]),
    kind: z.string().check(z.describe("As stored: `attribute` for those of entities and relationships.")),
    id: z.string(),
    key: z.string(),
    before: image("as they were"),
    beforeByKey: imageByKey("before"),
    after: image("as they became"),
    afterByKey: imageByKey("after"),
    counts: z.optional(
      z
        .record(z.string(), z.int())
        .check(z.describe("Of a model that was made with all it held: how many objects of each kind.")),
    ),
  });

const historyVersionChanges = defineAction({
  group: "model",
  name: "history_version_changes",
  title: "List changes of a version",
  description:
    "Lists what changed in a model, oldest first: with `version` what it released since the version before, without it what is not released yet. What goes with an object that is deleted has no row of its own. A page may hold fewer rows than asked for. An administrator reads the history of a deleted model too, by its id, outside a batch.",
  intent: "read",
  rule: "model_read",
  past: true,
  within: model,
  input: {
    version: optional(modelVersion, "A released version; what is not released yet unless given."),
    objectId: optional(objectId, "Only what happened to the object of this id."),
    ...paging,
  },
  output: listOutput("The changes, each with its commit.", changeSchema),
  errors: [],
  example: { modelRef: "key:crm" },
  run: async ({ view, input, ports }) => {
    const etag = etagOf(view);
    const past = await ports.store.past();
    const range = { ...(await rangeOf(past, view, input.version)), ...optionalMember("objectId", input.objectId) };
    const rows = await changeRows(past, view, range, pageOf(input));
    return { ...readingOf<ChangeRow>(rows, (items) => ({ items })), etag };
  },
});

/** The revisions after one release up to the next, or up to the newest. */
async function rangeOf(past: Past, view: View, version: string | undefined): Promise<{ from: number; to: number }> {
  const to = view.revision;
  const releases = await past.releases(view, version);
  if (version === undefined) return { from: (releases[0]?.revision ?? 0) + 1, to };
  const at = releases.findIndex((release) => release.version === version);
  const release = releases[at];
  if (!release) throw noMoment(view, { version });
  return { from: (releases[at + 1]?.revision ?? 0) + 1, to: release.revision };
}

/** The actions that tell a model's history. */
export const historyActions = [historyVersions, historyVersionChanges] as const satisfies readonly Action[];

/** The facts of a commit as rows show them. */
interface ShownFacts extends Omit<CommitFacts, "request"> {
  readonly requestId: string;
}

/** One change with its commit. */
interface ChangeRow extends ShownFacts, PastChange {
  readonly counts?: Readonly<Record<string, number>>;
}

function factsOf({ revision, time, actor, apiToken, channel, request, actions }: CommitFacts): ShownFacts {
  const who = { ...optionalMember("actor", actor), ...optionalMember("apiToken", apiToken) };
  return { revision, time, ...who, channel, requestId: request, actions };
}

/** The beginning of a page: the change of a commit, counted from 0. */
interface Position {
  readonly revision: number;
  readonly index: number;
}

/**
 * A page of changes. Commits are read as rows are taken, and no more is held than one answer may hold: a page ends early
 * when it is full, and without a limit `result_too_large` says so.
 */
async function changeRows(past: Past, view: View, range: CommitRange, page: Page): Promise<Rows<ChangeRow>> {
  const start = page.after === undefined ? { revision: range.from, index: 0 } : positionOf(page.after);
  const limit = page.limit ?? Number.POSITIVE_INFINITY;
  const most = page.limit === undefined ? LIMITS.inflatedResponseBytes : LIMITS.responseBytes;
  const items: ChangeRow[] = [];
  let bytes = 0;
  for await (const commit of past.commits(view, { ...range, from: Math.max(range.from, start.revision) })) {
    const rows = rowsOf(commit, view);
    for (let i = commit.revision === start.revision ? start.index : 0; i < rows.length; i++) {
      const row = rows[i];
      if (!row) break;
      bytes += JSON.stringify(row).length;
      if (items.length === limit || (bytes > most && items.length > 0)) {
        if (page.limit === undefined) throw tooMany(items.length);
        return { items, next: `${commit.revision}.${i}` };
      }
      items.push(row);
    }
  }
  return { items };
}

function rowsOf(commit: PastCommit, { ledgerId: modelId }: View): readonly ChangeRow[] {
  const facts = factsOf(commit);
  if (!commit.made) return commit.changes.map((change) => ({ ...facts, ...shownChange(change) }));
  const { key, counts } = commit.made;
  return [{ ...facts, change: "create", kind: "model", id: modelId, key, counts }];
}

/** A change with the values of JSON members in the place of the texts that they are kept as. */
function shownChange({ before, after, ...change }: PastChange): PastChange {
  const fields = getFieldsOfKind(change.kind) ?? {};
  const shown = (members: Members): Members =>
    Object.fromEntries(
      Object.entries(members).map(([name, value]) => {
        const isText = fields[name]?.is === "json" && typeof value === "string";
        return [name, isText ? parseStoredJson(value) : value];
      }),
    );
  return { ...change, ...(before && { before: shown(before) }), ...(after && { after: shown(after) }) };
}

function positionOf(text: string): Position {
  const [, revision, index] = /^(\d{1,12})\.(\d{1,9})$/.exec(text) ?? [];
  if (revision !== undefined && index !== undefined) return { revision: Number(revision), index: Number(index) };
  const detail = "cursor: is no cursor of this list; take it from the Link header of the page before";
  throw new Problem("bad_parameters", detail, { errors: [{ pointer: "/cursor", detail }] });
}

function tooMany(rows: number): Problem {
  return new Problem(
    "result_too_large",
    `there are more changes than the ${rows} one answer may hold; ask for less with limit`,
  );
}
