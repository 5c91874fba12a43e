import { Problem } from "../../domain/problems.ts";
import type { SourceContent } from "../../domain/value-types.ts";
import type { ImportSource } from "../contract/ports.ts";

/** The source that the parameters `from` and `content` name; `bad_parameters` where they name none or two. */
export function sourceOf(from: string | undefined, content: SourceContent | undefined): ImportSource {
  if (from !== undefined && content === undefined) return { from };
  if (content !== undefined && from === undefined) return { content };
  const detail = "give either from (a URL) or content (a JSON object or a text), and not both";
  throw new Problem("bad_parameters", detail, {
    errors: [
      { pointer: "/from", detail },
      { pointer: "/content", detail },
    ],
  });
}
