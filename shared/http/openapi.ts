import type { Action, Registry } from "../actions/contract/action.ts";
import type { ServiceInfo } from "../actions/contract/ports.ts";
import { GROUP_DESCRIPTIONS } from "../actions/describe/describe.ts";
import type { JsonObject } from "../actions/describe/json-schema.ts";
import { createProblemResponses, createSchemaRegistry } from "./openapi-components.ts";
import { CONTROL_PARAMETERS, HEADERS } from "./openapi-headers.ts";
import { createOperationIds, createPathItem } from "./openapi-operation.ts";

/** The facts about a service that its OpenAPI document contains. */
export interface DescribedService {
  readonly registry: Pick<Registry, "list">;
  readonly facts: Pick<ServiceInfo, "version">;
}

/** Creates the OpenAPI 3.1 document of a service, which callers keep. */
export async function describeApi(service: DescribedService, publicUrl: string): Promise<JsonObject> {
  const actions = await service.registry.list();

  const schemas = createSchemaRegistry();
  const problems = createProblemResponses(schemas);
  const paths = Object.fromEntries(
    [...createOperationIds(actions)].map(([action, id]) => [
      `/api/${action.group}/${action.name}`,
      createPathItem(action, { id, problems, schemas }),
    ]),
  );
  return {
    openapi: "3.1.0",
    info: {
      title: "Metaction",
      summary: "An action-based metadata service.",
      description:
        "Every call runs exactly one named action. Every action supports GET and POST, and actions that read HEAD; the document describes GET only for actions that change nothing. A parameter that is `null` or an empty text counts as absent. A body must not contain a member `__proto__` or `constructor.prototype`, at any depth. Objects are addressed by refs: `id:<uuid>` or `key:<key>`. Reads answer ids as refs with `expand=refs`. Every error is a problem document (RFC 9457). The actions are also available under `/api/actions/<group>/<action>`. Later versions add members to answers, values to `x-extensible-enum` and problem codes: ignore unknown members, and treat an unknown code by its status; requests are closed. A deprecated action, parameter or alias is accepted for at least 12 months; a call that uses it is answered with the headers `Deprecation` (RFC 9745) and `Sunset` (RFC 8594).",
      version: service.facts.version,
      license: { name: "Apache License 2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: publicUrl.replace(/\/+$/, "") }],
    tags: listGroups(actions).map((group) => ({ name: group, description: GROUP_DESCRIPTIONS[group] })),
    security: [{ bearer: [] }],
    paths,
    components: {
      schemas: schemas.components(),
      responses: problems.components(),
      parameters: CONTROL_PARAMETERS,
      headers: HEADERS,
      securitySchemes: {
        bearer: {
          type: "http",
          scheme: "bearer",
          bearerFormat: "JWT",
          description: "The `access_token` of `auth/login`, or a token of a configured OIDC issuer.",
        },
      },
    },
  };
}

function listGroups(actions: readonly Action[]): readonly Action["group"][] {
  return [...new Set(actions.map((a) => a.group))];
}
