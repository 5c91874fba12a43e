import { KINDS, type Kind, relationshipAttribute } from "../../domain/kinds.ts";
import type { Action, Intent } from "../contract/action.ts";
import { isWrite } from "../contract/action.ts";
import { allParams } from "../contract/action-params.ts";

/** A parameter that names a subject: by ref, by id or by its key. */
export interface ReferencingParam {
  readonly name: string;
  readonly kind: "ref" | "id" | "key";
}

/** A sort of object an action is about. */
export interface Subject {
  readonly type: string;
  readonly referencingParams: readonly ReferencingParam[];
}

/** The meaning of an action, for callers that choose actions by machine. */
export interface Semantics {
  readonly intent: Intent;
  readonly subjects: readonly Subject[];
  /** Subject types whose objects the answer holds. */
  readonly returns: readonly string[];
}

/** The semantics of an action, from what it addresses and, where it makes or lists something, from its name. */
export function semanticsOf(action: Action): Semantics {
  const kind = subjectOf(action);
  return {
    intent: action.intent,
    subjects: kind ? [{ type: subjectType(kind), referencingParams: referencing(action, kind) }] : [],
    returns: kind && action.intent === "read" ? [subjectType(kind)] : [],
  };
}

function subjectOf(action: Action): Kind | undefined {
  if (action.target) return action.target;
  const named = [...Object.values<Kind>(KINDS), relationshipAttribute]
    .filter((k) => isNamedIn(subjectType(k), action))
    .sort((a, b) => b.noun.length - a.noun.length)[0];
  // A write that addresses nothing begins a model.
  return named ?? (isWrite(action) && action.ledger === undefined ? KINDS.model : undefined);
}

/** True where the name of an action begins with a subject, of which its group may be the first word. */
function isNamedIn(subject: string, { group, name }: Pick<Action, "group" | "name">): boolean {
  const inGroup = subject.startsWith(`${group}_`) && `${group}_${name}`.startsWith(`${subject}_`);
  return inGroup || name.startsWith(`${subject}_`);
}

/** The noun of a kind as an identifier: `entity_attribute`. */
function subjectType(kind: Kind): string {
  return kind.noun.replaceAll(" ", "_");
}

function referencing(action: Action, kind: Kind): ReferencingParam[] {
  const words = kind.name.split("_").map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  const keyType = `${words.join("")}Key`;
  return Object.entries(allParams(action)).flatMap(([name, { type }]): ReferencingParam[] => {
    if (type.id === kind.refType) return [{ name, kind: howNamed(name) }];
    return type.id === keyType && /(^key|Key)$/.test(name) ? [{ name, kind: "key" }] : [];
  });
}

/** How a parameter names an object, as its own name says. */
function howNamed(parameter: string): ReferencingParam["kind"] {
  if (parameter.endsWith("Id")) return "id";
  return /(^key|Key)$/.test(parameter) ? "key" : "ref";
}
