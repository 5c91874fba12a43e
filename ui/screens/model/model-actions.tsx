import { Text } from "@mantine/core";
import { IconCopy, IconTrash } from "@tabler/icons-react";
import { useNavigate } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { keyRef } from "../../api/refs.ts";
import { useMay } from "../../api/rights.ts";
import type { OutputOf } from "../../api/service.ts";
import { ActionMenu } from "../../parts/action-menu.tsx";
import { ConfirmDelete } from "../../parts/confirm-delete.tsx";
import { openedLater } from "../../parts/opened-later.tsx";
import { useModelWords } from "../../words/model.ts";

const CopyModel = openedLater(async () => (await import("../../parts/copy-model.tsx")).CopyModel);

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
  return (
    <>
      <ActionMenu
        label={say("more")}
        actions={[
          ...(mayCopy ? [{ label: say("copy"), icon: IconCopy, run: () => setDoing("copy") }] : []),
          ...(mayDelete
            ? [{ label: say("delete"), icon: IconTrash, isDanger: true, run: () => setDoing("delete") }]
            : []),
        ]}
      />
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
          done={() => navigate({ to: "/models" })}
        >
          <Text>{say("deleteText", { name: model.name || model.key })}</Text>
        </ConfirmDelete>
      )}
    </>
  );
}
