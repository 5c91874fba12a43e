import { Typography } from "@mantine/core";
import { lazy, type ReactNode, Suspense } from "react";

const MarkdownBody = lazy(async () => ({ default: (await import("./markdown-body.tsx")).MarkdownBody }));

interface MarkdownTextProps {
  readonly text: string;
}

/** A Markdown text as it is meant to be read. HTML in it is shown as text, and images are links. */
export function MarkdownText({ text }: MarkdownTextProps): ReactNode {
  return (
    <Typography lang="en" dir="auto" fz="md" style={{ overflowWrap: "anywhere" }}>
      <Suspense fallback={<p style={{ whiteSpace: "pre-wrap" }}>{text}</p>}>
        <MarkdownBody text={text} />
      </Suspense>
    </Typography>
  );
}
