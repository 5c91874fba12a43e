import { Button, Group, Stack, Text, Title } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { useRead } from "../../api/reads.ts";
import { useMay } from "../../api/rights.ts";
import type { OutputOf } from "../../api/service.ts";
import { ConfirmDelete } from "../../parts/dialogs/confirm-delete.tsx";
import { loadLazily } from "../../parts/lazily-loaded.tsx";
import { Loaded } from "../../parts/loaded.tsx";
import { useFormats } from "../../words/formats.ts";
import { useWords } from "../../words/words.ts";
import { findNameOfRef } from "./administration-frame.tsx";

/** Loaded when it is opened: its fields come from a large part of the component library. */
export const NewToken = loadLazily(async () => (await import("./new-token.tsx")).NewToken);

type RevokedToken = OutputOf<"auth/token_list">["items"][number];

/** The button that asks whether an API token is to end. */
export function RevokeButton({
  token,
  ask,
}: {
  readonly token: RevokedToken;
  readonly ask: (token: RevokedToken) => void;
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
export function ConfirmRevoke({
  token,
  close,
}: {
  readonly token: RevokedToken;
  readonly close: () => void;
}): ReactNode {
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

type ListedToken = OutputOf<"auth/token_list">["items"][number];

/** The models that a token is for, by the keys and patterns that people know, or that it is for all. */
export function formatModels(
  { models, modelsByKey }: Pick<ListedToken, "models" | "modelsByKey">,
  all: string,
): string {
  return (modelsByKey ?? models)?.map(findNameOfRef).join(", ") ?? all;
}

type Token = OutputOf<"auth/token_list">["items"][number];

interface TokensOfAccountProps {
  readonly account: OutputOf<"auth/actor_get">;
}

/** The API tokens of a service account, with a way to make another one while it is not disabled. */
export function TokensOfAccount({ account: { id, disabledAt } }: TokensOfAccountProps): ReactNode {
  const say = useWords("administration");
  const may = useMay();
  const read = useRead("auth/token_list", { actorId: id, expand: "keys" });
  const [revoking, setRevoking] = useState<Token>();
  const [isMaking, setIsMaking] = useState(false);
  return (
    <section>
      <Title order={3}>{say("tokens")}</Title>
      <Loaded read={read}>
        {({ items }) => (
          <Stack gap={4} mt={4}>
            {items.length === 0 && <Text c="dimmed">{say("noTokens")}</Text>}
            {items.map((token) => (
              <TokenRow key={token.id} token={token} revoke={setRevoking} />
            ))}
          </Stack>
        )}
      </Loaded>
      {may("auth/token_create") && disabledAt === undefined && (
        <Button mt="xs" variant="default" onClick={() => setIsMaking(true)}>
          {say("newToken")}
        </Button>
      )}
      {isMaking && <NewToken actorId={id} close={() => setIsMaking(false)} />}
      {revoking && <ConfirmRevoke token={revoking} close={() => setRevoking(undefined)} />}
    </section>
  );
}

interface TokenRowProps {
  readonly token: Token;
  readonly revoke: (token: Token) => void;
}

function TokenRow({ token, revoke }: TokenRowProps): ReactNode {
  const say = useWords("administration");
  const { since } = useFormats();
  const end = token.expired ? say("expired") : say("expiresThen", { when: since(token.expiresAt) });
  return (
    <Group gap="xs" wrap="nowrap" justify="space-between">
      <div>
        <bdi lang="en">{token.name}</bdi>
        <Text size="sm" c="dimmed">
          {formatModels(token, say("allModels"))} · {end}
        </Text>
      </div>
      <RevokeButton token={token} ask={revoke} />
    </Group>
  );
}
