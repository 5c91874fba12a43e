import * as z from "zod/mini";
import { DOCUMENT_SCHEMA } from "../../domain/document.ts";
import { FREE_KEY, TAG_KEY } from "../../domain/keys.ts";
import { LIMITS } from "../../domain/limits.ts";
import { CARDINALITIES } from "../../domain/structure-types.ts";
import { namedObject } from "../named-object.ts";

const keyed = (key: RegExp) => ({
  id: z.string().check(z.describe("For refs inside the document; an import gives new ones.")),
  key: z.string().check(z.regex(key)),
  name: z.optional(z.string().check(z.maxLength(LIMITS.nameCharacters))),
});

const description = () => z.optional(z.string().check(z.describe("Markdown.")));

const described = (key = FREE_KEY) => ({ ...keyed(key), description: description() });

const ref = (to: string) => z.string().check(z.regex(/^key:.+$/), z.describe(`\`key:<${to} key>\``));

const marked = () => ({
  tags: z.optional(
    z
      .array(z.string().check(z.regex(/^key:[A-Za-z0-9_-]+(\/[A-Za-z0-9_-]+)?$/)))
      .check(z.describe("Refs of its tags, sorted: `key:<tag>` of `localTags`, `key:<group>/<tag>` of `tagGroups`.")),
  ),
});

const attributes = () =>
  z
    .array(namedObject("AttributeDocument", { ...described(), type: ref("type"), optional: z.boolean(), ...marked() }))
    .check(z.describe("In the order in which they were made."));

const attributeRefs = () => z.array(ref("attribute")).check(z.describe("In order."));

const entity = () =>
  namedObject("EntityDocument", {
    ...described(),
    documentationHome: z.optional(z.string()),
    origin: z.optional(z.string().check(z.describe("Where it was imported from."))),
    ...marked(),
    attributes: attributes(),
    primaryKey: attributeRefs(),
  });

const role = () =>
  namedObject("RoleDocument", { ...keyed(FREE_KEY), entity: ref("entity"), cardinality: z.enum(CARDINALITIES) });

const relationship = () =>
  namedObject("RelationshipDocument", {
    ...described(),
    ...marked(),
    roles: z.array(role()).check(z.minLength(2)),
    attributes: attributes(),
  });

const businessKey = () =>
  namedObject("BusinessKeyDocument", { ...described(), entity: ref("entity"), participants: attributeRefs() });

const tags = () => z.array(namedObject("TagDocument", described(TAG_KEY)));

/** The schema of a model document as exports answer it. */
export const modelDocument = () =>
  namedObject("ModelDocument", {
    $schema: z.literal(DOCUMENT_SCHEMA),
    ...described(),
    name: z.string().check(z.maxLength(LIMITS.nameCharacters)),
    version: z.string().check(z.describe("A semantic version.")),
    authority: z.enum(["system", "canonical"]),
    documentationHome: z.optional(z.string()),
    origin: z.optional(z.string().check(z.describe("Where it was imported from."))),
    ...marked(),
    types: z.array(namedObject("TypeDocument", described())),
    entities: z.array(entity()),
    relationships: z.array(relationship()),
    businessKeys: z.array(businessKey()),
    localTags: tags().check(z.describe("Every tag of the model, also those that mark nothing.")),
    tagGroups: z
      .array(namedObject("TagGroupDocument", { ...described(TAG_KEY), tags: tags() }))
      .check(z.describe("The tags of groups that mark something in the model.")),
  });
