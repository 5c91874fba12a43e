import { Problem } from "../../../shared/domain/problems.ts";
import { createImporter } from "../../../shared/formats/importer.ts";
import { LARGE_TEXTS } from "./large-texts.ts";

/* Reads one large text, given by format and way, and prints the result and its cost as JSON. */

const [format, shape] = process.argv.slice(2);
const found = LARGE_TEXTS.find((one) => one.format === format && one.shape === shape);
if (!found) throw new Error(`there is no text ${format}, ${shape}`);
const content = found.make();
const before = process.resourceUsage();
const outcome = await createImporter({ allowPrivate: false })
  .read({ content }, { modelKey: "m", format: found.format })
  .then(
    ({ document }) => ({ entities: document.entities.length, problemBytes: 0 }),
    (error: unknown) => {
      if (!(error instanceof Problem)) throw error;
      const { code, message, members } = error;
      return { code, problemBytes: JSON.stringify([message, members]).length };
    },
  );
const after = process.resourceUsage();
console.log(
  JSON.stringify({
    ...outcome,
    bytes: content.length,
    cpuMs: Math.round((after.userCPUTime - before.userCPUTime + after.systemCPUTime - before.systemCPUTime) / 1_000),
    grownBytes: (after.maxRSS - before.maxRSS) * 1_024,
  }),
);
