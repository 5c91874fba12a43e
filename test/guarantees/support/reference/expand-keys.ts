import { type Asked, may, type RefAction } from "./action.ts";
import { actorIdOf, PEOPLE } from "./callers.ts";
import { Like } from "./expected-answer.ts";
import { globalTags } from "./tag-links.ts";

type Row = Readonly<Record<string, unknown>>;

/** What a caller is shown beside ids: the keys of what is there now, and names of actors. */
interface Known {
  readonly keys: ReadonlyMap<string, string>;
  /** Ids of the entities that are there. */
  readonly entities: ReadonlySet<string>;
  readonly actors: ReadonlyMap<string, string>;
}

/** Names actors to administrators, who may list them, and to themselves. */
function known({ state, model, person }: Asked): Known {
  const keys = new Map<string, string>(globalTags(state.tags).map(({ id, shown }) => [id, shown]));
  const add = (all: readonly { readonly id: string; readonly key: string }[]): void => {
    for (const { id, key } of all) keys.set(id, key);
  };
  const there = model && state.models.has(model.id) ? model : undefined;
  const holders = [...(there?.entities ?? []), ...(there?.relationships ?? [])];
  add([...holders, ...(there?.types ?? []), ...(there?.localTags ?? [])]);
  for (const { attributes } of holders) add(attributes);
  const seen = [...PEOPLE.values()].filter(
    ({ username }) => person?.permissions.has("admin") || username === person?.username,
  );
  return {
    keys,
    entities: new Set(there?.entities.map(({ id }) => id)),
    actors: new Map(seen.map((one) => [actorIdOf(one), one.fullname])),
  };
}

/** A value as a read shows it with `expand=keys`. */
export function expandKeys(asked: Asked, value: unknown): unknown {
  if (asked.input.expand === undefined) return value;
  const all = known(asked);
  const walk = (one: unknown): unknown => {
    if (Array.isArray(one)) return one.map(walk);
    // Documents name everything by key.
    return isRow(one) && !("$schema" in one) ? { ...mapped(one, walk), ...beside(one, all) } : one;
  };
  return walk(value);
}

function isRow(value: unknown): value is Row {
  return typeof value === "object" && value !== null && !(value instanceof Like);
}

const mapped = (row: Row, walk: (one: unknown) => unknown): Row =>
  Object.fromEntries(Object.entries(row).map(([member, one]) => [member, isOpaque(row, member) ? one : walk(one)]));

/** True for members that hold no row: images, and values of callers, in which nothing names an object. */
const isOpaque = (row: Row, member: string): boolean =>
  isImage(row, member) || ["constraints", "properties"].includes(member);

const isImage = (row: Row, member: string): boolean =>
  "change" in row && "kind" in row && (member === "before" || member === "after");

const isId = (value: unknown): value is string => typeof value === "string" && /^id:[0-9a-f-]{36}$/.test(value);

/** The members that a row has more. */
function beside(row: Row, all: Known): Row {
  const more: Record<string, unknown> = {};
  for (const [member, value] of Object.entries(row)) {
    if (isImage(row, member)) more[`${member}ByKey`] = imageByKey(row, value, all);
    else if (member === "actor") more.actorName = all.actors.get(String(value));
    else if (member === "location") more.path = pathOf(value as Row);
    else if (["primaryKey", "participants", "keyPairs"].includes(member) || isId(value)) {
      more[`${member}ByKey`] = byKey(value, all);
    }
  }
  return more;
}

/** Refs by key; in a list what is gone stays as it is named. */
function byKey(value: unknown, all: Known): unknown {
  if (Array.isArray(value)) return value.map((one) => byKey(one, all) ?? `id:${bare(one)}`);
  const key = all.keys.get(bare(value));
  return key === undefined ? undefined : `key:${key}`;
}

const bare = (id: unknown): string => String(id).replace(/^id:/, "");

/** The place of what was found: `<model>/<entity>.<attribute>`. */
function pathOf(location: Row): string {
  const { objectType, modelKey } = location;
  const owners = ["entity", "relationship"].filter((kind) => kind !== objectType);
  const inside = [...owners, ...(objectType === "model" ? [] : [objectType])].map((kind) => location[`${kind}Key`]);
  const told = inside.filter((key) => key !== undefined);
  return told.length === 0 ? String(modelKey) : `${modelKey}/${told.join(".")}`;
}

/** The members of an object that hold ids, by its kind. */
const HOLDING: Readonly<Record<string, readonly string[]>> = {
  model: ["tags", "globalTags"],
  entity: ["tags", "globalTags", "primaryKey"],
  relationship: ["tags", "globalTags", "roles", "keyPairs"],
  attribute: ["owner", "type", "tags", "globalTags"],
  business_key: ["entity", "participants"],
};

/** What an image of a change names by key; undefined where it does not resolve. */
function imageByKey(row: Row, image: unknown, all: Known): Row | undefined {
  const told = Object.entries(Object(image) as Row).filter(
    ([member, value]) => value !== null && HOLDING[String(row.kind)]?.includes(member),
  );
  const shown = told.flatMap(([member, value]) => {
    const keys = memberByKey(member, value, { ...Object(image), id: row.id }, all);
    return keys === undefined ? [] : [[member, keys] as const];
  });
  return shown.length === 0 ? undefined : Object.fromEntries(shown);
}

function memberByKey(member: string, value: unknown, { id, entity }: Row, all: Known): unknown {
  if (member === "roles") {
    return (value as readonly Row[]).map(({ id: _, ...role }) => ({
      ...role,
      entity: byKey(role.entity, all) ?? role.entity,
    }));
  }
  const owner = member === "primaryKey" ? id : member === "participants" ? entity : undefined;
  // Attributes are no objects any more when their entity is none.
  if (owner !== undefined && !all.entities.has(String(owner))) return undefined;
  return byKey(value, all);
}

/** The read with what every read takes. */
export function acceptExpand(action: RefAction): RefAction {
  return {
    ...action,
    params: { ...action.params, expand: may("Expansion") },
    run: (asked) => {
      const made = action.run(asked);
      return made.does === "read" ? { ...made, body: expandKeys(asked, made.body) } : made;
    },
  };
}
