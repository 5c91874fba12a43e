import { Link } from "@tanstack/react-router";
import { useMemo } from "react";
import type { RefText } from "../../api/refs.ts";
import type { Column } from "../../parts/grid/column.ts";
import { type ShownTag, TagRow } from "../../parts/tag-chip.tsx";
import { KeyText, ObjectName } from "../../parts/text/key-text.tsx";
import { useWords } from "../../words/words.ts";

/** Kinds of objects with a table. */
export type Contents = "entities" | "relationships" | "types";

/** Row of a table of a model: an entity, a relationship or a type. */
export interface ContentRow {
  readonly id: string;
  readonly key: string;
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  readonly tags?: readonly ShownTag[];
  readonly primaryKeyByKey?: readonly string[];
  readonly roles?: readonly { readonly entityByKey?: string; readonly cardinality: string }[];
}

const getRefKey = (ref: string) => ref.replace(/^key:/, "");

/** Address of the page of a row, and the parameter that takes its ref. */
export const ROW_PATHS: Readonly<Record<Contents, { readonly to: string; readonly member: string }>> = {
  entities: { to: "/models/$modelRef/entities/$entityRef", member: "entityRef" },
  relationships: { to: "/models/$modelRef/relationships/$relationshipRef", member: "relationshipRef" },
  types: { to: "/models/$modelRef/types/$typeRef", member: "typeRef" },
};
const NOUNS = { entities: "entity", relationships: "relationship", types: "type" } as const;

/** Returns the columns of the table of a kind. */
export function useContentColumns(kind: Contents, modelRef: RefText): readonly Column<ContentRow>[] {
  const say = useWords("model");
  return useMemo(() => {
    const { to, member } = ROW_PATHS[kind];
    const renderLink = ({ key, name }: ContentRow) => (
      <Link
        to={to}
        // The address takes both refs.
        params={{ modelRef, [member]: `key:${key}` } as never}
        style={{ color: "inherit", textDecoration: "none" }}
        tabIndex={-1}
      >
        <ObjectName name={name} objectKey={key} />
      </Link>
    );
    const entityColumns: readonly Column<ContentRow>[] = [
      {
        id: "primaryKey",
        title: say("primaryKey"),
        getText: ({ primaryKeyByKey = [] }) => primaryKeyByKey.map(getRefKey).join(", "),
        renderCell: ({ primaryKeyByKey = [] }) => <KeyText value={primaryKeyByKey.map(getRefKey).join(", ")} />,
        width: 180,
      },
    ];
    const relationshipColumns: readonly Column<ContentRow>[] = [
      {
        id: "between",
        title: say("between"),
        getText: ({ roles = [] }) => roles.map(({ entityByKey = "" }) => getRefKey(entityByKey)).join(" – "),
        width: 240,
      },
    ];
    const tags: Column<ContentRow> = {
      id: "tags",
      title: say("tags"),
      getText: ({ tags: shownTags = [] }) => shownTags.map(({ name, key }) => name ?? key).join(", "),
      renderCell: ({ tags: shownTags = [] }) => <TagRow tags={shownTags} most={2} />,
      width: 240,
    };
    return [
      {
        id: "name",
        title: say(NOUNS[kind]),
        getText: ({ name, key }) => `${name ?? ""} ${key}`.trim(),
        renderCell: renderLink,
      },
      ...(kind === "entities" ? entityColumns : kind === "relationships" ? relationshipColumns : []),
      { id: "text", title: say("description"), getText: ({ description }) => getFirstLine(description ?? "") },
      ...(kind === "types" ? [] : [tags]),
    ];
  }, [kind, modelRef, say]);
}

function getFirstLine(text: string) {
  const line = text.split("\n").find((one) => one.trim() !== "") ?? "";
  return line.replace(/^[#>\-*\s]+/, "").replace(/[*_`]/g, "");
}
