import { Skeleton } from "@mantine/core";
import type { ReactNode } from "react";
import { loadLazily } from "../lazily-loaded.tsx";

const CodeField = loadLazily<JsonEditorProps>(
  async () => (await import("./code-field.tsx")).CodeField,
  ({ minHeight = 160 }) => <Skeleton height={minHeight} />,
);

interface JsonEditorProps {
  readonly label: string;
  readonly value: string;
  /** Without it the text is read-only. */
  readonly onChange?: ((text: string) => void) | undefined;
  /** True to accept other formats than JSON too. */
  readonly takesAnyText?: boolean;
  readonly minHeight?: number;
  readonly maxHeight?: number;
}

/** JSON editor that marks faults. Its library is loaded on first use. */
export function JsonEditor(props: JsonEditorProps): ReactNode {
  return <CodeField {...props} />;
}
