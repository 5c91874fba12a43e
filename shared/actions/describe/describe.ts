import { TEXT_PATTERN } from "../../domain/legal-text.ts";
import type { ProblemCode } from "../../domain/problems.ts";
import type { JsonType } from "../../domain/value-type.ts";
import type { Action, Intent } from "../contract/action.ts";
import { allParams } from "../contract/action-params.ts";
import { batchSentence } from "../contract/in-batch.ts";
import type { Param } from "../contract/params.ts";
import type { ForApiTokens, Rule } from "../contract/rules.ts";
import type { Group } from "../contract/typed-action.ts";
import { errorsOf } from "./describe-errors.ts";
import { type Semantics, semanticsOf } from "./describe-semantics.ts";
import { type JsonObject, jsonSchemaOf } from "./json-schema.ts";

/** One parameter as every door and page shows it. */
export interface ParameterDescriptor {
  readonly name: string;
  /** Id of its domain type, as `inspect_type_system` lists it. */
  readonly type: string;
  readonly jsonType: JsonType;
  /** Its JSON Schema; the description also says the rules that JSON Schema cannot. */
  readonly schema: JsonObject;
  readonly required: boolean;
  /** True where leaving it out clears the stored value. */
  readonly clears: boolean;
  readonly description: string;
  /** Other names that mean the same parameter. */
  readonly aliases: readonly string[];
  readonly secret: boolean;
}

/** An action as plain JSON. */
export interface Descriptor {
  readonly group: Group;
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly intent: Intent;
  readonly rule: Rule;
  readonly apiTokens: ForApiTokens;
  /** In declared order, the refs of the addressed object first. */
  readonly parameters: readonly ParameterDescriptor[];
  readonly output: { readonly mediaType: string; readonly description: string; readonly schema: JsonObject };
  /** Everything a call may end in, its own problems and the common ones. */
  readonly errors: readonly ProblemCode[];
  /** A payload that works. */
  readonly example: JsonObject;
  readonly semantics: Semantics;
}

/** The description of each group of actions. */
export const GROUP_DESCRIPTIONS: { readonly [G in Group]: string } = {
  model: "Models with their types, entities, relationships, attributes and business keys, and the tags that mark them.",
  tag: "Tags: global ones in groups, for all models, and local ones of one model.",
  property: "Definitions of properties: which names have a meaning, and which values they may have.",
  batch: "Several actions as one, and work that is too large for one call.",
  auth: "Signing in, and who the caller is.",
  config: "What the service is and which actions, types, permissions and rules it has.",
};

const BY_TOKEN: { readonly [T in ForApiTokens]: string } = {
  allowed: "",
  refused: "; not with an API token",
  itself: "; with an API token for that one only",
};

/** Who may run an action, as a sentence in Markdown. */
export function ruleSentence({ rule, apiTokens }: Pick<Descriptor, "rule" | "apiTokens">): string {
  return `Rule: \`${rule}\`${BY_TOKEN[apiTokens]}.`;
}

const described = new WeakMap<Action, Descriptor>();

/** The description of an action, made once from its definition. */
export function describeAction(action: Action): Descriptor {
  const known = described.get(action);
  if (known) return known;
  const { group, name, title, description, intent, rule, apiTokens = "allowed", output, example } = action;
  const descriptor: Descriptor = {
    group,
    name,
    title,
    description: description + batchSentence(action),
    intent,
    rule,
    apiTokens,
    parameters: Object.entries(allParams(action)).map(([parameter, param]) => describeParameter(parameter, param)),
    output: { mediaType: output.mediaType, description: output.description, schema: jsonSchemaOf(output) },
    errors: errorsOf(action),
    example,
    semantics: semanticsOf(action),
  };
  described.set(action, descriptor);
  return descriptor;
}

function also(aliases: readonly string[]): string[] {
  return aliases.length === 0 ? [] : [`Also accepted as ${aliases.join(" or ")}.`];
}

function describeParameter(name: string, param: Param): ParameterDescriptor {
  const { type, required, clears, description, aliases } = param;
  return {
    name,
    type: type.id,
    jsonType: type.json,
    schema: {
      ...(type.json === "string" && { ...(required && { minLength: 1 }), pattern: TEXT_PATTERN }),
      ...jsonSchemaOf(type),
      ...(type.secret && { format: "password", writeOnly: true }),
      description: [description, type.description, ...also(aliases)].join(" "),
    },
    required,
    clears,
    description,
    aliases,
    secret: type.secret,
  };
}
