import { type DragEvent, useState } from "react";

/** Returns the properties of a drop target, and whether a file is over it. */
export function useFileDrop(take: (file: File) => unknown) {
  const [isOver, setIsOver] = useState(false);
  const followFile = (event: DragEvent, isInside: boolean) => {
    event.preventDefault();
    setIsOver(isInside);
  };
  const target = {
    "data-over": isOver || undefined,
    onDragOver: (event: DragEvent) => followFile(event, true),
    onDragLeave: (event: DragEvent) => followFile(event, false),
    onDrop: (event: DragEvent) => {
      followFile(event, false);
      const [file] = event.dataTransfer.files;
      if (file) take(file);
    },
  };
  return { isOver, target };
}
