import { refOf } from "./bare-ref.ts";
import { EXIT, Failure, usage } from "./failure.ts";
import { formatOf, print, queried } from "./output.ts";
import { type OwnCalls, ownCalls, reading, rowsOf } from "./own-calls.ts";
import type { Terminal } from "./terminal.ts";
import { meant } from "./unknown-word.ts";
import { GRANT_FLAGS } from "./verb-flags.ts";

interface Actor {
  readonly id: string;
  readonly issuer: string;
  readonly subject: string;
  readonly email?: string;
}

interface Granted {
  readonly changed: boolean;
  readonly warnings?: readonly { readonly detail: string }[];
}

/** `metaction grant <who> <role>`: gives a role, or takes it away. */
export async function grant(place: Terminal, given: readonly string[]): Promise<number> {
  const calls = await ownCalls(place, "grant", GRANT_FLAGS, given);
  const { common, settings } = calls;
  const [who, role, ...more] = calls.words;
  if (who === undefined || role === undefined)
    throw usage("grant needs who and a role: metaction grant bob reader --models='crm*'");
  if (more.length > 0) throw usage(`grant takes one role; ${more[0]} is one more`);
  const actor = await actorNamed(calls, who);
  const action = calls.on("revoke") ? "auth/actor_delete_role" : "auth/actor_add_role";
  const patterns = calls.list("models");
  const rows: object[] = [];
  for (const models of patterns.length > 0 ? patterns : [undefined]) {
    const payload = { actorId: actor.id, roleRef: refOf(role), ...(models !== undefined && { models }) };
    const answer = await calls.call(action, payload);
    if (!answer) continue;
    // The action's declared answer.
    const { changed, warnings = [] } = answer.body as Granted;
    if (!common.quiet) for (const { detail } of warnings) place.stderr.writeLine(detail);
    rows.push({ actor: actor.subject, actorId: actor.id, role: refOf(role), models: models ?? "*", changed });
  }
  if (rows.length === 0) return EXIT.done;
  const format = formatOf(settings.output, place);
  await print(await queried({ items: rows }, common), format, common, place);
  return EXIT.done;
}

/** The one who goes by a word: a username or what another issuer calls somebody, an e-mail address or an id. */
async function actorNamed(calls: OwnCalls, who: string): Promise<Actor> {
  // Actors have ids alone, so somebody has to be found under --curl too.
  const actors = (await rowsOf(reading(calls), "auth/actor_list", {})) as readonly Actor[];
  const named = actors.filter(
    ({ id, subject, email }) => subject === who || email === who || id === who || `id:${id}` === who,
  );
  const [actor, another] = named;
  if (actor && !another) return actor;
  if (actor) {
    const all = named.map(({ id, subject, issuer }) => `${subject} of ${issuer} (id:${id})`);
    throw usage(`${who} may be ${all.join(", ")}; name one by its id`);
  }
  const subjects = actors.map(({ subject }) => subject);
  const way = meant(who, subjects, "see: metaction auth actor_list");
  throw new Failure(`nobody goes by ${who}${way}`, EXIT.notFound);
}
