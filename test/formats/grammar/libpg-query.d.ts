/** The tree of a text by the grammar of PostgreSQL: the package's own types name hundreds of sorts of nodes, of which few are read. */
declare module "libpg-query" {
  export function parse(
    sql: string,
  ): Promise<{ readonly stmts?: readonly { readonly stmt: Readonly<Record<string, unknown>> }[] }>;
}
