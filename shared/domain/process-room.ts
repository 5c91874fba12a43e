/** The memory of a process, in megabytes, that the limits of what processes keep are made for. */
export const COMMON_MEGABYTES = 512;

/**
 * A limit of what a process keeps, such as `LIMITS.cachedObjects`, for one with so much memory: in proportion to it. The limit
 * itself where the memory is not known.
 */
export function roomFor(limit: number, megabytes: number | undefined): number {
  return megabytes === undefined ? limit : Math.floor((limit * megabytes) / COMMON_MEGABYTES);
}
