import * as z from "zod/mini";
import { sessionId } from "../../domain/accounts/account-types.ts";
import type { AuditEntry } from "../../domain/accounts/audit.ts";
import { addEndedSession, isEndedSession, type Session } from "../../domain/accounts/sessions.ts";
import { LIMITS } from "../../domain/limits.ts";
import { type Change, updateChanges } from "../../domain/model/changes.ts";
import type { Actor } from "../../domain/model/objects.ts";
import { Problem } from "../../domain/problems.ts";
import { actorRef } from "../../domain/values/ref-types.ts";
import { flag } from "../../domain/values/value-types.ts";
import { createNamedSchema, describe, describeText, writtenOutput } from "../building/answers.ts";
import { createListOutput, pagingParams, toReading } from "../building/reads.ts";
import type { Action, Ports } from "../contract/action.ts";
import type { Call } from "../contract/call.ts";
import { defineAction } from "../contract/define-action.ts";
import { allowParam, requireParam } from "../contract/params.ts";
import type { Page, Rows } from "../contract/view.ts";
import { endTokens } from "./account-changes.ts";
import { toActorSubject } from "./actor.ts";
import { toAuditPage } from "./audit.ts";
import { findVisibleActor } from "./token.ts";

const ofSessions = { group: "auth", rule: "signed_in", apiTokens: "refused", ledger: "identity" } as const;

const logout = defineAction({
  ...ofSessions,
  name: "logout",
  title: "Sign out",
  description:
    "Ends the session of the access token of the call: the token is refused from now on. " +
    "Other sessions of the caller continue, unless `everywhere` is true. " +
    "A token without an id (`jti`) belongs to no single session, so all sessions of the caller end.",
  intent: "update",
  input: {
    everywhere: allowParam(flag, "True to end all sessions of the caller; API tokens stay valid."),
  },
  output: writtenOutput,
  errors: [],
  example: {},
  run: async ({ input, call, caller: { actor } }) => {
    const session = call.principal?.session;
    const changes = session && !input.everywhere ? endSession(actor, session, call) : endAllSessions(actor, call);
    return { subject: toActorSubject(actor), changes };
  },
});

const sessionList = defineAction({
  ...ofSessions,
  name: "session_list",
  title: "List sessions",
  description:
    "Lists the sessions of the caller, newest first: sign-ins with a password whose access tokens are still valid. " +
    "Sign-ins at other issuers are listed there. An administrator may list those of another actor. " +
    `One call reads at most ${LIMITS.sessionScanned} entries of the audit log, so a page may have fewer rows than requested; ` +
    "the `Link` header shows if there are more.",
  intent: "read",
  input: {
    actorRef: allowParam(actorRef, "The actor of the sessions; the caller unless given."),
    ...pagingParams,
  },
  output: createListOutput("The sessions.", () =>
    createNamedSchema("Session", {
      id: describeText("Id of the session, as `session_end` takes it."),
      signedInAt: z.string(),
      expiresAt: z.string(),
      current: describe(z.boolean(), "True for the session of this call."),
      channel: describeText("What the caller signed in with, such as `cli`."),
    }),
  ),
  errors: ["not_found"],
  example: {},
  run: async ({ input, view, ports, call }) => {
    const owner = await findVisibleActor(view, input.actorRef, call);
    const rows = await listSignIns(owner, toAuditPage(input), ports, call);
    return toReading(rows, (entries) => ({
      items: entries.flatMap((entry) => {
        const session = findOpenSession(entry, owner, ports);
        if (!session) return [];
        const { id, expiresAt } = session;
        return {
          id,
          signedInAt: entry.time,
          expiresAt: new Date(expiresAt * 1_000).toISOString(),
          current: id === call.principal?.session?.id,
          channel: entry.channel ?? "http",
        };
      }),
    }));
  },
});

const sessionEnd = defineAction({
  ...ofSessions,
  name: "session_end",
  title: "End session",
  description:
    "Ends a session of the caller, or of another actor if the caller is an administrator: its access token is refused from now on.",
  intent: "update",
  input: {
    sessionId: requireParam(sessionId, "The session, as in `session_list`."),
    actorRef: allowParam(actorRef, "The actor of the session; the caller unless given."),
  },
  output: writtenOutput,
  errors: ["not_found"],
  example: { sessionId: "WxTDRMlKdYEzqm_YImBkLg", actorRef: "key:grace" },
  run: async ({ input, view, ports, call }) => {
    const owner = await findVisibleActor(view, input.actorRef, call);
    let page: Page = {};
    for (;;) {
      const { items, next } = await listSignIns(owner, page, ports, call);
      const session = items.map((entry) => findOpenSession(entry, owner, ports)).find((s) => s?.id === input.sessionId);
      // The token was created after the call began.
      const until = session && { ...session, expiresAt: session.expiresAt + LIMITS.callMs / 1_000 };
      if (until) return { subject: toActorSubject(owner), changes: endSession(owner, until, call) };
      if (next === undefined) throw new Problem("not_found", `no open session ${input.sessionId}`);
      page = { after: next };
    }
  },
});

/** Lists the audit entries of an actor since the time from which tokens can still be valid. */
async function listSignIns(owner: Actor, page: Page, ports: Ports, { time }: Call): Promise<Rows<AuditEntry>> {
  const from = new Date(Date.parse(time) - getTokenSeconds(ports) * 1_000).toISOString();
  return ports.audit.list({ actorId: owner.id, from, mostEntries: LIMITS.sessionScanned }, page);
}

const getTokenSeconds = ({ service }: Ports) => service.tokenSeconds ?? LIMITS.tokenSeconds;

/** Returns the session that an audit entry is the sign-in of, unless it has ended. */
function findOpenSession({ session, tokenEpoch, time }: AuditEntry, owner: Actor, ports: Ports): Session | undefined {
  // Only the entry of a sign-in has an epoch.
  if (session === undefined || tokenEpoch === undefined || tokenEpoch !== (owner.tokenEpoch ?? 0)) return undefined;
  if (isEndedSession(owner.endedSessions, { id: session })) return undefined;
  return { id: session, expiresAt: Math.floor(Date.parse(time) / 1_000) + getTokenSeconds(ports) };
}

/** Returns the changes that end a session, or all of them if too many have ended whose tokens could be valid. */
function endSession(actor: Actor, session: Session, call: Call): readonly Change[] {
  const endedSessions = addEndedSession(actor.endedSessions, session, Date.parse(call.time) / 1_000);
  return endedSessions ? updateChanges(actor, { endedSessions }) : endAllSessions(actor, call);
}

function endAllSessions(actor: Actor, call: Call): readonly Change[] {
  const { tokenEpoch, validAfter } = endTokens(actor, call);
  return updateChanges(actor, { tokenEpoch, validAfter, endedSessions: undefined });
}

export const sessionActions = [logout, sessionList, sessionEnd] as const satisfies readonly Action[];
