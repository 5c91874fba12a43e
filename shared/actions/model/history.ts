import * as z from "zod/mini";
import { CHANNELS } from "../../domain/channels.ts";
import { ifDefined } from "../../domain/content.ts";
import { objectId } from "../../domain/history-types.ts";
import { model } from "../../domain/kinds.ts";
import { modelVersion } from "../../domain/value-types.ts";
import { idOf } from "../building/ids.ts";
import { imageByKey } from "../building/images.ts";
import { listOutput, pageOf, paging, readingOf } from "../building/lists.ts";
import { namedObject } from "../building/named-object.ts";
import type { Action } from "../contract/action.ts";
import { etagOf } from "../contract/controls.ts";
import { defineAction } from "../contract/define-action.ts";
import { optional } from "../contract/params.ts";
import { noMoment, type Past } from "../contract/past.ts";
import type { View } from "../contract/view.ts";
import { type ChangeRow, changeRows, factsOf } from "./history-rows.ts";

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
    const range = { ...(await rangeOf(past, view, input.version)), ...ifDefined("objectId", input.objectId) };
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
