import type { JsonObject } from "../json-object.ts";

/** True for a name that ODCS takes in the short form of a reference, `table.column`. */
export function isPlainName(name: string): boolean {
  return /^[A-Za-z_]\w*$/.test(name);
}

/** The id under which references find what has a name that ODCS does not take in references: a different one for each name. */
export function idMadeOf(name: string): string {
  return name.replace(/[^A-Za-z0-9]/gu, (sign) => `_${sign.codePointAt(0)?.toString(16)}_`);
}

/** The members of an element without an id that is made of its name, which says nothing more. */
export function withoutMadeId({ id, ...rest }: JsonObject): JsonObject {
  const isMade = typeof rest.name === "string" && !isPlainName(rest.name) && id === idMadeOf(rest.name);
  return id === undefined || isMade ? rest : { id, ...rest };
}

/** The id that an element of a name has to be given so that references find it; undefined where it has one or needs none. */
export function neededId(name: string, own: unknown): string | undefined {
  return isPlainName(name) || own !== undefined ? undefined : idMadeOf(name);
}

/** One step on the way to an element: its name, and the id that it has itself. */
export interface ReferenceStep {
  readonly name: string;
  readonly own?: unknown;
}

/** A reference to a property by the steps from its schema object to it: in the short form where that can say it. */
export function referenceTo(steps: readonly ReferenceStep[]): string {
  const [object, property] = steps;
  if (steps.length === 2 && object && property && isPlainName(object.name) && isPlainName(property.name)) {
    return `${object.name}.${property.name}`;
  }
  const ids = steps.map(({ name, own }) =>
    typeof own === "string" && /^[\w-]+$/.test(own) ? own : isPlainName(name) ? name : idMadeOf(name),
  );
  return `schema/${ids.join("/properties/")}`;
}
