import { listUnknownVariables, type Mutation, mutateSource, type Place } from "./mutation.ts";
import FUNCTIONS from "./places.json" with { type: "json" };

/** Functions in which defects are planted. In an id, the part before a slash distinguishes functions of the same name. */
export const PLACES: ReadonlyMap<string, Place> = new Map(
  Object.entries(FUNCTIONS).flatMap(([file, ids]) =>
    ids.map((id) => [id, { file, function: id.slice(id.indexOf("/") + 1) }] as const),
  ),
);

/** Test file that has to fail with a defect, or those of its tests that have a text in their names. */
export interface Suite {
  readonly file: string;
  readonly tests?: string;
}

/** Mistake that a developer could make, as a mutation of one node in one function. */
export interface Defect {
  /** A few words with hyphens; `METACTION_DEFECTS` chooses by it. */
  readonly name: string;
  readonly where: string;
  readonly mutation: Mutation;
  readonly caughtBy: readonly Suite[];
}

/** Groups of defects: first the suites that all have to fail, then the defects that they catch. */
export type Defects = readonly (Suite | Planted)[];

type Planted = Omit<Defect, "caughtBy">;

/** Returns the defects of a list with their suites. */
export function listDefects(rows: Defects): readonly Defect[] {
  let caughtBy: Suite[] = [];
  return rows.flatMap((row, i) => {
    if ("mutation" in row) return { ...row, caughtBy };
    if ("mutation" in (rows[i - 1] ?? row)) caughtBy = [];
    caughtBy.push(row);
    return [];
  });
}

/** Returns the file and the function in which a defect is planted. */
export function findPlace({ where }: Defect): Place {
  const place = PLACES.get(where);
  if (!place) throw new Error(`Unknown place ${where}.`);
  return place;
}

/** Returns the text of a file with a defect planted. Throws an error when the bank and the sources no longer fit. */
export function plantDefect(defect: Defect, text: string): string {
  const place = findPlace(defect);
  try {
    const planted = mutateSource(defect.mutation, place, text);
    if (planted === text) throw new Error(`The mutation changes nothing in \`${place.function}\` of ${place.file}.`);
    const unknown = listUnknownVariables(planted, text, place.file);
    if (unknown.length > 0) throw new Error(`${place.file} has no variable ${unknown.join(", ")}.`);
    return planted;
  } catch (error) {
    throw new Error(
      `Cannot plant defect ${defect.name} (place ${defect.where} in test/soak/support/places.json): ${(error as Error).message}`,
    );
  }
}

/** Describes a defect of a list, under a few words with hyphens. */
export function plant(name: string, where: string, mutation: Mutation): Planted {
  return { name, where, mutation };
}

export function suite(file: string, tests?: string): Suite {
  return { file, ...(tests !== undefined && { tests }) };
}
