import { Button } from "@mantine/core";
import type { ReactNode } from "react";
import type { OutputOf } from "../../api/service.ts";
import { ConfirmDelete } from "../../parts/confirm-delete.tsx";
import { useWords } from "../../words/words.ts";

type Token = OutputOf<"auth/token_list">["items"][number];

/** The button that asks whether an API token is to end. */
export function RevokeButton({
  token,
  ask,
}: {
  readonly token: Token;
  readonly ask: (token: Token) => void;
}): ReactNode {
  const say = useWords("administration");
  return (
    <Button
      size="compact-sm"
      variant="subtle"
      color="red"
      flex="none"
      aria-label={say("revokeToken", { name: token.name })}
      onClick={() => ask(token)}
    >
      {say("revoke")}
    </Button>
  );
}

/** Asks before an API token ends. */
export function ConfirmRevoke({ token, close }: { readonly token: Token; readonly close: () => void }): ReactNode {
  const say = useWords("administration");
  return (
    <ConfirmDelete
      action="auth/token_revoke"
      input={{ tokenId: token.id }}
      what={say("tokenNoun", { name: token.name })}
      close={close}
      done={async () => close()}
    />
  );
}
