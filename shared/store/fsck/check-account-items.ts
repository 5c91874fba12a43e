import { isDeepStrictEqual } from "node:util";
import { BUILT_IN } from "../../domain/principal.ts";
import type { JudgedRole } from "../../identity/accounts.ts";
import { idKey } from "../table/items.ts";
import { judgedBy } from "../table/judged-item.ts";
import { judgedRoles } from "../table/judged-roles.ts";
import { ACCOUNTS, ACCOUNTS_LEDGER, passwordKey, ROLES } from "../table/keys.ts";
import type { Accounts } from "./accounts-stored.ts";
import type { Finding } from "./finding.ts";

/*
 * No finding of this file is mended: only a person can take back or complete the change that left it.
 */

/** Findings for the items that lead from ids to accounts. */
export function wrongIds({ ids, users, actors, roles, tokens }: Accounts): Finding[] {
  const accounts = new Map([...users, ...actors, ...roles, ...tokens].map((item) => [item.id, item]));
  const strays = [...ids.values()].filter(({ sk }) => !accounts.has(sk));
  return [
    ...[...accounts.values()].flatMap((item): Finding[] => {
      const there = ids.get(item.id);
      if (there?.at === item.sk) return [];
      const sentence = `the id ${item.id} leads to ${there?.at ?? "nothing"}; its account is at ${item.sk}`;
      return [{ code: "account-id", place: idKey(ACCOUNTS_LEDGER, item.id), sentence }];
    }),
    ...strays.map(
      (item): Finding => ({
        code: "account-id",
        place: { pk: item.pk, sk: item.sk },
        sentence: `the id ${item.sk} leads to ${item.at}, where no account has it`,
      }),
    ),
  ];
}

/** Findings for users without a password, passwords without a user, and passwords of another epoch than their user's tokens. */
export function wrongPasswords({ items, users, actors }: Accounts): Finding[] {
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
        }),
      ),
    ...actors.flatMap(({ issuer, subject, tokenEpoch }): Finding[] => {
      const password = issuer === BUILT_IN ? items.get(passwordKey(subject).sk) : undefined;
      if (!password || password.epoch === tokenEpoch) return [];
      const sentence = `the password of ${subject} is of the epoch ${password.epoch}, the actor's tokens of ${tokenEpoch}; give the user another password`;
      return [{ code: "password-epoch", place: passwordKey(subject), sentence }];
    }),
  ];
}

/** Findings for the item by which callers are judged: it has to hold every role, and no other. */
export function wrongJudgement({ items, roles }: Accounts): Finding[] {
  const byId = (list: readonly JudgedRole[]) => [...list].sort((a, b) => (a.id < b.id ? -1 : 1));
  const wanted = byId(roles.map((role) => judgedBy(role)));
  // The item is written with the first administrator; before that there may be none.
  const stored = byId(judgedRoles(items.get(ROLES.sk)));
  if (isDeepStrictEqual(stored, wanted)) return [];
  const sentence = "the roles that callers are judged by are not those there are";
  return [{ code: "roles-judged", place: ROLES, sentence }];
}
