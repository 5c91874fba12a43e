import * as z from "zod/mini";
import { type Kind, listKindPath } from "../../domain/kinds.ts";
import { REF_TYPES } from "../../domain/values/ref-types.ts";
import { defineValueType } from "../../domain/values/value-type.ts";
import type { Action } from "./action.ts";
import type { Payload, RawPayload } from "./call.ts";
import { allowParam, type Deprecation, type Param, type Params, requireParam, type UsedDeprecation } from "./params.ts";

interface ActionParameters {
  readonly kinds: readonly Kind[];
  /** All parameters in declared order, refs first, with their aliases. */
  readonly params: Params;
  /** Declared names by the names that callers may use. */
  readonly names: ReadonlyMap<string, string>;
  /** Deprecations by the names that callers may use. */
  readonly deprecations: ReadonlyMap<string, Deprecation>;
}

const parametersByAction = new WeakMap<Action, ActionParameters>();

/** Returns the parameters of an action, which are computed once. */
export function getParameters(action: Action): ActionParameters {
  const entry = parametersByAction.get(action);
  if (entry) return entry;
  const innermost = action.target ?? action.within;
  const kinds = innermost ? listKindPath(innermost) : [];
  const params = addAliases(action, listDeclaredParams(action, kinds));
  const names = new Map(
    Object.entries(params).flatMap(([name, { aliases }]) => [name, ...aliases].map((one) => [one, name] as const)),
  );
  const deprecations = new Map(Object.entries(params).flatMap(([name, param]) => listParamDeprecations(name, param)));
  const parameters = { kinds, params, names, deprecations };
  parametersByAction.set(action, parameters);
  return parameters;
}

function listParamDeprecations(
  name: string,
  { aliases, deprecated, deprecatedAliases = {} }: Param,
): readonly (readonly [name: string, deprecation: Deprecation])[] {
  const all = deprecated ? [name, ...aliases].map((one) => [one, deprecated] as const) : [];
  return [...all, ...Object.entries(deprecatedAliases)];
}

/** Returns the deprecations of what a call uses: the action, and the names of parameters in the payload. */
export function listUsedDeprecations(action: Action, { query, body }: RawPayload): readonly UsedDeprecation[] {
  const { deprecations } = getParameters(action);
  const own = action.deprecated ? [action.deprecated] : [];
  if (own.length + deprecations.size === 0) return NO_DEPRECATIONS;
  const members = typeof body === "object" && body !== null ? Object.keys(body) : [];
  const named = [...query.map(([name]) => name), ...members].flatMap((name) => deprecations.get(name) ?? []);
  return [...own, ...named].map((one) => ({ ...one, action: `${action.group}/${action.name}` }));
}

const NO_DEPRECATIONS: readonly UsedDeprecation[] = [];

/** Returns the kinds whose refs are parameters of an action, outermost first. */
export function listAddressedKinds(action: Action): readonly Kind[] {
  return getParameters(action).kinds;
}

/** Returns all parameters of an action with their aliases, refs first. */
export function getAllParams(action: Action): Params {
  return getParameters(action).params;
}

function listDeclaredParams(action: Action, kinds: readonly Kind[]): Params {
  const refs = kinds.map((k): [string, Param] => {
    const type = REF_TYPES[k.refType];
    if (!type) throw new Error(`no ref type ${k.refType}`);
    return [k.refParameter, requireParam(type, `The ${k.noun}.`)];
  });
  return { ...Object.fromEntries(refs), ...action.input, ...(action.intent === "read" && readParams) };
}

/** Synonyms that neither the type of a parameter nor its action implies. */
const SYNONYMS: Readonly<Record<string, readonly string[]>> = {
  actorRef: ["actorId"],
  tagRef: ["tag"],
  tagGroupRef: ["groupRef"],
  roleRefs: ["roles"],
  permissionKey: ["permission"],
  autoassign: ["autoAssign"],
  documentationHome: ["documentationLink"],
  documentationLink: ["documentationHome"],
};

/** Adds aliases: type name, updated field, name without the created noun. Drops ambiguous ones. */
function addAliases(action: Pick<Action, "name" | "intent">, params: Params): Params {
  const entries = Object.entries(params);
  const noun = action.intent === "create" ? findCreatedNoun(entries) : undefined;
  const candidates = entries.map(([name, param]) => {
    const variants = [getUpdatedField(action.name, name), deriveTypeName(param), removeNoun(name, noun)];
    const names = [...param.aliases, ...[name, ...variants].flatMap((one = name) => [one, ...(SYNONYMS[one] ?? [])])];
    return [name, param, new Set(names).add(name)] as const;
  });
  const all = candidates.flatMap(([, , names]) => [...names]);
  const isUnambiguous = (one: string) => params[one] === undefined && all.indexOf(one) === all.lastIndexOf(one);
  return Object.fromEntries(
    candidates.map(([name, param, names]) => [name, { ...param, aliases: [...names].filter(isUnambiguous) }]),
  );
}

/** Returns the field that `value` sets, such as `description` for `entity_update_description`. */
function getUpdatedField(action: string, name: string): string | undefined {
  const field = name === "value" ? /_update_(\w+)$/.exec(action)?.[1] : undefined;
  return field?.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}

const TYPE_NAME = /^(List<)?(?:\w+(?=(?:Attribute|Role|Tag|Definition|Token)[RKI]))?(\w+?)(Ref|Key|Id)>?$/;

/** Derives a name from the type, such as `attributeRefs` for `List<EntityAttributeRef>` or `tokenRef` for `ApiTokenId`. */
function deriveTypeName({ type }: Param): string | undefined {
  const [, list, noun = "", end] = TYPE_NAME.exec(type.id) ?? [];
  if (end === undefined || noun === "Object") return undefined;
  return noun.charAt(0).toLowerCase() + noun.slice(1) + (end === "Id" ? "Ref" : end) + (list ? "s" : "");
}

function findCreatedNoun(params: readonly (readonly [string, Param])[]): string | undefined {
  const [key] = params.find(([name, param]) => name.endsWith("Key") && name === deriveTypeName(param)) ?? [];
  return key?.slice(0, -"Key".length);
}

function removeNoun(name: string, noun: string | undefined): string | undefined {
  const rest = noun !== undefined && name.startsWith(noun) ? name.slice(noun.length) : "";
  return /^[A-Z]/.test(rest) && rest !== "Ref" ? rest.charAt(0).toLowerCase() + rest.slice(1) : undefined;
}

export type ExpansionName = "keys" | "refs";

const EXPANSIONS = ["keys", "refs", "keys,refs"] as const;

const expansion = defineValueType<(typeof EXPANSIONS)[number]>({
  id: "Expansion",
  json: "string",
  description: "One of: `keys`, `refs`, `keys,refs`.",
  schema: () =>
    z.enum(EXPANSIONS, { error: ({ input }) => `${JSON.stringify(input)} is not valid; use keys, refs or keys,refs` }),
});

export const readParams = {
  expand: allowParam(
    expansion,
    "With `keys`, the answer contains keys and names in addition to ids, such as `typeByKey` for `type`, and the `logicalType` of attributes. " +
      "With `refs`, ids are refs `id:<uuid>`, which parameters accept unchanged.",
  ),
};

/** Returns the names in the parameter `expand` of a read; none without it. */
export function listExpansions(input: Payload["input"]): ReadonlySet<ExpansionName> {
  // `readParams` allows no other values, and writes have no such parameter.
  const names = typeof input.expand === "string" ? input.expand.split(",") : [];
  return new Set(names as ExpansionName[]);
}
