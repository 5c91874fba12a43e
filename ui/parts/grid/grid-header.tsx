import { Checkbox, UnstyledButton } from "@mantine/core";
import { IconArrowDown, IconArrowUp } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { useWords } from "../../words/words.ts";
import { AddressInput } from "../address-input.tsx";
import type { Column } from "./column.ts";
import styles from "./data-grid.module.css";
import { getNextSort, getSort } from "./grid-view.ts";
import { useQueryParameters } from "./use-query-parameters.ts";

interface GridHeaderProps<T> {
  readonly columns: readonly Column<T>[];
  readonly hasFilters: boolean;
  readonly all?: { readonly state: "none" | "some" | "all"; readonly toggle: () => void } | undefined;
}

/** Column titles, which sort the grid, and column filters. */
export function GridHeader<T>({ columns, hasFilters, all }: GridHeaderProps<T>): ReactNode {
  const say = useWords("grid");
  const { search: view, change } = useQueryParameters();
  const sort = getSort(view);
  const filterColumn = (id: string, text: string) => {
    const { [id]: _, ...others } = view.in ?? {};
    const next = text === "" ? others : { ...others, [id]: text };
    void change({ in: Object.keys(next).length > 0 ? next : undefined }, { replace: true });
  };
  return (
    <thead>
      <tr aria-rowindex={1}>
        {all && (
          <th scope="col" className={styles.pick}>
            <Checkbox
              size="xs"
              aria-label={say("chooseAll")}
              checked={all.state === "all"}
              indeterminate={all.state === "some"}
              onChange={all.toggle}
            />
          </th>
        )}
        {columns.map(({ id, title, align, isOpaque }) => {
          const isSorted = sort?.id === id;
          const direction = sort?.isDescending ? "descending" : "ascending";
          const Arrow = sort?.isDescending ? IconArrowDown : IconArrowUp;
          if (isOpaque) {
            return (
              <th key={id} scope="col" data-align={align}>
                <span className={styles.sort}>{title}</span>
              </th>
            );
          }
          return (
            <th key={id} scope="col" data-align={align} {...(isSorted && { "aria-sort": direction })}>
              <UnstyledButton
                className={styles.sort}
                onClick={() => void change({ sort: getNextSort(view, id) }, { replace: true })}
              >
                {title}
                {isSorted && <Arrow size={14} aria-hidden />}
              </UnstyledButton>
            </th>
          );
        })}
      </tr>
      {hasFilters && (
        <tr className={styles.filters}>
          {all && <th aria-label={say("filters")} />}
          {columns.map(({ id, title, isOpaque }) => (
            <th key={id} {...(isOpaque && { "aria-label": title })}>
              {!isOpaque && (
                <AddressInput
                  size="xs"
                  aria-label={say("filterOf", { column: title })}
                  value={view.in?.[id] ?? ""}
                  change={(text) => filterColumn(id, text)}
                />
              )}
            </th>
          ))}
        </tr>
      )}
    </thead>
  );
}
