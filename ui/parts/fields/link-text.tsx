import { Anchor } from "@mantine/core";
import { IconExternalLink } from "@tabler/icons-react";
import type { ReactNode } from "react";
import type { TextEdit } from "../../api/text-edit.ts";
import { useWords } from "../../words/words.ts";
import { EditableText } from "../editable-text.tsx";

interface LinkTextProps {
  readonly edit: TextEdit;
  readonly mayEdit: boolean;
}

/** A link to a documentation elsewhere: the address to edit, and a sign that leads there. */
export function LinkText({ edit, mayEdit }: LinkTextProps): ReactNode {
  const say = useWords("structure");
  // What cannot be opened from a page is not made a link, whoever wrote it.
  const leads = /^(?:https?|ftp|mailto):/i.test(edit.value);
  return (
    <span style={{ display: "inline-flex", gap: 8, alignItems: "center", overflowWrap: "anywhere" }}>
      <EditableText label={say("linkText")} edit={edit} mayEdit={mayEdit} />
      {leads && (
        <Anchor
          href={edit.value}
          target="_blank"
          rel="noreferrer noopener nofollow"
          aria-label={say("openLink")}
          display="inline-flex"
        >
          <IconExternalLink size={16} aria-hidden />
        </Anchor>
      )}
    </span>
  );
}
