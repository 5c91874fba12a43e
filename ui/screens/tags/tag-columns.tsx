import { type ReactNode, useMemo } from "react";
import type { OutputOf } from "../../api/service.ts";
import type { Column } from "../../parts/grid/column.ts";
import { KeyText } from "../../parts/key-text.tsx";
import { TagChip } from "../../parts/tag-chip.tsx";
import { useTagsWords } from "../../words/tags.ts";

/** A tag as a search of tags answers it. */
export type TagRow = OutputOf<"tag/tag_search">["items"][number];

/** The key of a tag as its ref writes it: behind that of its group, where it has one. */
export const shownKey = ({ key, group }: TagRow): string => (group ? `${group.key}/${key}` : key);

/** The columns of a table of tags; with counts the number of things that each marks. */
export function useTagColumns(counts?: ReadonlyMap<string, number>): readonly Column<TagRow>[] {
  const say = useTagsWords();
  return useMemo(() => {
    const uses: Column<TagRow> = {
      id: "uses",
      title: say("uses"),
      width: 110,
      align: "end",
      text: (row) => String(counts?.get(`key:${shownKey(row)}`) ?? 0),
      order: (a, b) => (counts?.get(`key:${shownKey(a)}`) ?? 0) - (counts?.get(`key:${shownKey(b)}`) ?? 0),
    };
    return [
      {
        id: "tag",
        title: say("tag"),
        width: 300,
        text: (row) => `${row.name ?? ""} ${shownKey(row)}`.trim(),
        cell: (row): ReactNode => <TagChip tag={{ id: row.id, key: shownKey(row), name: row.name }} />,
      },
      {
        id: "key",
        title: say("key"),
        width: 300,
        text: shownKey,
        cell: (row): ReactNode => <KeyText value={shownKey(row)} most={36} />,
      },
      ...(counts ? [uses] : []),
      {
        id: "description",
        title: say("description"),
        text: ({ description }) => description ?? "",
        cell: ({ description = "" }): ReactNode => (
          <span lang="en" dir="auto" title={description}>
            {description}
          </span>
        ),
      },
    ];
  }, [say, counts]);
}
