import { Button, CopyButton, Group, Modal, MultiSelect, Stack, TagsInput, Text, TextInput } from "@mantine/core";
import { type FormEvent, type ReactNode, useState } from "react";
import { usePermissions } from "../../api/rights.ts";
import type { InputOf } from "../../api/service.ts";
import { useWrite } from "../../api/writes.ts";
import { findFaultAt, findProblemWithoutField } from "../../parts/field-faults.ts";
import { ProblemBox } from "../../parts/problem-box.tsx";
import { useWords } from "../../words/words.ts";
import styles from "./administration.module.css";

interface NewTokenProps {
  /** Actor id of the token; by default the person. */
  readonly actorId?: string;
  readonly close: () => void;
}

type Permissions = NonNullable<InputOf<"auth/token_create">["permissions"]>;

const FIELDS = ["name", "expiresInDays", "models", "permissions"];
/** Default lifetime in days. */
const DEFAULT_DAYS = 90;

/** Dialog that creates an API token and shows it once. */
export function NewToken({ actorId, close }: NewTokenProps): ReactNode {
  const say = useWords("administration");
  const frame = useWords("frame");
  const [name, setName] = useState("");
  const [expiresInDays, setDays] = useState(String(DEFAULT_DAYS));
  const [models, setModels] = useState<readonly string[]>([]);
  const [permissions, setPermissions] = useState<readonly string[]>([]);
  const all = usePermissions();
  const write = useWrite("auth/token_create");
  const token = write.data?.body.token;
  const beside = findProblemWithoutField(write.error, FIELDS);
  const send = (event: FormEvent): void => {
    event.preventDefault();
    const input = {
      name,
      ...(actorId !== undefined && { actorId }),
      ...(expiresInDays !== "" && { expiresInDays: Number(expiresInDays) }),
      ...(models.length > 0 && { models: [...models] }),
      ...(permissions.length > 0 && { permissions: permissions as Permissions }),
    };
    write.mutate({ input, idempotencyKey: false });
  };
  const title = token === undefined ? say("newToken") : say("tokenMade", { name });
  return (
    <Modal opened onClose={close} title={title} closeButtonProps={{ "aria-label": frame("close") }}>
      {token !== undefined ? (
        <MadeToken token={token} close={close} />
      ) : (
        <form onSubmit={send}>
          <Stack gap="sm">
            {beside !== undefined && <ProblemBox problem={beside} />}
            <TextInput
              label={say("tokenFor")}
              required
              value={name}
              error={findFaultAt(write.error, "name")}
              onChange={(event) => setName(event.currentTarget.value)}
            />
            <TextInput
              type="number"
              label={say("expiresInDays")}
              value={expiresInDays}
              error={findFaultAt(write.error, "expiresInDays")}
              onChange={(event) => setDays(event.currentTarget.value)}
            />
            <TagsInput
              label={say("models")}
              description={say("tokenModelsHint")}
              value={[...models]}
              error={findFaultAt(write.error, "models")}
              onChange={setModels}
            />
            <MultiSelect
              label={say("tokenPermissions")}
              description={say(actorId === undefined ? "tokenPermissionsHint" : "tokenPermissionsHintOf")}
              data={all.map((one) => ({ value: one.id, label: one.name }))}
              value={[...permissions]}
              error={findFaultAt(write.error, "permissions")}
              onChange={setPermissions}
              searchable
            />
            <Group justify="flex-end" mt="xs">
              <Button variant="default" onClick={close}>
                {frame("cancel")}
              </Button>
              <Button type="submit" loading={write.isPending}>
                {say("createToken")}
              </Button>
            </Group>
          </Stack>
        </form>
      )}
    </Modal>
  );
}

/** The new token, which cannot be shown again. */
function MadeToken({ token, close }: Pick<NewTokenProps, "close"> & { readonly token: string }): ReactNode {
  const say = useWords("administration");
  const frame = useWords("frame");
  return (
    <Stack gap="sm">
      <Text>{say("tokenOnce")}</Text>
      <code className={styles.token}>{token}</code>
      <Group justify="flex-end">
        <CopyButton value={token}>
          {({ copied, copy }) => (
            <Button variant="default" onClick={copy}>
              {copied ? frame("copied") : say("copyToken")}
            </Button>
          )}
        </CopyButton>
        <Button onClick={close}>{say("done")}</Button>
      </Group>
    </Stack>
  );
}
