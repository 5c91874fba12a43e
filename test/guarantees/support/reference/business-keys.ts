import { need, type RefAction } from "./action.ts";
import { attributesNamed } from "./attributes.ts";
import { PAGING, page } from "./lists.ts";
import type { RefBusinessKey, RefEntity } from "./objects.ts";
import { described, get, read, TEXTS, textActions, write } from "./texts.ts";
import { drop, fieldsSet, listRemoved, made, removed, requireFree } from "./writes.ts";

const modelRef = need("ModelRef");
const onBusinessKey = { modelRef, businessKeyRef: need("BusinessKeyRef") };
const participants = need("List<EntityAttributeRef>");

const businessKeyRow = ({ entity, participants, ...own }: RefBusinessKey) => ({
  ...own,
  entity: `id:${entity}`,
  participants: participants.map((id) => `id:${id}`),
});

export const BUSINESS_KEY_ACTIONS: Readonly<Record<string, RefAction>> = {
  "model/business_key_create": write(
    { modelRef, key: need("BusinessKeyKey"), entityRef: need("EntityRef"), participants, ...TEXTS },
    ({ model, entity, input, newId }) => {
      const own = { id: newId(), key: String(input.key), ...described(input) };
      const named = attributesNamed(entity, input, "participants");
      requireFree(model.businessKeys, own.key);
      const businessKey: RefBusinessKey = { ...own, entity: entity.id, participants: named };
      return made(model, "business_key", businessKey, () => model.businessKeys.push(businessKey));
    },
  ),
  "model/business_key_get": get(onBusinessKey, ({ businessKey }) => businessKeyRow(businessKey)),
  "model/business_key_list": read({ modelRef, ...PAGING }, (asked) =>
    page(asked, asked.model.businessKeys, (rows) => ({ items: rows.map(businessKeyRow) })),
  ),
  ...textActions("model/business_key", {
    params: onBusinessKey,
    kind: "business_key",
    keyType: "BusinessKeyKey",
    objectOf: ({ businessKey }) => businessKey,
    siblingsOf: ({ model }) => model.businessKeys,
  }),
  "model/business_key_update_participants": write(
    { ...onBusinessKey, value: participants },
    ({ model, businessKey, input }) => {
      // A business key is deleted with its entity, so the entity exists.
      const entity = model.entities.find(({ id }) => id === businessKey.entity) as RefEntity;
      return fieldsSet(model, "business_key", businessKey, { participants: attributesNamed(entity, input, "value") });
    },
  ),
  "model/business_key_delete": write(onBusinessKey, ({ model, businessKey }) =>
    listRemoved(removed(model, "business_key", businessKey, () => drop(model.businessKeys, businessKey))),
  ),
};
