import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import { ApiProblem } from "../../client/create-client.ts";
import { recordAnswer } from "./connection.ts";

/** JSON Schema in the form used by the description of the service. */
export interface JsonSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | JsonSchema;
  readonly items?: JsonSchema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly enum?: readonly unknown[];
  readonly "x-enumDescriptions"?: Readonly<Record<string, string>>;
  readonly oneOf?: readonly JsonSchema[];
  readonly anyOf?: readonly JsonSchema[];
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly writeOnly?: boolean;
  readonly description?: string;
  /** The type of a parameter, an id of `config/inspect_type_system`. */
  readonly "x-type"?: string;
}

/** Named schemas, by name. */
export type Schemas = Readonly<Record<string, JsonSchema>>;

/** An action in the description of the service. */
export interface ActionDescription {
  readonly group: string;
  readonly name: string;
  readonly title: string;
  /** Markdown that ends with the rule for authorization. */
  readonly description: string;
  readonly intent: string;
  /** Schema of the payload; undefined for an action without payload. */
  readonly input: JsonSchema | undefined;
  readonly example: Readonly<Record<string, unknown>>;
  /** Names of the request headers that the action accepts, such as `Dry-Run`. */
  readonly controls: ReadonlySet<string>;
  readonly isPublic: boolean;
}

/** The members of the answer of `GET /api` that the application uses. */
export interface ServiceDescription {
  readonly schemas: Schemas;
  /** By `<group>/<action>`, in the order of the document. */
  readonly actions: ReadonlyMap<string, ActionDescription>;
}

interface Operation {
  readonly summary: string;
  readonly description: string;
  readonly security?: readonly object[];
  readonly "x-intent"?: string;
  readonly parameters?: readonly { readonly $ref?: string; readonly in?: string; readonly name?: string }[];
  readonly requestBody?: {
    readonly content: {
      readonly "application/json"?: {
        readonly schema?: JsonSchema;
        readonly example?: Readonly<Record<string, unknown>>;
      };
    };
  };
}

/** OpenAPI document of the service. */
export interface OpenApiDocument {
  readonly paths: Readonly<Record<string, { readonly post?: Operation; readonly get?: Operation }>>;
  readonly components: {
    readonly schemas: Schemas;
    readonly parameters?: Readonly<Record<string, { readonly in: string; readonly name: string }>>;
  };
}

/** Parses the actions and schemas of an OpenAPI document of the service. */
export function parseDescription({ paths, components }: OpenApiDocument): ServiceDescription {
  const actions = new Map<string, ActionDescription>();
  for (const [path, { post, get }] of Object.entries(paths)) {
    const [, group, name] = /^\/api\/([^/]+)\/([^/]+)$/.exec(path) ?? [];
    // An action that supports GET also accepts its payload as a body.
    const operation = post ?? get;
    if (!group || !name || !operation) continue;
    const { schema, example = {} } = operation.requestBody?.content["application/json"] ?? {};
    const parameters = (operation.parameters ?? []).map((one) =>
      one.$ref === undefined ? one : components.parameters?.[one.$ref.slice(one.$ref.lastIndexOf("/") + 1)],
    );
    const headers = parameters.flatMap((one) => (one?.in === "header" && one.name ? [one.name] : []));
    actions.set(`${group}/${name}`, {
      group,
      name,
      title: operation.summary,
      description: operation.description,
      intent: operation["x-intent"] ?? "other",
      input: schema,
      example,
      controls: new Set(headers),
      isPublic: (operation.security ?? []).every((one) => Object.keys(one).length === 0),
    });
  }
  return { schemas: components.schemas, actions };
}

/** Milliseconds a description stays fresh. A service update reloads the page anyway. */
const STALE_TIME = 600_000;

/** Returns the description of the service; the browser caches it by its entity tag. */
export function useDescription(): UseQueryResult<ServiceDescription, ApiProblem> {
  return useQuery<ServiceDescription, ApiProblem>({
    queryKey: ["/api"],
    queryFn: async ({ signal }) => {
      const answer = await fetch("/api", { signal, headers: { accept: "application/json" } }).catch(
        (cause: unknown) => {
          if (signal.aborted) throw cause;
          recordAnswer(false);
          const members = { status: 0, title: "No answer", retryable: true };
          throw new ApiProblem("no_answer", "the service cannot be reached", members, { cause });
        },
      );
      recordAnswer(true);
      if (!answer.ok) {
        const members = { status: answer.status, title: "Unexpected answer", retryable: answer.status >= 500 };
        throw new ApiProblem("unexpected_answer", `GET /api answered ${answer.status}`, members);
      }
      return parseDescription((await answer.json()) as OpenApiDocument);
    },
    staleTime: STALE_TIME,
    refetchOnWindowFocus: false,
  });
}

interface Choice {
  readonly value: string;
  /** English text; empty if the service does not explain the value. */
  readonly text: string;
}

/** Lists the allowed values of a parameter; empty for an unknown action or parameter. */
export function listChoices(
  { actions, schemas }: ServiceDescription,
  action: string,
  parameter: string,
): readonly Choice[] {
  const resolveSchema = (schema: JsonSchema | undefined): JsonSchema =>
    schema?.$ref === undefined
      ? (schema ?? {})
      : { ...schemas[schema.$ref.slice(schema.$ref.lastIndexOf("/") + 1)], ...schema };
  const { enum: values = [], "x-enumDescriptions": texts = {} } = resolveSchema(
    resolveSchema(actions.get(action)?.input).properties?.[parameter],
  );
  return values.filter((value) => typeof value === "string").map((value) => ({ value, text: texts[value] ?? "" }));
}
