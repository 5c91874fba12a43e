import { breaking, type ChangeRule } from "../compare/change-rule.ts";
import { constraints } from "../constraints/constraints-type.ts";
import { judgeConstraints } from "../constraints/judge.ts";
import { flag } from "../value-types.ts";
import { sourced } from "./described.ts";
import { internal, json, refTo, required, tagFields } from "./field.ts";

const OPTIONAL: ChangeRule = (_, after) => [
  {
    impact: "breaking",
    reason: after === true ? "readers may meet records without it" : "writers that leave it out are refused",
  },
];

/** The fields of attributes, of entities and of relationships alike. */
export const attributeFields = {
  ...sourced,
  owner: internal<string>("Id of the entity or relationship it belongs to.", "entity", "relationship"),
  type: refTo("type", "Its type.", breaking("its values are of another type")),
  optional: required(flag, "", { missing: false, change: OPTIONAL }),
  constraints: json(constraints, "The values it may have.", { change: judgeConstraints }),
  ...tagFields,
  order: internal<number>(
    "Sorts the attributes of one owner: in the order in which they were made, unless they were moved.",
  ),
};
