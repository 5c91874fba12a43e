import { useQueryClient } from "@tanstack/react-query";
import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from "react";
import type { Answer } from "../../../client/create-client.ts";
import { type Attribute, type AttributeOwner, getAttributeActions, getOwnerRefs } from "../../api/attributes.ts";
import { useWrite } from "../../api/writes.ts";
import { useWords } from "../../words/words.ts";
import { getListKey } from "./attribute-editing.ts";

/** Functions that reorder the rows of an attribute table. */
export interface RowMoves {
  /** False if the rows are not in declared order, or the person is not permitted to move them. */
  readonly isOn: boolean;
  /** Moves an attribute to a position, counted from 0. */
  readonly move: (attribute: Attribute, to: number) => void;
  readonly startDrag: (event: PointerEvent<HTMLElement>, attribute: Attribute) => void;
  readonly handleKey: (event: KeyboardEvent) => void;
  readonly announcement: string;
}

function findRow(element: Element | null): number | undefined {
  const index = element?.closest("tr[data-row]")?.getAttribute("aria-rowindex");
  return index ? Number(index) - 2 : undefined;
}

/** Reorders attributes by drag or keyboard; a refused order is reverted. */
export function useRowMoves(
  owner: AttributeOwner,
  attributes: readonly Attribute[],
  etag: string | undefined,
  isOn: boolean,
): RowMoves {
  const say = useWords("structure");
  const client = useQueryClient();
  const write = useWrite(getAttributeActions(owner).move);
  const [announcement, setAnnouncement] = useState("");
  const latest = useRef(attributes);
  latest.current = attributes;
  const focusAt = useRef<{ readonly id: string; readonly cell: () => HTMLElement | null }>(undefined);
  useEffect(() => {
    const cell = focusAt.current?.cell();
    const at = findRow(cell ?? null);
    if (!cell || at === undefined || attributes[at]?.id !== focusAt.current?.id) return;
    cell.focus();
    focusAt.current = undefined;
  }, [attributes]);

  const move = (attribute: Attribute, to: number) => {
    const rows = latest.current;
    const from = rows.findIndex(({ id }) => id === attribute.id);
    const neighbour = rows[to];
    if (!isOn || from < 0 || !neighbour || from === to) return;
    const at = { ...getOwnerRefs(owner), attributeRef: `id:${attribute.id}` as const };
    const neighbourRef = `id:${neighbour.id}` as const;
    const key = getListKey(owner);
    const next = rows.filter(({ id }) => id !== attribute.id);
    next.splice(to, 0, attribute);
    const before = client.getQueryData<Answer<{ items: readonly Attribute[] }>>(key);
    if (before) client.setQueryData(key, { ...before, body: { ...before.body, items: next } });
    const input = to < from ? { ...at, beforeRef: neighbourRef } : { ...at, afterRef: neighbourRef };
    write.mutateAsync({ input, ifMatch: etag }).then(
      () =>
        setAnnouncement(say("moved", { object: attribute.name ?? attribute.key, place: to + 1, count: rows.length })),
      (error: unknown) => {
        client.setQueryData(key, before);
        setAnnouncement(error instanceof Error ? error.message : String(error));
      },
    );
  };
  const startDrag = (event: PointerEvent<HTMLElement>, attribute: Attribute) => {
    if (!isOn || event.button !== 0) return;
    event.preventDefault();
    followPointer(event, (to) => move(attribute, to));
  };
  const handleKey = (event: KeyboardEvent) => {
    if (!isOn || !event.altKey || (event.key !== "ArrowUp" && event.key !== "ArrowDown")) return;
    const from = event.target instanceof Element ? findRow(event.target) : undefined;
    const attribute = from === undefined ? undefined : latest.current[from];
    if (from === undefined || !attribute) return;
    event.preventDefault();
    event.stopPropagation();
    const to = event.key === "ArrowUp" ? from - 1 : from + 1;
    if (to < 0 || to >= latest.current.length) return;
    const table = event.currentTarget;
    const column = event.target instanceof Element ? event.target.getAttribute("data-cell")?.split(":")[1] : undefined;
    move(attribute, to);
    // Moving the row removes its focus.
    focusAt.current = { id: attribute.id, cell: () => table.querySelector(`[data-cell="${to}:${column ?? 0}"]`) };
  };
  return { isOn, move, startDrag, handleKey, announcement };
}

/** Marks the row under the pointer until release, then calls `drop` with the index of the last row. */
function followPointer(event: PointerEvent<HTMLElement>, drop: (index: number) => void) {
  const handle = event.currentTarget;
  handle.setPointerCapture(event.pointerId);
  let markedRow: Element | undefined;
  const mark = (row: Element | undefined) => {
    markedRow?.removeAttribute("data-drop");
    row?.setAttribute("data-drop", "");
    markedRow = row;
  };
  const findRowUnder = (pointer: globalThis.PointerEvent) =>
    document.elementFromPoint(pointer.clientX, pointer.clientY)?.closest("tr[data-row]") ?? undefined;
  const followPointer = (pointer: globalThis.PointerEvent) => mark(findRowUnder(pointer));
  const endDrag = (pointer: globalThis.PointerEvent) => {
    handle.removeEventListener("pointermove", followPointer);
    handle.removeEventListener("pointerup", endDrag);
    handle.removeEventListener("pointercancel", endDrag);
    const to = pointer.type === "pointerup" ? findRow(findRowUnder(pointer) ?? null) : undefined;
    mark(undefined);
    if (to !== undefined) drop(to);
  };
  handle.addEventListener("pointermove", followPointer);
  handle.addEventListener("pointerup", endDrag);
  handle.addEventListener("pointercancel", endDrag);
}
