import type { Body } from "../world.ts";

const LISTS: Readonly<Record<string, string>> = {
  type: "types",
  tag: "localTags",
  businessKey: "businessKeys",
  entityAttribute: "attributes",
  relationshipAttribute: "attributes",
  relationshipRole: "roles",
};
const HOLDERS = [
  ["entityKey", "entities"],
  ["relationshipKey", "relationships"],
] as const;
const OWN = ["typeKey", "tagKey", "businessKeyKey", "attributeKey", "roleKey"];

/** A conflict that the service told, in the words of the reference: its object, with the keys on the way to it, and the member. */
export function formatConflict({ objectType, member, ...row }: Body): string {
  const holder = HOLDERS.flatMap(([name, list]) => (row[name] === undefined ? [] : [`${list} ${row[name]}`]));
  const own = OWN.flatMap((name) => (row[name] === undefined ? [] : [`${LISTS[objectType]} ${row[name]}`]));
  return `${[...holder, ...own].join(" ") || "model"}: ${member}`;
}
