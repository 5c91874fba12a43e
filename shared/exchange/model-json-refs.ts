import { jsonTypeOf } from "../domain/value-type.ts";
import type { Findings } from "./findings.ts";
import type { JsonObject } from "./json-source.ts";
import { quoted } from "./quoted.ts";

/** An object of a model document, under the key it will have. */
export interface Keyed {
  readonly source: JsonObject;
  readonly key: string;
  readonly findings: Findings;
}

/** Refs to the objects of one scope of a document. */
export interface Refs {
  /** The ref as `key:…` of the object it names; a fault, and the ref itself, when it names none. */
  resolve(ref: unknown, place: string, noun: string, findings: Findings): string;
}

/** Makes objects referable by `key:<key in the source>` and, where the source gives ids, by `id:<uuid>`. */
export function referable(objects: readonly Keyed[]): Refs {
  const byRef = new Map<string, string>();
  for (const { source, key } of objects) {
    const target = `key:${key}`;
    if (!byRef.has(`key:${String(source.key)}`)) byRef.set(`key:${String(source.key)}`, target);
    if (typeof source.id === "string") byRef.set(`id:${source.id.toLowerCase()}`, target);
  }
  return {
    resolve: (ref, place, noun, findings) => {
      const written = typeof ref === "string" ? ref : "";
      const found = byRef.get(written.startsWith("id:") ? written.toLowerCase() : written);
      if (found !== undefined) return found;
      const what = typeof ref === "string" ? quoted(ref) : jsonTypeOf(ref ?? null);
      findings.fault(place, `${what} names no ${noun}; a ref is key:<key>, or id:<uuid> of an object in the document`);
      return written;
    },
  };
}
