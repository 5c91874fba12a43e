import { ActionIcon } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import type { ReactNode, Ref } from "react";
import { useWords } from "../words/words.ts";

interface AddTagButtonProps {
  readonly isOpen: boolean;
  readonly toggle: () => void;
  readonly ref?: Ref<HTMLButtonElement>;
}

/** The button that opens the list of tags. */
export function AddTagButton({ isOpen, toggle, ref }: AddTagButtonProps): ReactNode {
  const say = useWords("tag");
  return (
    <ActionIcon
      {...(ref && { ref })}
      variant="subtle"
      color="gray"
      size={24}
      aria-label={say("add")}
      title={say("add")}
      aria-expanded={isOpen}
      onClick={toggle}
    >
      <IconPlus size={16} />
    </ActionIcon>
  );
}
