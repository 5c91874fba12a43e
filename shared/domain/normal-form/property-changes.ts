import { PROPERTY_LIMITS } from "../limits.ts";
import { isSameValue, toCanonicalJson } from "../text/json-values.ts";
import type { Properties } from "../values/properties.ts";
import { PHYSICAL } from "./dialect-rules.ts";

/** Properties that change to their normal form, and what they were before. */
export class PropertyChanges {
  readonly #properties: Record<string, unknown>;
  readonly #physical: Record<string, unknown> = {};

  constructor(properties: Properties | undefined) {
    this.#properties = { ...properties };
  }

  get(name: string): unknown {
    return this.#properties[`sql:${name}`];
  }

  getText(name: string): string | undefined {
    const value = this.get(name);
    return typeof value === "string" ? value : undefined;
  }

  /** Sets or removes a property, and keeps the value before it. */
  set(name: string, value: unknown): void {
    const before = this.get(name);
    if (before !== undefined) this.keep(name, before);
    if (value === undefined) delete this.#properties[`sql:${name}`];
    else this.#properties[`sql:${name}`] = value;
  }

  /** Sets a property to a value if it differs; an empty list or object removes it. */
  replace(name: string, value: unknown): void {
    const isEmpty = typeof value === "object" && value !== null && Object.keys(value).length === 0;
    const own = isEmpty ? undefined : value;
    if (!isSameValue(this.get(name), own)) this.set(name, own);
  }

  /** Sets a list whose order has no meaning. Keeps the list before it if more than the order changed. */
  replaceList(name: string, values: readonly object[]): void {
    const before = this.get(name);
    const isReordered = Array.isArray(before) && isSameValue(sortByText(before), values);
    if (isReordered) this.#properties[`sql:${name}`] = values;
    else this.replace(name, values);
  }

  /** Keeps a value that the normal form replaces. */
  keep(name: string, value: unknown): void {
    this.#physical[name] = value;
  }

  /** Returns the member `properties` of the object; without it if there are none. */
  toMember(): { readonly properties?: Properties } {
    const { [PHYSICAL]: former, ...others } = this.#properties;
    const physical = { ...(former as object | undefined), ...this.#physical };
    const own = Object.keys(physical).length > 0 ? { ...others, [PHYSICAL]: physical } : others;
    const kept = fitsLimits(own) ? own : others;
    // The values are those of the properties, or made of them.
    return Object.keys(kept).length > 0 ? { properties: kept as Properties } : {};
  }
}

function fitsLimits(properties: Readonly<Record<string, unknown>>): boolean {
  const { propertiesPerObject, propertiesBytes } = PROPERTY_LIMITS;
  if (Object.keys(properties).length > propertiesPerObject) return false;
  return Buffer.byteLength(JSON.stringify(properties)) <= propertiesBytes;
}

/** Sorts values by their canonical texts. */
export function sortByText<T>(values: readonly T[]): readonly T[] {
  return values
    .map((value) => [toCanonicalJson(value), value] as const)
    .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
    .map(([, value]) => value);
}
