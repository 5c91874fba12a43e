/** The names of those that are read. */
export const DBML = "DBML";
export const SQL = "SQL";

/** How a statement of SQL begins, or a command of a program that runs a text of them. */
const SQL_BEGINS =
  /^(\\\w|;|\/[\r\n]|(create|alter|drop|insert|begin|set|use|select|with|pragma|if|grant|comment\s+on|exec|execute|declare|start|copy|lock|delimiter|print|go|rem|prompt|spool|whenever|connect|truncate|delete|update|merge|rename|rollback|commit|do|call)\b)/i;
const MAKES_TABLES = /^[^'"\n]{0,40}\b(create|alter)\s+(or\s+replace\s+)?(\w+\s+){0,2}(table|view)\s/im;

/** Formats that are no JSON and no YAML: their names, and how their text begins after comments. */
const TEXTS: readonly (readonly [name: string, begins: RegExp, holds?: RegExp])[] = [
  ["an HTML or XML page; give the address of the JSON file itself", /^</],
  [SQL, /^(create|alter|drop|insert|begin|set|use|select|with|pragma)\s/i],
  [DBML, /^(table|tablepartial|tablegroup|project)\s[^{\n]*\{/i],
  [DBML, /^(enum|ref|note)\b/i, /^[ \t]*table\s[^{\n]*\{/im],
  ["a Prisma schema", /^(datasource|generator|model)\s+\w+\s*\{/],
  ["a Protocol Buffers file", /^(syntax\s*=|package\s+[\w.]+;|message\s+\w+\s*\{)/],
  ["a GraphQL schema", /^(schema\s*\{|(type|input|interface|scalar|union|directive)\s+@?\w+)/],
  ["a GraphQL schema", /^enum\s+\w+/, /^(type|input|interface|scalar)\s+\w+/m],
  // Words that other texts begin with too.
  [SQL, SQL_BEGINS, MAKES_TABLES],
  ["a Mermaid diagram", /^(erDiagram|classDiagram|(graph|flowchart)\s+(TB|TD|BT|LR|RL))\b/],
];

/** A first line like this is one of YAML, whatever word it begins with. */
const YAML_LINE = /^["']?[\w $./@-]+["']?\s*:(\s|$)/;

/** The name of the format in which a text that is no JSON is written; undefined where it bears no known marks. */
export function otherTextOf(text: string): string | undefined {
  const part = text.slice(0, 100_000);
  const start = part.replace(
    /^(\s+|--[^\n]*\n|\/\/[^\n]*\n|#[^\n]*\n|\/\*[^*]*\*+([^/*][^*]*\*+)*\/|"""[^"]*""")*/,
    "",
  );
  const [line = ""] = start.split("\n", 1);
  if (YAML_LINE.test(line)) return undefined;
  return TEXTS.find(([, begins, holds]) => begins.test(start) && (holds?.test(part) ?? true))?.[0];
}
