import { jsonTypeOf } from "../domain/value-type.ts";
import type { Findings } from "./findings.ts";
import type { SourceObject } from "./model-json-parts.ts";
import { quoted } from "./quoted.ts";

/** The sorts of objects that refs of a source name, with the words for each. */
const NOUNS = {
  type: "type of the model",
  entity: "entity of the model",
  tag: "tag that the document defines",
} as const;

const ATTRIBUTE = "attribute of the entity";

/** The refs inside one source: by `key:<key in the source>` and, where it gives ids, by `id:<uuid>`. */
export interface Refs {
  /** The ref as `key:…` of the object it names; a fault, and the ref itself, when it names none. */
  resolve(to: keyof typeof NOUNS, ref: unknown, place: string, findings: Findings): string;
  /** The ref of an attribute of an entity, as `resolve` has others; undefined where the entity is not there. */
  resolveAttribute(entity: string, ref: unknown, place: string, findings: Findings): string | undefined;
  /**
   * The refs of a list of attributes of an entity, which is given or named, each as `key:…`; none where the entity is
   * not there.
   */
  resolveAttributes(
    entity: SourceObject | string,
    refs: readonly unknown[],
    place: string,
    findings: Findings,
  ): readonly string[];
}

type Targets = ReadonlyMap<string, string>;

/** The refs that the objects of a source have. */
export function refsOf({ parts }: SourceObject): Refs {
  const list = (member: string): readonly SourceObject[] => parts.get(member) ?? [];
  const tagsOfGroups = list("tagGroups").flatMap((group) =>
    (group.parts.get("tags") ?? []).map((t) => inGroup(group, t)),
  );
  const targets = {
    type: targetsOf(list("types")),
    entity: targetsOf(list("entities")),
    tag: targetsOf([...list("localTags"), ...tagsOfGroups]),
  };
  const attributesOf = (entity: SourceObject): Targets => targetsOf(entity.parts.get("attributes") ?? []);
  const attributes = new Map(list("entities").map((entity) => [`key:${entity.key}`, attributesOf(entity)]));
  return {
    resolve: (to, ref, place, findings) => resolved(targets[to], NOUNS[to], ref, place, findings),
    resolveAttribute: (entity, ref, place, findings) => {
      const own = attributes.get(entity);
      return own && resolved(own, ATTRIBUTE, ref, place, findings);
    },
    resolveAttributes: (entity, refs, place, findings) => {
      const own = typeof entity === "string" ? attributes.get(entity) : attributesOf(entity);
      if (!own) return [];
      return refs.map((ref, i) => resolved(own, ATTRIBUTE, ref, `${place}/${i}`, findings));
    },
  };
}

function targetsOf(objects: readonly Pick<SourceObject, "source" | "key">[]): Targets {
  const targets = new Map<string, string>();
  for (const { source, key } of objects) {
    const target = `key:${key}`;
    if (!targets.has(`key:${String(source.key)}`)) targets.set(`key:${String(source.key)}`, target);
    if (typeof source.id === "string") targets.set(`id:${source.id.toLowerCase()}`, target);
  }
  return targets;
}

/** A tag of a group under the key that refs name it with. */
function inGroup(group: SourceObject, { source }: SourceObject): Pick<SourceObject, "source" | "key"> {
  const key = `${group.key}/${String(source.key)}`;
  return { source: { id: source.id, key }, key };
}

function resolved(targets: Targets, noun: string, ref: unknown, place: string, findings: Findings): string {
  const written = typeof ref === "string" ? ref : "";
  const found = targets.get(written.startsWith("id:") ? written.toLowerCase() : written);
  if (found !== undefined) return found;
  const what = typeof ref === "string" ? quoted(ref) : jsonTypeOf(ref ?? null);
  findings.fault(place, `${what} names no ${noun}; a ref is key:<key>, or id:<uuid> of an object in the document`);
  return written;
}
