import type { AnswerShape } from "../output/query.ts";

/** One parameter of an action, as the service describes it. */
export interface ParameterDescription {
  readonly name: string;
  readonly type: string;
  /** `any`: JSON text, or plain text. */
  readonly json: "string" | "boolean" | "number" | "array" | "object" | "any";
  readonly required: boolean;
  readonly isDeprecated: boolean;
  readonly description: string;
  readonly aliases: readonly string[];
  readonly secret: boolean;
  /** Allowed values; of a list, the allowed values of its items. */
  readonly values: readonly string[];
}

export interface ActionDescription {
  readonly group: string;
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly intent: string;
  readonly isDeprecated: boolean;
  readonly isPublic: boolean;
  readonly parameters: readonly ParameterDescription[];
  /** Common flags that the action accepts. */
  readonly controls: readonly string[];
  readonly errors: readonly string[];
  readonly example: Readonly<Record<string, unknown>>;
  readonly answers: string;
  readonly shape: AnswerShape;
}

/** Returns the title of an action, with a note if it is deprecated. */
export function formatTitle({ title, isDeprecated }: ActionDescription): string {
  return isDeprecated ? `${title} (deprecated)` : title;
}

/** Description of a service as the command line uses it. */
export interface Description {
  readonly version: string;
  readonly groups: readonly { readonly name: string; readonly description: string }[];
  readonly actions: readonly ActionDescription[];
  /** Shapes that several answers share, by name. */
  readonly shapes: Readonly<Record<string, AnswerShape>>;
  readonly problems: Readonly<Record<string, { readonly status: number; readonly title: string }>>;
}

interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly description?: string;
  readonly format?: string;
  readonly enum?: readonly string[];
  readonly items?: Schema;
  readonly additionalProperties?: Schema | boolean;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly deprecated?: boolean;
  readonly "x-type"?: string;
  readonly "x-aliases"?: readonly string[];
}

interface Operation {
  readonly tags: readonly [string];
  readonly summary: string;
  readonly description: string;
  readonly deprecated?: boolean;
  readonly security: readonly unknown[];
  readonly "x-intent": string;
  readonly parameters: readonly { readonly $ref?: string }[];
  readonly requestBody?: {
    readonly content: {
      readonly "application/json": {
        readonly schema: Schema;
        readonly example: Readonly<Record<string, unknown>>;
      };
    };
  };
  readonly responses: Readonly<Record<string, ResponseDescription>>;
}

interface ResponseDescription {
  readonly $ref?: string;
  readonly description?: string;
  readonly content?: Readonly<Record<string, { readonly schema?: Schema }>>;
}

type Schemas = Readonly<Record<string, Schema>>;

/** Members of the OpenAPI document that the command line reads. */
export interface OpenApi {
  readonly info: { readonly version: string };
  readonly tags: Description["groups"];
  readonly paths: Readonly<Record<string, { readonly post: Operation }>>;
  readonly components: {
    readonly responses: Readonly<Record<string, { readonly description: string }>>;
    readonly schemas: Schemas;
  };
}

const CONTROLS: Readonly<Record<string, string>> = {
  ifMatch: "if-match",
  dryRun: "dry-run",
  idempotencyKey: "idempotency-key",
  run: "run",
};

/** Converts an OpenAPI document to a tenth of its size, which is read at every start. */
export function toDescription(api: OpenApi): Description {
  const { schemas } = api.components;
  const responses = Object.entries(api.components.responses);
  const actions = Object.entries(api.paths).map(([path, { post }]) => toAction(path, post, schemas));
  return {
    version: api.info.version,
    groups: api.tags.map(({ name, description }) => ({ name, description })),
    actions,
    shapes: collectShapes(actions, schemas),
    problems: Object.fromEntries(
      responses.flatMap(([reference, { description }]) =>
        // The description of the response lists each code on its own line.
        [...description.matchAll(/^`(\w+)`: (.*)\.$/gm)].map(([, code = "", title = ""]) => [
          code,
          { status: Number(reference.slice(0, 3)), title },
        ]),
      ),
    ),
  };
}

function toAction(path: string, post: Operation, schemas: Schemas): ActionDescription {
  const { schema = {}, example = {} } = post.requestBody?.content["application/json"] ?? {};
  const { properties = {}, required = [] } = resolveSchema(schema, schemas);
  return {
    group: post.tags[0],
    name: path.slice(path.lastIndexOf("/") + 1),
    title: post.summary,
    description: post.description,
    intent: post["x-intent"],
    isDeprecated: post.deprecated === true,
    isPublic: post.security.length === 0,
    parameters: Object.entries(properties).map(([name, property]) =>
      toParameter(name, resolveSchema(property, schemas), required.includes(name)),
    ),
    controls: post.parameters.flatMap(({ $ref = "" }) => CONTROLS[$ref.slice($ref.lastIndexOf("/") + 1)] ?? []),
    errors: Object.values(post.responses).flatMap(({ $ref }) => listResponseCodes($ref)),
    example,
    answers: post.responses["200"]?.description ?? "",
    shape: toShape(post.responses["200"]?.content?.["application/json"]?.schema ?? {}),
  };
}

/** Returns the shared shapes that the answers of actions are made of. */
function collectShapes(actions: readonly ActionDescription[], schemas: Schemas): Description["shapes"] {
  const shapes: Record<string, AnswerShape> = {};
  const collect = ({ ref, members = {}, items }: AnswerShape) => {
    if (ref !== undefined && !Object.hasOwn(shapes, ref)) {
      shapes[ref] = toShape(schemas[ref] ?? {});
      collect(shapes[ref]);
    }
    for (const part of [...Object.values(members), ...(items ? [items] : [])]) collect(part);
  };
  for (const { shape } of actions) collect(shape);
  return shapes;
}

function toShape({ $ref, type, properties, additionalProperties, items }: Schema): AnswerShape {
  if ($ref !== undefined) return { ref: getSchemaName($ref) };
  if (type === "array") return { items: toShape(items ?? {}) };
  if (type !== "object") return type === undefined ? {} : { members: {} };
  // A map, or an object with more members than are listed.
  if (properties === undefined || additionalProperties === true) return {};
  return { members: Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, toShape(one)])) };
}

const getSchemaName = (ref: string) => ref.slice("#/components/schemas/".length);

function resolveSchema(schema: Schema, schemas: Schemas): Schema {
  const { $ref } = schema;
  return $ref === undefined ? schema : { ...schemas[getSchemaName($ref)], ...schema };
}

function toParameter(name: string, property: Schema, required: boolean): ParameterDescription {
  return {
    name,
    type: property["x-type"] ?? property.type ?? "",
    json: findJsonForm(property.type),
    required,
    isDeprecated: property.deprecated === true,
    description: property.description ?? "",
    aliases: property["x-aliases"] ?? [],
    secret: property.format === "password",
    values: property.enum ?? property.items?.enum ?? [],
  };
}

function findJsonForm(type: string | undefined): ParameterDescription["json"] {
  if (type === undefined) return "any";
  if (type === "integer" || type === "number") return "number";
  return type === "string" || type === "boolean" || type === "array" ? type : "object";
}

/** Returns the problem codes in the name of a shared response, such as `404.not_found`. */
function listResponseCodes(reference: string | undefined): readonly string[] {
  return reference?.slice("#/components/responses/".length).split(".").slice(1) ?? [];
}
