import { isDeepStrictEqual } from "node:util";
import { IDENTITY, logPartition, TAGS } from "../../../shared/store/table/keys.ts";
import { partition } from "../../store/support/check-model.ts";
import type { Body } from "../../support/world.ts";
import { isRead, type MixedCall } from "./mixed-calls.ts";
import { RELEASES, type Release, type Reply, type TwoReleases } from "./two-releases.ts";

/** A write that a release acknowledged, with the revision that its answer names. */
interface Acknowledged extends MixedCall {
  readonly request: string;
  readonly at: At | undefined;
  readonly body: Body;
}

interface At {
  readonly ledger: string;
  readonly revision: number;
}

/** Refusals that a call may get because of others, or of what it asks for. */
const REFUSALS: ReadonlySet<string> = new Set([
  ...["not_found", "key_taken", "still_used", "too_few_roles", "not_deleted", "version_not_greater", "merge_conflict"],
  ...["bad_parameters", "bad_precondition", "precondition_failed", "contention", "too_large", "unavailable"],
]);

/** Name of models that do not fit into an answer. */
export const LARGE = "large";

/** Calls to both releases, the writes that these acknowledged, and the faults of their answers. */
export class Ledger {
  readonly writes: Acknowledged[] = [];
  readonly faults: string[] = [];
  /** Calls by release and outcome. */
  readonly counts: Record<string, number> = {};
  /** Newest acknowledged revisions. */
  readonly #newest = new Map<string, number>();

  async send({ call }: Pick<TwoReleases, "call">, mixed: MixedCall): Promise<Reply> {
    const { release, sent, headers } = mixed;
    const before = new Map(this.#newest);
    const reply = await call(release, sent.action, sent.payload.body as object, headers);
    const { status, body } = reply;
    const outcome = status < 400 ? "done" : body.code;
    this.counts[`${release} ${outcome}`] = (this.counts[`${release} ${outcome}`] ?? 0) + 1;
    const at = readTag(reply);
    const known = before.get(at?.ledger ?? "") ?? 0;
    if (status >= 400 && !REFUSALS.has(outcome)) this.faults.push(`${JSON.stringify(mixed)}: ${JSON.stringify(body)}`);
    if (status === 200 && isRead(sent) && at && at.revision < known)
      this.faults.push(`${JSON.stringify(mixed)} read revision ${at.revision} after ${known} was acknowledged`);
    const isNew = status === 200 && body.changed && !body.dryRun && !reply.headers["idempotency-replayed"];
    if (isNew) this.acknowledge(mixed, reply, at, body);
    return reply;
  }

  /** Adds a write that was acknowledged by an answer or by a job. */
  acknowledge(call: MixedCall, { headers }: Reply, at: At | undefined, body: Body): void {
    this.writes.push({ ...call, at, body, request: headers["x-request-id"] ?? "" });
    if (at) this.#newest.set(at.ledger, Math.max(at.revision, this.#newest.get(at.ledger) ?? 0));
  }
}

function readTag({ headers }: Reply): At | undefined {
  const [, ledger, revision] = /^"(.+)-(\d+)(?:\.\d+)?"$/.exec(headers.etag ?? "") ?? [];
  return ledger === undefined ? undefined : { ledger, revision: Number(revision) };
}

type Writes = ReadonlyMap<string, Acknowledged>;

/** Compares both releases and the table with the acknowledged writes. Returns the differences as sentences. */
export async function findLosses(two: TwoReleases, { writes }: Ledger): Promise<readonly string[]> {
  const faults: string[] = [];
  const byRequest: Writes = new Map(writes.map((write) => [write.request, write]));
  const ledgers = new Set([TAGS.model, IDENTITY, ...writes.flatMap(({ at }) => at?.ledger ?? [])]);
  const logged = new Set<unknown>();
  for (const ledger of ledgers) {
    for (const [i, { sk, request }] of (await partition(two.table, logPartition(ledger))).entries()) {
      const write = byRequest.get(String(request));
      logged.add(request);
      if (Number(sk) !== i + 1) faults.push(`the log of ${ledger} has revision ${sk} at ${i + 1}`);
      if (!write && !(ledger === IDENTITY && i === 0)) faults.push(`nobody was told of revision ${sk} of ${ledger}`);
      if (write?.at?.ledger === ledger && write.at.revision !== i + 1) faults.push(`${describe(write)} is at ${sk}`);
    }
    if (ledger !== TAGS.model && ledger !== IDENTITY) faults.push(...(await findHistoryFaults(two, ledger, byRequest)));
  }
  for (const write of writes) if (!logged.has(write.request)) faults.push(`${describe(write)} is in no log`);
  return [...faults, ...(await findAuditFaults(two, byRequest)), ...(await findAnswerFaults(two))];
}

const describe = ({ release, sent, at, request }: Acknowledged) =>
  `${release} ${sent.action} ${JSON.stringify(sent.payload.body).slice(0, 200)} at ${JSON.stringify(at)} ${request}`;

/** Reads all rows of a list from both releases, page by page. */
const readRows = ({ call }: TwoReleases, action: string, payload: object) =>
  Promise.all(
    RELEASES.map(async (release) => {
      const rows: Body[] = [];
      let cursor: string | undefined;
      do {
        const page = { ...payload, limit: 1_000, ...(cursor !== undefined && { cursor }) };
        const { body, headers } = await call(release, action, page);
        rows.push(...body.items);
        cursor = /[?&]cursor=([^&>]+)/.exec(headers.link ?? "")?.[1];
      } while (cursor !== undefined);
      return rows;
    }),
  );

/** Members that only the present release shows. */
const LATER_MEMBERS = ["run", "source", "clientRequestId", "gatewayRequestId", "address", "session", "tokenEpoch"];
export const omitLater = (row: Body): Body =>
  Object.fromEntries(Object.entries(row).filter(([member]) => !LATER_MEMBERS.includes(member)));

async function findHistoryFaults(two: TwoReleases, id: string, writes: Writes): Promise<readonly string[]> {
  const faults: string[] = [];
  const modelRef = `id:${id}`;
  const [versions = []] = await readRows(two, "model/history_versions", { modelRef });
  const rows: Body[] = [];
  for (const version of [...versions.toReversed().map((one) => one.version), undefined]) {
    const range = { modelRef, ...(version && { version }) };
    const [earlier = [], present = []] = await readRows(two, "model/history_version_changes", range);
    if (!isDeepStrictEqual(earlier, present.map(omitLater))) faults.push(`the histories of ${id} differ`);
    rows.push(...present);
  }
  for (const [i, { revision, requestId, run, source }] of rows.entries()) {
    const before = rows[i - 1]?.revision ?? 0;
    if (revision !== before && revision !== before + 1) faults.push(`${id}: revision ${revision} follows ${before}`);
    const write = writes.get(requestId);
    if (!write) continue;
    if (run !== write.headers.run?.slice("id:".length)) faults.push(`${describe(write)} has the run ${run}`);
    if ((source !== undefined) !== hasSource(write)) faults.push(`${describe(write)} has the source ${source}`);
  }
  for (const write of writes.values()) {
    if (write.at?.ledger !== id) continue;
    const effect = Object.entries(describeEffect(write));
    const own = rows.filter(({ requestId }) => requestId === write.request);
    if (!own.some((row) => effect.every(([member, value]) => isDeepStrictEqual(row[member], value))))
      faults.push(`${describe(write)} has no row with ${JSON.stringify(effect)}`);
  }
  return faults;
}

/** The present release names the revision that was restored or undone, and the source that an import gives. */
const hasSource = ({ release, sent }: Acknowledged) =>
  release === "present" &&
  (/^model\/model_(restore|undo)$/.test(sent.action) || "source" in (sent.payload.body as object));

/** Members of the row of the history that a write must have. No other member of the object changed. */
function describeEffect({ sent, body }: Acknowledged): object {
  const [, made, member, deleted] =
    /_(?:(create)|update_(name|description|key|authority)|(delete))$/.exec(sent.action) ?? [];
  if (sent.action.includes("role_")) return {};
  if (made) return { change: "create", id: body.id, key: body.key };
  if (deleted) return { change: "delete", id: body.id };
  const { value, name } = sent.payload.body as Readonly<Record<string, string>>;
  return member === undefined ? {} : { change: "update", id: body.id, after: { [member]: value ?? name } };
}

async function findAuditFaults(two: TwoReleases, writes: Writes): Promise<readonly string[]> {
  const [earlier = [], present = []] = await readRows(two, "auth/audit_list", {});
  const faults = isDeepStrictEqual(earlier, present.map(omitLater)) ? [] : ["the audit logs differ"];
  const entries = Map.groupBy(present, ({ requestId }) => requestId);
  for (const write of writes.values()) {
    if (!write.sent.action.startsWith("auth/")) continue;
    const [entry, ...others] = entries.get(write.request) ?? [];
    if (!entry || others.length > 0 || "address" in entry !== (write.release === "present"))
      faults.push(`${describe(write)} has the audit entries ${JSON.stringify([entry, ...others])}`);
  }
  return faults;
}

const LISTS = ["tag/tag_group_list", "tag/tag_search", "property/definition_list"];
const ACCOUNT_LISTS = ["role_list", "user_list", "actor_list", "service_account_list", "token_list"];

/** Compares the answers of both releases to reads of all that there is. */
async function findAnswerFaults({ run }: TwoReleases): Promise<readonly string[]> {
  const faults: string[] = [];
  const compare = async (action: string, payload: object = {}): Promise<Body> => {
    const read = async (release: Release) => {
      const body = await run(release, action, payload);
      // Each release has texts of its own for definitions that come with it.
      return body.items?.filter((row: Body) => !row.comesWithService).map(omitLater) ?? body;
    };
    const [earlier, present] = await Promise.all(RELEASES.map(read));
    if (!isDeepStrictEqual(earlier, present)) faults.push(`${action} ${JSON.stringify([payload, earlier, present])}`);
    return present;
  };
  for (const action of [...LISTS, ...ACCOUNT_LISTS.map((name) => `auth/${name}`)]) await compare(action);
  for (const { id, name } of await compare("model/model_list")) {
    if (name === LARGE) continue;
    const modelRef = `id:${id}`;
    for (const action of ["model/model_export", "model/model_get"]) await compare(action, { modelRef });
    const versions: Body[] = await compare("model/history_versions", { modelRef });
    for (const { version } of versions.slice(0, 2)) await compare("model/model_export", { modelRef, version });
  }
  return faults;
}
