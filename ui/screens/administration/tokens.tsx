import { Button, Group, Stack, Text, Title } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { useRead } from "../../api/reads.ts";
import { useMay } from "../../api/rights.ts";
import type { OutputOf } from "../../api/service.ts";
import { ConfirmDelete } from "../../parts/dialogs/confirm-delete.tsx";
import { Loaded } from "../../parts/loaded.tsx";
import { useFormats } from "../../words/formats.ts";
import { useWords } from "../../words/words.ts";
import { findNameOfRef } from "./administration-frame.tsx";
import { NewToken } from "./new-token.tsx";

type RevokedToken = OutputOf<"auth/token_list">["items"][number];

/** Button that asks whether to revoke an API token. */
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

/** Confirmation of revoking an API token. */
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
      onDone={async () => close()}
    />
  );
}

type ListedToken = OutputOf<"auth/token_list">["items"][number];

/** Formats the models of a token by keys and patterns; `all` for a token without limits. */
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

/** API tokens of a service account, and a button that creates one while the account is enabled. */
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
  const { formatSince } = useFormats();
  const end = token.expired ? say("expired") : say("expiresThen", { when: formatSince(token.expiresAt) });
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
