import { toBlobItems } from "../../../shared/store/log/blobs.ts";
import { toLogEntry, toLogItem } from "../../../shared/store/log/log.ts";
import { logKey } from "../../../shared/store/table/keys.ts";
import { type Break, broken, type Scene } from "./fsck-scene.ts";

/** Damage to the blobs that a log names beside snapshots. */
export const BLOB_BREAKS: readonly Break[] = [
  broken("large changes are lost", ["changes-broken"], async (s) => {
    const entry = toLogEntry(await s.item(logKey(s.model, 2)));
    await s.put(toLogItem(s.model, { ...entry, blob: "lost" }));
  }),
  broken("a publication says that it changed something else", ["snapshot-differs"], (s) =>
    published(s, (all) => all.map((object) => (object.key === "integer" ? { ...object, name: "Other" } : object))),
  ),
  broken("a publication lost what it changed", ["changes-broken"], async (s) => {
    await published(s, (all) => all);
    await s.change(logKey(s.model, s.head + 1), { publication: "lost" });
  }),
  broken("a publication changed what was not there", ["log-misfit"], async (s) => {
    const gone = { does: "delete", kind: "type", id: "gone", at: "type#gone", base: 1, before: {} };
    await published(s, (all) => all, [gone]);
  }),
];

/** Publishes the model as it is, but for what `snapshot` makes of it, in the generation it has. */
async function published(
  s: Scene,
  snapshot: (all: readonly Record<string, unknown>[]) => readonly object[],
  changes: readonly object[] = [],
): Promise<void> {
  const all = (await s.world.items(s.objects)).map(({ pk: _, sk, v: __, ...fields }) => ({
    kind: sk.split("#")[0],
    ...fields,
  }));
  const kept = snapshot(all);
  const [snapshotName, publication] = [s.world.ambient.newId(), s.world.ambient.newId()];
  await s.world.table.batchPut([...toBlobItems(snapshotName, kept), ...toBlobItems(publication, changes)]);
  const { changes: _, ...last } = await s.item(logKey(s.model, s.head));
  const operation = s.world.ambient.newId();
  await s.put({ ...last, ...logKey(s.model, s.head + 1), operation, snapshot: snapshotName, publication });
  for (const [i, object] of kept.entries()) {
    if (object === all[i]) continue;
    const [was] = (await s.world.items(s.objects)).slice(i);
    const { kind: _kind, ...fields } = object as Record<string, unknown>;
    if (was) await s.change(was, fields);
  }
}
