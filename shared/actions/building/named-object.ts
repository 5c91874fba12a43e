import * as z from "zod/mini";

/**
 * The schema of an object that has a name of its own, as `title`: the OpenAPI document describes it once under that
 * name, and clients made from the document have a type of that name.
 */
export const namedObject = <M extends z.core.$ZodLooseShape>(name: string, members: M) =>
  z.object(members).check(z.meta({ title: name }));
