import * as z from "zod/mini";
import { type Kind, listKindPath } from "../../domain/kinds.ts";
import { REF_TYPES } from "../../domain/values/ref-types.ts";
import { defineValueType } from "../../domain/values/value-type.ts";
import type { Action } from "./action.ts";
import { optionalParam, type Param, type Params, requiredParam } from "./params.ts";

/** The kinds whose refs an action takes, outermost first. */
export function listAddressedKinds(action: Action): readonly Kind[] {
  const innermost = action.target ?? action.within;
  return innermost ? listKindPath(innermost) : [];
}

const paramsByAction = new WeakMap<Action, Params>();

/** Every parameter of an action in declared order, refs first: what discovery shows and the payload is read by. */
export function getAllParams(action: Action): Params {
  const params = paramsByAction.get(action) ?? addAliases(action, listDeclaredParams(action));
  paramsByAction.set(action, params);
  return params;
}

function listDeclaredParams(action: Action): Params {
  const refs = listAddressedKinds(action).map((k): [string, Param] => {
    const type = REF_TYPES[k.refType];
    if (!type) throw new Error(`no ref type ${k.refType}`);
    return [k.refParameter, requiredParam(type, `The ${k.noun}.`)];
  });
  return { ...Object.fromEntries(refs), ...action.input, ...(action.intent === "read" && readParams) };
}

/** Names that are one thing to callers, though neither the type of a parameter nor its action says so. */
const SYNONYMS: Readonly<Record<string, readonly string[]>> = {
  tagRef: ["tag"],
  tagGroupRef: ["groupRef"],
  roleRefs: ["roles"],
  permissionKey: ["permission"],
  autoassign: ["autoAssign"],
  documentationHome: ["documentationLink"],
  documentationLink: ["documentationHome"],
};

/**
 * The parameters of an action with all names they go by: beside those that are declared the name of what a ref or key is of,
 * the field that an update sets, and the name of what is made without the noun. What would name two of them names none.
 */
function addAliases(action: Pick<Action, "name" | "intent">, params: Params): Params {
  const declared = Object.entries(params);
  const made = action.intent === "create" ? findCreatedNoun(declared) : undefined;
  const wished = declared.map(([name, param]) => {
    const derived = [getUpdatedField(action.name, name), deriveTypeName(param), removeNoun(name, made)];
    const names = [...param.aliases, ...[name, ...derived].flatMap((one = name) => [one, ...(SYNONYMS[one] ?? [])])];
    return [name, param, new Set(names).add(name)] as const;
  });
  const all = wished.flatMap(([, , names]) => [...names]);
  const isOwn = (one: string): boolean => params[one] === undefined && all.indexOf(one) === all.lastIndexOf(one);
  return Object.fromEntries(
    wished.map(([name, param, names]) => [name, { ...param, aliases: [...names].filter(isOwn) }]),
  );
}

/** `description` for the `value` of `entity_update_description`. */
function getUpdatedField(action: string, name: string): string | undefined {
  const field = name === "value" ? /_update_(\w+)$/.exec(action)?.[1] : undefined;
  return field?.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}

const TYPE_NAME = /^(List<)?(?:\w+(?=(?:Attribute|Role|Tag|Definition|Token)[RKI]))?(\w+?)(Ref|Key|Id)>?$/;

/** `attributeRefs` for a `List<EntityAttributeRef>`, `actorRef` for an `ActorId`, which is a ref too. */
function deriveTypeName({ type }: Param): string | undefined {
  const [, list, noun = "", end] = TYPE_NAME.exec(type.id) ?? [];
  if (end === undefined || noun === "Object") return undefined;
  return noun.charAt(0).toLowerCase() + noun.slice(1) + (end === "Id" ? "Ref" : end) + (list ? "s" : "");
}

/** The noun of what an action makes, where its parameters begin with it: `role` where there is a `roleKey`. */
function findCreatedNoun(params: readonly (readonly [string, Param])[]): string | undefined {
  const [key] = params.find(([name, param]) => name.endsWith("Key") && name === deriveTypeName(param)) ?? [];
  return key?.slice(0, -"Key".length);
}

/** `key` for `roleKey`, `entityRef` for `roleEntityRef` where a role is made. */
function removeNoun(name: string, made: string | undefined): string | undefined {
  const rest = made !== undefined && name.startsWith(made) ? name.slice(made.length) : "";
  return /^[A-Z]/.test(rest) && rest !== "Ref" ? rest.charAt(0).toLowerCase() + rest.slice(1) : undefined;
}

const EXPANSIONS = ["keys"] as const;

const expansion = defineValueType<(typeof EXPANSIONS)[number]>({
  id: "Expansion",
  json: "string",
  description: `One of: ${EXPANSIONS}.`,
  schema: () => z.enum(EXPANSIONS, { error: ({ input }) => `${JSON.stringify(input)} is not one of: ${EXPANSIONS}` }),
});

/** The parameters of every read. */
export const readParams = {
  expand: optionalParam(
    expansion,
    "With `keys` the answer has keys and names beside ids: beside `type` a `typeByKey`.",
  ),
};
