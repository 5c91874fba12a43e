import { breaking } from "../compare/change-rule.ts";
import { LIMITS } from "../limits.ts";
import { sourced } from "./described.ts";
import { attributeRefs, refTo } from "./field.ts";

/** The fields of business keys. */
export const businessKeyFields = {
  ...sourced,
  entity: refTo("entity", "Its entity.", breaking("it identifies another entity")),
  participants: attributeRefs({
    of: "entity",
    text: "Refs `id:<uuid>` of the entity's attributes that form it, in order.",
    count: { least: 0, most: LIMITS.businessKeyParticipants, noun: "a business key", nouns: "participants" },
    change: breaking("records are no longer identified as they were"),
  }),
};
