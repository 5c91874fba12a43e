import { createClient } from "../../client/create-client.ts";

/** Uses of the client that must compile, and beside each expectation one that must not. It is compiled and never run. */
export async function typedUse(): Promise<void> {
  const api = createClient({ url: "http://127.0.0.1:8080", token: async () => "token" });

  const made = await api.model.entity_create({ modelRef: "key:crm", entityKey: "customer", name: null });
  const revision: number = made.revision;

  const { items } = await api.model.entity_list({ modelRef: "id:01890a5d-ac96-774b-bcce-b302099a8057", limit: 10 });
  const keys: readonly string[] = items.map(({ key }) => key);

  const named = await api.model.entity_list({ modelRef: "key:crm", expand: "keys,refs" });
  const primaryKeys: readonly (readonly string[] | undefined)[] = named.items.map((row) => row.primaryKeyByKey);
  const { roles } = await api.model.relationship_get({ modelRef: "key:crm", relationshipRef: "key:p", expand: "keys" });
  const inRoles: readonly (string | undefined)[] = roles.map(({ entityByKey }) => entityByKey);
  const { items: jobs } = await api.batch.job_list({ expand: "keys" });
  const askedBy: readonly (string | undefined)[] = jobs.map(({ actorName }) => actorName);

  const [first] = await api.model.model_list();
  const authority: "system" | "canonical" | undefined = first?.authority;

  const { body, etag } = await api.model.entity_attribute_get.answer({
    modelRef: "key:crm",
    entityRef: "key:customer",
    attributeRef: "key:code",
  });
  const isOptional: boolean = body.optional;

  await api.model.entity_primary_key_update(
    { modelRef: "key:crm", entityRef: "key:customer", attributeRef: ["key:code"] },
    { ifMatch: etag, dryRun: true, signal: AbortSignal.timeout(1000) },
  );
  await api.batch.batch_run({ actions: [{ group: "model", action: "model_list" }] });
  await api.tag.tag_group_create({ key: "g" });

  const { token } = await api.auth.token_create({ name: "CI", expiresInDays: 30, permissions: ["model_read"] });
  const secret: string | undefined = token;
  const { items: entries } = await api.auth.audit_list({ act: "auth/login", outcome: "refused", limit: 10 });
  const outcomes: readonly ("ok" | "refused")[] = entries.map(({ outcome }) => outcome);
  await api.auth.token_revoke({ tokenId: "id:01890a5d-ac96-774b-bcce-b302099a8057" }, { idempotencyKey: false });
  await api.auth.can({ actions: ["model/entity_create"], models: ["key:crm"] });

  const found = await api.model.search({ filters: { items: [{ type: "text", condition: "contains", value: "a" }] } });
  const places: readonly (string | undefined)[] = found.items.map(({ location }) => location.entityLabel);
  const { subject } = await api.auth.actor_get({ actorRef: "01890a5d-ac96-774b-bcce-b302099a8057" });
  const ids: readonly string[] = (await api.model.model_export({ modelRef: "key:crm" })).entities.map(({ id }) => id);

  // @ts-expect-error something that no read can add
  await api.model.entity_list({ modelRef: "key:crm", expand: "names" });
  // @ts-expect-error keys of what a write names
  await api.model.entity_create({ modelRef: "key:crm", entityKey: "customer", expand: "keys" });
  // @ts-expect-error a member that no location has
  void found.items[0]?.location.entityName;
  // @ts-expect-error a filter that lacks the refs it is about
  await api.model.search({ filters: { items: [{ type: "tags", condition: "anyOf" }] } });
  // @ts-expect-error a parameter that the action does not have
  await api.model.entity_create({ modelRef: "key:crm", entityKey: "customer", title: "Customer" });
  // @ts-expect-error a required parameter is missing
  await api.model.entity_create({ modelRef: "key:crm" });
  // @ts-expect-error no payload where one is needed
  await api.model.model_get();
  // @ts-expect-error a ref without a scheme
  await api.model.model_get({ modelRef: "crm" });
  // @ts-expect-error a number where a text is expected
  await api.model.type_create({ modelRef: "key:crm", typeKey: 4 });
  // @ts-expect-error a value that is not one of the two
  await api.model.model_update_authority({ modelRef: "key:crm", value: "official" });
  // @ts-expect-error the ref of the parent is missing
  await api.model.entity_attribute_get({ modelRef: "key:crm", attributeRef: "key:code" });
  // @ts-expect-error one ref where a list is expected
  await api.model.entity_primary_key_update({ modelRef: "key:crm", entityRef: "key:c", attributeRef: "key:code" });
  // @ts-expect-error clearing a key
  await api.model.entity_update_key({ modelRef: "key:crm", entityRef: "key:c", value: null });
  // @ts-expect-error a permission that there is not
  await api.auth.token_create({ name: "CI", permissions: ["everything"] });
  // @ts-expect-error one action where a list is expected
  await api.auth.can({ actions: "model/entity_create" });
  // @ts-expect-error an action that there is not
  await api.model.entity_make({ modelRef: "key:crm" });
  // @ts-expect-error a group that there is not
  await api.models.model_list();
  // @ts-expect-error a member that the answer does not have
  void made.name;
  // @ts-expect-error a control that there is not
  await api.model.model_list({}, { ifmatch: etag });

  void [primaryKeys, inRoles, askedBy, revision, keys, authority, isOptional, secret, outcomes, places, subject, ids];
}
