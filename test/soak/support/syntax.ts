import { parseSync } from "vite";

/** Node of the syntax tree of a source file (ESTree), with its range in the text. */
export interface SyntaxNode {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [member: string]: unknown;
}

export interface Located {
  readonly node: SyntaxNode;
  readonly parents: readonly SyntaxNode[];
}

/** Parses TypeScript. Throws an error with the first syntax error in the text. */
export function parseSource(file: string, text: string): SyntaxNode {
  const { program, errors } = parseSync(file, text, { preserveParens: false });
  if (errors[0]) throw new Error(`${file} is not valid TypeScript: ${errors[0].message}`);
  return program as unknown as SyntaxNode;
}

export function isNode(value: unknown): value is SyntaxNode {
  return typeof value === "object" && value !== null && typeof (value as SyntaxNode).type === "string";
}

/** Expressions of TypeScript that hold an expression; all other nodes of TypeScript are types. */
const WRAPPERS = new Set(["TSAsExpression", "TSNonNullExpression", "TSSatisfiesExpression"]);

/** Lists the child nodes in the order of the text, without types. */
export function listChildren(node: SyntaxNode): readonly SyntaxNode[] {
  const children = Object.values(node)
    .flat()
    .filter(isNode)
    .filter(({ type }) => !type.startsWith("TS") || WRAPPERS.has(type));
  // A shorthand property has one node as its key and its value.
  const unique = children.filter(
    (child, i) => children.findIndex((c) => c.start === child.start && c.end === child.end) === i,
  );
  return unique.toSorted((a, b) => a.start - b.start);
}

/** Lists the node and all nodes below it, each with its parents. */
export function* walk(node: SyntaxNode, parents: readonly SyntaxNode[] = []): Generator<Located> {
  yield { node, parents };
  const below = [...parents, node];
  for (const child of listChildren(node)) yield* walk(child, below);
}

/** Returns the name that a node declares: of a function, a variable, a class, a property, a method. */
function findDeclaredName({ type, id, key }: SyntaxNode): string | undefined {
  const declares =
    /^(FunctionDeclaration|VariableDeclarator|ClassDeclaration|Property|MethodDefinition|PropertyDefinition)$/;
  const name = (id ?? key) as SyntaxNode | undefined;
  if (!declares.test(type) || !name) return undefined;
  return name.type === "Literal" ? String(name.value) : (name.name as string | undefined);
}

const FUNCTION = /^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression|ClassDeclaration)$/;
const isFunction = (node: SyntaxNode) =>
  FUNCTION.test(node.type) || [node.init, node.value].some((value) => isNode(value) && FUNCTION.test(value.type));

/** Finds a declaration by its name, or by a path of names such as `createView.list`: a member or an inner function. */
export function findDeclaration(program: SyntaxNode, path: string): Located | undefined {
  let found: Located | undefined = { node: program, parents: [] };
  for (const name of path.split(".")) {
    if (!found) return undefined;
    found = findBelow(found, name);
  }
  return found;
}

function findBelow({ node, parents }: Located, name: string): Located | undefined {
  const all = [...walk(node, parents)].filter((one) => one.node !== node && findDeclaredName(one.node) === name);
  const functions = all.filter((one) => isFunction(one.node));
  const [first, ...rest] = (functions.length > 0 ? functions : all).toSorted(
    (a, b) => a.parents.length - b.parents.length,
  );
  return rest[0]?.parents.length === first?.parents.length ? undefined : first;
}
