import { Button, Modal, Text } from "@mantine/core";
import { type ReactNode, useEffect, useRef } from "react";
import { useRead } from "../api/reads.ts";
import { endSession, useSession } from "../api/session.ts";
import { signInInWindow } from "../api/sign-in-window.ts";
import { SignInForm } from "../parts/sign-in-form.tsx";
import { useFrameWords } from "../words/frame.ts";

/** Asks to sign in again when the service no longer takes the token; the calls under way wait for it and go on. */
export function SessionEnded(): ReactNode {
  const say = useFrameWords();
  const session = useSession();
  const options = useRead("config/sign_in_options", {});
  const stop = useRef<() => void>(undefined);
  useEffect(() => () => stop.current?.(), []);
  const kept = session?.kept ?? false;
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
        goTo={(provider) => {
          stop.current?.();
          stop.current = signInInWindow(provider, kept);
        }}
        asksToKeep={false}
        kept={kept}
      />
      <Button mt="xs" fullWidth variant="subtle" color="gray" onClick={endSession}>
        {say("signOut")}
      </Button>
    </Modal>
  );
}
