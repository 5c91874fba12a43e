import { type Asked, may, need, type RefAction } from "./action.ts";
import { PAGING, page } from "./lists.ts";
import type { Named, RefModel } from "./objects.ts";
import { Refusal } from "./problem.ts";
import { emptyModel } from "./state.ts";
import { shownTags } from "./tag-links.ts";
import { propertyActions, read, TEXTS, write, writeBy } from "./texts.ts";
import type { RefChange } from "./write-result.ts";
import { fieldsSet, keySet, removed, requireFree, written } from "./writes.ts";

const modelRef = need("ModelRef");

export function begun({ state }: Asked, model: RefModel): ReturnType<typeof written> {
  requireFree(state.models.values(), model.key);
  const rows = (kind: RefChange["kind"], objects: readonly Named[]) =>
    objects.map(({ id, key }): RefChange => ({ change: "create", kind, id, key }));
  const holders = [...model.entities, ...model.relationships];
  const changes = [
    ...rows("model", [model]),
    ...rows("type", model.types),
    ...rows("entity", model.entities),
    ...rows("relationship", model.relationships),
    ...holders.flatMap(({ attributes }) => rows("attribute", attributes)),
    ...rows("business_key", model.businessKeys),
    ...rows("tag", model.localTags),
  ];
  return { ...written(model, model, changes, () => state.models.set(model.id, model)), releases: true };
}

export const MODEL_ACTIONS: Readonly<Record<string, RefAction>> = {
  "model/model_create": writeBy(
    "model_create_manual",
    { key: need("ModelKey"), ...TEXTS, name: need("TextSingleLine"), version: may("ModelVersion") },
    (asked) => {
      const { key, name, description, version } = asked.input as Record<string, string>;
      const empty = emptyModel({ id: asked.newId(), key: String(key), name: String(name) });
      return begun(asked, { ...empty, description, version: version ?? empty.version });
    },
  ),
  "model/model_list": read(PAGING, (asked) =>
    page(asked, asked.state.models.values(), (rows) =>
      rows.map(({ id, key, name, version, authority }) => ({ id, key, name, version, authority })),
    ),
  ),
  "model/model_get": read({ modelRef }, (asked) => {
    const { id, key, name, description, properties, version, authority, documentationHome, origin } = asked.model;
    const own = { id, key, name, description, properties, version, authority, documentationHome, origin };
    return { does: "read", body: { ...own, ...shownTags(asked.model, asked) }, showsRevision: true };
  }),
  "model/model_update_name": write({ modelRef, name: need("TextSingleLine") }, ({ model, input }) =>
    fieldsSet(model, "model", model, { name: input.name }),
  ),
  "model/model_update_description": write({ modelRef, value: may("TextMarkdown") }, ({ model, input }) =>
    fieldsSet(model, "model", model, { description: input.value }),
  ),
  "model/model_update_documentation_link": write({ modelRef, value: may("Link") }, ({ model, input }) =>
    fieldsSet(model, "model", model, { documentationHome: input.value }),
  ),
  ...propertyActions("model/model", { params: { modelRef }, kind: "model", objectOf: ({ model }) => model }),
  "model/model_update_authority": writeBy(
    "model_update_authority",
    { modelRef, value: need("ModelAuthority") },
    ({ model, input }) => fieldsSet(model, "model", model, { authority: input.value }),
  ),
  "model/model_update_key": write({ modelRef, value: need("ModelKey") }, ({ model, state, input }) =>
    keySet(model, "model", model, state.models.values(), input.value),
  ),
  "model/model_delete": writeBy("model_delete", { modelRef }, ({ model, state }) =>
    removed(model, "model", model, () => state.models.delete(model.id)),
  ),
};

/** Whether one version comes after another (Semantic Versioning 2.0, section 11). */
function isGreater(version: string, other: string) {
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
export const MODEL_RELEASE: RefAction = writeBy(
  "model_release",
  { modelRef: need("ModelRef"), value: need("ModelVersion") },
  ({ model, input }) => {
    const version = String(input.value);
    if (!isGreater(version, model.version)) throw new Refusal("version_not_greater", { mentions: [version] });
    return { ...fieldsSet(model, "model", model, { version }), releases: true };
  },
);
