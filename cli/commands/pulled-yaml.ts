import { isDeepStrictEqual } from "node:util";
import {
  Document,
  isAlias,
  isCollection,
  isMap,
  isNode,
  isScalar,
  isSeq,
  type Node,
  type Pair,
  type ParsedNode,
  parse,
  parseDocument,
  type ToStringOptions,
  visit,
  type YAMLMap,
  type YAMLSeq,
} from "yaml";
import { LIMITS } from "../../shared/domain/limits.ts";
import type { SourceObject } from "../input/source-text.ts";
import { isObject } from "../input/values.ts";
import { matchItems } from "./pulled-json.ts";

type Yaml = Document<Node> | Document.Parsed<ParsedNode>;

const READING = { merge: true, logLevel: "error" } as const;
const ALIASES = { maxAliasCount: LIMITS.yamlAliases } as const;

/** Formats an object as YAML; comments, quotes and indents of unchanged nodes stay. */
export function formatYamlLike(old: string | undefined, object: SourceObject): string {
  if (old === undefined) return new Document(object).toString({ lineWidth: 0 });
  const style = findYamlStyle(old);
  for (const keepsAliases of [true, false]) {
    try {
      const document = parseDocument(old, READING);
      if (!keepsAliases) expandAliases(document);
      document.contents = createNode(document, document.contents, object) as ParsedNode;
      keepPadding(document, old);
      const text = document.toString(style);
      // An aliased node may have changed, and its aliases with it.
      if (isDeepStrictEqual(parse(text, { ...READING, ...ALIASES }), object)) return text;
    } catch (error) {
      // An anchor that aliases refer to was removed.
      if (!(error instanceof ReferenceError)) throw error;
    }
  }
  return new Document(object).toString(style);
}

function findYamlStyle(text: string): ToStringOptions {
  const [, indent = "  "] = /^( +)[^\s#]/m.exec(text) ?? [];
  return {
    lineWidth: 0,
    indent: Math.min(indent.length, 8),
    indentSeq: !/^( *)[^\s#-][^\n]*:[ \t]*\n\1- /m.test(text),
  };
}

/** Keeps the spaces inside each `{…}` and `[…]`; a new one gets those of the first of its form. */
function keepPadding(document: Yaml, text: string) {
  const isPadded = (node: Node) => {
    const [start] = node.range ?? [];
    return start !== undefined && /\s/.test(text.charAt(start + 1));
  };
  const flowNodes: (YAMLMap | YAMLSeq)[] = [];
  visit(document, {
    Collection: (_, node) => {
      if (node.flow) flowNodes.push(node);
    },
  });
  for (const node of flowNodes) {
    const sample = node.range ? node : flowNodes.find((one) => one.range && isMap(one) === isMap(node));
    const flowCollectionPadding = sample === undefined || isPadded(sample) ? " " : "";
    const write = node.toString.bind(node);
    node.toString = (context, ...rest) => write(context && { ...context, flowCollectionPadding }, ...rest);
  }
}

function expandAliases(document: Yaml) {
  const toValue = (node: Node): unknown => node.toJS(document, ALIASES);
  visit(document, {
    Map: (_, map) => {
      const copy = document.createNode(toValue(map)) as YAMLMap;
      const pairs = new Map(map.items.map((pair) => [findItemName(pair), pair]));
      map.items = copy.items.map((pair) => pairs.get(findItemName(pair)) ?? pair);
    },
    Alias: (_, alias) => document.createNode(toValue(alias)) as Node,
  });
  visit(document, {
    Node: (_, node) => {
      if ("anchor" in node) delete node.anchor;
    },
  });
}

function createNode(document: Yaml, old: unknown, value: unknown): Node {
  if (isNode(old) && isDeepStrictEqual(old.toJS(document, ALIASES), value) && hasSameOrder(document, old, value))
    return old;
  if (isMap(old) && isObject(value)) return createMap(document, old, value);
  if (isSeq(old) && Array.isArray(value)) return createList(document, old, value);
  if (isScalar(old) && typeof value !== "object") {
    old.value = value;
    delete old.source;
    return old;
  }
  const newNode = document.createNode(value) as Node;
  if (isNode(old) && !isAlias(old)) {
    if (old.commentBefore != null) newNode.commentBefore = old.commentBefore;
    if (old.comment != null) newNode.comment = old.comment;
    if (old.spaceBefore !== undefined) newNode.spaceBefore = old.spaceBefore;
  }
  return newNode;
}

/** True if the members of a map are in the order of the value, which comparing values does not show. */
function hasSameOrder(document: Yaml, old: Node, value: unknown) {
  return !isCollection(old) || JSON.stringify(old.toJS(document, ALIASES)) === JSON.stringify(value);
}

function createMap(document: Yaml, old: YAMLMap, value: SourceObject): YAMLMap {
  const pairs = new Map(old.items.map((pair) => [findItemName(pair), pair]));
  old.items = Object.entries(value).map(([name, one]) => {
    const pair = pairs.get(name);
    if (!pair) return document.createPair(name, one);
    pair.value = createNode(document, pair.value, one);
    return pair;
  });
  return old;
}

function createList(document: Yaml, old: YAMLSeq, value: readonly unknown[]): YAMLSeq {
  const nodes = [...old.items];
  const before = nodes.map((node) => (isNode(node) ? node.toJS(document, ALIASES) : node) as unknown);
  const pairs = matchItems(before, value);
  const [sibling] = nodes;
  // The parser attaches the comment before the first item to the list; it has to move with the item.
  if (old.commentBefore != null && isNode(sibling) && sibling.commentBefore == null && !old.flow) {
    sibling.commentBefore = old.commentBefore;
    old.commentBefore = null;
  }
  old.items = value.map((one) => {
    const match = pairs.has(one) ? nodes[before.indexOf(pairs.get(one))] : undefined;
    if (match !== undefined) return createNode(document, match, one);
    const newNode = document.createNode(one) as Node;
    if (isCollection(newNode) && isCollection(sibling) && sibling.flow) newNode.flow = true;
    return newNode;
  });
  return old;
}

function findItemName({ key }: Pair): unknown {
  return isScalar(key) ? String(key.value) : key;
}
