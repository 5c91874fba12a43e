import { callByName, type InputOf, type OutputOf } from "../../api/service.ts";
import type { Moment } from "../moment.ts";

/** A file as the service writes it, with what it has no place for. */
export type WrittenFile = Pick<OutputOf<"model/model_export_as">, "mediaType" | "fileName" | "content" | "warnings">;

/** What is downloaded: a model, in one of its states, or the difference of two. */
export type Downloaded =
  | { readonly action: "model/model_export_as"; readonly input: InputOf<"model/model_export"> }
  | { readonly action: "model/model_compare_as"; readonly input: Omit<InputOf<"model/model_compare_as">, "format"> };

/** The name of the service's own form, in which models have a document. */
export const OWN_FORMAT = "metaction";

/** Asks the service for the file in a format that it offers, or for the model's own document. Throws `ApiProblem`. */
export async function writtenFile({ action, input }: Downloaded, format: string, moment: Moment): Promise<WrittenFile> {
  const given = { ...input, ...moment };
  if (format !== OWN_FORMAT) return (await callByName(action, { ...given, format })).body as WrittenFile;
  const { body } = await callByName("model/model_export", given);
  const { key } = body as OutputOf<"model/model_export">;
  return {
    mediaType: "application/json",
    fileName: `${key.replace(/[^\w.-]+/g, "_")}.json`,
    content: `${JSON.stringify(body, null, 2)}\n`,
    warnings: [],
  };
}
