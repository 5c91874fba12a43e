import { NativeSelect, Popover, TextInput } from "@mantine/core";
import { type KeyboardEvent, type ReactNode, useRef, useState } from "react";
import { Refusal } from "../problem-box.tsx";
import { formatRefusal } from "../refusal.ts";
import type { CellFieldProps } from "./column.ts";

/** Field in a cell: Enter and Tab save and move on, Escape cancels. A refusal appears at the cell. */
export function CellEditor<T>({ row, edit, label, text, leave }: CellFieldProps<T>): ReactNode {
  const [value, setValue] = useState(text);
  const [refusal, setRefusal] = useState<string>();
  const [busy, setBusy] = useState(false);
  const isLeft = useRef(false);
  const before = (edit.getText ?? (() => undefined))(row);

  const save = async (next: string, cause: Parameters<typeof leave>[0]) => {
    if (isLeft.current) return;
    isLeft.current = true;
    if (next === before) return leave(cause);
    setBusy(true);
    try {
      await edit.save(row, next);
      leave(cause);
    } catch (error) {
      isLeft.current = false;
      setRefusal(formatRefusal(error));
    } finally {
      setBusy(false);
    }
  };
  const handleKey = (event: KeyboardEvent) => {
    event.stopPropagation();
    if (event.key === "Escape") {
      isLeft.current = true;
      leave("Escape");
    } else if (event.key === "Enter") void save(value, "Enter");
    else if (event.key === "Tab") void save(value, event.shiftKey ? "Shift-Tab" : "Tab");
    else return;
    event.preventDefault();
  };
  const props = {
    "aria-label": label,
    "aria-invalid": refusal !== undefined,
    size: "xs",
    value,
    autoFocus: true,
    readOnly: busy,
    error: refusal !== undefined,
    onKeyDown: handleKey,
    onBlur: () => refusal === undefined && void save(value, "blur"),
  } as const;
  return (
    <>
      {edit.choices ? (
        <NativeSelect {...props} data={[...edit.choices]} onChange={(event) => setValue(event.currentTarget.value)} />
      ) : (
        <TextInput
          {...props}
          onFocus={({ currentTarget: field }) => field.setSelectionRange(field.value.length, field.value.length)}
          onChange={(event) => setValue(event.currentTarget.value)}
        />
      )}
      {refusal !== undefined && (
        <Popover opened position="bottom-start" width={320} withinPortal>
          <Popover.Target>
            <div />
          </Popover.Target>
          <Popover.Dropdown>
            <Refusal>{refusal}</Refusal>
          </Popover.Dropdown>
        </Popover>
      )}
    </>
  );
}
