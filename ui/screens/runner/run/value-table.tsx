import { Button, Code, Table, Text } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { useWords } from "../../../words/words.ts";
import styles from "../form/form.module.css";
import { isObject, type JsonObject } from "../form/form-state.ts";

const MAX_ROWS = 100;

/** Shows lists as tables and members below each other, recursively. */
export function ValueTable({ value, label }: { readonly value: unknown; readonly label: string }): ReactNode {
  const say = useWords("runner");
  if (isRows(value)) return <Rows rows={value} label={label} />;
  if (isObject(value)) return <MemberRows object={value} label={label} />;
  if (Array.isArray(value) && value.length === 0) return <Text c="dimmed">{say("empty")}</Text>;
  if (typeof value === "string" && value.includes("\n")) return <pre className={styles.text}>{value}</pre>;
  return <Cell value={value} />;
}

function Rows({ rows, label }: { readonly rows: readonly JsonObject[]; readonly label: string }) {
  const say = useWords("runner");
  const [isAll, setAll] = useState(false);
  const columns = listColumns(rows);
  const visibleRows = isAll ? rows : rows.slice(0, MAX_ROWS);
  return (
    <div className="shrink">
      <Table.ScrollContainer minWidth={Math.min(columns.length * 110, 1_600)} scrollAreaProps={{ type: "auto" }}>
        <Table
          verticalSpacing={6}
          highlightOnHover
          aria-label={label}
          lang="en"
          data={{
            head: [...columns],
            // biome-ignore lint/correctness/useJsxKeyInIterable: the table sets the keys by position
            body: visibleRows.map((row) => columns.map((name) => <Cell value={row[name]} />)),
          }}
        />
      </Table.ScrollContainer>
      <div className={styles.foot}>
        <p className="hint">{say("rows", { count: rows.length })}</p>
        {visibleRows.length < rows.length && (
          <Button size="compact-xs" variant="subtle" onClick={() => setAll(true)}>
            {say("showAll", { count: rows.length })}
          </Button>
        )}
      </div>
    </div>
  );
}

function MemberRows({ object, label }: { readonly object: JsonObject; readonly label: string }) {
  const members = Object.entries(object);
  const simple = members.filter(([, value]) => !isNested(value));
  const sections = members.filter(([, value]) => isNested(value));
  return (
    <div className={styles.members}>
      {simple.length > 0 && (
        <Table verticalSpacing={6} aria-label={label} lang="en" className={styles.pairs}>
          <Table.Tbody>
            {simple.map(([name, value]) => (
              <Table.Tr key={name}>
                <Table.Th scope="row">{name}</Table.Th>
                <Table.Td>
                  <Cell value={value} />
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
      {sections.map(([name, value]) => (
        <section key={name} aria-label={name}>
          <p className={styles.member} lang="en">
            {name}
          </p>
          <ValueTable value={value} label={name} />
        </section>
      ))}
    </div>
  );
}

function isNested(value: unknown) {
  return isRows(value) || (isObject(value) && Object.keys(value).length > 0);
}

function Cell({ value }: { readonly value: unknown }) {
  if (value === undefined) return null;
  if (typeof value === "string") return <span dir="auto">{value}</span>;
  if (value === null || typeof value !== "object") return <span className="digits">{String(value)}</span>;
  return <Code className={styles.json}>{JSON.stringify(value)}</Code>;
}

function isRows(value: unknown): value is readonly JsonObject[] {
  return Array.isArray(value) && value.length > 0 && value.every(isObject);
}

const FIRST = ["key", "name", "version", "title"];

/** Lists the members of rows; keys and names come first, ids last. */
export function listColumns(rows: readonly JsonObject[]): readonly string[] {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const first = FIRST.filter((name) => names.includes(name));
  const others = names.filter((name) => !first.includes(name) && name !== "id");
  return [...first, ...others, ...names.filter((name) => name === "id")];
}

/** Returns the rows if an answer has nothing else, else the answer. */
export function findTable(body: unknown): unknown {
  if (!isObject(body)) return body;
  const members = Object.keys(body);
  return members.length === 1 && Array.isArray(body.items) ? body.items : body;
}
