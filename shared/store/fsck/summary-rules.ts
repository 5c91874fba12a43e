import { isMoved, summaryItem } from "../table/items.ts";
import { summaryKey } from "../table/keys.ts";
import type { Item } from "../table/table.ts";
import { byLog, type ExpectedState, type ItemRule } from "./expected-state.ts";
import { type Finding, putRight, remove } from "./finding.ts";

/** The rule for a row of the list of models that is, or may be, this model's. */
export function summaryRule(expected: ExpectedState, modelKey: string): ItemRule {
  return { key: summaryKey(modelKey), judge: (item) => judgeSummary(expected, modelKey, item) };
}

function judgeSummary(expected: ExpectedState, modelKey: string, found: Item | undefined): Finding[] {
  const place = summaryKey(modelKey);
  // The row of a former key counts as absent.
  const item = found && isMoved(found) ? undefined : found;
  const root = expected.objects.get("model");
  if (root?.kind !== "model" || root.key !== modelKey) {
    if (item?.id !== expected.model) return [];
    const why = root ? `its key is ${root.key}` : "by its log there is none";
    return [
      {
        code: "summary-unexpected",
        place,
        sentence: `the model ${expected.model} is listed as ${modelKey}, but ${why}`,
        mend: byLog(expected, "The row is deleted.", remove(item)),
      },
    ];
  }
  const wanted = summaryItem(root, root.revision);
  const mend = byLog(expected, "The row is written from the model.", putRight(found, wanted));
  if (!item) return [{ code: "summary-missing", place, sentence: `the model ${modelKey} is not listed`, mend }];
  if (item.id !== expected.model) {
    const sentence = `the key ${modelKey} leads to the model ${item.id}, but ${expected.model} has it by its log`;
    return [{ code: "summary-differs", place, sentence }];
  }
  const wrong = ["name", "version", "authority"].filter((name) => item[name] !== wanted[name]);
  if (wrong.length === 0) return [];
  return [{ code: "summary-differs", place, sentence: `${modelKey} is listed with another ${wrong.join(", ")}`, mend }];
}
