import { isDeepStrictEqual } from "node:util";
import { logPartition, TAGS } from "../../../shared/store/table/keys.ts";
import { readItems } from "../../../shared/store/table/table.ts";
import type { Body } from "../../support/world.ts";
import { isRead, type MixedCall } from "./mixed-calls.ts";
import { RELEASES, type Release, type Reply, type TwoReleases } from "./two-releases.ts";

/** A write that a release acknowledged, with what its answer says of the log. */
interface Acknowledged extends Pick<MixedCall, "release" | "sent" | "headers"> {
  readonly request: string;
  readonly at: At | undefined;
  readonly body: Body;
}

const NOWHERE: At = { ledger: "", revision: 0 };

interface At {
  readonly ledger: string;
  readonly revision: number;
}

/** Refusals that a call may get because of others, or of what it asks for. */
const REFUSALS: ReadonlySet<string> = new Set([
  ...["not_found", "key_taken", "still_used", "too_few_roles", "not_deleted", "version_not_greater", "merge_conflict"],
  ...["bad_parameters", "bad_precondition", "precondition_failed", "contention", "too_large", "unavailable"],
]);

/** Everything that was sent to either release, and the faults that the answers show. */
export class Ledger {
  readonly writes: Acknowledged[] = [];
  readonly faults: string[] = [];
  /** Calls by release and outcome. */
  readonly counts = new Map<string, number>();
  /** Newest acknowledged revision of each ledger. */
  readonly #newest = new Map<string, number>();

  /** Sends a call, and takes its answer down. */
  async send({ call }: Pick<TwoReleases, "call">, mixed: MixedCall): Promise<Reply> {
    const { release, sent, headers } = mixed;
    const newest = new Map(this.#newest);
    const reply = await call(release, sent.action, sent.payload.body as object, headers);
    const { status, body } = reply;
    const code = status < 400 ? "done" : String(body?.code);
    const name = `${release} ${code}`;
    this.counts.set(name, (this.counts.get(name) ?? 0) + 1);
    if (status >= 400 && !REFUSALS.has(code)) this.#fault(mixed, `answered ${status} ${JSON.stringify(body)}`);
    if (status !== 200) return reply;
    const at = readTag(reply);
    if (isRead(sent)) {
      const known = at ? (newest.get(at.ledger) ?? 0) : 0;
      if (at && at.revision < known) this.#fault(mixed, `read revision ${at.revision} after ${known} was acknowledged`);
      return reply;
    }
    if (body.changed !== true || body.dryRun || reply.headers["idempotency-replayed"]) return reply;
    if (at) this.#newest.set(at.ledger, Math.max(at.revision, this.#newest.get(at.ledger) ?? 0));
    this.acknowledge(mixed, reply, at, body);
    return reply;
  }

  /** Adds a write that was acknowledged by an answer or by a job. */
  acknowledge({ release, sent, headers }: MixedCall, reply: Reply, at: At | undefined, body: Body): void {
    this.writes.push({ release, sent, headers, at, body, request: reply.headers["x-request-id"] ?? "" });
  }

  /** Returns the ids of models that the earlier release deleted last. */
  listDeletedByEarlier(): readonly string[] {
    const newest = new Map<string, Acknowledged>();
    for (const write of this.writes) {
      const { ledger, revision } = write.at ?? NOWHERE;
      if (revision > (newest.get(ledger)?.at?.revision ?? 0)) newest.set(ledger, write);
    }
    const isDeletion = ({ release, sent }: Acknowledged) =>
      release === "earlier" && sent.action === "model/model_delete";
    return [...newest].flatMap(([id, write]) => (isDeletion(write) ? [id] : [])).sort();
  }

  #fault({ release, sent, headers }: MixedCall, sentence: string) {
    const call = JSON.stringify([sent.action, sent.payload.body, headers]).slice(0, 400);
    this.faults.push(`${release} ${call}: ${sentence}`);
  }
}

function readTag({ headers }: Reply): At | undefined {
  const [, ledger, revision] = /^"(.+)-(\d+)(?:\.\d+)?"$/.exec(headers.etag ?? "") ?? [];
  return ledger === undefined ? undefined : { ledger, revision: Number(revision) };
}

/** Compares what both releases and the table have with what was acknowledged. Returns the differences as sentences. */
export async function findLosses(two: TwoReleases, { writes }: Ledger): Promise<readonly string[]> {
  const faults: string[] = [];
  const models = [...new Set(writes.flatMap(({ at }) => (at && isModel(at.ledger) ? [at.ledger] : [])))];
  const byRequest = new Map(writes.map((write) => [write.request, write]));
  const found = new Set<string>();
  for (const ledger of [...models, TAGS.model, "identity"]) {
    let due = 1;
    for await (const { sk, request } of readItems(two.table, { pk: logPartition(ledger) })) {
      const revision = Number(sk);
      const write = byRequest.get(String(request));
      if (revision !== due++) faults.push(`the log of ${ledger} has revision ${revision} out of order`);
      if (!write && !(ledger === "identity" && revision === 1))
        faults.push(`nobody was told of revision ${revision} of ${ledger}`);
      if (write?.at?.ledger === ledger && write.at.revision !== revision)
        faults.push(`${name(write)} is at ${revision}`);
      found.add(String(request));
    }
  }
  for (const write of writes) if (!found.has(write.request)) faults.push(`${name(write)} is in no log`);
  for (const modelId of models) faults.push(...(await findHistoryFaults(two, modelId, byRequest)));
  return [...faults, ...(await findAuditFaults(two, writes)), ...(await findAnswerFaults(two))];
}

const isModel = (ledger: string) => ledger !== TAGS.model && ledger !== "identity";
const name = ({ release, sent, at, request }: Acknowledged) =>
  `${release} ${sent.action} ${JSON.stringify(sent.payload.body).slice(0, 200)} at ${JSON.stringify(at)} ${request}`;

type Row = Readonly<Record<string, unknown>> & { readonly revision: number; readonly requestId: string };

/** Reads all rows of a list, page by page. */
async function readRows({ call }: TwoReleases, release: Release, action: string, payload: object): Promise<Body[]> {
  const rows: Body[] = [];
  let cursor: string | undefined;
  do {
    const page = { ...payload, limit: 1_000, ...(cursor !== undefined && { cursor }) };
    const { body, headers } = await call(release, action, page);
    rows.push(...body.items);
    cursor = /[?&]cursor=([^&>]+)/.exec(headers.link ?? "")?.[1];
  } while (cursor !== undefined);
  return rows;
}

/** Reads the whole history of a model, deleted or not, from one release. */
async function readHistory(two: TwoReleases, release: Release, id: string): Promise<readonly Row[]> {
  const modelRef = `id:${id}`;
  const versions = await readRows(two, release, "model/history_versions", { modelRef });
  const rows: Row[] = [];
  for (const version of [...versions.toReversed().map((one) => one.version), undefined]) {
    const range = { modelRef, ...(version && { version }) };
    rows.push(...(await readRows(two, release, "model/history_version_changes", range)));
  }
  return rows;
}

async function findHistoryFaults(two: TwoReleases, id: string, writes: ReadonlyMap<string, Acknowledged>) {
  const [earlier = [], present = []] = await Promise.all(RELEASES.map((release) => readHistory(two, release, id)));
  const faults: string[] = [];
  let revision = 0;
  for (const [i, { run, source, ...facts }] of present.entries()) {
    const write = writes.get(facts.requestId);
    // The earlier release shows neither.
    if (!isDeepStrictEqual(facts, earlier[i])) faults.push(`the histories of ${id} differ at ${JSON.stringify(facts)}`);
    if (facts.revision !== revision && facts.revision !== revision + 1)
      faults.push(`the history of ${id} has revision ${facts.revision} after ${revision}`);
    revision = facts.revision;
    if (!write) continue;
    if (run !== write.headers.run?.slice("id:".length)) faults.push(`${name(write)} has the run ${run}`);
    if ((source !== undefined) !== hasSource(write)) faults.push(`${name(write)} has the source ${source}`);
  }
  if (earlier.length !== present.length)
    faults.push(`the histories of ${id} have ${earlier.length}, ${present.length} rows`);
  const rows = Map.groupBy(present, ({ requestId }) => requestId);
  for (const write of writes.values()) {
    if (write.at?.ledger !== id) continue;
    const own = rows.get(write.request) ?? [];
    const effect = describeEffect(write);
    if (own.length === 0) faults.push(`${name(write)} is not in the history`);
    else if (effect && !own.some((row) => matches(row, effect)))
      faults.push(`${name(write)} has no row ${JSON.stringify(effect)}`);
  }
  return faults;
}

/** The present release names the revision that was restored or undone, and the source that an import gives. */
const hasSource = ({ release, sent }: Acknowledged) =>
  release === "present" &&
  (/^model\/model_(restore|undo)$/.test(sent.action) || "source" in (sent.payload.body as object));

/** The row of the history that a write must have; undefined for writes of many objects. */
function describeEffect({ sent, body }: Acknowledged): object | undefined {
  const [, made, member = "", ended] =
    /_(?:(create)|update_(name|description|key|authority)|(delete))$/.exec(sent.action) ?? [];
  if (sent.action.includes("role_") || /^(tag\/tag_global|property)/.test(sent.action)) return undefined;
  if (made) return { change: "create", id: body.id, key: body.key };
  if (ended) return { change: "delete", id: body.id };
  const { value, name: newName } = sent.payload.body as Readonly<Record<string, string>>;
  return member === "" ? undefined : { change: "update", id: body.id, after: { [member]: value ?? newName } };
}

/** Tests a row. Its members have these values, and no other member of the object changed. */
const matches = (row: Row, wanted: object) =>
  Object.entries(wanted).every(([member, value]) => isDeepStrictEqual(row[member], value));

/** Members of audit entries that the earlier release does not show. */
const LATER_FACTS = ["clientRequestId", "gatewayRequestId", "address", "run", "session", "tokenEpoch"];

async function findAuditFaults(two: TwoReleases, writes: readonly Acknowledged[]): Promise<readonly string[]> {
  const [earlier = [], present = []] = await Promise.all(
    RELEASES.map((release) => readRows(two, release, "auth/audit_list", {})),
  );
  const faults: string[] = [];
  const omit = (entry: Body) =>
    Object.fromEntries(Object.entries(entry).filter(([member]) => !LATER_FACTS.includes(member)));
  if (!isDeepStrictEqual(earlier, present.map(omit))) faults.push("the audit logs differ");
  for (const write of writes.filter(({ sent }) => sent.action.startsWith("auth/"))) {
    const [entry, ...others] = present.filter(({ requestId }) => requestId === write.request);
    if (!entry || others.length > 0) faults.push(`${name(write)} has ${others.length} other audit entries`);
    else if ((entry.address !== undefined) !== (write.release === "present"))
      faults.push(`${name(write)} has the address ${entry.address}`);
  }
  return faults;
}

/** Name of models that do not fit into an answer. */
export const LARGE = "large";

/** Reads of all that there is, which both releases answer alike. */
const LISTS = ["model/model_list", "tag/tag_group_list", "tag/tag_search"];
const ACCOUNT_LISTS = ["role_list", "user_list", "actor_list", "service_account_list", "token_list"];

/** Omits facts that the earlier release does not show, and definitions whose texts each release has itself. */
const omitLater = (body: Body): Body => {
  if (!Array.isArray(body?.items)) return body;
  const items = body.items.filter((row: Body) => !row.comesWithService);
  return { ...body, items: items.map(({ run: _run, source: _source, ...row }: Body) => row) };
};

async function findAnswerFaults({ run }: TwoReleases): Promise<readonly string[]> {
  const faults: string[] = [];
  const compare = async (action: string, payload: object = {}): Promise<Body> => {
    const [earlier, present] = await Promise.all(
      RELEASES.map(async (release) => omitLater(await run(release, action, payload))),
    );
    if (!isDeepStrictEqual(earlier, present))
      faults.push(`${action} ${JSON.stringify(payload)}: ${JSON.stringify(earlier)} and ${JSON.stringify(present)}`);
    return present;
  };
  for (const action of [...LISTS, "property/definition_list", ...ACCOUNT_LISTS.map((one) => `auth/${one}`)])
    await compare(action);
  for (const { id, name } of await run("present", "model/model_list")) {
    if (name === LARGE) continue;
    const modelRef = `id:${id}`;
    await compare("model/model_export", { modelRef });
    await compare("model/model_get", { modelRef });
    const { items } = await compare("model/history_versions", { modelRef });
    for (const { version } of items.slice(0, 2)) await compare("model/model_export", { modelRef, version });
  }
  return faults;
}
