import * as z from "zod/mini";
import { TAG_KEY } from "./keys.ts";
import { LIMITS } from "./limits.ts";
import { text, type ValueType, valueType } from "./value-type.ts";

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
