import * as z from "zod/mini";
import { type Kind, listKindPath } from "../../domain/kinds.ts";
import { REF_TYPES } from "../../domain/values/ref-types.ts";
import { defineValueType } from "../../domain/values/value-type.ts";
import type { Action } from "./action.ts";
import { allowParam, type Param, type Params, requireParam } from "./params.ts";

interface ActionParameters {
  readonly kinds: readonly Kind[];
  /** All parameters in declared order, refs first, with their aliases. */
  readonly params: Params;
  /** Declared names by the names that callers may use. */
  readonly names: ReadonlyMap<string, string>;
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
  const parameters = { kinds, params, names };
  parametersByAction.set(action, parameters);
  return parameters;
}

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

const EXPANSIONS = ["keys"] as const;

const expansion = defineValueType<(typeof EXPANSIONS)[number]>({
  id: "Expansion",
  json: "string",
  description: `One of: ${EXPANSIONS}.`,
  schema: () => z.enum(EXPANSIONS, { error: ({ input }) => `${JSON.stringify(input)} is not one of: ${EXPANSIONS}` }),
});

export const readParams = {
  expand: allowParam(
    expansion,
    "With `keys`, the answer contains keys and names in addition to ids, such as `typeByKey` for `type`, and the `logicalType` of attributes.",
  ),
};
