import { findDeclaration, isNode, type Located, listChildren, parseSource, type SyntaxNode, walk } from "./syntax.ts";

/** Kinds of nodes that a mutation can select, with the node types of the parser. */
const KINDS = {
  array: /^Array(Expression|Pattern)$/,
  assignment: /^(AssignmentExpression|UpdateExpression)$/,
  await: /^AwaitExpression$/,
  binary: /^BinaryExpression$/,
  block: /^BlockStatement$/,
  call: /^(Call|New)Expression$/,
  conditional: /^ConditionalExpression$/,
  function: /^(ArrowFunctionExpression|FunctionExpression|FunctionDeclaration)$/,
  identifier: /^Identifier$/,
  if: /^IfStatement$/,
  literal: /^(Template)?Literal$/,
  logical: /^LogicalExpression$/,
  loop: /^(For(In|Of)?|While|DoWhile)Statement$/,
  member: /^MemberExpression$/,
  object: /^Object(Expression|Pattern)$/,
  property: /^(Property|PropertyDefinition|MethodDefinition)$/,
  return: /^ReturnStatement$/,
  spread: /^(SpreadElement|RestElement)$/,
  statement: /^(?!Block).*(Statement|VariableDeclaration|FunctionDeclaration)$/,
  throw: /^ThrowStatement$/,
  try: /^TryStatement$/,
  unary: /^UnaryExpression$/,
  variable: /^VariableDeclarator$/,
} as const;

type Kind = keyof typeof KINDS;

interface Selector {
  readonly kind: Kind;
  /** Identifiers, property names, literals and operators that occur in the node. The smallest such nodes match. */
  readonly names: readonly string[];
  /** Which of the matches, counted from 1; without it there has to be exactly one match. */
  readonly nth?: number;
  /** Path of members from the matching node to the selected one, such as `test.left` or `arguments.0`. */
  readonly part?: string;
}

/** Returns the edits of the text that change one node. */
export type Mutation = (find: (selector: Selector) => Located, text: string) => readonly Edit[];

interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Selects a node by its kind and by names that occur in it; then one of several, by its number, or a part, by its path. */
export function at(kind: Kind, names: string | readonly string[] = [], which?: number | string): Selector {
  const found = { kind, names: [names].flat() };
  if (which === undefined) return found;
  return typeof which === "number" ? { ...found, nth: which } : { ...found, part: which };
}

/** Removes a statement, an element of a list, a property, a spread or an argument. */
export function remove(selector: Selector): Mutation {
  return (find) => [removeNode(find(selector))];
}

/** Replaces a node by an expression, in which `$` stands for the original text. */
export function replace(selector: Selector, by: string): Mutation {
  return (find, text) => {
    const { start, end } = find(selector).node;
    return [{ start, end, text: by.replaceAll("$", () => text.slice(start, end)) }];
  };
}

/** Replaces a node by one of its parts: a call by its argument, `a && b` by `a`, `await a` by `a`. */
export function keep(part: string, selector: Selector): Mutation {
  return (find, text) => {
    const { node } = find(selector);
    const kept = textOf(findPart(node, part), text);
    return [{ start: node.start, end: node.end, text: isStatement(node) ? kept : `(${kept})` }];
  };
}

/** Replaces the operator of a comparison, a calculation or an assignment. */
export function changeOperator(selector: Selector, by: string): Mutation {
  return (find, text) => {
    const { node } = find(selector);
    const { operator, left, right } = node as SyntaxNode & { operator: string; left: SyntaxNode; right: SyntaxNode };
    const start = text.indexOf(operator, left.end);
    if (start < left.end || start > right.start) throw new Error(`The node has no operator between two operands.`);
    return [{ start, end: start + operator.length, text: by }];
  };
}

/** Swaps two parts of a node, such as `left` and `right`. */
export function swap(selector: Selector, first: string, second: string): Mutation {
  return (find, text) => {
    const [a, b] = [first, second].map((path) => findPart(find(selector).node, path)) as [SyntaxNode, SyntaxNode];
    return [
      { start: a.start, end: a.end, text: textOf(b, text) },
      { start: b.start, end: b.end, text: textOf(a, text) },
    ];
  };
}

/** Moves a statement or an element of a list to the place before another one of the same list. */
export function moveBefore(selector: Selector, before: Selector): Mutation {
  return (find, text) => {
    const moved = find(selector);
    const { start } = find(before).node;
    const separator = isStatement(moved.node) ? "\n" : ", ";
    return [removeNode(moved), { start, end: start, text: textOf(moved.node, text) + separator }];
  };
}

const textOf = ({ start, end }: SyntaxNode, text: string) => text.slice(start, end);

/** Function in a source file: a name, or a path of names such as `createView.list`. */
export interface Place {
  readonly file: string;
  readonly function: string;
}

/** Returns the text of a source file after a mutation. Throws an error when the mutation does not select exactly one node. */
export function mutateSource(mutation: Mutation, place: Place, text: string): string {
  const program = parseSource(place.file, text);
  const declaration = findDeclaration(program, place.function);
  if (!declaration) throw new Error(`${place.file} has no function \`${place.function}\`, or several.`);
  const find = (selector: Selector): Located => selectNode(selector, declaration, place, text);
  const mutated = applyEdits(text, mutation(find, text));
  parseSource(place.file, mutated);
  return mutated;
}

const isStatement = ({ type }: SyntaxNode) => KINDS.statement.test(type);

/** Removes a node from the list that holds it, with its comma; a statement that is no list member becomes an empty block. */
function removeNode({ node, parents }: Located): Edit {
  const list = Object.values(parents.at(-1) ?? {}).find(
    (value): value is SyntaxNode[] => Array.isArray(value) && value.includes(node),
  );
  const { start, end } = node;
  if (!list || isStatement(node)) return { start, end, text: list ? "" : "{}" };
  const index = list.indexOf(node);
  const next = list[index + 1];
  const previous = list[index - 1];
  if (next) return { start, end: next.start, text: "" };
  return { start: previous?.end ?? start, end, text: "" };
}

function applyEdits(text: string, edits: readonly Edit[]): string {
  let result = text;
  for (const { start, end, text: by } of edits.toSorted((a, b) => b.start - a.start))
    result = result.slice(0, start) + by + result.slice(end);
  return result;
}

/** Finds the node that a selector selects in a function. Throws an error when there is not exactly one. */
function selectNode(selector: Selector, declaration: Located, place: Place, text: string): Located {
  const matches = listMatches(selector, declaration);
  const { kind, names, nth, part } = selector;
  const index = nth === undefined ? 0 : nth - 1;
  const match = matches[index];
  if (!match || (nth === undefined && matches.length > 1)) {
    const lines = matches.map(({ node }) => text.slice(0, node.start).split("\n").length).join(", ");
    const of = names.length > 0 ? ` with ${names.map((name) => `\`${name}\``).join(", ")}` : "";
    const wanted = nth === undefined ? "exactly one" : `number ${nth}`;
    throw new Error(
      `\`${place.function}\` in ${place.file} has ${matches.length} of ${kind}${of}${lines && ` (lines ${lines})`}, but ${wanted} is needed.`,
    );
  }
  if (part === undefined) return match;
  return locatePart(match, part);
}

/** Lists the smallest nodes of a kind in which all names occur. */
function listMatches({ kind, names }: Selector, declaration: Located): readonly Located[] {
  const all = [...walk(declaration.node, declaration.parents)];
  const fitting = all.filter(({ node }) => KINDS[kind].test(node.type) && hasNames(node, names));
  if (names.length === 0) return fitting;
  return fitting.filter(({ node }) => !fitting.some((other) => other.parents.includes(node)));
}

function hasNames(node: SyntaxNode, names: readonly string[]) {
  const there = listNames(node);
  return names.every((name) => there.has(name));
}

const nameCache = new WeakMap<SyntaxNode, ReadonlySet<string>>();

/** Lists the identifiers, property names, literals and operators that occur in a node. */
function listNames(node: SyntaxNode): ReadonlySet<string> {
  const cached = nameCache.get(node);
  if (cached) return cached;
  const names = new Set<string>();
  if (node.type === "Identifier" || node.type === "PrivateIdentifier") names.add(String(node.name));
  if (node.type === "Literal") names.add(String(node.value));
  if (typeof node.operator === "string") names.add(node.operator);
  for (const child of listChildren(node)) for (const name of listNames(child)) names.add(name);
  nameCache.set(node, names);
  return names;
}

function locatePart(match: Located, path: string): Located {
  let located = match;
  for (const step of listSteps(match.node, path)) located = { node: step, parents: [...located.parents, located.node] };
  return located;
}

function findPart(node: SyntaxNode, path: string): SyntaxNode {
  return listSteps(node, path).at(-1) ?? node;
}

/** Lists the nodes on a path of members such as `body.0.test`; a number is an index into the list before it. */
function listSteps(node: SyntaxNode, path: string): readonly SyntaxNode[] {
  const steps: SyntaxNode[] = [];
  let value: unknown = node;
  for (const member of path.split(".")) {
    value = Array.isArray(value) ? value.at(Number(member)) : (value as SyntaxNode | undefined)?.[member];
    if (isNode(value)) steps.push(value);
  }
  if (!isNode(value)) throw new Error(`The selected ${node.type} has no part \`${path}\`.`);
  return steps;
}

/** Lists variables of a mutated file that the original does not have: it would only throw a ReferenceError. */
export function listUnknownVariables(mutated: string, original: string, file = "mutated.ts"): readonly string[] {
  const known = new Set(original.match(/[\w$]+/g));
  const all = [...walk(parseSource(file, mutated))].filter(({ node }) => node.type === "Identifier");
  const unknown = all.filter(({ node }) => !known.has(String(node.name)) && !BUILT_IN.has(String(node.name)));
  const declared = new Set(unknown.filter(isDeclaration).map(({ node }) => node.name));
  const names = unknown
    .filter((one) => !isMember(one) && !declared.has(one.node.name))
    .map(({ node }) => String(node.name));
  return [...new Set(names)];
}

const BUILT_IN = new Set(["Math", "Number", "Promise", "Set", "String", "undefined"]);

const isDeclaration = ({ parents }: Located) => /Declarator|Pattern|Arrow/.test(parents.at(-1)?.type ?? "");

function isMember({ node, parents }: Located) {
  const parent = parents.at(-1);
  return (parent?.type === "MemberExpression" ? parent.property : parent?.type === "Property" && parent.key) === node;
}
