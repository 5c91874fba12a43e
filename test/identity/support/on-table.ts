import { Problem } from "../../../shared/domain/problems.ts";
import { createIdentity, type IdentityTerms } from "../../../shared/identity/identity.ts";
import { createAccountStore } from "../../../shared/store/accounts/account-store.ts";
import type { Table } from "../../../shared/store/table/table.ts";
import { freshTable } from "../../support/table.ts";
import { bootstrapCall, createService, FIRST, type TestService } from "./service.ts";

/** A service with its first administrator over a real table, so that counters are as durable as they are. */
export async function onTable(change: Partial<IdentityTerms> = {}): Promise<TestService & { readonly table: Table }> {
  const made = await createService(change);
  const table = await freshTable();
  const accounts = createAccountStore(table, made.clock);
  const terms = { ...made.terms, accounts };
  const service = { ...made, table, terms, identity: createIdentity(terms) };
  await service.identity.bootstrap(FIRST, bootstrapCall(service.clock));
  service.hashed.length = 0;
  return service;
}

/** The outcome of an attempt to sign in: the code of its problem, or `none`. */
export interface Outcome {
  readonly code: string;
  readonly retryAfter?: number | undefined;
}

export const outcomeOf = (login: Promise<unknown>): Promise<Outcome> =>
  login.then(
    () => ({ code: "none" }),
    (error: unknown) => {
      if (!(error instanceof Problem)) throw error;
      return { code: error.code, ...(error.members.retryAfter && { retryAfter: error.members.retryAfter }) };
    },
  );
