import { DISTANCES } from "../../../shared/diagram/diagram-nodes.ts";

/** What the address of the diagram tells after `?`. */
export interface DiagramSearch {
  /** `key:` of the entity that is chosen. */
  readonly entity?: string | undefined;
  /** `key:` of the relationship that is chosen. */
  readonly relationship?: string | undefined;
  /** `key:` of the entity in the focus. */
  readonly focus?: string | undefined;
  readonly distance?: number | undefined;
  /** Refs of tags, as documents name them. */
  readonly tags?: readonly string[] | undefined;
  readonly view?: "list" | undefined;
}

/** Changes members of the address; back undoes it unless it takes the place of what was there. */
export type ChangeSearch = (next: DiagramSearch, replace?: boolean) => void;

/** The distance that an address tells; 1 where it tells none that there is. */
export function distanceOf({ distance }: DiagramSearch): number {
  return DISTANCES.find((one) => one === distance) ?? DISTANCES[0];
}
