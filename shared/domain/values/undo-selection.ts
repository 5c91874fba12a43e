import * as z from "zod/mini";
import { LIMITS } from "../limits.ts";
import { findWildcardFault } from "../refs.ts";
import { TEXT_PATTERN } from "../text/characters.ts";
import { objectId } from "./model-types.ts";
import { createTextSchema, defineValueType, expectMembers, expectType, requireText } from "./value-type.ts";

const KINDS_IN_MODEL = ["model", "type", "entity", "relationship", "attribute", "business_key", "tag"] as const;

/** Part of the changes of some commits: those that fit each of its lists. A list is fitted by any of its items. */
export interface UndoSelection {
  /** Ids of objects; what they own fits as well. */
  readonly objects?: readonly string[] | undefined;
  readonly kinds?: readonly (typeof KINDS_IN_MODEL)[number][] | undefined;
  /** Patterns of the paths of objects, such as `customer.*`. */
  readonly paths?: readonly string[] | undefined;
  /** Names of members, such as `description` or `properties.steward`; `properties` fits all of them. */
  readonly members?: readonly string[] | undefined;
  /** Ids of actors and of runs. */
  readonly authors?: readonly string[] | undefined;
  readonly runs?: readonly string[] | undefined;
}

const MEMBERS = ["objects", "kinds", "paths", "members", "authors", "runs"] as const satisfies (keyof UndoSelection)[];

const createList = <T>(item: z.ZodMiniType<T>) =>
  z.optional(
    z
      .array(item, expectType("a list"))
      .check(
        z.minLength(1, { error: "has no items; leave it out" }),
        z.maxLength(LIMITS.undoneRevisions, { error: `has more than ${LIMITS.undoneRevisions} items` }),
      ),
  );

const createShortText = () =>
  createTextSchema().check(
    z.minLength(1, { error: "must not be empty" }),
    z.maxLength(LIMITS.keyPatternCharacters, { error: `longer than ${LIMITS.keyPatternCharacters} characters` }),
    z.meta({ pattern: TEXT_PATTERN }),
  );

export const undoSelection = defineValueType<UndoSelection>({
  id: "UndoSelection",
  json: "object",
  description:
    `An object with one or more of ${MEMBERS.join(", ")}, each a list of at most ${LIMITS.undoneRevisions}. A change fits if it fits each list, and a list if it fits one item. ` +
    `\`objects\`, \`authors\` and \`runs\` have ids; what an object owns fits as well. \`kinds\` are ${KINDS_IN_MODEL.join(", ")}. ` +
    "`paths` are patterns of keys, as an object has them now or had them last, such as `customer` or `customer.*`. " +
    "`members` are names such as `description`, `properties.steward` or `properties`; then objects are neither created nor deleted.",
  schema: () =>
    z
      .strictObject(
        {
          objects: createList(objectId.schema()),
          kinds: createList(z.enum(KINDS_IN_MODEL)),
          paths: createList(
            createShortText().check(
              requireText(
                (text) => findWildcardFault(text) === undefined,
                "has a backslash that is not before * or another backslash",
              ),
              z.meta({ pattern: "^([^\\\\\\x00\\x1b\\x80-\\x9f]|\\\\[*\\\\])*$" }),
            ),
          ),
          members: createList(createShortText()),
          authors: createList(objectId.schema()),
          runs: createList(objectId.schema()),
        },
        expectMembers(`a selection has ${MEMBERS.join(", ")}`),
      )
      .check(
        z.refine((selection) => Object.keys(selection).length > 0, { error: `needs one of ${MEMBERS.join(", ")}` }),
        z.meta({ title: "UndoSelection", minProperties: 1 }),
      ),
});
