import { useNavigate, useParams } from "@tanstack/react-router";
import { type ReactNode, useMemo } from "react";
import { useRead } from "../../api/reads.ts";
import { type RefText, toKeyRef, toRef } from "../../api/refs.ts";
import type { OutputOf } from "../../api/service.ts";
import { EmptyState } from "../../parts/empty-state.tsx";
import type { Column } from "../../parts/grid/column.ts";
import { DataGrid } from "../../parts/grid/data-grid.tsx";
import { TextLink } from "../../parts/links.tsx";
import { LoadedBody } from "../../parts/loaded.tsx";
import { Section } from "../../parts/page.tsx";
import { TableSkeleton } from "../../parts/skeletons.tsx";
import { ObjectName } from "../../parts/text/key-text.tsx";
import { useWords } from "../../words/words.ts";
import { ObjectPage } from "./object-page.tsx";

/** Page of a type: description and uses. */
export function TypeScreen(): ReactNode {
  const { modelRef = "", typeRef = "" } = useParams({ strict: false });
  const input = { modelRef: toRef(modelRef), typeRef: toRef(typeRef) };
  const read = useRead("model/type_get", input);
  return (
    <ObjectPage kind="type" modelRef={input.modelRef} objectRef={input.typeRef} input={input} read={read}>
      {({ key }) => ({ uses: <TypeUses modelRef={input.modelRef} typeKey={key} /> })}
    </ObjectPage>
  );
}

interface Use {
  readonly id: string;
  readonly kind: "entity" | "relationship";
  readonly owner: { readonly key: string; readonly name?: string | undefined };
  readonly key: string;
  readonly name?: string | undefined;
  readonly optional: boolean;
}

function listUses(document: OutputOf<"model/model_export">, typeKey: string): readonly Use[] {
  const collectUses = (
    kind: Use["kind"],
    owner: (typeof document.entities)[number] | (typeof document.relationships)[number],
  ) =>
    owner.attributes
      .filter(({ type }) => type === toKeyRef(typeKey))
      .map(({ id, key, name, optional }) => ({ id, kind, owner, key, name, optional }));
  return [
    ...document.entities.flatMap((entity) => collectUses("entity", entity)),
    ...document.relationships.flatMap((relationship) => collectUses("relationship", relationship)),
  ];
}

/** Addresses of the owners. The links cast their params, because one address takes another ref than the other. */
const PAGES = {
  entity: "/models/$modelRef/entities/$entityRef",
  relationship: "/models/$modelRef/relationships/$relationshipRef",
} as const;

interface TypeUsesProps {
  readonly modelRef: RefText;
  readonly typeKey: string;
}

function TypeUses({ modelRef, typeKey }: TypeUsesProps) {
  const say = useWords("structure");
  const navigate = useNavigate();
  const read = useRead("model/model_export", { modelRef });
  const columns = useMemo<readonly Column<Use>[]>(
    () => [
      {
        id: "attribute",
        title: say("attribute"),
        getText: ({ key, name }) => `${name ?? ""} ${key}`.trim(),
        renderCell: ({ key, name }) => <ObjectName name={name} objectKey={key} />,
      },
      {
        id: "of",
        title: say("of"),
        getText: ({ owner }) => `${owner.name ?? ""} ${owner.key}`.trim(),
        renderCell: ({ kind, owner }) => (
          <TextLink to={PAGES[kind]} params={{ modelRef, [`${kind}Ref`]: toKeyRef(owner.key) } as never}>
            <ObjectName name={owner.name} objectKey={owner.key} />
          </TextLink>
        ),
      },
      { id: "kind", title: say("kind"), width: 140, getText: ({ kind }) => say(kind) },
      { id: "optional", title: say("optional"), width: 110, getText: ({ optional }) => say(optional ? "yes" : "no") },
    ],
    [say, modelRef],
  );
  return (
    <LoadedBody read={read} skeleton={<TableSkeleton />}>
      {(document) => {
        const uses = listUses(document, typeKey);
        return (
          <Section title={say("usedBy")} count={uses.length}>
            {uses.length === 0 ? (
              <EmptyState title={say("noUses")} text={say("noUsesText")} />
            ) : (
              <DataGrid
                name="type-uses"
                label={say("attributes")}
                rows={uses}
                getId={({ id }) => id}
                columns={columns}
                open={({ kind, owner, key }) =>
                  void navigate({
                    to: PAGES[kind],
                    params: { modelRef, [`${kind}Ref`]: toKeyRef(owner.key) } as never,
                    search: { attribute: key } as never,
                  })
                }
              />
            )}
          </Section>
        );
      }}
    </LoadedBody>
  );
}
