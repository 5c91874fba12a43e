import { KINDS, type Kind, relationshipAttribute } from "../../domain/kinds.ts";
import { includeMember } from "../../domain/model/content.ts";
import { PERMISSIONS, type Permission } from "../../domain/permissions.ts";
import { PROBLEMS, type ProblemCode } from "../../domain/problems.ts";
import { TEXT_PATTERN } from "../../domain/text/characters.ts";
import type { JsonType } from "../../domain/values/value-type.ts";
import type { Group } from "../contract/action.ts";
import {
  type Action,
  canKeepAnswer,
  type ForApiTokens,
  formatBatchSentence,
  type Intent,
  isWrite,
  type Rule,
} from "../contract/action.ts";
import { getAllParams, listAddressedKinds } from "../contract/action-parameters.ts";
import type { Deprecation, Param } from "../contract/params.ts";
import { type JsonObject, toAnswerSchema, toJsonSchema } from "./json-schema.ts";

/** Parameter of an action, as all transports and pages show it. */
export interface ParameterDescriptor {
  readonly name: string;
  /** Id of its type, as `inspect_type_system` lists it. */
  readonly type: string;
  readonly jsonType: JsonType;
  /** JSON Schema; the description also contains rules that JSON Schema cannot express. */
  readonly schema: JsonObject;
  readonly required: boolean;
  readonly clears: boolean;
  readonly description: string;
  readonly aliases: readonly string[];
  readonly deprecated?: Deprecation;
  readonly deprecatedAliases: Readonly<Record<string, Deprecation>>;
  readonly secret: boolean;
}

/** Description of an action, as plain JSON. */
export interface Descriptor {
  readonly group: Group;
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly intent: Intent;
  readonly rule: Rule;
  readonly apiTokens: ForApiTokens;
  readonly parameters: readonly ParameterDescriptor[];
  readonly output: { readonly mediaType: string; readonly description: string; readonly schema: JsonObject };
  readonly errors: readonly ProblemCode[];
  readonly deprecated?: Deprecation;
  readonly example: JsonObject;
  readonly semantics: Semantics;
}

export const GROUP_DESCRIPTIONS: { readonly [G in Group]: string } = {
  model: "Models with their types, entities, relationships, attributes and business keys, and their tags.",
  tag: "Tags: global tags in groups for all models, and local tags of one model.",
  property: "Definitions of properties: their names, meanings and valid values.",
  batch: "Several actions in one call, and jobs for large work.",
  auth: "Sign-in, accounts and rights.",
  config: "Information about the service: its actions, types, permissions and rules.",
};

const TOKEN_TEXTS: { readonly [T in ForApiTokens]: string } = {
  allowed: "",
  refused: "; not with an API token",
  itself: "; with an API token only on the token itself",
};

/** Formats the access rule of an action as a sentence in Markdown. */
export function formatRuleSentence({ rule, apiTokens }: Pick<Descriptor, "rule" | "apiTokens">): string {
  return `Rule: \`${rule}\`${TOKEN_TEXTS[apiTokens]}.`;
}

const descriptors = new WeakMap<Action, Descriptor>();

/** Describes an action; the result is cached. */
export function describeAction(action: Action): Descriptor {
  const entry = descriptors.get(action);
  if (entry) return entry;
  const { group, name, title, description, intent, rule, apiTokens = "allowed", output, example, deprecated } = action;
  const descriptor: Descriptor = {
    group,
    name,
    title,
    description: description + formatBatchSentence(action) + formatDeprecation(deprecated),
    intent,
    rule,
    apiTokens,
    parameters: Object.entries(getAllParams(action)).map(([parameter, param]) => describeParameter(parameter, param)),
    output: { mediaType: output.mediaType, description: output.description, schema: toAnswerSchema(output) },
    errors: listErrors(action),
    ...includeMember("deprecated", deprecated),
    example,
    semantics: describeSemantics(action),
  };
  descriptors.set(action, descriptor);
  return descriptor;
}

/** Formats a deprecation as a sentence after others; "" without one. */
function formatDeprecation(deprecation: Deprecation | undefined): string {
  if (!deprecation) return "";
  const { since, until, use } = deprecation;
  return ` Deprecated since ${since}: it may be removed from ${until} on; use \`${use}\`.`;
}

/** Formats the sentences about the aliases of a parameter, deprecated ones last. */
export function formatAliases(
  { aliases, deprecatedAliases = {} }: Pick<Param, "aliases" | "deprecatedAliases">,
  quote = (name: string) => name,
): readonly string[] {
  const names = aliases.filter((name) => !Object.hasOwn(deprecatedAliases, name)).map(quote);
  const deprecated = Object.entries(deprecatedAliases).map(
    ([name, { since, until }]) =>
      `The alias ${quote(name)} is deprecated since ${since} and may be removed from ${until} on.`,
  );
  return [...(names.length === 0 ? [] : [`Also accepted as ${names.join(" or ")}.`]), ...deprecated];
}

function describeParameter(name: string, param: Param): ParameterDescriptor {
  const { type, required, clears, aliases, deprecated, deprecatedAliases = {} } = param;
  const description = param.description + formatDeprecation(deprecated);
  return {
    name,
    type: type.id,
    jsonType: type.json,
    schema: {
      ...(type.json === "string" && { ...(required && { minLength: 1 }), pattern: TEXT_PATTERN }),
      ...toJsonSchema(type),
      ...(type.secret && { format: "password", writeOnly: true }),
      description: [description, type.description, ...formatAliases(param)].join(" "),
    },
    required,
    clears,
    description,
    aliases,
    ...includeMember("deprecated", deprecated),
    deprecatedAliases,
    secret: type.secret,
  };
}

/** Problems that any call may end with. */
export const COMMON_ERRORS: readonly ProblemCode[] = [
  "bad_request",
  "bad_parameters",
  "bad_precondition",
  "not_acceptable",
  "too_large",
  "query_too_long",
  "unsupported_media_type",
  "wrong_host",
  "throttled",
  "internal",
  "unavailable",
  "newer_format",
  "out_of_time",
];

const CONDITIONAL_ERRORS: readonly {
  readonly has: (action: Action) => boolean;
  readonly codes: readonly ProblemCode[];
}[] = [
  // A write may name a run that the caller does not have.
  { has: (a) => isWrite(a) || requiresRight(a), codes: ["not_allowed"] },
  { has: (a) => a.rule !== "public", codes: ["not_signed_in", "actor_disabled"] },
  { has: (a) => listAddressedKinds(a).length > 0, codes: ["not_found"] },
  { has: (a) => a.intent === "read", codes: ["result_too_large"] },
  { has: isWrite, codes: ["contention"] },
  { has: canKeepAnswer, codes: ["idempotency_key_reused"] },
  { has: (a) => isWrite(a) && (addressesModel(a) || a.manyModels === true), codes: ["precondition_failed"] },
];

function requiresRight({ rule, apiTokens = "allowed" }: Action) {
  return rule !== "public" && (rule !== "signed_in" || apiTokens !== "allowed");
}

/** Tests whether the answer of an action has an entity tag. */
export function addressesModel({ target, within, ledger }: Action): boolean {
  return [target, within, ledger].some((address) => address !== undefined);
}

/** Returns all problems of an action, in the order of the problem table. */
export function listErrors(action: Action): readonly ProblemCode[] {
  const common = CONDITIONAL_ERRORS.filter((t) => t.has(action)).flatMap((t) => t.codes);
  const codes = new Set<string>([...COMMON_ERRORS, ...common, ...action.errors]);
  // The keys of the table are the codes.
  return (Object.keys(PROBLEMS) as ProblemCode[]).filter((code) => codes.has(code));
}

interface ReferencingParam {
  readonly name: string;
  readonly kind: "ref" | "id" | "key";
}

interface Subject {
  readonly type: string;
  readonly referencingParams: readonly ReferencingParam[];
}

interface Semantics {
  readonly intent: Intent;
  readonly subjects: readonly Subject[];
  readonly returns: readonly string[];
}

/** Returns the semantics of an action. */
export function describeSemantics(action: Action): Semantics {
  const kind = findSubject(action);
  return {
    intent: action.intent,
    subjects: kind ? [{ type: toSubjectType(kind), referencingParams: listReferencingParams(action, kind) }] : [],
    returns: kind && action.intent === "read" ? [toSubjectType(kind)] : [],
  };
}

function findSubject(action: Action): Kind | undefined {
  if (action.target) return action.target;
  const kind = [...Object.values<Kind>(KINDS), relationshipAttribute]
    .filter((k) => isNamedIn(toSubjectType(k), action))
    .sort((a, b) => b.noun.length - a.noun.length)[0];
  // A write without an addressed object creates a model.
  return kind ?? (isWrite(action) && action.ledger === undefined ? KINDS.model : undefined);
}

function isNamedIn(subject: string, { group, name }: Pick<Action, "group" | "name">) {
  const inGroup = subject.startsWith(`${group}_`) && `${group}_${name}`.startsWith(`${subject}_`);
  return inGroup || name.startsWith(`${subject}_`);
}

function toSubjectType(kind: Kind) {
  return kind.noun.replaceAll(" ", "_");
}

function listReferencingParams(action: Action, kind: Kind): ReferencingParam[] {
  const words = kind.name.split("_").map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  const keyType = `${words.join("")}Key`;
  return Object.entries(getAllParams(action)).flatMap(([name, { type }]): ReferencingParam[] => {
    if (type.id === kind.refType) return [{ name, kind: getReferenceKind(name) }];
    return type.id === keyType && /(^key|Key)$/.test(name) ? [{ name, kind: "key" }] : [];
  });
}

function getReferenceKind(parameter: string): ReferencingParam["kind"] {
  if (parameter.endsWith("Id")) return "id";
  return /(^key|Key)$/.test(parameter) ? "key" : "ref";
}

interface RuleDescription {
  readonly key: Rule;
  readonly name: string;
  readonly description: string;
  readonly associatedRequiredPermissions: readonly Permission[];
}

export const RULES: readonly RuleDescription[] = [
  {
    key: "public" as const,
    name: "Public",
    description: "Everybody, without a token.",
    associatedRequiredPermissions: [],
  },
  {
    key: "signed_in" as const,
    name: "Signed in",
    description: "Everybody with a valid token.",
    associatedRequiredPermissions: [],
  },
  ...Object.entries(PERMISSIONS).map(([key, row]) => ({
    // The keys of the table are the permissions.
    key: key as Permission,
    name: row.name,
    description: `Callers with the permission ${key}: ${row.description}`,
    associatedRequiredPermissions: [key as Permission],
  })),
].sort((a, b) => (a.key < b.key ? -1 : 1));
