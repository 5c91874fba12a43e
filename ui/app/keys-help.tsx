import { Kbd, Modal, Table } from "@mantine/core";
import type { ReactNode } from "react";
import { useFrameWords } from "../words/frame.ts";
import { FRAME_KEYS } from "./keyboard.ts";
import { PLACES } from "./rail-places.ts";

interface KeysHelpProps {
  readonly close: () => void;
}

/** One or two keys as they are pressed. */
function Keys({ keys }: { readonly keys: string }): ReactNode {
  return keys.split(/[+ ]/).map((key) => (
    <Kbd key={key} mr={4}>
      {key === "mod" ? "Ctrl" : key.length === 1 ? key.toUpperCase() : key}
    </Kbd>
  ));
}

/** The keys of the application. */
export function KeysHelp({ close }: KeysHelpProps): ReactNode {
  const say = useFrameWords();
  const rows = [
    ...FRAME_KEYS.map(({ keys, word }) => ({ keys, text: say(word) })),
    ...PLACES.map(({ keys, word }) => ({ keys, text: say("keyGo", { place: say(word) }) })),
  ];
  return (
    <Modal opened onClose={close} title={say("keys")} closeButtonProps={{ "aria-label": say("close") }}>
      <Table withRowBorders={false} verticalSpacing={6}>
        <Table.Tbody>
          {rows.map(({ keys, text }) => (
            <Table.Tr key={keys}>
              <Table.Td>{text}</Table.Td>
              <Table.Td ta="right">
                <Keys keys={keys} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Modal>
  );
}
