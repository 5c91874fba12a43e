import type { JsonObject } from "../json-object.ts";
import type { ReadFormat } from "../reading.ts";
import { readDataPackage } from "./data-package.ts";
import { noted } from "./notes.ts";
import { readTableSchema } from "./table-schema.ts";

/** Reads a Table Schema, which is told by its fields, or a Data Package. */
export const readFrictionless: ReadFormat = async (source, { names, place, files, findings }) => {
  // It was recognised by its members.
  const descriptor = source as JsonObject;
  const document =
    "fields" in descriptor
      ? readTableSchema(descriptor, names, place, findings)
      : await readDataPackage(descriptor, names, place, files, findings);
  return noted(document, descriptor, names);
};
