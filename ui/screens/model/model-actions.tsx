import { ActionIcon, Menu, Text } from "@mantine/core";
import { IconCopy, IconDots, IconTrash } from "@tabler/icons-react";
import { useNavigate } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { keyRef } from "../../api/refs.ts";
import { useMay } from "../../api/rights.ts";
import type { OutputOf } from "../../api/service.ts";
import { ConfirmDelete } from "../../parts/confirm-delete.tsx";
import { CopyModel } from "../../parts/copy-model.tsx";
import { useModelWords } from "../../words/model.ts";

interface ModelActionsProps {
  readonly model: OutputOf<"model/model_get">;
  readonly etag: string | undefined;
}

/** The menu of a model: copy it, delete it. */
export function ModelActions({ model, etag }: ModelActionsProps): ReactNode {
  const say = useModelWords();
  const may = useMay();
  const navigate = useNavigate();
  const [doing, setDoing] = useState<"copy" | "delete">();
  const end = (): void => setDoing(undefined);
  const [mayCopy, mayDelete] = [may("model/model_copy"), may("model/model_delete")];
  if (!mayCopy && !mayDelete) return null;
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="default" size={36} aria-label={say("more")}>
            <IconDots size={18} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {mayCopy && (
            <Menu.Item leftSection={<IconCopy size={16} />} onClick={() => setDoing("copy")}>
              {say("copy")}
            </Menu.Item>
          )}
          {mayDelete && (
            <Menu.Item
              leftSection={<IconTrash size={16} />}
              c="var(--mantine-color-error)"
              onClick={() => setDoing("delete")}
            >
              {say("delete")}
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      {doing === "copy" && (
        <CopyModel
          modelRef={`id:${model.id}`}
          modelKey={model.key}
          close={end}
          done={(key) => {
            end();
            void navigate({ to: "/models/$modelRef", params: { modelRef: keyRef(key) } });
          }}
        />
      )}
      {doing === "delete" && (
        <ConfirmDelete
          action="model/model_delete"
          input={{ modelRef: `id:${model.id}` }}
          ifMatch={etag}
          what={say("what", { name: model.name || model.key })}
          close={end}
          done={() => void navigate({ to: "/models" })}
        >
          <Text>{say("deleteText", { name: model.name || model.key })}</Text>
        </ConfirmDelete>
      )}
    </>
  );
}
