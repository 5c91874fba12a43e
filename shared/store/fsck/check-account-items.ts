import { isDeepStrictEqual } from "node:util";
import { judgedBy } from "../account-writes.ts";
import { idItem, idKey, objectOf } from "../items.ts";
import { ACCOUNTS, ACCOUNTS_LEDGER, passwordKey, ROLES } from "../keys.ts";
import { FORMAT, type Item } from "../seam.ts";
import type { Accounts } from "./accounts-stored.ts";
import { asRead, type Finding, putRight, remove } from "./finding.ts";

/** What is wrong with the items that lead from ids to accounts. */
export function wrongIds({ ids, users, actors, roles }: Accounts): Finding[] {
  const accounts = new Map([...users, ...actors, ...roles].map((item) => [item.id, item]));
  const strays = [...ids.values()].filter(({ sk }) => !accounts.has(sk));
  return [
    ...[...accounts.values()].flatMap((item): Finding[] => {
      const wanted = idItem(ACCOUNTS_LEDGER, objectOf(item), Number(item.revision));
      const there = ids.get(item.id);
      if (!wanted || there?.at === item.sk) return [];
      const sentence = `the id ${item.id} leads to ${there?.at ?? "nothing"}; its account is at ${item.sk}`;
      const mend = { how: "It is written.", by: [putRight(there, wanted), unmoved(item)] };
      return [{ code: "account-id", place: idKey(ACCOUNTS_LEDGER, item.id), sentence, mend }];
    }),
    ...strays.map(
      (item): Finding => ({
        code: "account-id",
        place: { pk: item.pk, sk: item.sk },
        sentence: `the id ${item.sk} leads to ${item.at}, where no account has it`,
        mend: { how: "It is deleted.", by: [remove(item)] },
      }),
    ),
  ];
}

/** Users without a password, and the other way round. */
export function wrongPasswords({ items, users }: Accounts): Finding[] {
  const names = new Set(users.map(({ key }) => passwordKey(key).sk));
  return [
    ...users
      .filter(({ key }) => !items.has(passwordKey(key).sk))
      .map(
        ({ key }): Finding => ({
          code: "password-unpaired",
          place: passwordKey(key),
          sentence: `the user ${key} has no password`,
        }),
      ),
    ...[...items.values()]
      .filter(({ sk }) => sk.startsWith(ACCOUNTS.password) && !names.has(sk))
      .map(
        (item): Finding => ({
          code: "password-unpaired",
          place: { pk: item.pk, sk: item.sk },
          sentence: `there is a password at ${item.sk}, but no such user`,
          mend: { how: "It is deleted.", by: [{ delete: { pk: item.pk, sk: item.sk }, expect: hashOf(item) }] },
        }),
      ),
  ];
}

function hashOf({ hash }: Item) {
  return { equal: { hash: String(hash) } };
}

/** The item that callers are judged by has to hold every role, and no other. */
export function wrongJudgement({ items, roles }: Accounts): Finding[] {
  const item = items.get(ROLES.sk);
  const byId = (list: readonly Readonly<Record<string, unknown>>[]) =>
    [...list].sort((a, b) => (String(a.id) < String(b.id) ? -1 : 1));
  const wanted = byId(roles.map((role) => judgedBy(role)));
  // Written with the first administrator, so that before there may be none.
  const stored = byId((item?.roles ?? []) as readonly Readonly<Record<string, unknown>>[]);
  if (isDeepStrictEqual(stored, wanted)) return [];
  const sentence = "the roles that callers are judged by are not those there are";
  const revision = Math.max(0, Number(item?.revision ?? 0), ...roles.map((role) => role.revision));
  const put = { ...ROLES, v: FORMAT, roles: wanted, revision };
  const mend = { how: "They are written from the roles.", by: [putRight(item, put), ...roles.map(unmoved)] };
  return [{ code: "roles-judged", place: ROLES, sentence, mend }];
}

/** The item is still as it was read. */
function unmoved(item: Item) {
  return { check: { pk: item.pk, sk: item.sk }, expect: asRead(item) };
}
