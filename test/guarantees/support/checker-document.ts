import type { RefModel } from "./reference-state.ts";

type Row = Readonly<Record<string, unknown>>;

/** The model that an export shows, at its revision. */
export function modelOfExport(document: unknown, revision: number): RefModel {
  const { $schema: _, types, entities, ...own } = document as Row & { types: Row[]; entities: Row[] };
  const ids = new Map(types.map((t) => [`key:${t.key}`, t.id]));
  const model = {
    ...own,
    revision,
    types: types.map((t) => ({ ...t })),
    entities: entities.map((e) => {
      const attributes = (e.attributes as Row[]).map((a) => ({ ...a, type: ids.get(String(a.type)) }));
      const named = new Map(attributes.map((a: Row) => [`key:${a.key}`, a.id]));
      return { ...e, attributes, primaryKey: (e.primaryKey as string[]).map((ref) => named.get(ref)) };
    }),
  };
  // The document is checked against the schema of its format elsewhere; here only its form is turned round.
  return model as unknown as RefModel;
}

/** What a document and a copy of it have in common, as one text. */
export function contentOf(document: unknown): string {
  const { key: _, authority: __, ...content } = document as Row;
  return JSON.stringify(content, (_name, value: unknown) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
    const members = Object.entries(value).filter(([name]) => name !== "id");
    return Object.fromEntries(members.sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}
