import type { Call } from "../../actions/contract/call.ts";
import type { AuditActor, AuditChange, AuditEntry } from "../../domain/audit.ts";
import type { Change } from "../../domain/change.ts";
import { ifDefined } from "../../domain/content.ts";
import type { KindName } from "../../domain/kind-names.ts";
import { LIMITS } from "../../domain/limits.ts";
import type { AnyObject, ObjectByKind } from "../../domain/objects.ts";
import { sameValue } from "../../domain/same-value.ts";
import { auditKey, type ItemKey } from "../table/keys.ts";
import { type Packed, pack, unpack } from "../table/packed.ts";
import { FORMAT, type Item } from "../table/table.ts";
import { TABLE } from "../table/table-schema.ts";
import type { GuardedWrite } from "./writes.ts";

/** The fields of each kind that audit entries show. A field that is not named here, such as a hash, is never in the audit log. */
const AUDITED: { readonly [N in KindName]?: readonly (keyof ObjectByKind[N])[] } = {
  user: ["fullname", "passwordChangedAt", "disabledAt"],
  actor: [
    "issuer",
    "fullname",
    "email",
    "roles",
    "scopedRoles",
    "claimedRoles",
    "tokenEpoch",
    "validAfter",
    "disabledAt",
  ],
  role: ["key", "name", "description", "permissions", "autoAssign"],
  api_token: ["owner", "name", "permissions", "models", "expiresAt"],
};
/** Characters after which a text is cut. */
const TEXT_CHARACTERS = 100;

/** The facts of a call that an entry repeats. */
export type AuditedCall = Pick<Call, "operationId" | "requestId" | "action" | "channel" | "principal" | "time">;

type Fields = Omit<AuditEntry, "id" | "time">;
type Stored = Omit<Fields, "changes"> & { readonly changes?: Packed };

/** An entry as it is stored, until its time is over. */
export function auditItem(key: ItemKey, fields: Fields): Item {
  const kept = Math.floor(Date.parse(timeOf(key.sk)) / 1000) + LIMITS.auditDays * 86_400;
  // Packed, the members of the changes keep their order.
  const changes = fields.changes && { changes: pack(fields.changes) };
  return { ...key, v: FORMAT, ...fields, ...changes, [TABLE.timeToLive]: kept };
}

/** The entry an item holds; its id and its time stand in the sort key. The table keeps no order of members. */
export function auditEntryOf(item: Item): AuditEntry {
  // Written by `auditItem`.
  const { sk, act, outcome, actor, ...rest } = item as Item & Stored;
  return {
    id: sk,
    time: timeOf(sk),
    act,
    outcome,
    ...ifDefined("actor", actor && { ...ifDefined("id", actor.id), subject: actor.subject }),
    ...ifDefined("requestId", rest.requestId),
    ...ifDefined("channel", rest.channel),
    ...ifDefined("apiToken", rest.apiToken),
    ...ifDefined("count", rest.count),
    ...ifDefined("until", rest.until),
    ...(rest.changes !== undefined && { changes: unpack(rest.changes) as readonly AuditChange[] }),
  };
}

const timeOf = (sk: string): string => sk.slice(0, sk.indexOf("#"));

/** The entry of an act that was done, written once and never changed. */
export function auditWrite(
  call: AuditedCall,
  changes: readonly Change[],
  actor: AuditActor | undefined = actorOf(call),
): GuardedWrite {
  const told = changes.map(auditChange).filter(({ change, before, after }) => change !== "update" || before || after);
  const put = auditItem(auditKey(call.time, call.operationId), {
    act: call.action,
    outcome: "ok",
    ...ifDefined("actor", actor),
    requestId: call.requestId,
    channel: call.channel,
    ...ifDefined("apiToken", call.principal?.apiToken),
    ...(told.length > 0 && { changes: told }),
  });
  return { write: { put, expect: { absent: true } } };
}

function actorOf({ principal }: AuditedCall): AuditActor | undefined {
  return principal && { id: principal.actorId, subject: principal.subject };
}

function auditChange(change: Change): AuditChange {
  if (change.does === "update") {
    const [before, after] = [told(change.before, change.after), told(change.after, change.before)];
    return { ...named("update", change.after), ...ifDefined("before", before), ...ifDefined("after", after) };
  }
  if (change.does === "create") return { ...named("create", change.after), ...ifDefined("after", told(change.after)) };
  return { ...named("delete", change.before), ...ifDefined("before", told(change.before)) };
}

function named(change: AuditChange["change"], object: AnyObject): Omit<AuditChange, "before" | "after"> {
  const { kind, id } = object;
  const name = kind === "actor" ? object.subject : kind === "api_token" ? object.name : object.key;
  return { change, kind, id, name };
}

/** The fields that differ from those of the other side; undefined where none does. */
function told(object: AnyObject, other?: AnyObject): Readonly<Record<string, unknown>> | undefined {
  const [fields, others]: Readonly<Record<string, unknown>>[] = [{ ...object }, { ...other }];
  const names: readonly string[] = AUDITED[object.kind] ?? [];
  const shown = names.filter((name) => !sameValue(fields?.[name], others?.[name]));
  if (shown.length === 0) return undefined;
  // Null stands for a member that is not there.
  return Object.fromEntries(shown.map((name) => [name, cut(fields?.[name] ?? (other ? null : undefined))]));
}

/** A value as an audit entry shows it: long texts are cut, and members of objects are sorted. */
function cut(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(cut);
  if (typeof value === "object" && value !== null) {
    return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
  }
  const characters = typeof value === "string" ? [...value] : [];
  return characters.length > TEXT_CHARACTERS ? `${characters.slice(0, TEXT_CHARACTERS).join("")}…` : value;
}
