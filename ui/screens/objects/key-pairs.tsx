import { Box, Button, Group, Table, Text } from "@mantine/core";
import { IconEqual, IconTrash } from "@tabler/icons-react";
import { type ReactNode, useState } from "react";
import { useSave } from "../../api/edits.ts";
import { useRead } from "../../api/reads.ts";
import { toRef } from "../../api/refs.ts";
import { useMay } from "../../api/rights.ts";
import { IconButton } from "../../parts/icon-button.tsx";
import { Section } from "../../parts/page.tsx";
import { RefPicker } from "../../parts/pickers/floating.tsx";
import { KeyText } from "../../parts/text/key-text.tsx";
import { useSaver } from "../../parts/use-saver.tsx";
import { useWords } from "../../words/words.ts";
import { type RelationshipProps, toReadInput } from "./object-props.ts";

type Pairs = readonly (readonly string[])[];

/** Attribute pairs that join the two entities of a relationship. */
export function KeyPairs({ relationship, input }: Omit<RelationshipProps, "etag">): ReactNode {
  const say = useWords("structure");
  const may = useMay();
  const [first, second] = relationship.roles;
  const [pair, setPair] = useState<readonly [string, string]>(["", ""]);
  const saver = useSaver<Pairs>(
    say("keyPairs"),
    useSave({
      read: "model/relationship_get",
      input: toReadInput(input),
      write: "model/relationship_update_key_pairs",
      pick: (body): Pairs => body.keyPairs ?? [],
      toInput: (next) => ({ ...input, value: next.map(([a = "", b = ""]) => [toRef(a), toRef(b)] as const) }),
    }),
    (pairs) => pairs.map((one) => one.map(findKey).join(" = ")).join("\n"),
  );
  const listAttributes = (role: typeof first) =>
    role && ({ modelRef: input.modelRef, entityRef: toRef(role.entity), expand: "keys" } as const);
  const lists = [
    useRead("model/entity_attribute_list", listAttributes(first)),
    useRead("model/entity_attribute_list", listAttributes(second)),
  ];
  const keys = new Map(lists.flatMap(({ data }) => data?.body.items ?? []).map(({ id, key }) => [`id:${id}`, key]));
  const findKey = (ref: string) => keys.get(ref) ?? ref.replace(/^\w+:/, "");
  if (!first || !second || relationship.roles.length > 2) {
    return (
      <Section title={say("keyPairs")}>
        <Text c="dimmed">{say("keyPairsOfTwo")}</Text>
      </Section>
    );
  }
  const pairs: Pairs = relationship.keyPairs ?? [];
  const mayEdit = may("model/relationship_update_key_pairs");
  const change = (next: Pairs) => saver.change(next, pairs, () => setPair(["", ""]));
  const getEntityKey = (role: typeof first) => (role.entityByKey ?? "").replace(/^key:/, "");
  return (
    <Section title={say("keyPairs")} count={pairs.length}>
      <Text c="dimmed" mb="xs">
        {say(pairs.length === 0 ? "noKeyPairs" : "keyPairsText")}
      </Text>
      {pairs.length > 0 && (
        <PairTable
          entityKeys={[getEntityKey(first), getEntityKey(second)]}
          pairs={pairs.map((pair) => pair.map(findKey))}
          remove={mayEdit ? (index) => change(pairs.filter((_, other) => other !== index)) : undefined}
        />
      )}
      {mayEdit && (
        <Group gap="xs" align="flex-end" mt="xs">
          {[first, second].map((role, side) => (
            <Box key={role.id} flex="0 1 260px" miw={0}>
              <RefPicker
                kind="entityAttribute"
                label={say("attributeOf", { entity: getEntityKey(role) })}
                above={{ modelRef: input.modelRef, entityRef: toRef(role.entity) }}
                value={pair[side] ?? ""}
                onChange={(ref) => setPair(side === 0 ? [ref, pair[1]] : [pair[0], ref])}
                by="id"
              />
            </Box>
          ))}
          <Button
            variant="default"
            disabled={pair[0] === "" || pair[1] === ""}
            onClick={() => change([...pairs, [...pair]])}
          >
            {say("addPair")}
          </Button>
        </Group>
      )}
      {saver.alert}
      {saver.dialog}
    </Section>
  );
}

interface PairTableProps {
  readonly entityKeys: readonly [string, string];
  readonly pairs: Pairs;
  readonly remove: ((index: number) => void) | undefined;
}

function PairTable({ entityKeys, pairs, remove }: PairTableProps) {
  const say = useWords("structure");
  return (
    <Table.ScrollContainer minWidth={420}>
      <Table layout="fixed" verticalSpacing={6}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>
              <KeyText value={entityKeys[0]} most={40} />
            </Table.Th>
            <Table.Td w={40} />
            <Table.Th>
              <KeyText value={entityKeys[1]} most={40} />
            </Table.Th>
            {remove && <Table.Td w={48} />}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {pairs.map(([a = "", b = ""], at) => (
            <Table.Tr key={`${a} ${b}`}>
              <Table.Td>
                <KeyText value={a} strong />
              </Table.Td>
              <Table.Td>
                <IconEqual size={14} aria-label="=" role="img" />
              </Table.Td>
              <Table.Td>
                <KeyText value={b} strong />
              </Table.Td>
              {remove && (
                <Table.Td>
                  <IconButton
                    label={say("removePair", { pair: `${a} = ${b}` })}
                    icon={IconTrash}
                    run={() => remove(at)}
                  />
                </Table.Td>
              )}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
