import type { CandidateFormat } from "../../actions/contract/ports.ts";
import type { SqlDialect } from "../common/source-text.ts";
import { DIALECTS } from "./dialects.ts";

const MARKS: readonly (readonly [SqlDialect, weight: 1 | 2 | 3, mark: RegExp, says: string])[] = [
  ["postgresql", 3, /^--\s*PostgreSQL database (cluster )?dump/m, "the first lines of pg_dump"],
  ["postgresql", 3, /^\\(connect|c|restrict|unrestrict|i|set|echo|copy|\.)(\s|$)/m, "commands of psql"],
  ["postgresql", 3, /\bcopy\b[^;']{1,2000}\bfrom\s+stdin/i, "COPY … FROM stdin"],
  ["postgresql", 3, /\bcreate\s+(type\s+\S+\s+as\s+enum|extension|domain)\b/i, "types and extensions"],
  ["postgresql", 3, /\bowner\s+to\b|\bpartition\s+of\b|\bplpgsql\b|\bpg_catalog\b/i, "its own clauses"],
  ["postgresql", 3, /\s(bytea|jsonb|tsvector|(big|small)serial|timestamptz|text\[\])\b/i, "its own types"],
  ["postgresql", 2, /\s(serial\b|character varying|double precision|timestamp with)/i, "types that it has"],
  ["postgresql", 2, /\bnextval\s*\(|'::\w|\busing\s+(gin|gist|btree)\b/i, "its expressions"],
  ["postgresql", 2, /\$(body|function|_)?\$/i, "texts between dollars"],
  ["postgresql", 1, /\bgenerated\s+(always|by\s+default)\s+as\s+identity/i, "identities"],
  ["mysql", 3, /^--\s*(MySQL|MariaDB) dump/m, "the first lines of mysqldump"],
  ["mysql", 3, /\/\*M?!\d{5}/, "comments with code for MySQL"],
  ["mysql", 3, /\)\s*(engine|type)\s*=\s*\w+|\bauto_increment\b|\bon\s+update\s+current_timestamp/i, "its own clauses"],
  ["mysql", 3, /^[ \t]*delimiter[ \t]+\S+[ \t]*\r?$/im, "DELIMITER"],
  ["mysql", 2, /\s(unsigned|(medium|long)(text|blob|int)|tinytext|tinyint\(1\)|enum\s*\(\s*')/i, "its own types"],
  ["mysql", 2, /\b(unique|fulltext|spatial)\s+key\b|^[ \t]*key\s+`/im, "keys inside of a table"],
  ["mysql", 2, /\bcreate\s+table\s+(if\s+not\s+exists\s+)?`[^`.]+`/i, "names in backticks"],
  ["sqlite", 3, /^[ \t]*pragma\s+\w+/im, "PRAGMA"],
  ["sqlite", 3, /\bwithout\s+rowid\b|\)\s*strict\s*(;|,)|\bsqlite_\w+|\busing\s+fts[345]\b/i, "its own clauses"],
  ["sqlite", 2, /\bprimary\s+key\s+(asc\s+)?autoincrement\b/i, "AUTOINCREMENT behind a key"],
  ["sqlite", 1, /\binteger\s+(not\s+null\s+)?primary\s+key\b/i, "INTEGER PRIMARY KEY"],
  ["tsql", 3, /^[ \t]*go[ \t]*;?[ \t]*\r?$/im, "GO on lines of their own"],
  ["tsql", 3, /\bsp_addextendedproperty\b|\b(non)?clustered\b|\bwith\s+(no)?check\s+add\b/i, "its own clauses"],
  ["tsql", 3, /\[dbo\]|\bdbo\./i, "the schema dbo"],
  [
    "tsql",
    3,
    /[\s[](uniqueidentifier|datetime2|smalldatetime|datetimeoffset|ntext|smallmoney|hierarchyid)\b/i,
    "its own types",
  ],
  ["tsql", 3, /\bvarchar\s*\(\s*max\s*\)/i, "varchar(max)"],
  ["tsql", 2, /\bidentity\s*\(\s*\d+\s*,/i, "IDENTITY"],
  ["tsql", 1, /\bcreate\s+table\s+\[/i, "names in brackets"],
  ["oracle", 3, /\svarchar2\s*\(|\bsysdate\b|\bsys_guid\b|\bdbms_\w+/i, "its own types and functions"],
  ["oracle", 3, /^(prompt|rem|spool|whenever|set\s+define)\b/im, "commands of SQL*Plus"],
  ["oracle", 2, /^\/[ \t]*\r?$/m, "a slash on lines of their own"],
  ["oracle", 2, /\snumber\s*(\(\s*\d+\s*\)|not|,)/i, "NUMBER"],
  ["oracle", 1, /\s(n?clob|tablespace)\b/i, "words that it has"],
  ["snowflake", 3, /\stimestamp_(ntz|ltz|tz)\b|\svariant\b|\btransient\s+table\b/i, "its own types and tables"],
  [
    "snowflake",
    3,
    /\bfile\s+format\b|\bmasking\s+policy\b|\bdata_retention_time_in_days\b|\buse\s+warehouse\b/i,
    "its own clauses",
  ],
  ["snowflake", 2, /\bcreate\s+or\s+replace\s+table\b|\snumber\s*\(\s*38\b/i, "words that it has"],
  ["snowflake", 2, /\bautoincrement\b(?!\s*[,)]?\s*(--|,?\s*$))/i, "AUTOINCREMENT"],
  ["bigquery", 3, /\s(int64|float64|bignumeric)\b/i, "its own types"],
  ["bigquery", 3, /\s(struct|array)\s*</i, "structures"],
  ["bigquery", 2, /\boptions\s*\(\s*\w+\s*=/i, "OPTIONS"],
  ["bigquery", 3, /\bcreate\s+(or\s+replace\s+)?table\s+(if\s+not\s+exists\s+)?`[\w-]+\.[\w-]+/i, "paths in backticks"],
  ["redshift", 3, /\b(distkey|sortkey|diststyle)\b/i, "DISTKEY and SORTKEY"],
  ["redshift", 3, /\bencode\s+(lzo|az64|zstd|raw|bytedict|delta|runlength|mostly\d+|text255)\b/i, "ENCODE"],
];

const DIALECT_NAMES: readonly (readonly [SqlDialect, RegExp])[] = [
  ["mysql", /mysql|mariadb/i],
  ["postgresql", /postgres/i],
  ["sqlite", /sqlite/i],
  ["tsql", /sql ?server|mssql|t-sql|transact-sql/i],
  ["oracle", /oracle/i],
  ["snowflake", /snowflake/i],
  ["bigquery", /bigquery/i],
  ["redshift", /redshift/i],
];

/** Dialects that are read as standard SQL: the name, the word for it in a first comment, and marks that no dialect above has. */
const OTHER_DIALECTS: readonly (readonly [name: string, word: RegExp, mark?: RegExp])[] = [
  ["Databricks", /\bdatabricks\b/i],
  ["Spark", /\bspark\b/i, /\)\s*using\s+(delta|parquet|iceberg|orc|csv|json)\b/i],
  ["Impala", /\bimpala\b/i, /\bstored\s+as\s+kudu\b/i],
  [
    "Hive",
    /\bhive(ql)?\b/i,
    /\bstored\s+as\s+(orc|parquet|textfile|rcfile|sequencefile|avro)\b|\brow\s+format\s+(delimited|serde)\b|\btblproperties\s*\(/i,
  ],
  ["Db2", /\bdb2\b/i, /\borganize\s+by\s+(row|column)\b|\sdbclob\b|\s(var)?graphic\s*\(/i],
  ["Derby", /\bderby\b/i],
  ["SAP HANA", /\bhana\b/i, /\bcreate\s+(column|row)\s+table\b/i],
  ["Informix", /\binformix\b/i, /\slvarchar\b|\sdatetime\s+year\s+to\b|\bextent\s+size\s+\d/i],
];

const SAMPLE = 400_000;
const CLEAR_SCORE = 2;
/** Joins texts without a comma before `and`. */
const LIST_FORMAT = new Intl.ListFormat("en-GB");

/** Returns the possible dialects of a SQL text, the likeliest first: standard SQL without evidence. */
export function findSqlCandidates(text: string, target: string | undefined): readonly CandidateFormat[] {
  const sample = text.slice(0, SAMPLE);
  const [opening = ""] =
    /^(\s+|--[^\n]*\n|#[^\n]*\n|\/\*[^*]*\*+([^/*][^*]*\*+)*\/)*/.exec(sample.slice(0, 5_000)) ?? [];
  const marks = new Map<SqlDialect, { readonly score: number; readonly reasons: readonly string[] }>();
  const add = (dialect: SqlDialect, weight: number, reason: string) => {
    const { score, reasons } = marks.get(dialect) ?? { score: 0, reasons: [] };
    marks.set(dialect, { score: score + weight, reasons: [...reasons, reason] });
  };
  for (const [dialect, pattern] of DIALECT_NAMES)
    if (pattern.test(opening)) add(dialect, 3, "the name in its first comment");
  for (const [dialect, weight, mark, reason] of MARKS) if (mark.test(sample)) add(dialect, weight, reason);
  // Redshift texts also match most patterns of PostgreSQL.
  if (marks.has("redshift")) add("redshift", marks.get("postgresql")?.score ?? 0, "what PostgreSQL has too");
  const ranking = [...marks].toSorted(([, a], [, b]) => b.score - a.score);
  const [first = 0, second = 0] = ranking.map(([, { score }]) => score);
  const candidates = ranking.map(([dialect, { reasons }], i) => {
    const sure = i > 0 || first === second ? "possible" : first >= 3 && first >= second + 3 ? "certain" : "likely";
    return createCandidate(dialect, sure, `it has ${LIST_FORMAT.format(reasons.slice(0, 3))}`);
  });
  const detail = `it has statements of SQL, and no ${candidates.length === 0 ? "" : "clear "}mark of a dialect`;
  const other = findOtherDialect(opening, sample);
  // One weak mark is not enough: several dialects share it with the standard.
  const standard = other ?? createCandidate("sql", "likely", detail);
  const known = other ? candidates.map((one) => ({ ...one, sure: "possible" as const })) : candidates;
  const all = other || first < CLEAR_SCORE ? [standard, ...known] : known;
  if (target === undefined || all.some(({ format }) => format === target) || !Object.hasOwn(DIALECTS, target))
    return all;
  return [...all, createCandidate(target as SqlDialect, "possible", "it has statements of SQL")];
}

/** Returns standard SQL as the format of a text in a dialect without a reader; undefined for other texts. */
function findOtherDialect(opening: string, sample: string): CandidateFormat | undefined {
  const named = OTHER_DIALECTS.find(([, word]) => word.test(opening));
  const marked = named ?? OTHER_DIALECTS.find(([, , mark]) => mark?.test(sample));
  if (!marked) return undefined;
  const name = `a text in the SQL of ${marked[0]}, which is read as standard SQL`;
  const because = named ? "it has the name in its first comment" : `it has clauses of ${marked[0]}`;
  return { format: "sql", name, sure: "likely", because };
}

function createCandidate(format: SqlDialect, sure: CandidateFormat["sure"], because: string): CandidateFormat {
  return { format, name: `a text in ${format === "sql" ? "" : "the SQL of "}${DIALECTS[format].name}`, sure, because };
}
