import * as z from "zod/mini";
import { TAG_KEY } from "./keys.ts";
import { KINDS } from "./kinds.ts";
import { LIMITS } from "./limits.ts";
import type { Ref } from "./refs.ts";
import { parseTagRef } from "./tag-refs.ts";
import { refType, text, type ValueType, valueType } from "./value-types.ts";

const strictKey = (id: string, of: string): ValueType<string> =>
  valueType({
    id,
    json: "string",
    description: `Key of ${of}: 1 to ${LIMITS.keyCharacters} letters A-Z a-z, digits, _ and -; case-sensitive.`,
    schema: () =>
      text().check(
        z.regex(TAG_KEY, {
          error: (issue) =>
            `${JSON.stringify(issue.input)} is no key: 1 to ${LIMITS.keyCharacters} letters, digits, _ and -`,
        }),
      ),
  });

export const tagKey = strictKey("TagKey", "a tag, unique in its group or model");
export const tagGroupKey = strictKey("TagGroupKey", "a tag group, unique in the instance");

export const tagGroupRef = refType(KINDS.tag_group.refType, "a tag group");

/** Which tags a ref may name. */
type Scope = "local" | "global" | "any";

const FORMS: Readonly<Record<Scope, string>> = {
  local: "id:<uuid> or key:<tag>",
  global: "id:<uuid> or key:<group>/<tag>",
  any: "id:<uuid>, key:<group>/<tag> for a global tag or key:<tag> for a tag of the model",
};

const tagRefType = (id: string, scope: Scope): ValueType<Ref> =>
  valueType<Ref>({
    id,
    json: "string",
    description: `Names ${scope === "any" ? "a tag" : `a ${scope} tag`}: ${FORMS[scope]}.`,
    schema: () =>
      text().check(
        z.refine<string>((s) => faultOf(s, scope) === undefined, {
          error: (issue) => faultOf(String(issue.input), scope) ?? "",
        }),
        z.meta({ pattern: "^(id:[0-9a-fA-F-]{36}|key:.+)$" }),
      ),
    // The schema has accepted it, so it parses.
    read: (json) => parseTagRef(json as string) as Ref,
  });

function faultOf(written: string, scope: Scope): string | undefined {
  const ref = parseTagRef(written);
  if (typeof ref === "string") return ref;
  const said = ref.scheme === "id" ? "any" : ref.group === undefined ? "local" : "global";
  if (scope === "any" || said === "any" || said === scope) return undefined;
  return `${JSON.stringify(written)} names a ${said} tag; write ${FORMS[scope]}`;
}

export const localTagRef = tagRefType(KINDS.tag.refType, "local");
export const globalTagRef = tagRefType(KINDS.global_tag.refType, "global");
export const tagRef = tagRefType("TagRef", "any");
