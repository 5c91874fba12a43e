import * as z from "zod/mini";
import type { ModelDocument } from "../domain/document.ts";
import type { Field, Fields, PairsField, RefsField } from "../domain/fields/field.ts";
import { modelFields } from "../domain/fields/model.ts";
import type { KeyPair } from "../domain/key-pairs.ts";
import type { ValueType } from "../domain/value-type.ts";
import { modelKey } from "../domain/value-types.ts";
import { pointerToken } from "../domain/well-formed.ts";
import { checkPairs } from "./document-pairs.ts";
import { checkCount, checkRefs, checkTagRefs, type Defined, definedBy, refsTo } from "./document-refs.ts";
import type { Findings } from "./findings.ts";

/**
 * Checks a produced document against the fields of its kinds: values, keys and their uniqueness, refs. Faults are placed
 * in the document.
 */
export function checkDocument(document: ModelDocument, findings: Findings): void {
  check(document.key, "key", modelKey, findings);
  checkFields(document, modelFields, definedBy(document), findings);
}

/** An object of a document as a loop over its fields sees it. */
interface Written {
  readonly key: string;
}

function checkFields(written: Written, fields: Fields, defined: Defined, findings: Findings): void {
  for (const [member, field] of Object.entries(fields)) {
    // A document has the members that the fields declare.
    const value = (written as unknown as Readonly<Record<string, unknown>>)[member];
    if (value !== undefined) checkMember(value, member, field, written, defined, findings);
  }
}

function checkMember(
  value: unknown,
  member: string,
  field: Field,
  written: Written,
  defined: Defined,
  findings: Findings,
): void {
  switch (field.is) {
    case "value":
    case "json":
      check(value, member, field.type, findings);
      return;
    case "ref":
      if (!defined[field.to].has(value as string)) {
        findings.fault(`/${member}`, `the model has no ${field.to} ${JSON.stringify(value)}`);
      }
      return;
    case "refs": {
      const refs = value as readonly string[];
      const own = ownAttributes(written, field, defined);
      checkCount(refs, field.count, `/${member}`, findings);
      // Without its entity there is one fault already.
      if (own) checkRefs(refs, own, `/${member}`, findings);
      return;
    }
    case "pairs":
      checkPairs(value as readonly KeyPair[], sidesOf(written, field), field, `/${member}`, defined, findings);
      return;
    case "tags":
      checkTagRefs(value as readonly string[], defined, findings);
      return;
    case "nested":
      checkCount(value as readonly Written[], field.count, `/${member}`, findings);
      checkParts(value as readonly Written[], `/${member}`, field, defined, findings);
      return;
    case "children":
      checkParts(value as readonly Written[], `/${member}`, field, defined, findings);
      return;
    case "internal":
  }
}

/** The objects whose entities have the attributes of a list of pairs. */
function sidesOf(written: Written, { of }: PairsField): readonly { readonly entity: string }[] {
  // A holder of pairs has a list of them at that member.
  return (written as unknown as Readonly<Record<string, readonly { readonly entity: string }[]>>)[of] ?? [];
}

/** The attributes that a list of refs may name; undefined where their entity is not there. */
function ownAttributes(written: Written, { of }: RefsField, { attributes }: Defined): ReadonlySet<string> | undefined {
  const { attributes: own = [], entity = "" } = written as EntityParts;
  return of === "itself" ? refsTo(own) : attributes.get(entity);
}

/** The members of an object that say whose attributes its lists of refs name. */
interface EntityParts extends Written {
  readonly attributes?: readonly Written[];
  readonly entity?: string;
}

/** The objects of one list, of which no two have the same key. */
function checkParts(
  parts: readonly Written[],
  place: string,
  { key, fields }: { readonly key: ValueType<string>; readonly fields: Fields },
  defined: Defined,
  findings: Findings,
): void {
  const first = new Map<string, number>();
  for (const [i, part] of parts.entries()) {
    const here = findings.at(`${place}/${i}`);
    check(part.key, "key", key, here);
    const same = first.get(part.key);
    if (same === undefined) first.set(part.key, i);
    else here.fault("/key", `the key ${JSON.stringify(part.key)} is taken by ${place}/${same}`);
    checkFields(part, fields, defined, here);
  }
}

/** One value against the type that an action would take there; an object may have a fault in each of its members. */
function check(value: unknown, member: string, type: ValueType<unknown>, findings: Findings): void {
  const result = z.safeParse(type.schema(), value);
  if (result.success) return;
  const [first, ...others] = result.error.issues;
  for (const issue of [first, ...others.filter(({ path }) => path.length > 0)]) {
    const place = (issue?.path ?? []).map((step) => `/${pointerToken(step)}`).join("");
    findings.fault(`/${member}${place}`, issue?.message ?? `is no ${type.id}`);
  }
}
