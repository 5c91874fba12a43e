import { need, type RefAction } from "./action.ts";
import { Refusal } from "./problem.ts";
import { write } from "./texts.ts";
import { fieldsSet } from "./writes.ts";

/** Whether one version comes after another (Semantic Versioning 2.0, section 11). */
function isGreater(version: string, other: string): boolean {
  const [core = "", ...labels] = version.split("-");
  const [otherCore = "", ...otherLabels] = other.split("-");
  const [numbers, otherNumbers] = [core.split(".").map(Number), otherCore.split(".").map(Number)];
  const at = numbers.findIndex((n, i) => n !== otherNumbers[i]);
  if (at >= 0) return Number(numbers[at]) > Number(otherNumbers[at]);
  if (labels.length === 0 || otherLabels.length === 0) return labels.length < otherLabels.length;
  const [words, otherWords] = [labels.join("-").split("."), otherLabels.join("-").split(".")];
  for (const [i, word] of words.entries()) {
    const otherWord = otherWords[i];
    if (otherWord === undefined) return true;
    if (word === otherWord) continue;
    const [isNumber, isOtherNumber] = [word, otherWord].map((one) => /^\d+$/.test(one));
    if (isNumber && isOtherNumber) return Number(word) > Number(otherWord);
    return isNumber === isOtherNumber ? word > otherWord : !isNumber;
  }
  return false;
}

/** `model_release`: the label of a model never goes back. */
export const MODEL_RELEASE: RefAction = write(
  { modelRef: need("ModelRef"), value: need("ModelVersion") },
  ({ model, input }) => {
    const version = String(input.value);
    if (!isGreater(version, model.version)) throw new Refusal("version_not_greater", { mentions: [version] });
    return { ...fieldsSet(model, "model", model, { version }), releases: true };
  },
  "model_release",
);
