import { ApiProblem } from "../client/create-client.ts";
import { refOf } from "./bare-ref.ts";
import { type OwnCalls, reading } from "./own-calls.ts";

/** The refs of a model, of an entity in it and of an attribute of that. */
export interface Addressed {
  readonly modelRef: string;
  readonly entityRef?: string;
  readonly attributeRef?: string;
}

/**
 * What words name: a model, an entity and an attribute apart, or in one a place as a search shows it, `crm/customer.email`.
 * Since keys may hold a point, the service is asked where the entity ends.
 */
export async function addressedBy(calls: OwnCalls, [first = "", ...more]: readonly string[]): Promise<Addressed> {
  const [, model = first, inside] =
    more.length > 0 || /^(id|key):/.test(first) ? [] : (/^([^/]+)\/(.+)$/.exec(first) ?? []);
  const modelRef = refOf(model);
  const [entity, attribute] = inside === undefined ? more : await partsOf(calls, modelRef, inside);
  return {
    modelRef,
    ...(entity !== undefined && { entityRef: refOf(entity) }),
    ...(attribute !== undefined && { attributeRef: refOf(attribute) }),
  };
}

async function partsOf(calls: OwnCalls, modelRef: string, inside: string): Promise<readonly string[]> {
  const point = inside.lastIndexOf(".");
  if (point <= 0) return [inside];
  try {
    await reading(calls).call("entity_get", { modelRef, entityRef: refOf(inside) });
    return [inside];
  } catch (error) {
    if (!(error instanceof ApiProblem) || error.code !== "not_found") throw error;
    return [inside.slice(0, point), inside.slice(point + 1)];
  }
}
