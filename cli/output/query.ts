import type { Common } from "../input/flags.ts";
import { getMessage } from "../input/values.ts";
import { createUsageFailure, suggestWord } from "../terminal/failure.ts";

/** Members of an answer, or of a part of it. Without a name, members and items it may be any value. */
export interface AnswerShape {
  /** Name of a shape in `Description.shapes`. */
  readonly ref?: string;
  /** None for a text, a number or a truth value. */
  readonly members?: Readonly<Record<string, AnswerShape>>;
  readonly items?: AnswerShape;
}

/** Node of a parsed JMESPath expression, as `jmespath` returns it. */
interface QueryNode {
  readonly type: string;
  /** Name of a field, of a function, or of a member of a multi-select hash. */
  readonly name?: string;
  /** Expression of a member of a multi-select hash. */
  readonly value?: QueryNode;
  readonly children?: readonly QueryNode[];
}

type Shapes = Readonly<Record<string, AnswerShape>>;

interface Library {
  compile(query: string): QueryNode;
  search(body: unknown, query: string): unknown;
}

async function loadLibrary(): Promise<Library> {
  // Its types lack `compile`.
  return (await import("jmespath")).default as unknown as Library;
}

/** Returns what a JMESPath query selects of an answer, or the answer itself without a query. */
export async function applyQuery(body: unknown, { query }: Common): Promise<unknown> {
  if (query === undefined) return body;
  const { search } = await loadLibrary();
  try {
    return search(body, query);
  } catch (error) {
    throw createUsageFailure(`--query=${query}: ${getMessage(error)}`);
  }
}

/**
 * Returns a sentence if a JMESPath query has a syntax error, or names a member that no answer of this shape has. Such a query
 * would select nothing from every answer.
 */
export async function findQueryFault(
  query: string | undefined,
  shape: AnswerShape,
  shapes: Shapes,
): Promise<string | undefined> {
  if (query === undefined) return undefined;
  const { compile } = await loadLibrary();
  try {
    selectShape(compile(query), shape, shapes);
    return undefined;
  } catch (error) {
    return `--query=${query}: ${getMessage(error)}`;
  }
}

const ANYTHING: AnswerShape = {};

/** Returns the shape that an expression selects of a shape. Throws an error that names an unknown member. */
function selectShape(node: QueryNode, input: AnswerShape, shapes: Shapes): AnswerShape {
  const { type, name = "", value, children = [] } = node;
  const shape = resolveShape(input, shapes);
  const [left = node, right = node, condition] = children;
  const select = (child: QueryNode, of: AnswerShape = shape) => selectShape(child, of, shapes);
  const getItems = (list: AnswerShape) => resolveShape(list, shapes).items ?? ANYTHING;
  switch (type) {
    case "Field":
      return getMember(shape, name);
    case "Subexpression":
    case "IndexExpression":
    case "Pipe":
      return select(right, select(left));
    case "Index":
      return getItems(shape);
    case "Slice":
    case "Identity":
    case "Current":
      return shape;
    case "Flatten": {
      const list = select(left);
      const inner = resolveShape(getItems(list), shapes);
      return inner.items ? inner : list;
    }
    case "Projection":
      return { items: select(right, getItems(select(left))) };
    case "FilterProjection": {
      const items = getItems(select(left));
      if (condition) select(condition, items);
      return { items: select(right, items) };
    }
    case "ValueProjection":
      select(left);
      return ANYTHING;
    case "MultiSelectHash":
      return { members: Object.fromEntries(children.map((pair) => [pair.name, select(pair.value ?? pair)])) };
    case "Function":
      return selectArguments(name, children, select, getItems);
    case "KeyValuePair":
      return value ? select(value) : ANYTHING;
    default:
      for (const child of children) select(child);
      return ANYTHING;
  }
}

type Select = (child: QueryNode, of?: AnswerShape) => AnswerShape;

/** Functions that return the list of their first argument. */
const KEEPING_FUNCTIONS: ReadonlySet<string> = new Set(["reverse", "sort", "sort_by"]);
const CHOOSING_FUNCTIONS: ReadonlySet<string> = new Set(["max", "max_by", "min", "min_by"]);

function selectArguments(
  name: string,
  nodes: readonly QueryNode[],
  select: Select,
  getItems: (list: AnswerShape) => AnswerShape,
): AnswerShape {
  const isReference = ({ type }: QueryNode) => type === "ExpressionReference";
  const values = nodes.filter((one) => !isReference(one)).map((one) => select(one));
  const [list = ANYTHING] = values;
  // An expression such as `&key` applies to each item of the list.
  for (const { children = [] } of nodes.filter(isReference))
    for (const child of children) select(child, getItems(list));
  if (KEEPING_FUNCTIONS.has(name)) return list;
  return CHOOSING_FUNCTIONS.has(name) ? getItems(list) : ANYTHING;
}

function resolveShape(shape: AnswerShape, shapes: Shapes): AnswerShape {
  return shape.ref === undefined ? shape : resolveShape(shapes[shape.ref] ?? ANYTHING, shapes);
}

function getMember({ members, items }: AnswerShape, name: string): AnswerShape {
  if (items) throw new Error(`a list has no member ${name}; write [].${name}`);
  if (members === undefined) return ANYTHING;
  const member = Object.hasOwn(members, name) ? members[name] : undefined;
  if (member) return member;
  const names = Object.keys(members);
  const advice = names.length > 0 ? suggestWord(name, names, `it has ${names.join(", ")}`) : "; it is a single value";
  throw new Error(`the answer has no member ${name} there${advice}`);
}
