import type { ModelDocument } from "../../domain/document.ts";
import type { DocumentMatch } from "../../domain/match/match-documents.ts";
import type { Matchable } from "../../domain/match/match-list.ts";
import { sameValue } from "../../domain/same-value.ts";
import type { WarningCode } from "../../domain/warnings.ts";
import type { Findings } from "../findings.ts";

interface Told {
  readonly place: string;
  readonly code: WarningCode;
  readonly detail: string;
}

/** Findings that are kept one by one. */
export interface ToldFindings extends Findings {
  readonly told: readonly Told[];
}

/** Findings of one side of a difference. */
export function createTold(): ToldFindings {
  const told: Told[] = [];
  const under = (base: string): Findings => ({
    fault: (place, detail) => {
      throw new Error(`${base}${place}: ${detail}`);
    },
    warn: (place, code, detail) => void told.push({ place: base + place, code, detail }),
    at: (place) => under(base + place),
  });
  return { ...under(""), told };
}

/** Tells of the warnings of two sides those that are about what differs: the others were as true before. */
export function tellChanged(
  [left, right]: readonly [ModelDocument, ModelDocument],
  [before, after]: readonly [ToldFindings, ToldFindings],
  match: DocumentMatch,
  findings: Findings,
): void {
  const sides = {
    left: { document: left, told: before.told, other: match.rightOf, places: placesOf(right), others: right },
    right: { document: right, told: after.told, other: match.leftOf, places: placesOf(left), others: left },
  };
  for (const [name, { document, told, other, places, others }] of Object.entries(sides)) {
    const opposite = name === "left" ? after : before;
    const known = new Set(opposite.told.map((one) => `${one.place} ${one.code} ${one.detail}`));
    for (const { place, code, detail } of told) {
      const there = placeThere(document, place, other, places);
      const isSame =
        there !== undefined &&
        known.has(`${there} ${code} ${detail}`) &&
        sameValue(valueAt(document, place), valueAt(others, there));
      if (!isSame) findings.warn(`/${name}${place}`, code, detail);
    }
  }
}

/** The places of all objects in a document. */
function placesOf(document: ModelDocument): ReadonlyMap<object, string> {
  const places = new Map<object, string>();
  const walk = (value: unknown, place: string): void => {
    if (typeof value !== "object" || value === null) return;
    places.set(value, place);
    for (const [member, one] of Object.entries(value)) walk(one, `${place}/${member}`);
  };
  walk(document, "");
  return places;
}

/** The place of the same thing in the other document; undefined where it is not there. */
function placeThere(
  document: ModelDocument,
  place: string,
  other: (object: Matchable) => Matchable | undefined,
  places: ReadonlyMap<object, string>,
): string | undefined {
  let value: unknown = document;
  let found: string | undefined = "";
  for (const token of tokensOf(place)) {
    value = memberOf(value, token);
    const isObject = typeof value === "object" && value !== null && "key" in value;
    const match = isObject ? other(value as Matchable) : undefined;
    if (match) found = places.get(match);
    else found = found === undefined ? undefined : `${found}/${token.replaceAll("~", "~0").replaceAll("/", "~1")}`;
  }
  return found;
}

function valueAt(document: ModelDocument, place: string): unknown {
  return tokensOf(place).reduce<unknown>(memberOf, document);
}

function tokensOf(place: string): readonly string[] {
  return place
    .split("/")
    .slice(1)
    .map((token) => token.replaceAll("~1", "/").replaceAll("~0", "~"));
}

function memberOf(value: unknown, member: string): unknown {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, member)) return undefined;
  return (value as Readonly<Record<string, unknown>>)[member];
}
