import * as z from "zod/mini";
import { type Beside, withBeside } from "./ids.ts";

/** The members of an object by their schemas. */
type Shape = Readonly<Record<string, z.core.$ZodType>>;

/**
 * The schema of an object that has a name of its own, as `title`: the OpenAPI document describes it once under that
 * name, and clients made from the document have a type of that name. Beside each member that holds ids it has one that
 * tells keys or names.
 */
export function namedObject<M extends Shape>(name: string, members: M): z.ZodMiniObject<M & Beside<M>, z.core.$strip> {
  const schema = z.object(withBeside(members)).check(z.meta({ title: name }));
  // The members beside follow from the schemas that the loop goes through.
  return schema as z.ZodMiniType as z.ZodMiniObject<M & Beside<M>, z.core.$strip>;
}
