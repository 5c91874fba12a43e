import { Skeleton } from "@mantine/core";
import { lazy, type ReactNode, Suspense } from "react";

const CodeField = lazy(async () => ({ default: (await import("./code-field.tsx")).CodeField }));

interface JsonEditorProps {
  /** The accessible name. */
  readonly label: string;
  readonly value: string;
  /** Without it the text is only read. */
  readonly onChange?: ((text: string) => void) | undefined;
  readonly minHeight?: number;
  readonly maxHeight?: number;
}

/** JSON as text, with its faults marked where they are. The editor is loaded when one is shown. */
export function JsonEditor(props: JsonEditorProps): ReactNode {
  return (
    <Suspense fallback={<Skeleton height={props.minHeight ?? 160} />}>
      <CodeField {...props} />
    </Suspense>
  );
}
