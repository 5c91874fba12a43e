import { Button, CopyButton, Group, MultiSelect, Stack, TagsInput, Text, Title } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { useRead } from "../../api/reads.ts";
import { useMay, usePermissions } from "../../api/rights.ts";
import type { InputOf, OutputOf } from "../../api/service.ts";
import { useWrite } from "../../api/writes.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { DeleteButton } from "../../parts/dialogs/confirm-delete.tsx";
import { FormDialog } from "../../parts/dialogs/form-dialog.tsx";
import { findFaultAt } from "../../parts/field-faults.ts";
import { LoadedBody } from "../../parts/loaded.tsx";
import { useFormats } from "../../words/formats.ts";
import { useWords } from "../../words/words.ts";
import styles from "./administration.module.css";
import { findNameOfRef } from "./administration-frame.tsx";

export type Token = OutputOf<"auth/token_list">["items"][number];

/** Button that revokes an API token after a confirmation. */
export function RevokeButton({ token }: { readonly token: Token }): ReactNode {
  const say = useWords("administration");
  return (
    <DeleteButton
      action="auth/token_revoke"
      input={{ tokenId: token.id }}
      what={say("tokenNoun", { name: token.name })}
      renderButton={(ask) => (
        <Button
          size="compact-sm"
          variant="subtle"
          color="red"
          flex="none"
          aria-label={say("revokeToken", { name: token.name })}
          onClick={ask}
        >
          {say("revoke")}
        </Button>
      )}
    />
  );
}

/** Formats the models of a token by keys and patterns; `all` for a token without limits. */
export const formatModels = ({ models, modelsByKey }: Pick<Token, "models" | "modelsByKey">, all: string): string =>
  (modelsByKey ?? models)?.map(findNameOfRef).join(", ") ?? all;

interface TokensOfAccountProps {
  readonly account: OutputOf<"auth/actor_get">;
}

/** API tokens of a service account; a button creates one if it is enabled. */
export function TokensOfAccount({ account: { id, disabledAt } }: TokensOfAccountProps): ReactNode {
  const say = useWords("administration");
  const may = useMay();
  const { formatSince } = useFormats();
  const read = useRead("auth/token_list", { actorRef: id, expand: "keys" });
  const [isMaking, setIsMaking] = useState(false);
  return (
    <section>
      <Title order={3}>{say("tokens")}</Title>
      <LoadedBody read={read}>
        {({ items }) => (
          <Stack gap={4} mt={4}>
            {items.length === 0 && <Text c="dimmed">{say("noTokens")}</Text>}
            {items.map((token) => (
              <Group key={token.id} gap="xs" wrap="nowrap" justify="space-between">
                <div>
                  <bdi lang="en">{token.name}</bdi>
                  <p className="note">
                    {formatModels(token, say("allModels"))} ·{" "}
                    {token.expired ? say("expired") : say("expiresThen", { when: formatSince(token.expiresAt) })}
                  </p>
                </div>
                <RevokeButton token={token} />
              </Group>
            ))}
          </Stack>
        )}
      </LoadedBody>
      {may("auth/token_create") && disabledAt === undefined && (
        <Button mt="xs" variant="default" onClick={() => setIsMaking(true)}>
          {say("newToken")}
        </Button>
      )}
      {isMaking && <NewToken actorRef={id} close={() => setIsMaking(false)} />}
    </section>
  );
}

interface NewTokenProps {
  /** Actor id of the token; by default the person. */
  readonly actorRef?: string;
  readonly close: () => void;
}

type Permissions = NonNullable<InputOf<"auth/token_create">["permissions"]>;

/** Default lifetime in days. */
const DEFAULT_DAYS = "90";

/** Dialog that creates an API token and shows it once. */
export function NewToken({ actorRef, close }: NewTokenProps): ReactNode {
  const say = useWords("administration");
  const [name, setName] = useState("");
  const [models, setModels] = useState<readonly string[]>([]);
  const [permissions, setPermissions] = useState<readonly string[]>([]);
  const all = usePermissions();
  const write = useWrite("auth/token_create");
  const token = write.data?.body.token;
  if (token !== undefined) return <MadeToken name={name} token={token} close={close} />;
  return (
    <FormDialog
      title={say("newToken")}
      submit={say("createToken")}
      fields={{
        name: { label: say("tokenFor"), required: true },
        expiresInDays: { type: "number", label: say("expiresInDays") },
      }}
      initial={{ expiresInDays: DEFAULT_DAYS }}
      others={["models", "permissions"]}
      write={write}
      send={(texts) => {
        setName(texts.name);
        const input = {
          name: texts.name,
          ...(actorRef !== undefined && { actorRef }),
          ...(texts.expiresInDays !== "" && { expiresInDays: Number(texts.expiresInDays) }),
          ...(models.length > 0 && { models: [...models] }),
          ...(permissions.length > 0 && { permissions: permissions as Permissions }),
        };
        write.mutate({ input, idempotencyKey: false });
      }}
      close={close}
    >
      <TagsInput
        label={say("models")}
        description={say("tokenModelsHint")}
        value={[...models]}
        error={findFaultAt(write.error, "models")}
        onChange={setModels}
      />
      <MultiSelect
        label={say("tokenPermissions")}
        description={say(actorRef === undefined ? "tokenPermissionsHint" : "tokenPermissionsHintOf")}
        data={all.map((one) => ({ value: one.id, label: one.name }))}
        value={[...permissions]}
        error={findFaultAt(write.error, "permissions")}
        onChange={setPermissions}
        searchable
      />
    </FormDialog>
  );
}

interface MadeTokenProps extends Pick<NewTokenProps, "close"> {
  readonly name: string;
  readonly token: string;
}

function MadeToken({ name, token, close }: MadeTokenProps) {
  const say = useWords("administration");
  return (
    <Dialog close={close} title={say("tokenMade", { name })}>
      <Stack gap="sm">
        <Text>{say("tokenOnce")}</Text>
        <code className={styles.token}>{token}</code>
        <Group justify="flex-end">
          <CopyButton value={token}>
            {({ copied, copy }) => (
              <Button variant="default" onClick={copy}>
                {copied ? say("copied") : say("copyToken")}
              </Button>
            )}
          </CopyButton>
          <Button onClick={close}>{say("done")}</Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
