import type { RefModel } from "../reference/objects.ts";

type Row = Readonly<Record<string, unknown>>;

/** The model that an export shows, at its revision. */
export function modelOfExport(document: unknown, revision: number): RefModel {
  const { $schema: _, tagGroups, ...own } = document as Row & Lists;
  const idsOf = (rows: readonly Row[], begin = "") =>
    rows.map(({ key, id }): [string, unknown] => [`key:${begin}${key}`, id]);
  const globals = tagGroups.flatMap((group) => idsOf(group.tags as Row[], `${group.key}/`));
  const marked = ({ tags = [] }: Row) => ({
    tags: ids(tags, new Map(idsOf(own.localTags))),
    globalTags: ids(tags, new Map(globals)),
  });
  const types = new Map(idsOf(own.types));
  const entityIds = new Map(idsOf(own.entities));
  const attributesOf = (holder: Row): Row[] =>
    (holder.attributes as Row[]).map((a, order) => ({ ...a, order, type: types.get(String(a.type)), ...marked(a) }));
  const entities = own.entities.map((e) => {
    const attributes = attributesOf(e);
    return { ...e, ...marked(e), attributes, primaryKey: ids(e.primaryKey, new Map(idsOf(attributes))) };
  });
  const pairsOf = ({ roles, keyPairs }: Row) => {
    const sides = (roles as Row[]).map(({ entity }) => own.entities.find(({ key }) => `key:${key}` === entity));
    const known = sides.map((side) => new Map(idsOf((side?.attributes ?? []) as Row[])));
    return (keyPairs as string[][]).map((pair) => pair.map((ref, i) => known[i]?.get(ref)));
  };
  const model = {
    ...own,
    ...marked(own),
    revision,
    types: own.types.map((t) => ({ ...t })),
    entities,
    relationships: own.relationships.map((r) => ({
      ...r,
      ...marked(r),
      roles: (r.roles as Row[]).map((role) => ({ ...role, entity: entityIds.get(String(role.entity)) })),
      attributes: attributesOf(r),
      ...(r.keyPairs !== undefined && { keyPairs: pairsOf(r) }),
    })),
    businessKeys: own.businessKeys.map((b) => {
      const owner = own.entities.find(({ key }) => `key:${key}` === b.entity);
      const participants = ids(b.participants, new Map(idsOf((owner?.attributes ?? []) as Row[])));
      return { ...b, entity: owner?.id, participants };
    }),
    localTags: own.localTags.map((tag) => ({ ...tag })),
  };
  // The document is checked against the schema of its format elsewhere; here only its form is turned round.
  return model as unknown as RefModel;
}

interface Lists {
  readonly types: readonly Row[];
  readonly entities: readonly Row[];
  readonly relationships: readonly Row[];
  readonly businessKeys: readonly Row[];
  readonly localTags: readonly Row[];
  readonly tagGroups: readonly Row[];
}

/** The ids of what a list of refs names, as far as it is among these. */
function ids(refs: unknown, known: ReadonlyMap<string, unknown>): readonly unknown[] {
  return (refs as readonly string[]).flatMap((ref) => known.get(ref) ?? []);
}

/** The content that a document and a copy of it have in common, as one text. */
export function contentOf(document: unknown): string {
  const { key: _, authority: __, ...content } = document as Row;
  return JSON.stringify(content, (_name, value: unknown) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
    const members = Object.entries(value).filter(([name]) => name !== "id");
    return Object.fromEntries(members.sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}
