import { isWrite } from "../../../../shared/actions/contract/action.ts";
import type { Answer } from "../../../../shared/actions/contract/call.ts";
import { TAGS_LEDGER } from "../../../../shared/actions/contract/view.ts";
import { WRITE_CASES } from "../../../store/support/scene.ts";
import { ACTIONS } from "../../../support/actions.ts";

/** A write as it succeeds on a scene of its own: a model, and a tag group with a tag, each of that key. */
export interface MatrixCase {
  readonly title: string;
  readonly action: string;
  /** True where it writes to the tags that all models share, so that no two of them can run at the same time. */
  readonly shared: boolean;
  payload(scene: string, model: string): object;
  /** The ledgers it writes to; `model` is the id of the scene's model. */
  ledgers(answer: Answer | undefined, model: string): readonly string[];
}

const newKeyOf = (scene: string) => `${scene}-new`;

type Body = { readonly id: string; readonly revisions?: readonly { readonly id: string }[] };
const bodyOf = (answer: Answer | undefined): Body | undefined => answer?.body as Body | undefined;

const onModels: readonly MatrixCase[] = WRITE_CASES.map((one) => ({
  title: one.name,
  action: `model/${one.name}`,
  shared: false,
  payload: (scene, model) => one.payload(scene, newKeyOf(scene), model),
  ledgers: (answer, model) => [one.begins ? (bodyOf(answer)?.id ?? model) : model],
}));

/** The example of an action on the scene: its model, its group, its tag. */
function onScene(example: object, scene: string): object {
  const text = JSON.stringify(example)
    .replaceAll("key:crm", `key:${scene}`)
    .replaceAll("key:privacy", `key:${scene}`)
    .replaceAll('"retention"', `"${newKeyOf(scene)}"`)
    .replaceAll('"confidentiality"', `"${newKeyOf(scene)}"`)
    // The tag of the scene is called so already.
    .replaceAll('"Draft"', '"Not agreed"');
  return JSON.parse(text);
}

const onTags: readonly MatrixCase[] = ACTIONS.filter((a) => a.group === "tag" && isWrite(a)).map((a) => {
  const isLocal = "modelRef" in a.example;
  return {
    title: a.name,
    action: `tag/${a.name}`,
    shared: !isLocal,
    payload: (scene) => onScene(a.example, scene),
    ledgers: (_, model) => [isLocal ? model : TAGS_LEDGER],
  };
});

const entry = (path: string, payload: object) => {
  const [group, action] = path.split("/");
  return { group, action, payload };
};

const batch = (title: string, shared: boolean, entries: (scene: string) => readonly object[]): MatrixCase => ({
  title: `batch_run ${title}`,
  action: "batch/batch_run",
  shared,
  payload: (scene) => ({ actions: entries(scene) }),
  ledgers: (answer) => bodyOf(answer)?.revisions?.map(({ id }) => id) ?? [],
});

const inModel = (scene: string) => ({ modelRef: `key:${scene}` });
const attribute = { attributeKey: "code", type: "key:string", optional: false };

const others: readonly MatrixCase[] = [
  {
    title: "entity_add_tag of a group",
    action: "model/entity_add_tag",
    shared: false,
    payload: (scene) => ({ ...inModel(scene), entityRef: "key:customer", tagRef: `key:${scene}/personal` }),
    ledgers: (_, model) => [model],
  },
  batch("in one model", false, (scene) => [
    entry("model/entity_create", { ...inModel(scene), entityKey: "supplier" }),
    entry("model/entity_attribute_create", { ...inModel(scene), entityRef: "id:$1.id", ...attribute }),
    entry("model/model_update_name", { ...inModel(scene), name: "Renamed" }),
  ]),
  batch("in two models and the tags of all", true, (scene) => [
    entry("tag/tag_global_create", { groupRef: `key:${scene}`, key: "secret" }),
    entry("model/model_create", { key: newKeyOf(scene), name: "New" }),
    entry("model/model_add_tag", { ...inModel(scene), tagRef: "id:$1.id" }),
    entry("model/entity_create", { modelRef: "id:$2.id", entityKey: "supplier" }),
  ]),
  batch("that takes a model away", false, (scene) => [
    entry("model/model_delete", inModel(scene)),
    entry("model/model_create", { key: scene, name: "In its place" }),
  ]),
];

/** Every write of models and tags, and batches of them. */
export const MATRIX_CASES: readonly MatrixCase[] = [...onModels, ...onTags, ...others];
