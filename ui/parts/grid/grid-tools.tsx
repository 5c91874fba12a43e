import { ActionIcon, Button, Checkbox, Group, Popover, Stack } from "@mantine/core";
import { IconClipboard, IconColumns3, IconDownload, IconFilter, IconSearch } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { useWords } from "../../words/words.ts";
import { AddressInput } from "../address-input.tsx";
import type { Column } from "./column.ts";
import styles from "./data-grid.module.css";
import { useQueryParameters } from "./use-query-parameters.ts";

interface GridToolsProps<T> {
  readonly columns: readonly Column<T>[];
  readonly hiddenIds: ReadonlySet<string>;
  readonly toggleColumn: (id: string) => void;
  readonly hasFilters: boolean;
  readonly toggleFilters: () => void;
  readonly counts: { readonly shown: number; readonly all: number };
  readonly exportRows: () => void;
  readonly paste?: (() => void) | undefined;
  readonly children?: ReactNode;
}

/** Tools above a grid: search over all columns, filters, columns, export and paste. */
export function GridTools<T>(props: GridToolsProps<T>): ReactNode {
  const { columns, hiddenIds, toggleColumn, hasFilters, toggleFilters, counts, exportRows, paste } = props;
  const say = useWords("grid");
  const { search, change } = useQueryParameters();
  const { shown, all } = counts;
  const renderIcon = (label: string, run: () => void, icon: ReactNode, isOn = false) => (
    <ActionIcon
      variant={isOn ? "light" : "default"}
      size={36}
      aria-label={label}
      title={label}
      aria-pressed={isOn || undefined}
      onClick={run}
    >
      {icon}
    </ActionIcon>
  );
  return (
    <div className="wrap">
      <AddressInput
        type="search"
        className={styles.search}
        leftSection={<IconSearch size={16} aria-hidden />}
        placeholder={say("search")}
        aria-label={say("search")}
        value={search.q ?? ""}
        change={(q) => void change({ q: q || undefined }, { replace: true })}
      />
      {renderIcon(say("filters"), toggleFilters, <IconFilter size={18} stroke={1.6} />, hasFilters)}
      <ColumnsButton columns={columns} hiddenIds={hiddenIds} toggleColumn={toggleColumn} />
      {renderIcon(say("export"), exportRows, <IconDownload size={18} stroke={1.6} />)}
      {paste && renderIcon(say("paste"), paste, <IconClipboard size={18} stroke={1.6} />)}
      <Group gap={8}>{props.children}</Group>
      <span className={styles.count} role="status">
        {shown === all ? say("rows", { count: all }) : say("rowsOf", { shown, all })}
      </span>
    </div>
  );
}

type ColumnsButtonProps<T> = Pick<GridToolsProps<T>, "columns" | "hiddenIds" | "toggleColumn">;

function ColumnsButton<T>({ columns, hiddenIds, toggleColumn }: ColumnsButtonProps<T>) {
  const say = useWords("grid");
  return (
    <Popover position="bottom-start" withinPortal trapFocus>
      <Popover.Target>
        <Button variant="default" px={10} leftSection={<IconColumns3 size={18} stroke={1.6} aria-hidden />}>
          {say("columns")}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <Stack gap="xs">
          {columns.slice(1).map(({ id, title }) => (
            <Checkbox key={id} label={title} checked={!hiddenIds.has(id)} onChange={() => toggleColumn(id)} />
          ))}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
