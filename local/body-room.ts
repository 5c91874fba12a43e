/** The bytes of bodies that may be under way at once, over all connections. */
export interface BodyRoom {
  readonly most: number;
  /** Takes room for so many bytes more; false where there is not as much. */
  take(bytes: number): boolean;
  give(bytes: number): void;
}

/** Room for `most` bytes. */
export function createBodyRoom(most: number): BodyRoom {
  let taken = 0;
  return {
    most,
    take: (bytes) => {
      if (taken + bytes > most) return false;
      taken += bytes;
      return true;
    },
    give: (bytes) => {
      taken -= bytes;
    },
  };
}
