import { type Asked, may, need, type RefAction, type RefInput, type RefRead } from "./action.ts";
import { withoutNulls } from "./apply.ts";
import { misfitsIn, misfitsInDocument } from "./definitions.ts";
import { documentOf, exportOf, modelOfDocument, type RefDocument } from "./document.ts";
import { Like } from "./expected-answer.ts";
import { imagesOf } from "./images.ts";
import { RECOGNISED, readSource } from "./import.ts";
import { importedAs, importedInto } from "./import-into.ts";
import { type ImportedTags, importTags } from "./import-tags.ts";
import { begun } from "./models.ts";
import { checkMoment, commitAt, MOMENT } from "./points-in-time.ts";
import { badParameters, Refusal } from "./problem.ts";
import type { Source } from "./source.ts";
import { byKey, markedIn } from "./state.ts";
import { globalTags } from "./tag-links.ts";
import type { RefWrite } from "./write-result.ts";

interface WarningRow {
  readonly code?: unknown;
  readonly detail?: unknown;
  readonly count?: unknown;
  readonly pointers?: unknown;
}

/** Places of warnings, in any order: equal ones in one row with a code, a sentence, their count and the first five places. */
const warningsAt = (places: readonly string[]): Like =>
  new Like(`warnings at ${JSON.stringify(places)}`, (actual) => {
    const left = [...places];
    const sorts = new Set<string>();
    for (const { code, detail, count, pointers } of Array.isArray(actual) ? (actual as WarningRow[]) : []) {
      if (![code, detail].every((text) => typeof text === "string" && text !== ""))
        return "a warning without a sentence";
      if (sorts.has(`${code} ${detail}`)) return `two rows of ${detail}`;
      sorts.add(`${code} ${detail}`);
      const named = Array.isArray(pointers) ? pointers : [];
      if (named.length !== Math.min(5, Number(count))) return `${named.length} places of ${count} warnings`;
      for (const place of named) {
        const at = left.indexOf(String(place));
        if (at < 0) return `a warning at ${place}`;
        left.splice(at, 1);
      }
      // The others are somewhere among the places that are left.
      for (let more = named.length; more < Number(count); more++) left.push(MORE);
    }
    const unnamed = left.filter((place) => place === MORE).length;
    return left.length === 2 * unnamed ? undefined : `no warning at ${JSON.stringify(left)}`;
  });

/** Stands for a warning that its row counts and does not place. */
const MORE = "more";

/** A model as it is, or as it was, with the tags and under the entity tag of then. */
function exported({ model, past, state, input, tags }: Asked): RefRead {
  const { version, revision } = input;
  if (version !== undefined || revision !== undefined)
    return { does: "read", ...exportOfPast(past, version, revision) };
  // A deleted model has nothing but a past.
  if (!state.models.has(model.id)) throw new Refusal("not_found", { mentions: [model.key] });
  return { does: "read", body: documentOf(model, tags) };
}

/** The answer of an export while that state was the newest. */
function exportOfPast(...moment: Parameters<typeof commitAt>) {
  const then = commitAt(...moment);
  return exportOf(then.model, then);
}

/** A file with a table for each entity, and a field for each of its attributes. */
function fileOf({ entities }: RefDocument): Record<string, unknown> {
  const counts = entities.map(({ attributes }) => attributes.length);
  const content = new Like(`a descriptor of tables with ${counts} fields`, (actual) => {
    const { resources, fields } = JSON.parse(String(actual)) as { resources?: Table[]; fields?: unknown[] };
    const found = Array.isArray(fields)
      ? [fields.length]
      : (resources ?? []).flatMap(({ schema }) => schema?.fields.length ?? []);
    return String(found) === String(counts) ? undefined : `tables with ${found} fields`;
  });
  const anyOf = (...texts: readonly string[]): Like =>
    new Like(texts.join(" or "), (actual) => (texts.includes(String(actual)) ? undefined : String(actual)));
  return {
    format: "frictionless",
    mediaType: "application/json",
    fileName: anyOf("datapackage.json", "schema.json"),
    content,
    warnings: new Like("a list", (actual) => (Array.isArray(actual) ? undefined : "no list")),
  };
}

interface Table {
  readonly schema?: { readonly fields: readonly unknown[] };
}

function copied(asked: Asked): RefWrite {
  const { model, input, newId, tags } = asked;
  const hadGlobals = markedIn(model).some((one) => one.globalTags.length > 0);
  const held = [...imagesOf(model).values()].map(({ kind, members }) => misfitsIn(asked.definitions, kind, members));
  if (held.flat().length > 0) throw badParameters(...held.flat().map(() => "/modelRef"));
  const globals = new Map((hadGlobals ? globalTags(tags()) : []).map(({ id, shown }) => [`key:${shown}`, id]));
  const document = { ...documentOf(model, tags), key: String(input.modelNewKey), authority: "system" };
  return begun(asked, modelOfDocument(document, newId, globals));
}

function imported(asked: Asked): RefWrite {
  const { from, content, modelKey, modelName, format, into, source } = asked.input;
  if ((from === undefined) === (content === undefined)) throw badParameters("/from", "/content");
  // The histories name only addresses that must not be fetched.
  if (content === undefined) throw new Refusal("source_not_recognised");
  const terms = { modelKey: modelKey as string | undefined, modelName: modelName as string | undefined };
  const said = content as Source;
  const isObject = typeof content === "object";
  const { document, warnings } = readSource(into !== undefined && isObject ? withoutNulls(said) : said, terms, format);
  if (into !== undefined) {
    if (source === undefined) throw badParameters("/source");
    return importedInto(asked, { said, label: String(source), counts: countsOf(document, { changes: [] }) });
  }
  const misfits = misfitsInDocument(asked.definitions, document);
  if (misfits.length > 0) throw badParameters(...misfits);
  // It writes to no model that is there.
  if (asked.pins.length > 0) throw new Refusal("bad_precondition");
  const tags = importTags(document, asked);
  const model = modelOfDocument(document, asked.newId, tags.ids);
  if (source !== undefined)
    model.sources = { [String(source)]: importedAs({ ...said, key: model.key }, documentOf(model, asked.tags)) };
  const made = begun(asked, model);
  return {
    ...made,
    ...(tags.changes.length > 0 && { alongside: tags.changes }),
    apply: () => {
      made.apply();
      tags.apply();
    },
    extra: {
      counts: countsOf(document, tags),
      recognised: RECOGNISED,
      warnings: warningsAt([...warnings, ...tags.warnings]),
    },
  };
}

/** Refuses parameters that do not go together. */
function checkImport({ into, modelKey, modelName, onConflict }: RefInput): void {
  if (into !== undefined && modelKey !== undefined) throw badParameters("/modelKey");
  if (into !== undefined && modelName !== undefined) throw badParameters("/modelName");
  if (into === undefined && onConflict !== undefined) throw badParameters("/onConflict");
}

function countsOf(
  { types, entities, relationships, businessKeys, localTags }: RefDocument,
  { changes }: Pick<ImportedTags, "changes">,
) {
  return {
    types: types.length,
    entities: entities.length,
    attributes: [...entities, ...relationships].reduce((sum, holder) => sum + holder.attributes.length, 0),
    relationships: relationships.length,
    businessKeys: businessKeys.length,
    tags: localTags.length,
    globalTags: changes.length,
  };
}

/** The actions that move whole models. */
export const EXCHANGE_ACTIONS: Readonly<Record<string, RefAction>> = {
  "model/model_export": {
    rule: "model_read",
    writes: false,
    past: true,
    params: { modelRef: need("ModelRef"), ...MOMENT },
    check: checkMoment,
    run: exported,
  },
  "model/model_export_version": {
    rule: "model_read",
    writes: false,
    past: true,
    params: { modelRef: need("ModelRef"), version: need("ModelVersion") },
    run: exported,
  },
  "model/model_export_as": {
    rule: "model_read",
    writes: false,
    past: true,
    params: { modelRef: need("ModelRef"), format: need("ExportFormat"), ...MOMENT },
    check: checkMoment,
    run: (asked) => {
      const { body, ...rest } = exported(asked);
      return { ...rest, body: fileOf(body as RefDocument) };
    },
  },
  "model/inspect_models_json": {
    rule: "model_read",
    writes: false,
    params: {},
    run: ({ state, tags }) => ({
      does: "read",
      body: { models: [...state.models.values()].sort(byKey).map((model) => documentOf(model, tags)) },
    }),
  },
  "model/model_copy": {
    rule: "model_copy",
    writes: true,
    params: { modelRef: need("ModelRef"), modelNewKey: need("ModelKey") },
    run: copied,
  },
  "model/import": {
    rule: "model_import",
    writes: true,
    manyModels: true,
    params: {
      from: may("Location"),
      content: may("SourceContent"),
      modelKey: may("ModelKey"),
      modelName: may("TextSingleLine"),
      format: may("SourceFormat"),
      into: may("ModelRef"),
      source: may("SourceLabel"),
      onConflict: may("OnConflict"),
      allowUnknown: may("Boolean"),
      lenient: may("Boolean"),
    },
    check: checkImport,
    run: imported,
  },
};
