import { given } from "../domain/content.ts";
import { jsonTypeOf } from "../domain/value-type.ts";
import type { DocumentTexts } from "./document-texts.ts";
import type { Findings } from "./findings.ts";
import { isAbsent, isObject, type JsonObject } from "./json-source.ts";
import type { MemberFates } from "./members.ts";
import type { Keyed, Refs } from "./model-json-refs.ts";

/** The sorts of objects such a document holds. */
type Sort = "model" | "type" | "entity" | "attribute" | "relationship" | "role" | "businessKey" | "tag" | "tagGroup";

/** One way of writing a model as JSON: objects with keys in lists, and refs between them. */
export interface ModelJsonForm {
  readonly texts: DocumentTexts;
  /** A member of `primaryKey` as a ref, `key:…` or `id:…`. */
  readonly primaryKeyRef: (written: string) => string;
  /** Whether it defines its tags, so that marks can be read. */
  readonly definesTags: boolean;
  readonly members: { readonly [S in Sort]: MemberFates };
}

/** Reads the marks of an object that tags can mark. */
export type ReadMarks = (source: JsonObject, findings: Findings) => { readonly tags?: readonly string[] };

/** What the objects of one document refer to. */
export interface Scope {
  readonly form: ModelJsonForm;
  readonly types: Refs;
  readonly entities: Refs;
  readonly marks: ReadMarks;
}

/** The objects of a list that have a key, keys made legal where the form asks for it; a fault for each of the others. */
export function keyed(holder: JsonObject, member: string, form: ModelJsonForm, findings: Findings): readonly Keyed[] {
  const found = listOf(holder, member, findings).flatMap((source: unknown, i): readonly Keyed[] => {
    const here = findings.at(`/${member}/${i}`);
    if (isObject(source) && typeof source.key === "string") return [{ source, key: source.key, findings: here }];
    if (isObject(source)) here.fault("/key", "expected a text that is the key");
    else here.fault("", `expected an object, got ${jsonTypeOf(source)}`);
    return [];
  });
  const keys = form.texts.keys(
    found.map((f) => f.key),
    (i) => found[i]?.findings ?? findings,
  );
  return found.map((f, i) => ({ ...f, key: keys[i] ?? f.key }));
}

/** A member that is a list; absent is empty, anything else a fault. */
export function listOf(holder: JsonObject, member: string, findings: Findings): readonly unknown[] {
  const list = holder[member];
  if (Array.isArray(list)) return list;
  if (!isAbsent(list)) findings.fault(`/${member}`, `expected a list, got ${jsonTypeOf(list)}`);
  return [];
}

/** How many members a list has; 0 for what is none. */
export function lengthOf(list: unknown): number {
  return Array.isArray(list) ? list.length : 0;
}

/** Key, name and description. */
export function described({ source, key, findings }: Keyed, { texts }: ModelJsonForm) {
  return {
    key,
    ...given("name", texts.name(source, "name", findings)),
    ...given("description", texts.description(source, "description", findings)),
  };
}
