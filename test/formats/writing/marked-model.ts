import { KEYWORDS, type KeywordName, type Shape } from "../../../shared/domain/constraints/keywords.ts";
import type { ModelDocument } from "../../../shared/domain/document/document.ts";
import type { Field, Fields } from "../../../shared/domain/fields/field.ts";
import { modelFields } from "../../../shared/domain/fields/model-fields.ts";
import { cardinality } from "../../../shared/domain/values/model-types.ts";
import type { ValueType } from "../../../shared/domain/values/value-type.ts";
import {
  flag,
  link,
  markdown,
  modelAuthority,
  modelVersion,
  singleLine,
  uri,
} from "../../../shared/domain/values/value-types.ts";

/** A text of a member of a model, with the JSON pointer of the member. */
export interface Mark {
  readonly pointer: string;
  readonly text: string;
  readonly kind: "key" | "line" | "description" | "link" | "property" | "constraint";
}

export interface MarkedModel {
  readonly document: ModelDocument;
  readonly marks: readonly Mark[];
}

interface MarkedOptions {
  /** Characters in the middle of each text. */
  readonly hostile: string;
  /** Keys of types that formats know; by default types have marks as keys. */
  readonly typeKeys?: readonly string[];
  readonly keywords?: readonly KeywordName[];
}

type Members = Readonly<Record<string, unknown>>;

const COUNTS: Readonly<Record<string, number>> = { localTags: 14, tagGroups: 1, tags: 1 };

/** Creates a model in which every member of every kind has a text that no other member has. */
export function createMarkedModel({ hostile, typeKeys = [], keywords = ALL_KEYWORDS }: MarkedOptions): MarkedModel {
  const marks: Mark[] = [];
  const keys = new Map<string, string>();
  let count = 0;
  let holders = 0;
  const key = typeKeys.length > 0 ? (n: number) => typeKeys[n % typeKeys.length] : undefined;

  const document = {
    $schema: "urn:metaction:model:2",
    key: toKeyAt("/key", ""),
    ...fill(modelFields, "", ""),
  } as unknown as ModelDocument;
  return { document, marks };

  function fill(fields: Fields, pointer: string, list: string): Members {
    const members = Object.entries(fields).map(([member, field]) => [
      member,
      toValue(field, member, `${pointer}/${member}`, list),
    ]);
    return Object.fromEntries(members.filter(([, value]) => value !== undefined));
  }

  function toValue(field: Field, member: string, pointer: string, list: string): unknown {
    const at = pointer.split("/").slice(1);
    switch (field.is) {
      case "internal":
        return undefined;
      case "value":
        return toPlainValue(field.type, pointer);
      case "json":
        return member === "properties"
          ? { [mark(pointer, "property", toKeyText(hostile))]: mark(pointer, "property", hostile) }
          : Object.fromEntries(keywords.map((keyword) => [keyword, toKeywordValue(keyword, pointer)]));
      case "ref": {
        const index = field.to === "type" ? Number(at.at(-2)) : list === "roles" ? Number(at[3]) : 0;
        return `key:${toKeyAt(`/${field.to === "type" ? "types" : "entities"}/${index}/key`, field.to)}`;
      }
      case "refs": {
        const wanted = field.of === "itself" ? [1] : at[1] === "0" ? [0] : [1, 0];
        return wanted.map((i) => toAttributeRef(field.of === "itself" ? Number(at[1]) : 0, i));
      }
      case "pairs":
        return at[1] === "0" ? [[toAttributeRef(0, 0), toAttributeRef(1, 1)]] : undefined;
      case "tags":
        return [`key:${toKeyAt(`/localTags/${holders++}/key`, "localTags")}`, `key:${toGroupedKey()}`];
      case "nested":
      case "children":
        return Array.from({ length: COUNTS[member] ?? 2 }, (_, i) => ({
          key: toKeyAt(`${pointer}/${i}/key`, member),
          ...fill(field.fields, `${pointer}/${i}`, member),
        }));
    }
  }

  function toPlainValue(type: ValueType<unknown>, pointer: string): unknown {
    switch (type) {
      case singleLine:
        return mark(pointer, "line", hostile.replace(/\s+/g, " "));
      case markdown:
        return mark(pointer, "description", hostile);
      case link:
      case uri:
        return mark(pointer, "link", "/?a=%3Cb%3E&c=1#");
      case flag:
        return !pointer.includes("/attributes/1/");
      case modelVersion:
        return "7.6.5";
      case modelAuthority:
        return "canonical";
      case cardinality:
        return pointer.includes("/roles/0") ? "many" : "one";
      default:
        throw new Error(`no mark for the type ${type.id}`);
    }
  }

  function toKeywordValue(keyword: KeywordName, pointer: string): unknown {
    const number = () => 1_000 + count++;
    const text = () => mark(`${pointer}/${keyword}`, "constraint", hostile);
    const made: Readonly<Record<Shape, () => unknown>> = {
      ...{ number, positive: number, count: number, flag: () => true },
      line: () => mark(`${pointer}/${keyword}`, "constraint", hostile.replace(/\s+/g, " ")),
      ...{ pattern: text, value: text, values: () => [text()], choices: () => [text()] },
    };
    return made[KEYWORDS[keyword].shape]();
  }

  function toAttributeRef(entity: number, attribute: number): string {
    return `key:${toKeyAt(`/entities/${entity}/attributes/${attribute}/key`, "attributes")}`;
  }

  function toGroupedKey(): string {
    return `${toKeyAt("/tagGroups/0/key", "tagGroups")}/${toKeyAt("/tagGroups/0/tags/0/key", "tags")}`;
  }

  function toKeyAt(pointer: string, list: string): string {
    const found = keys.get(pointer);
    if (found !== undefined) return found;
    const isTag = list === "localTags" || list === "tagGroups" || list === "tags";
    const own = pointer.startsWith("/types/") ? key?.(Number(pointer.split("/")[2])) : undefined;
    const made = own ?? mark(pointer, "key", isTag ? "-_" : toKeyText(hostile));
    keys.set(pointer, made);
    return made;
  }

  function mark(pointer: string, kind: Mark["kind"], middle: string): string {
    const n = count++;
    const text = kind === "link" ? `https://example.org/m${n}q${middle}w${n}z` : `m${n}q${middle}w${n}z`;
    marks.push({ pointer, text, kind });
    return text;
  }
}

const ALL_KEYWORDS = Object.keys(KEYWORDS) as readonly KeywordName[];

/** Removes the characters that keys cannot have, and dots, which some formats read as levels. */
export const toKeyText = (text: string): string => text.replace(/[\\'"`.]|[^ -~]/g, "");

/** A member of a document with another value, and the pointer of the member. */
export interface ChangedModel {
  readonly pointer: string;
  readonly document: ModelDocument;
}

/** Returns copies of a model, each with one member that has another value or one list without its last item. */
export function listChanges({ document }: MarkedModel): readonly ChangedModel[] {
  return [...listPlaces(modelFields, document as unknown as Members, "")].flatMap(([pointer, value]) => {
    const copy = structuredClone(document);
    const steps = pointer.split("/").slice(1);
    const last = steps.pop() ?? "";
    const owner = steps.reduce<unknown>((part, step) => (part as Members)[step], copy) as Record<string, unknown>;
    owner[last] = value;
    return [{ pointer, document: copy }];
  });
}

function* listPlaces(fields: Fields, object: Members, pointer: string): Generator<readonly [string, unknown]> {
  for (const [member, field] of Object.entries(fields)) {
    const value = object[member];
    const at = `${pointer}/${member}`;
    if (value === undefined) continue;
    if (field.is === "children" || field.is === "nested") {
      for (const [i, one] of (value as readonly Members[]).entries())
        yield* listPlaces(field.fields, one, `${at}/${i}`);
    } else if (field.is === "json") {
      for (const [name, one] of Object.entries(value as Members)) yield [`${at}/${name}`, toOther(one)];
    } else if (field.is === "refs" || field.is === "pairs" || field.is === "tags") {
      yield [at, (value as readonly unknown[]).slice(0, -1)];
    } else if (field.is === "value") yield [at, toOther(value)];
  }
}

function toOther(value: unknown): unknown {
  if (typeof value === "boolean") return !value;
  if (typeof value === "number") return value + 1;
  if (Array.isArray(value)) return value.map(toOther);
  const others: Readonly<Record<string, string>> = {
    many: "zeroOrOne",
    one: "zeroOrOne",
    canonical: "system",
    "7.6.5": "7.6.6",
  };
  return others[String(value)] ?? `${String(value).slice(0, -1)}y`;
}
