import { Skeleton } from "@mantine/core";
import type { ReactNode } from "react";
import { loadLazily } from "../lazily-loaded.tsx";

const CodeField = loadLazily<JsonEditorProps>(
  async () => (await import("./code-field.tsx")).CodeField,
  ({ minHeight = 160 }) => <Skeleton height={minHeight} />,
);

interface JsonEditorProps {
  /** The accessible name. */
  readonly label: string;
  readonly value: string;
  /** Without it the text is only read. */
  readonly onChange?: ((text: string) => void) | undefined;
  /** Takes also what does not begin as JSON does. */
  readonly takesAnyText?: boolean;
  readonly minHeight?: number;
  readonly maxHeight?: number;
}

/** JSON as text, with its faults marked where they are. The editor is loaded when one is shown. */
export function JsonEditor(props: JsonEditorProps): ReactNode {
  return <CodeField {...props} />;
}
