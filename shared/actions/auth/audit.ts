import * as z from "zod/mini";
import { auditAct, auditOutcome, timestamp } from "../../domain/accounts/account-types.ts";
import { CHANNELS } from "../../domain/channels.ts";
import { LIMITS } from "../../domain/limits.ts";
import { omitUndefined } from "../../domain/model/content.ts";
import { objectId } from "../../domain/values/model-types.ts";
import { createNamedSchema, describeInteger, describeText } from "../building/answers.ts";
import { createIdSchema, createOwnIdSchema } from "../building/ids.ts";
import { createImageByKeySchema, createImageSchema } from "../building/images.ts";
import { createCursorProblem, createListOutput, pagingParams, toPage, toReading } from "../building/reads.ts";
import { defineAction } from "../contract/define-action.ts";
import { allowParam } from "../contract/params.ts";
import type { Page } from "../contract/view.ts";
import { adminRead } from "./account-rows.ts";

const createSideSchema = (when: string) =>
  createImageSchema(`The changed members, ${when}. Long texts are cut. Objects are listed by id.`);

const createRowSchema = () =>
  createNamedSchema("AuditEntry", {
    id: describeText("Id of the entry."),
    time: describeText("ISO 8601. In a row with a count, the hour that it covers."),
    act: describeText("`<group>/<action>`, or `admin:reopen`."),
    outcome: z.enum(["ok", "refused"]),
    actor: z.optional(
      createNamedSchema("AuditActor", {
        id: z.optional(createIdSchema("actor", "Id of the actor.")),
        subject: z.string(),
      }),
    ),
    requestId: z.optional(describeText("Id of the request.")),
    clientRequestId: z.optional(describeText("Id that the caller gave the request in `X-Request-Id`.")),
    gatewayRequestId: z.optional(describeText("Id of the request in the access log of API Gateway.")),
    address: z.optional(
      describeText(
        "The network address of the caller, as far as it is recorded; in a row with a count, of the last act.",
      ),
    ),
    channel: z.optional(z.enum([...CHANNELS, "operator"])),
    run: z.optional(createOwnIdSchema("Id of the run, as `run_get` reads it.")),
    apiToken: z.optional(createIdSchema("api_token", "Id of the API token of the call.")),
    session: z.optional(describeText("Id of the session of the call; for a sign-in, of the one that it begins.")),
    count: z.optional(describeInteger("The number of refused acts in this row.")),
    until: z.optional(describeText("The time of the last of these acts.")),
    changes: z.optional(
      z.array(
        createNamedSchema("AuditChange", {
          change: z.enum(["create", "update", "delete"]),
          kind: z.string(),
          id: createOwnIdSchema("Id of the object."),
          name: describeText("The key of a user or role, the subject of an actor, or the name of an API token."),
          before: createSideSchema("before the change"),
          beforeByKey: createImageByKeySchema("before"),
          after: createSideSchema("after the change"),
          afterByKey: createImageByKeySchema("after"),
        }),
      ),
    ),
  });

export const auditList = defineAction({
  ...adminRead,
  name: "audit_list",
  title: "List audit entries",
  description:
    `Lists the changes of users, actors, roles, passwords and API tokens, and the sign-ins, newest first. ` +
    `Wrong passwords are counted: one row for each user and hour, and one without a name for unknown usernames. ` +
    `One call reads at most ${LIMITS.auditScanned} entries, so a page may have fewer rows than requested; ` +
    `the \`Link\` header shows if there are more. Entries are kept for ${LIMITS.auditDays} days.`,
  input: {
    actorId: allowParam(objectId, "Only acts of the actor with this id, which may be deleted."),
    act: allowParam(auditAct, "Only this act."),
    outcome: allowParam(auditOutcome, "Only acts with this outcome."),
    from: allowParam(timestamp, "Only acts at or after this time."),
    until: allowParam(timestamp, "Only acts before this time."),
    ...pagingParams,
  },
  output: createListOutput("The entries.", createRowSchema),
  errors: [],
  example: { act: "auth/login", outcome: "refused" },
  run: async ({ input, ports }) => {
    const page = toAuditPage(input);
    const { actorId, act, outcome, from, until } = input;
    const filter = omitUndefined({ actorId, act, outcome, from, until });
    return toReading(await ports.audit.list(filter, page), (entries) => ({
      items: entries.map(({ tokenEpoch: _, ...row }) => row),
    }));
  },
});

/** Returns the requested page of audit entries. Throws `bad_parameters` for the cursor of another list. */
export function toAuditPage(input: Parameters<typeof toPage>[0]): Page {
  const page = toPage(input);
  if (page.after !== undefined && !isEntryPosition(page.after)) throw createCursorProblem();
  return page;
}

/** Tests for the form of an entry id, which begins with the time. Cursors hold an id. */
function isEntryPosition(text: string) {
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z#/.test(text) && !Number.isNaN(Date.parse(text.slice(0, 24)));
}
