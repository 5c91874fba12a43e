import { type Actions, ApiProblem } from "../../client/create-client.ts";
import { formatLogicalType } from "../../shared/domain/types/logical/format-logical-type.ts";
import type { LogicalType } from "../../shared/domain/types/logical/logical-type.ts";
import { openBrowser } from "../calls/oidc-login.ts";
import { type Address, listRows, type OwnCalls, readCalls, resolveAddress, toReads } from "../calls/own-calls.ts";
import { KINDS_FOUND } from "../input/commands.ts";
import { toRef } from "../input/values.ts";
import { formatCell, removeSchemes, splitCamelCase } from "../output/cell-text.ts";
import { chooseFormat, print, printPage, write } from "../output/output.ts";
import { applyQuery } from "../output/query.ts";
import { formatRows } from "../output/table.ts";
import { createUsageFailure, EXIT, Failure, suggestWord } from "../terminal/failure.ts";
import type { Terminal } from "../terminal/terminal.ts";
import type { RichText } from "../terminal/text-stream.ts";
import { wrapAtBlanks } from "../terminal/wrapping.ts";

/** Runs `metaction show <model> [entity]`: a page for people, the same data as JSON for programs. */
export async function show(terminal: Terminal, args: readonly string[]): Promise<number> {
  const calls = await readCalls(terminal, "show", args);
  if (calls.common.curl)
    throw createUsageFailure(
      "show calls several actions; for --curl run one of them, such as: metaction models model_get",
    );
  const { modelRef, entityRef } = await resolveAddress(calls, calls.words);
  const page =
    entityRef === undefined ? await readModelPage(calls, modelRef) : await readEntityPage(calls, modelRef, entityRef);
  await printPage(terminal, calls, formatPage(page, terminal.stdout.columns), page);
  return EXIT.done;
}

type Model = Actions["model"];
type Relationship = Model["relationship_list"]["output"]["items"][number];

interface Page {
  readonly path: string;
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  readonly [member: string]: unknown;
}

async function readModelPage(calls: OwnCalls, modelRef: string): Promise<Page> {
  const read = createReader(calls);
  const [model, entities, relationships, counts] = await Promise.all([
    read("model_get", { modelRef, expand: "keys" }),
    read("entity_list", { modelRef, expand: "keys" }),
    read("relationship_list", { modelRef, expand: "keys" }),
    countAttributes(read, modelRef),
  ]);
  const { key, name, description, version, revision, authority, documentationHome, tags, properties } = model;
  return {
    path: key,
    name,
    description,
    version: `${version}, revision ${revision}`,
    authority,
    documentation: documentationHome,
    tags: listKeys(tags),
    properties,
    entities: entities.items.map((one) => ({
      key: one.key,
      name: one.name,
      attributes: counts?.get(one.key),
      primaryKey: removeSchemes(one.primaryKeyByKey ?? []),
      tags: listKeys(one.tags),
      properties: one.properties,
      description: one.description,
    })),
    relationships: relationships.items.map(toRelationshipRow),
  };
}

async function readEntityPage(calls: OwnCalls, modelRef: string, entityRef: string): Promise<Page> {
  const read = createReader(calls);
  const [model, entity, attributes, keys, relationships] = await Promise.all([
    read("model_get", { modelRef }),
    read("entity_get", { modelRef, entityRef, expand: "keys" }),
    read("entity_attribute_list", { modelRef, entityRef, expand: "keys" }),
    read("business_key_list", { modelRef, expand: "keys" }),
    read("relationship_list", { modelRef, expand: "keys" }),
  ]);
  const logicalTypes = attributes.items.map((one) => formatShownType(one.logicalType, one.typeByKey));
  const hasLogicalTypes = logicalTypes.some((one) => one !== undefined);
  const isHere = (of: { readonly entity: string }) => of.entity === `id:${entity.id}`;
  return {
    path: `${model.key}/${entity.key}`,
    name: entity.name,
    description: entity.description,
    documentation: entity.documentationHome,
    tags: listKeys(entity.tags),
    properties: entity.properties,
    primaryKey: removeSchemes(entity.primaryKeyByKey),
    attributes: attributes.items.map((one, i) => ({
      key: one.key,
      type: removeSchemes(one.typeByKey),
      ...(hasLogicalTypes && { logicalType: logicalTypes[i] }),
      required: !one.optional,
      name: one.name,
      constraints: one.constraints,
      tags: listKeys(one.tags),
      properties: one.properties,
      description: one.description,
    })),
    keys: keys.items
      .filter(isHere)
      .map((one) => ({ key: one.key, name: one.name, attributes: removeSchemes(one.participantsByKey ?? []) })),
    relationships: relationships.items.filter(({ roles }) => roles.some(isHere)).map(toRelationshipRow),
  };
}

/** Returns the logical type of an attribute as text, unless its type has the same name or it is any text. */
function formatShownType(logicalType: unknown, typeByKey: string | undefined): string | undefined {
  if (logicalType === undefined) return undefined;
  // The service answers a logical type; a newer one may have other members.
  const text = formatLogicalType(logicalType as LogicalType);
  return `key:${text}` === typeByKey || text === "string" ? undefined : text;
}

type Reader = <A extends keyof Model>(action: A, payload: object) => Promise<Model[A]["output"]>;

function createReader(calls: OwnCalls): Reader {
  const { call } = toReads(calls);
  return async (action, payload) => (await call(action, payload))?.body as Model[typeof action]["output"];
}

async function countAttributes(read: Reader, modelRef: string): Promise<ReadonlyMap<string, number> | undefined> {
  try {
    const { entities } = await read("model_export", { modelRef });
    return new Map(entities.map(({ key, attributes = [] }) => [key, attributes.length]));
  } catch (error) {
    if (error instanceof ApiProblem && error.code === "result_too_large") return undefined;
    throw error;
  }
}

function toRelationshipRow({ key, name, roles, tags, properties }: Relationship) {
  const roleRows = roles.map(
    (role) => `${role.key}: ${removeSchemes(role.entityByKey)} (${CARDINALITIES[role.cardinality]})`,
  );
  return { key, name, roles: roleRows, tags: listKeys(tags), properties };
}

const CARDINALITIES = { zeroOrOne: "0..1", one: "1", many: "many", unknown: "?" } as const;

function listKeys(tags: readonly { readonly key: string }[]): readonly string[] {
  return tags.map(({ key }) => key);
}

const WIDTH = 100;
const INDENT = "  ";
const TABLES: ReadonlySet<string> = new Set(["entities", "attributes", "keys", "relationships"]);

function formatPage({ path, name, description, ...members }: Page, width = WIDTH): RichText {
  const all = Object.entries(members);
  const lists = all.filter((one): one is [string, readonly object[]] => TABLES.has(one[0]));
  const lines = all.flatMap(([member, value]) => {
    const text = formatCell(dropNamespaces(member, value));
    return TABLES.has(member) || text === "" ? [] : [[splitCamelCase(member), text] as const];
  });
  const labelWidth = Math.max(0, ...lines.map(([label]) => label.length));
  return [
    { bold: name === undefined ? path : `${path}  ${name}` },
    "\n",
    ...(description ? [`\n${wrapAtBlanks(description, Math.min(width, WIDTH))}\n`] : []),
    ...(lines.length > 0 ? ["\n"] : []),
    ...lines.map(([label, text]) => `${label.padEnd(labelWidth)}  ${text}\n`),
    ...lists.flatMap(([title, rows]) => [
      "\n",
      { bold: `${splitCamelCase(title)} (${rows.length})` },
      "\n",
      ...(rows.length === 0 ? [`${INDENT}none\n`] : formatRows(rows.map(dropEmpty), width, INDENT)),
    ]),
  ];
}

/** Drops the properties that belong to a format, such as `dbt:meta`: they are for programs. */
function dropNamespaces(member: string, value: unknown): unknown {
  if (member !== "properties") return value;
  return Object.fromEntries(Object.entries(value ?? {}).filter(([name]) => !name.includes(":")));
}

function dropEmpty(row: object): object {
  const cells = Object.entries(row).map(([member, value]) => {
    const text = value === true ? "yes" : value === false ? "" : dropNamespaces(member, value);
    return [splitCamelCase(member), text];
  });
  return Object.fromEntries(cells);
}

/** Runs `metaction open`: prints the address of a page, and opens it in a browser on a terminal. */
export async function openPage(terminal: Terminal, args: readonly string[]): Promise<number> {
  const calls = await readCalls(terminal, "open", args);
  const path = calls.words.length === 0 ? "/models" : findPagePath(await resolveAddress(calls, calls.words));
  const address = `${calls.settings.url.value}${path}`;
  await write(terminal, `${address}\n`);
  if (terminal.stdout.isTTY && !calls.on("print")) openBrowser(address);
  return EXIT.done;
}

/** Returns the path of an object's page in the web application. */
export function findPagePath({ modelRef, entityRef, attributeRef }: Address): string {
  const steps = [
    ["models", modelRef],
    ["entities", entityRef],
    ["attributes", attributeRef],
  ] as const;
  return steps.flatMap(([step, ref]) => (ref === undefined ? [] : [`/${step}/${encodeInPath(ref)}`])).join("");
}

/** Encodes a ref as a path segment; its colon and other characters allowed in paths stay readable. */
function encodeInPath(ref: string) {
  return encodeURIComponent(ref).replace(/%(3A|40|2C|2B|3D|26|24|3B)/g, (code) => decodeURIComponent(code));
}

interface Hit {
  readonly path: string;
  readonly location: { readonly objectType: string; readonly [member: string]: string };
}

/** Runs `metaction search <text>`: lists the paths of matching objects. */
export async function searchModels(terminal: Terminal, args: readonly string[]): Promise<number> {
  const calls = await readCalls(terminal, "search", args);
  const { common, settings } = calls;
  const text = calls.words.join(" ");
  const [tags, kinds] = [calls.list("tag"), readKinds(calls.list("kind"))];
  const logicalTypes = calls.list("logical-type");
  if (text === "" && tags.length + kinds.length + logicalTypes.length === 0) {
    throw createUsageFailure(
      "search needs a text, a tag, a kind or a logical type: metaction search customer, metaction search --tag=privacy/personal",
    );
  }
  const limit = Number(calls.text("limit") ?? 100);
  if (!Number.isInteger(limit) || limit < 1)
    throw createUsageFailure(`--limit=${calls.text("limit")}: expected a whole number of at least 1`);
  const models = calls.list("models").map(toRef);
  await calls.checkQuery("search");
  const hits = await listRows(
    calls,
    "search",
    {
      filters: {
        items: [
          ...(text === "" ? [] : [{ type: "text", condition: "contains", value: text }]),
          ...(await createTagFilters(calls, tags)),
          ...(logicalTypes.length === 0 ? [] : [{ type: "logicalType", condition: "anyOf", value: logicalTypes }]),
        ],
      },
      ...(models.length > 0 && { models }),
    },
    (row) => kinds.length === 0 || kinds.includes((row as Hit).location.objectType),
    limit + 1,
  );
  if (!hits) return EXIT.done;
  const rows = hits.slice(0, limit) as readonly Hit[];
  const format = chooseFormat(settings.output, terminal);
  const isForPeople = format === "table" && common.query === undefined;
  await print(
    await applyQuery(isForPeople ? rows.map(formatHit) : { items: rows }, common),
    format,
    common,
    terminal,
    "No matches.",
  );
  if (hits.length > limit && !common.quiet) terminal.stderr.writeLine(`More matches: --limit=${limit * 10}`);
  return EXIT.done;
}

function formatHit({ path, location }: Hit) {
  const { objectType } = location;
  const name = location[`${objectType}Label`];
  return {
    path,
    kind: readSearchWord(objectType),
    name: name === location[`${objectType}Key`] ? undefined : name,
  };
}

function readSearchWord(objectType: string) {
  const word = Object.entries(KINDS_FOUND).find(([, types]) => types.some((type) => type === objectType))?.[0];
  // A newer service may find more kinds.
  return word ?? objectType;
}

function readKinds(words: readonly string[]): readonly string[] {
  return words.flatMap((word) => KINDS_FOUND[word as keyof typeof KINDS_FOUND]);
}

/** Returns the tag filters; a key without a group means a local tag of a model. */
async function createTagFilters(calls: OwnCalls, tags: readonly string[]): Promise<readonly object[]> {
  const filters: object[] = [];
  for (const tag of tags) {
    const ref = toRef(tag);
    const value =
      ref.startsWith("id:") || ref.includes("/") ? [ref] : await findLocalTags(calls, ref.slice("key:".length));
    filters.push({ type: "tags", condition: "anyOf", value });
  }
  return filters;
}

async function findLocalTags(calls: OwnCalls, key: string): Promise<readonly string[]> {
  const all = await listRows(toReads(calls), "tag/tag_search", {});
  const rows = (all ?? []) as readonly {
    readonly id: string;
    readonly key: string;
    readonly group?: { readonly key: string };
  }[];
  const matches = rows.filter((row) => row.key === key);
  const refs = matches.flatMap((row) => (row.group ? [] : [`id:${row.id}`]));
  if (refs.length > 0) return refs;
  const [global] = matches;
  throw new Failure(
    `No model has a tag ${key}${global?.group ? `; did you mean --tag=${global.group.key}/${key}?` : ""}`,
    EXIT.notFound,
  );
}

interface Actor {
  readonly id: string;
  readonly issuer: string;
  readonly subject: string;
  readonly email?: string;
}

interface Grant {
  readonly changed: boolean;
  readonly warnings?: readonly { readonly detail: string }[];
}

/** Runs `metaction grant <who> <role>`: grants or revokes a role. */
export async function grant(terminal: Terminal, args: readonly string[]): Promise<number> {
  const calls = await readCalls(terminal, "grant", args);
  const { common, settings } = calls;
  const [name = "", role = ""] = calls.words;
  const actor = await findActor(calls, name);
  const action = calls.on("revoke") ? "auth/actor_delete_role" : "auth/actor_add_role";
  const patterns = calls.list("models");
  const rows: object[] = [];
  for (const models of patterns.length > 0 ? patterns : [undefined]) {
    const payload = { actorRef: actor.id, roleRef: toRef(role), ...(models !== undefined && { models }) };
    const answer = await calls.call(action, payload);
    if (!answer) continue;
    // The declared answer of the action.
    const { changed, warnings = [] } = answer.body as Grant;
    if (!common.quiet) for (const { detail } of warnings) terminal.stderr.writeLine(detail);
    rows.push({ actor: actor.subject, actorId: actor.id, role: toRef(role), models: models ?? "*", changed });
  }
  if (rows.length === 0) return EXIT.done;
  const format = chooseFormat(settings.output, terminal);
  await print(await applyQuery({ items: rows }, common), format, common, terminal);
  return EXIT.done;
}

async function findActor(calls: OwnCalls, name: string): Promise<Actor> {
  // Actors have no keys, so the actor is looked up also under --curl.
  const actors = (await listRows(toReads(calls), "auth/actor_list", {})) as readonly Actor[];
  const matches = actors.filter(
    ({ id, subject, email }) => subject === name || email === name || id === name || `id:${id}` === name,
  );
  const [actor, otherActor] = matches;
  if (actor && !otherActor) return actor;
  if (actor) {
    const all = matches.map(({ id, subject, issuer }) => `${subject} of ${issuer} (id:${id})`);
    throw createUsageFailure(`${name} matches several actors: ${all.join(", ")}; name one by its id`);
  }
  const subjects = actors.map(({ subject }) => subject);
  const hint = suggestWord(name, subjects, "see: metaction auth actor_list");
  throw new Failure(`Unknown actor ${name}${hint}`, EXIT.notFound);
}
