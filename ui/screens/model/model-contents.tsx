import { Tabs } from "@mantine/core";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { type ComponentProps, type ReactNode, useState } from "react";
import { type Read, useRead } from "../../api/reads.ts";
import { type RefText, toKeyRef, toRef } from "../../api/refs.ts";
import { useMay } from "../../api/rights.ts";
import { useWrite } from "../../api/writes.ts";
import { CreateNamed } from "../../parts/dialogs/create-dialog.tsx";
import { EmptyState } from "../../parts/empty-state.tsx";
import type { Column } from "../../parts/grid/column.ts";
import { getId, getItems, LoadedGrid } from "../../parts/grid/loaded-grid.tsx";
import { AddButton } from "../../parts/icon-button.tsx";
import { Count } from "../../parts/page.tsx";
import { type NewRole, RoleFields } from "../../parts/structure/role-fields.tsx";
import { useWords } from "../../words/words.ts";
import { type ContentRow, type Contents, ROW_PATHS, useContentColumns } from "./content-columns.tsx";

const route = getRouteApi("/shell/models/$modelRef");

const KINDS: readonly Contents[] = ["entities", "relationships", "types"];

const EMPTY = {
  entities: ["noEntities", "noEntitiesText"],
  relationships: ["noRelationships", "noRelationshipsText"],
  types: ["noTypes", "noTypesText"],
} as const;

/** Entities, relationships and types of a model, each as a table. */
export function ModelContents({ modelRef }: { readonly modelRef: RefText }): ReactNode {
  const say = useWords("model");
  const { show = "entities", do: action, of } = route.useSearch();
  const navigate = route.useNavigate();
  const input = { modelRef, expand: "keys" } as const;
  const reads = {
    entities: useRead("model/entity_list", input),
    relationships: useRead("model/relationship_list", input),
    types: useRead("model/type_list", input),
  };
  const count = (kind: Contents) => {
    const items = reads[kind].data?.body.items;
    return items && <Count>{items.length}</Count>;
  };
  const choose = (kind: string | null) => {
    const tab = KINDS.find((one) => one === kind);
    void navigate({ search: { show: tab === "entities" ? undefined : tab }, replace: true });
  };
  return (
    <Tabs value={show} onChange={choose} keepMounted={false}>
      <Tabs.List aria-label={say("parts")} mb="md">
        {KINDS.map((kind) => (
          <Tabs.Tab key={kind} value={kind}>
            {say(kind)} {count(kind)}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {KINDS.map((kind) => (
        <Tabs.Panel key={kind} value={kind}>
          {/* Each list returns rows of its own kind; the columns use the members that these have. */}
          <ContentTable
            kind={kind}
            modelRef={modelRef}
            read={reads[kind] as Read<{ readonly items: readonly ContentRow[] }>}
          />
        </Tabs.Panel>
      ))}
      {action === "create" && (
        <CreateInModel
          kind={show}
          modelRef={modelRef}
          entityRef={of}
          close={() =>
            void navigate({ search: (before) => ({ ...before, do: undefined, of: undefined }), replace: true })
          }
        />
      )}
    </Tabs>
  );
}

interface ContentTableProps {
  readonly kind: Contents;
  readonly modelRef: RefText;
  readonly read: Read<{ readonly items: readonly ContentRow[] }>;
}

function ContentTable({ kind, modelRef, read }: ContentTableProps) {
  const say = useWords("model");
  const change = route.useNavigate();
  const navigate = useNavigate();
  const columns: readonly Column<ContentRow>[] = useContentColumns(kind, modelRef);
  const [title, text] = EMPTY[kind];
  const create = (
    <CreateButton kind={kind} open={() => void change({ search: (before) => ({ ...before, do: "create" }) })} />
  );
  const { to, member } = ROW_PATHS[kind];
  return (
    <LoadedGrid
      name={`model-${kind}`}
      label={say(kind)}
      read={read}
      getRows={getItems}
      getId={getId}
      columns={columns}
      tools={create}
      // The address takes both refs.
      open={({ key }) => void navigate({ to, params: { modelRef, [member]: toKeyRef(key) } as never })}
      empty={<EmptyState title={say(title)} text={say(text)} action={create} />}
    />
  );
}

const ADDS = { entities: "addEntity", relationships: "addRelationship", types: "addType" } as const;
const CREATES = {
  entities: "model/entity_create",
  relationships: "model/relationship_create",
  types: "model/type_create",
} as const;

interface CreateButtonProps {
  readonly kind: Contents;
  readonly open: () => void;
}

function CreateButton({ kind, open }: CreateButtonProps) {
  const say = useWords("structure");
  const may = useMay();
  if (!may(CREATES[kind])) return null;
  return <AddButton label={say(ADDS[kind])} run={open} />;
}

interface CreateInModelProps {
  readonly kind: Contents;
  readonly modelRef: RefText;
  readonly entityRef: string | undefined;
  readonly close: () => void;
}

function CreateInModel({ kind, modelRef, entityRef, close }: CreateInModelProps) {
  const say = useWords("structure");
  const navigate = useNavigate();
  const createEntity = useWrite("model/entity_create");
  const createType = useWrite("model/type_create");
  const { to, member } = ROW_PATHS[kind];
  const props = {
    title: say(ADDS[kind]),
    keyParameter: member.replace("Ref", "Key"),
    close,
  };
  const open = (key: string) => void navigate({ to, params: { modelRef, [member]: toKeyRef(key) } as never });
  if (kind === "relationships") {
    return <CreateRelationship {...props} modelRef={modelRef} entityRef={entityRef} onCreated={open} />;
  }
  return (
    <CreateNamed
      {...props}
      create={async (key, texts) => {
        if (kind === "entities") await createEntity.mutateAsync({ input: { modelRef, entityKey: key, ...texts } });
        else await createType.mutateAsync({ input: { modelRef, typeKey: key, ...texts } });
        open(key);
      }}
    />
  );
}

interface CreateRelationshipProps extends Pick<ComponentProps<typeof CreateNamed>, "title" | "keyParameter" | "close"> {
  readonly modelRef: RefText;
  readonly entityRef: string | undefined;
  readonly onCreated: (key: string) => void;
}

function CreateRelationship({ modelRef, entityRef = "", onCreated, ...dialog }: CreateRelationshipProps) {
  const say = useWords("structure");
  const [a, setA] = useState<NewRole>({ key: entityRef.replace(/^key:/, ""), entityRef, cardinality: "one" });
  const [b, setB] = useState<NewRole>({ key: "", entityRef: "", cardinality: "many" });
  const write = useWrite("model/relationship_create");
  return (
    <CreateNamed
      {...dialog}
      create={async (key, texts) => {
        await write.mutateAsync({
          input: {
            modelRef,
            relationshipKey: key,
            ...texts,
            roleAKey: a.key,
            roleAEntityRef: toRef(a.entityRef),
            roleACardinality: a.cardinality,
            roleBKey: b.key,
            roleBEntityRef: toRef(b.entityRef),
            roleBCardinality: b.cardinality,
          },
        });
        onCreated(key);
      }}
      hasDescription={false}
      renderAfter={(faultOf) => (
        <>
          <RoleFields
            legend={say("roleA")}
            modelRef={modelRef}
            role={a}
            setRole={setA}
            findFault={(part) => faultOf(`roleA${part}`)}
          />
          <RoleFields
            legend={say("roleB")}
            modelRef={modelRef}
            role={b}
            setRole={setB}
            findFault={(part) => faultOf(`roleB${part}`)}
          />
        </>
      )}
    />
  );
}
