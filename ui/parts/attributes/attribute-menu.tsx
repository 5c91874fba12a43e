import { ActionIcon, Menu } from "@mantine/core";
import {
  IconArrowBarToDown,
  IconArrowBarToUp,
  IconArrowDown,
  IconArrowUp,
  IconDots,
  IconTrash,
} from "@tabler/icons-react";
import { type ReactNode, useState } from "react";
import { type Attribute, type AttributeOwner, attributeActions, ownerRefs } from "../../api/attributes.ts";
import { useMay } from "../../api/rights.ts";
import { useFrameWords } from "../../words/frame.ts";
import { useStructureWords } from "../../words/structure.ts";
import { ConfirmDelete } from "../confirm-delete.tsx";
import { useRowMoves } from "./use-row-moves.ts";

interface AttributeMenuProps {
  readonly owner: AttributeOwner;
  /** All attributes of the owner in declared order, and the entity tag of their answer. */
  readonly attributes: readonly Attribute[];
  readonly etag: string | undefined;
  readonly attribute: Pick<Attribute, "id" | "key">;
  /** Told when the attribute is no more. */
  readonly deleted: () => Promise<unknown>;
}

/** What can be done with an attribute as a whole: it moves among the others, or goes. */
export function AttributeMenu({ owner, attributes, etag, attribute, deleted }: AttributeMenuProps): ReactNode {
  const frame = useFrameWords();
  const say = useStructureWords();
  const may = useMay();
  const actions = attributeActions(owner);
  const moves = useRowMoves(owner, attributes, etag, may(actions.move));
  const [deleting, setDeleting] = useState(false);
  const at = attributes.findIndex(({ id }) => id === attribute.id);
  const row = attributes[at];
  const last = attributes.length - 1;
  if (!may(actions.move) && !may(actions.delete)) return null;
  const item = (text: string, Icon: typeof IconArrowUp, to: number, isOff: boolean): ReactNode => (
    <Menu.Item
      leftSection={<Icon size={16} stroke={1.6} aria-hidden />}
      disabled={isOff || !row}
      onClick={() => row && moves.move(row, to)}
    >
      {text}
    </Menu.Item>
  );
  return (
    <>
      <Menu position="bottom-end" withinPortal>
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" aria-label={frame("more")}>
            <IconDots size={18} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {may(actions.move) && (
            <>
              {item(say("moveFirst"), IconArrowBarToUp, 0, at <= 0)}
              {item(say("moveUpShort"), IconArrowUp, at - 1, at <= 0)}
              {item(say("moveDownShort"), IconArrowDown, at + 1, at < 0 || at === last)}
              {item(say("moveLast"), IconArrowBarToDown, last, at < 0 || at === last)}
            </>
          )}
          {may(actions.delete) && (
            <>
              <Menu.Divider />
              <Menu.Item
                color="red"
                leftSection={<IconTrash size={16} stroke={1.6} aria-hidden />}
                onClick={() => setDeleting(true)}
              >
                {say("deleteThe", { what: say("theAttribute", { key: attribute.key }) })}
              </Menu.Item>
            </>
          )}
        </Menu.Dropdown>
      </Menu>
      <span role="status" className="visually-hidden">
        {moves.told}
      </span>
      {deleting && (
        <ConfirmDelete
          action={actions.delete}
          input={{ ...ownerRefs(owner), attributeRef: `id:${attribute.id}` }}
          ifMatch={etag}
          what={say("theAttribute", { key: attribute.key })}
          close={() => setDeleting(false)}
          done={async () => {
            setDeleting(false);
            await deleted();
          }}
        />
      )}
    </>
  );
}
