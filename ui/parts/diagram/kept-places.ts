import type { Point } from "../../../shared/diagram/geometry.ts";

/** Places that a person gave to nodes, by the ids of the nodes. */
export type MovedPlaces = ReadonlyMap<string, Point>;

const nameOf = (diagram: string): string => `metaction.diagram.${diagram}`;

/** The places that were kept in this browser for a diagram; what is no place is left out. */
export function readPlaces(diagram: string, storage: Storage = localStorage): MovedPlaces {
  try {
    const kept: unknown = JSON.parse(storage.getItem(nameOf(diagram)) ?? "{}");
    if (typeof kept !== "object" || kept === null) return new Map();
    return new Map(
      Object.entries(kept).flatMap(([id, place]) => {
        const [x, y] = Array.isArray(place) ? place : [];
        return Number.isFinite(x) && Number.isFinite(y) ? [[id, { x, y }] as const] : [];
      }),
    );
  } catch {
    return new Map();
  }
}

/** Keeps the places of a diagram in this browser; none forgets it. A storage that is full or closed keeps nothing. */
export function keepPlaces(diagram: string, places: MovedPlaces, storage: Storage = localStorage): void {
  try {
    const written = [...places].map(([id, { x, y }]) => [id, [x, y]] as const);
    if (written.length === 0) storage.removeItem(nameOf(diagram));
    else storage.setItem(nameOf(diagram), JSON.stringify(Object.fromEntries(written)));
  } catch {
    // The diagram stays as it is until the page is left.
  }
}
