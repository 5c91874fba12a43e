import type { CommitFacts, Moment, Past, PastState } from "../../actions/contract/past.ts";
import type { View } from "../../actions/contract/view.ts";

import { contentOf, type GlobalTags, globalTagsOf, type ModelContent } from "../../domain/content.ts";
import { globalTagIds } from "../../domain/model-document.ts";
import { commitFacts, pastCommits } from "../log/history.ts";
import { type LogEntry, logEntryOf } from "../log/log.ts";
import { releasesOf } from "../log/releases.ts";
import { entryOf, objectsAfter } from "../log/snapshots.ts";
import { logKey, TAGS } from "../table/keys.ts";
import type { Seam } from "../table/table.ts";
import type { ModelView } from "./view.ts";

/** The past of models over one table. Nothing of it ever changes, so only an absence has to be confirmed. */
export function createPast(seam: Seam): Past {
  const releases: Past["releases"] = async (view, wanted) => {
    const { modelId, revision, head, reads } = own(view);
    const all = await releasesOf(seam, modelId, revision, head?.recent);
    // Whoever releases a version writes the model itself.
    if (wanted !== undefined && !all.some(({ version }) => version === wanted)) reads.point("model", false);
    return all;
  };
  return {
    releases,
    state: async (view, moment) => {
      const revision = await revisionOf(view, moment, releases);
      if (revision === undefined || revision < 1 || revision > view.revision) return undefined;
      return stateAfter(seam, view.modelId, await entryOf(seam, view.modelId, revision));
    },
    facts: (view, revisions) => factsAt(seam, view.modelId, revisions),
    commits: (view, range) => pastCommits(seam, view.modelId, range),
  };
}

/** The views that come back to the store are those it handed out. */
function own(view: View): ModelView {
  return view as ModelView;
}

async function revisionOf(view: View, moment: Moment, releases: Past["releases"]): Promise<number | undefined> {
  if ("revision" in moment) return moment.revision;
  return (await releases(view, moment.version)).find(({ version }) => version === moment.version)?.revision;
}

/** A model after a commit; undefined where that deleted it. */
async function stateAfter(seam: Seam, model: string, entry: LogEntry): Promise<PastState | undefined> {
  if (entry.state === "deleted") return undefined;
  const content = contentOf((await objectsAfter(seam, model, entry)).values());
  if (!content) throw new Error(`the log of ${model} has no model at revision ${entry.revision}`);
  const { revision, tags } = entry;
  return { revision, content, tags, globalTags: await globalTagsThen(seam, content, tags) };
}

async function globalTagsThen(seam: Seam, content: ModelContent, revision: number): Promise<GlobalTags> {
  if (revision === 0 || globalTagIds(content).length === 0) return new Map();
  const entry = await entryOf(seam, TAGS.model, revision);
  return globalTagsOf((await objectsAfter(seam, TAGS.model, entry)).values());
}

/** Items one call of `batchGet` may ask for. */
const ASKED = 100;

async function factsAt(
  seam: Seam,
  model: string,
  revisions: readonly number[],
): Promise<ReadonlyMap<number, CommitFacts>> {
  const facts = new Map<number, CommitFacts>();
  for (let at = 0; at < revisions.length; at += ASKED) {
    const asked = revisions.slice(at, at + ASKED).map((revision) => logKey(model, revision));
    for (const item of await seam.batchGet(asked)) facts.set(Number(item.sk), commitFacts(logEntryOf(item)));
  }
  return facts;
}
