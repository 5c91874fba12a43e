import { isDeepStrictEqual } from "node:util";
import type { Ambient } from "../../actions/contract/call.ts";
import { BUILT_IN } from "../../domain/principal.ts";
import { isServiceAccount } from "../../domain/service-account.ts";
import { actorKey, apiTokenKey, BOOTSTRAP, IDENTITY, type ItemKey, ROLES, userKey } from "../table/keys.ts";
import { createRetryPolicy, type RetryingTable, retryingTable } from "../table/retry.ts";
import { FORMAT, type Item, type Table } from "../table/table.ts";
import { type AccountLog, readAccountLog } from "./account-log.ts";
import { type Accounts, readAccounts } from "./accounts-stored.ts";
import { wrongIds, wrongJudgement, wrongPasswords } from "./check-account-items.ts";
import { withoutAudit } from "./check-audit.ts";
import { type Finding, type FindingCode, remove } from "./finding.ts";

/** Checks users, actors, roles and their log. Each finding has to be found twice, since accounts may change meanwhile. */
export async function checkAccounts(plainTable: Table, ambient: Ambient): Promise<CheckedAccounts> {
  const retryPolicy = createRetryPolicy(ambient);
  const table = retryingTable(plainTable, retryPolicy);
  const first = await checkOnce(table, ambient);
  if (first.findings.length === 0) return first;
  await retryPolicy.pause(1);
  const named = new Set(first.findings.map(nameOf));
  const { findings, blobs } = await checkOnce(table, ambient);
  return { findings: findings.filter((finding) => named.has(nameOf(finding))), blobs };
}

/** The accounts, checked. */
export interface CheckedAccounts {
  readonly findings: readonly Finding[];
  /** Names of the blobs that their log makes real. */
  readonly blobs: ReadonlySet<string>;
}

function nameOf({ code, place }: Finding): string {
  return `${code} ${place.pk} ${place.sk}`;
}

async function checkOnce(table: RetryingTable, ambient: Ambient): Promise<CheckedAccounts> {
  // The log is read first: the accounts it names were written with it.
  const log = await readAccountLog(table);
  const accounts = await readAccounts(table);
  const findings = [
    ...log.findings,
    ...misplaced(accounts),
    ...differing(accounts, log),
    ...unpaired(accounts),
    ...wrongRoles(accounts, log),
    ...wrongIds(accounts),
    ...wrongPasswords(accounts),
    ...wrongJudgement(accounts),
    ...wrongMark(accounts, log),
    ...(await withoutAudit(table, ambient, log.operations)),
  ];
  return { findings, blobs: log.blobs };
}

const found = (code: FindingCode, { pk, sk }: ItemKey, sentence: string): Finding => ({
  code,
  place: { pk, sk },
  sentence,
});

function misplaced({ users, actors, tokens }: Accounts): Finding[] {
  return [
    ...users
      .filter(({ sk, key }) => sk !== userKey(key).sk)
      .map((user) => found("account-misplaced", user, `the user ${user.key} is stored as ${user.sk}`)),
    ...actors
      .filter(({ sk, issuer, subject }) => sk !== actorKey(issuer, subject).sk)
      .map((actor) => found("account-misplaced", actor, `the actor ${actor.id} is stored under another subject`)),
    ...tokens
      .filter(({ sk, owner, id }) => sk !== apiTokenKey(owner, id).sk)
      .map((token) => found("account-misplaced", token, `the API token ${token.id} is stored as ${token.sk}`)),
  ];
}

function differing({ items }: Accounts, log: AccountLog): Finding[] {
  return log.accounts.flatMap(({ kind, id, at, fields }) => {
    const place = { pk: IDENTITY, sk: at };
    const stored = items.get(at);
    if (!stored) return [found("account-differs", place, `the ${kind} ${id} of the log is not stored`)];
    const values: Readonly<Record<string, unknown>> = { ...stored };
    const wrong = Object.entries(fields).filter(([name, value]) => !isDeepStrictEqual(values[name] ?? null, value));
    if (wrong.length === 0) return [];
    const names = wrong.map(([name]) => name).join(", ");
    return [found("account-differs", place, `the ${kind} ${id} and the log differ in ${names}`)];
  });
}

function unpaired({ items, users, actors, tokens }: Accounts): Finding[] {
  const findings: Finding[] = [];
  for (const user of users) {
    if (items.has(actorKey(BUILT_IN, user.key).sk)) continue;
    findings.push(found("user-without-actor", user, `the user ${user.key} has no actor`));
  }
  for (const actor of actors) {
    if (actor.issuer !== BUILT_IN || isServiceAccount(actor) || items.has(userKey(actor.subject).sk)) continue;
    findings.push(found("actor-without-user", actor, `the actor ${actor.id} has no user ${actor.subject}`));
  }
  const ids = new Set(actors.map(({ id }) => id));
  for (const token of tokens) {
    if (ids.has(token.owner)) continue;
    findings.push(found("token-without-actor", token, `the API token ${token.id} stands for no actor`));
  }
  return findings;
}

function wrongRoles({ actors, roles }: Accounts, { deleted }: AccountLog): Finding[] {
  const ids = new Set(roles.map((role) => role.id));
  const findings: Finding[] = [];
  for (const actor of actors) {
    for (const role of actor.roles) {
      // A role that was deleted stays in its actors and gives nothing.
      if (ids.has(role) || deleted.has(role)) continue;
      findings.push(found("role-unknown", actor, `the actor ${actor.id} has the role ${role}, which never was`));
    }
  }
  for (const name of ["id", "key"] as const) {
    const all = roles.map((role) => role[name]);
    const twice = all.find((value, i) => all.indexOf(value) !== i);
    if (twice !== undefined) findings.push(found("role-repeated", ROLES, `two roles have the ${name} ${twice}`));
  }
  return findings;
}

function wrongMark({ items, users }: Accounts, { bootstrap, operations }: AccountLog): Finding[] {
  const mark = items.get(BOOTSTRAP.sk);
  if (mark && operations.has(String(mark.operation))) return [];
  if (mark) {
    const sentence = "the bootstrap is marked as used by an operation that is not in the log of accounts";
    const mend = { how: "The mark is deleted, so that the bootstrap can be used.", by: [remove(mark)] };
    return [{ ...found("bootstrap-mark", BOOTSTRAP, sentence), ...(users.length === 0 && { mend }) }];
  }
  if (!bootstrap && users.length === 0) return [];
  const sentence = "there are users, but the bootstrap is not marked as used";
  if (!bootstrap) return [found("bootstrap-mark", BOOTSTRAP, sentence)];
  const { operation, time, revision } = bootstrap;
  const put: Item = { ...BOOTSTRAP, v: FORMAT, operation, time, revision };
  const mend = { how: "The mark is written from the log.", by: [{ put, expect: { absent: true } as const }] };
  return [{ ...found("bootstrap-mark", BOOTSTRAP, sentence), mend }];
}
