/** The objects that the processes of this run keep of what they read: the service's own number, or the one that is set. */
export const CACHED_OBJECTS =
  process.env.METACTION_CACHED_OBJECTS === undefined ? undefined : Number(process.env.METACTION_CACHED_OBJECTS);
