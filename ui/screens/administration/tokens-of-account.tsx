import { Button, Group, Stack, Text, Title } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { useRead } from "../../api/reads.ts";
import { useMay } from "../../api/rights.ts";
import type { OutputOf } from "../../api/service.ts";
import { Loaded } from "../../parts/loaded.tsx";
import { useFormats } from "../../words/formats.ts";
import { useWords } from "../../words/words.ts";
import { NewToken } from "./new-token.tsx";
import { ConfirmRevoke, RevokeButton } from "./revoke-token.tsx";
import { modelsOf } from "./token-models.ts";

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
          {modelsOf(token, say("allModels"))} · {end}
        </Text>
      </div>
      <RevokeButton token={token} ask={revoke} />
    </Group>
  );
}
