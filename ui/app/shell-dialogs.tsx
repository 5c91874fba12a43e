import { Button, Drawer, Kbd, Modal, Table, Text } from "@mantine/core";
import { type ReactNode, useEffect, useRef } from "react";
import { useRead } from "../api/reads.ts";
import { endSession, openSignInWindow, useSession } from "../api/session.ts";
import { Dialog } from "../parts/dialog.tsx";
import { SignInForm } from "../parts/sign-in-form.tsx";
import { useWords } from "../words/words.ts";
import { PLACES } from "./rail-places.ts";

interface SheetProps {
  readonly label: string;
  readonly close: () => void;
  readonly children: ReactNode;
}

/** The rail as a sheet over the screen, on phones. */
export function Sheet({ label, close, children }: SheetProps): ReactNode {
  return (
    <Drawer.Root opened onClose={close} size={280} padding={0}>
      <Drawer.Overlay />
      <Drawer.Content aria-label={label}>{children}</Drawer.Content>
    </Drawer.Root>
  );
}

function Keys({ keys }: { readonly keys: string }) {
  return keys.split(/[+ ]/).map((key) => (
    <Kbd key={key} mr={4}>
      {key === "mod" ? "Ctrl" : key.length === 1 ? key.toUpperCase() : key}
    </Kbd>
  ));
}

/** List of the keyboard shortcuts. */
export function KeysHelp({ close }: { readonly close: () => void }): ReactNode {
  const say = useWords("frame");
  const rows = [
    ...FRAME_KEYS.map(({ keys, word }) => ({ keys, text: say(word) })),
    ...PLACES.map(({ keys, word }) => ({ keys, text: say("keyGo", { place: say(word) }) })),
  ];
  return (
    <Dialog close={close} title={say("keys")}>
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
    </Dialog>
  );
}

/** Asks the person to sign in again when the token has expired; waiting calls resume afterwards. */
export function SessionEnded(): ReactNode {
  const say = useWords("frame");
  const session = useSession();
  const options = useRead("config/sign_in_options", {});
  const stop = useRef<() => void>(undefined);
  useEffect(() => () => stop.current?.(), []);
  const isKept = session?.kept ?? false;
  return (
    <Modal
      opened
      onClose={() => undefined}
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      title={say("sessionEnded")}
      zIndex={1_000}
    >
      <Text mb="md" c="dimmed">
        {say("sessionEndedText")}
      </Text>
      <SignInForm
        providers={options.data?.body.issuers ?? []}
        startSignIn={(provider) => {
          stop.current?.();
          stop.current = openSignInWindow(provider.issuer, isKept);
        }}
        asksToKeep={false}
        kept={isKept}
      />
      <Button mt="xs" fullWidth variant="subtle" color="gray" onClick={endSession}>
        {say("signOut")}
      </Button>
    </Modal>
  );
}

/** Global shortcuts by the name of their text; `mod` is Ctrl, or Cmd on a Mac. */
const FRAME_KEYS = [
  { keys: "mod+k", word: "palette" },
  { keys: "/", word: "keySearch" },
  { keys: "?", word: "keyHelp" },
  { keys: "e", word: "keyEdit" },
  { keys: "Esc", word: "keyLeave" },
  { keys: "mod+Enter", word: "save" },
] as const;
