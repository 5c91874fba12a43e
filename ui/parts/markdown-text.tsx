import { Typography } from "@mantine/core";
import type { ReactNode } from "react";
import { openedLater } from "./opened-later.tsx";

const MarkdownBody = openedLater(
  async () => (await import("./markdown-body.tsx")).MarkdownBody,
  ({ text }) => <p style={{ whiteSpace: "pre-wrap" }}>{text}</p>,
);

interface MarkdownTextProps {
  readonly text: string;
}

/** A Markdown text as it is meant to be read. HTML in it is shown as text, and images are links. */
export function MarkdownText({ text }: MarkdownTextProps): ReactNode {
  return (
    <Typography lang="en" dir="auto" fz="md" style={{ overflowWrap: "anywhere" }}>
      <MarkdownBody text={text} />
    </Typography>
  );
}
