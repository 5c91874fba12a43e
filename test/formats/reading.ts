import { expect } from "vitest";
import type { ImportedDocument, ImportNames } from "../../shared/actions/contract/ports.ts";
import { Problem } from "../../shared/domain/problems.ts";
import type { SourceContent } from "../../shared/domain/values/value-types.ts";
import { createImporter } from "../../shared/formats/importer.ts";

const importer = createImporter({ allowPrivate: false });

/** Imports inline content. */
export function readContent(content: unknown, names: ImportNames = {}): Promise<ImportedDocument> {
  // Some tests give what no caller could.
  return importer.read({ content: content as SourceContent }, names);
}

/** The problem a promise is refused with; fails the test when it is fulfilled or refused with anything else. */
export async function problemOf(work: Promise<unknown>): Promise<Problem> {
  const problem = await work.then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(problem).toBeInstanceOf(Problem);
  return problem as Problem;
}

/** The pointers of faults or warnings, in order; equal warnings stand together. */
export function pointers(
  found: readonly ({ readonly pointer: string } | { readonly pointers: readonly string[] })[] | undefined,
): readonly string[] {
  return (found ?? []).flatMap((f) => ("pointer" in f ? f.pointer : f.pointers));
}
