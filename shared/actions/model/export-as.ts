import * as z from "zod/mini";
import { exportFormat } from "../../domain/export-formats.ts";
import { model } from "../../domain/kinds.ts";
import { namedObject } from "../building/named-object.ts";
import { warningList } from "../building/warning-list.ts";
import { defineAction } from "../contract/define-action.ts";
import { required } from "../contract/params.ts";
import { momentOf } from "../contract/past.ts";
import { documentThen, moments } from "./past-document.ts";

/** The action that exports a model in a foreign format. */
export const modelExportAs = defineAction({
  group: "model",
  name: "model_export_as",
  title: "Export model as",
  description:
    "Answers a whole model as the text of a file in a foreign format: as it is, or as it was at a version or a revision. Give `version` or `revision`, not both. What the format has no place for is listed under `warnings`, with its places in the document that `model_export` answers. Exported in the format that it was imported from, a model that nobody changed gives back its source, up to order, defaults and the data itself.",
  intent: "read",
  rule: "model_read",
  past: true,
  within: model,
  input: { format: required(exportFormat, "The format of the file."), ...moments },
  output: {
    mediaType: "application/json",
    description: "The text of the file, and what is not in it.",
    schema: () =>
      namedObject("ExportedFile", {
        format: exportFormat.schema(),
        mediaType: z.string().check(z.describe("The media type of the content.")),
        fileName: z.string().check(z.describe("The name that the format gives to such a file.")),
        content: z.string().check(z.describe("The text of the file.")),
        warnings: warningList(),
      }),
  },
  errors: [],
  example: { modelRef: "key:crm", format: "frictionless" },
  prepare: async ({ input }) => void momentOf(input.version, input.revision),
  run: async ({ view, tags, input, ports }) => {
    const read = await documentThen(view, tags, ports.store, momentOf(input.version, input.revision));
    return { ...read, body: await ports.exporter.write(read.body, input.format) };
  },
});
