import * as z from "zod/mini";
import { auditAct, auditOutcome, timestamp } from "../../domain/accounts/account-types.ts";
import { CHANNELS } from "../../domain/channels.ts";
import { LIMITS } from "../../domain/limits.ts";
import { optionalMember } from "../../domain/model/content.ts";
import { objectId } from "../../domain/values/model-types.ts";
import { namedObjectSchema } from "../building/answers.ts";
import { createImageByKeySchema, idSchema } from "../building/ids.ts";
import { createCursorProblem, createListOutput, pagingParams, toPage, toReading } from "../building/reads.ts";
import { defineAction } from "../contract/define-action.ts";
import { optionalParam } from "../contract/params.ts";

const imageSchema = (when: string) =>
  z.optional(
    z
      .record(z.string(), z.unknown())
      .check(z.describe(`The members that changed, ${when}; long texts are cut. Roles are named by id.`)),
  );

const rowSchema = () =>
  namedObjectSchema("AuditEntry", {
    id: z.string(),
    time: z.string().check(z.describe("ISO 8601; of a count, the hour in which it was made.")),
    act: z.string().check(z.describe("`<group>/<action>`, or `admin:reopen`.")),
    outcome: z.enum(["ok", "refused"]),
    actor: z.optional(
      namedObjectSchema("AuditActor", { id: z.optional(idSchema("actor", "Its id.")), subject: z.string() }),
    ),
    requestId: z.optional(z.string()),
    channel: z.optional(z.enum([...CHANNELS, "operator"])),
    apiToken: z.optional(idSchema("api_token", "Id of the API token the call came with.")),
    count: z.optional(z.int().check(z.describe("How many refused acts the row stands for."))),
    until: z.optional(z.string().check(z.describe("When the last one of them was."))),
    changes: z.optional(
      z.array(
        namedObjectSchema("AuditChange", {
          change: z.enum(["create", "update", "delete"]),
          kind: z.string(),
          id: z.string(),
          name: z.string().check(z.describe("Key of a user or role, subject of an actor, name of an API token.")),
          before: imageSchema("as they were"),
          beforeByKey: createImageByKeySchema("before"),
          after: imageSchema("as they became"),
          afterByKey: createImageByKeySchema("after"),
        }),
      ),
    ),
  });

/** The action `audit_list`. */
export const auditList = defineAction({
  group: "auth",
  name: "audit_list",
  title: "List audit entries",
  description: `Lists who did what to users, actors, roles, passwords and API tokens, and who signed in, newest first. Wrong passwords are counted: one row for each user and hour, and those for names that no user has under no name. One call looks at ${LIMITS.auditScanned} entries at most, so a page may hold fewer rows than asked for; the \`Link\` header tells whether there are more. Entries are kept for ${LIMITS.auditDays} days.`,
  intent: "read",
  rule: "admin",
  apiTokens: "allowed",
  input: {
    actorId: optionalParam(objectId, "Only what the actor of this id did; also of one that is gone."),
    act: optionalParam(auditAct, "Only this act."),
    outcome: optionalParam(auditOutcome, "Only acts that ended so."),
    from: optionalParam(timestamp, "Only what was called at this moment or later."),
    until: optionalParam(timestamp, "Only what was called before this moment."),
    ...pagingParams,
  },
  output: createListOutput("The entries.", rowSchema),
  errors: [],
  example: { act: "auth/login", outcome: "refused" },
  run: async ({ input, ports }) => {
    const page = toPage(input);
    if (page.after !== undefined && !isEntryPosition(page.after)) throw createCursorProblem();
    const { actorId, act, outcome, from, until } = input;
    const filter = {
      ...optionalMember("actorId", actorId),
      ...optionalMember("act", act),
      ...optionalMember("outcome", outcome),
      ...optionalMember("from", from),
      ...optionalMember("until", until),
    };
    return toReading(await ports.audit.list(filter, page), (items) => ({ items }));
  },
});

/** True for what may be the id of an entry, which a cursor of this list holds: its time stands first. */
function isEntryPosition(text: string): boolean {
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z#/.test(text) && !Number.isNaN(Date.parse(text.slice(0, 24)));
}
