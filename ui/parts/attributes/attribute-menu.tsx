import { IconArrowBarToDown, IconArrowBarToUp, IconArrowDown, IconArrowUp, IconTrash } from "@tabler/icons-react";
import { type ReactNode, useState } from "react";
import { type Attribute, type AttributeOwner, getAttributeActions, getOwnerRefs } from "../../api/attributes.ts";
import { useMay } from "../../api/rights.ts";
import { useWords } from "../../words/words.ts";
import { ConfirmDelete } from "../dialogs/confirm-delete.tsx";
import { ActionMenu } from "../pickers/action-menu.tsx";
import type { MenuAction } from "../pickers/floating.tsx";
import { useRowMoves } from "./use-row-moves.ts";

interface AttributeMenuProps {
  readonly owner: AttributeOwner;
  readonly attributes: readonly Attribute[];
  readonly etag: string | undefined;
  readonly attribute: Pick<Attribute, "id" | "key">;
  readonly onDeleted: () => Promise<unknown>;
}

/** Menu of an attribute: move it, or delete it. */
export function AttributeMenu({ owner, attributes, etag, attribute, onDeleted }: AttributeMenuProps): ReactNode {
  const frame = useWords("frame");
  const say = useWords("structure");
  const may = useMay();
  const actions = getAttributeActions(owner);
  const moves = useRowMoves(owner, attributes, etag, may(actions.move));
  const [isDeleting, setIsDeleting] = useState(false);
  const at = attributes.findIndex(({ id }) => id === attribute.id);
  const row = attributes[at];
  const last = attributes.length - 1;
  const move = (label: string, icon: typeof IconArrowUp, to: number): MenuAction => ({
    label,
    icon,
    isOff: !row || to === at || to < 0 || to > last,
    run: () => row && moves.move(row, to),
  });
  const menuActions: readonly MenuAction[] = [
    ...(may(actions.move)
      ? [
          move(say("moveFirst"), IconArrowBarToUp, 0),
          move(say("moveUpShort"), IconArrowUp, at - 1),
          move(say("moveDownShort"), IconArrowDown, at + 1),
          move(say("moveLast"), IconArrowBarToDown, last),
        ]
      : []),
    ...(may(actions.delete)
      ? [
          {
            label: say("deleteWhat", { what: say("theAttribute", { key: attribute.key }) }),
            icon: IconTrash,
            isDanger: true,
            run: () => setIsDeleting(true),
          },
        ]
      : []),
  ];
  if (menuActions.length === 0) return null;
  return (
    <>
      <ActionMenu isQuiet label={frame("more")} actions={menuActions} />
      <span role="status" className="visually-hidden">
        {moves.announcement}
      </span>
      {isDeleting && (
        <ConfirmDelete
          action={actions.delete}
          input={{ ...getOwnerRefs(owner), attributeRef: `id:${attribute.id}` }}
          ifMatch={etag}
          what={say("theAttribute", { key: attribute.key })}
          close={() => setIsDeleting(false)}
          onDone={async () => {
            setIsDeleting(false);
            await onDeleted();
          }}
        />
      )}
    </>
  );
}
