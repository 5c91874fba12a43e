import { ActionIcon, Button, Checkbox, NativeSelect } from "@mantine/core";
import { IconArrowDown, IconArrowUp, IconPlus, IconTrash } from "@tabler/icons-react";
import { type ReactNode, useState } from "react";
import { useWords } from "../../../words/words.ts";
import type { Field } from "./field.ts";
import { FieldFrame } from "./field-frame.tsx";
import { createInitialValue, findVariant, isCompatible, isFixed, listUnknownMembers } from "./fit.ts";
import styles from "./form.module.css";
import { type ControlProps, getValueAt, isObject, type Path, useForm } from "./form-state.ts";
import { JsonField } from "./text-controls.tsx";

/** Button that removes the value at a path. */
function RemoveButton({ path, label }: { readonly path: Path; readonly label: string }): ReactNode {
  const say = useWords("runner");
  const { put } = useForm();
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      size="sm"
      aria-label={say("remove", { what: label })}
      onClick={() => put(path, undefined)}
    >
      <IconTrash size={14} />
    </ActionIcon>
  );
}

/** Button that adds a missing value. */
function GiveButton({ field, path, label }: ControlProps): ReactNode {
  const say = useWords("runner");
  const { put } = useForm();
  return (
    <Button
      variant="default"
      size="xs"
      leftSection={<IconPlus size={14} />}
      data-give
      onClick={() => put(path, createInitialValue(field))}
    >
      {say("add", { what: label ?? field.name })}
    </Button>
  );
}

/** Field for several words, in the order of selection. */
export function ChoicesField({ field, path, value, ...shown }: ControlProps): ReactNode {
  const { put } = useForm();
  const chosen = Array.isArray(value) ? (value as readonly string[]) : [];
  const values = field.control.kind === "choices" ? field.control.values : [];
  return (
    <FieldFrame field={field} path={path} isGroup {...shown}>
      {() => (
        <div className={styles.words}>
          {values.map((one) => (
            <Checkbox
              key={one}
              size="xs"
              value={one}
              label={<span lang="en">{one}</span>}
              checked={chosen.includes(one)}
              onChange={({ currentTarget: { checked } }) => {
                const next = checked ? [...chosen, one] : chosen.filter((other) => other !== one);
                put(path, next.length === 0 && !field.required ? undefined : next);
              }}
            />
          ))}
        </div>
      )}
    </FieldFrame>
  );
}

/** Object with a field for each member. */
export function ObjectField(props: ControlProps): ReactNode {
  const { field, path, value, label, tools } = props;
  const name = label ?? field.name;
  return (
    <FieldFrame
      field={field}
      path={path}
      label={label}
      isGroup
      tools={
        <>
          {value !== undefined && !field.required && <RemoveButton path={path} label={name} />}
          {tools}
        </>
      }
    >
      {() =>
        value === undefined ? (
          <GiveButton {...props} label={name} />
        ) : (
          <div className={styles.inner}>
            <Members field={field} path={path} value={value} />
          </div>
        )
      }
    </FieldFrame>
  );
}

/** Fields of the members of an object; unknown members are edited as JSON. */
export function Members({ field, path, value }: ControlProps): ReactNode {
  const say = useWords("runner");
  const { FieldAt } = useForm();
  const members = field.control.kind === "object" ? field.control.members : [];
  const object = isObject(value) ? value : {};
  return (
    <>
      {members.map((member) => (
        <FieldAt
          key={member.name}
          field={member}
          path={[...path, member.name]}
          value={getValueAt(object, [member.name])}
        />
      ))}
      {listUnknownMembers(members, object).map((name) => (
        <JsonField
          key={name}
          field={{ name, description: "", required: false, type: undefined, control: { kind: "json", shape: "any" } }}
          path={[...path, name]}
          value={getValueAt(object, [name])}
          tools={
            <>
              <span className={styles.aside}>{say("undeclared")}</span>
              <RemoveButton path={[...path, name]} label={name} />
            </>
          }
        />
      ))}
    </>
  );
}

/** List whose items can be added, moved and removed. */
export function ListField(props: ControlProps): ReactNode {
  const { field, path, value, label } = props;
  const say = useWords("runner");
  const { put, FieldAt } = useForm();
  if (field.control.kind !== "list") return null;
  const { item, least, most } = field.control;
  const items: readonly unknown[] = Array.isArray(value) ? value : [];
  const name = label ?? field.name;
  const moveItem = (from: number, to: number): void => {
    const next = [...items];
    next.splice(to, 0, ...next.splice(from, 1));
    put(path, next);
  };
  return (
    <FieldFrame
      field={field}
      path={path}
      label={label}
      isGroup
      tools={value !== undefined && !field.required && items.length === 0 && <RemoveButton path={path} label={name} />}
    >
      {() => (
        <div className={styles.items}>
          {items.map((one, at) => (
            // Items have no stable names.
            // biome-ignore lint/suspicious/noArrayIndexKey: an item is identified by its position
            <div key={at} className={styles.item}>
              <FieldAt
                field={item}
                path={[...path, at]}
                value={one}
                label={say("item", { number: at + 1 })}
                tools={
                  <>
                    <ItemButton label={say("up", { number: at + 1 })} off={at === 0} run={() => moveItem(at, at - 1)}>
                      <IconArrowUp size={14} />
                    </ItemButton>
                    <ItemButton
                      label={say("down", { number: at + 1 })}
                      off={at === items.length - 1}
                      run={() => moveItem(at, at + 1)}
                    >
                      <IconArrowDown size={14} />
                    </ItemButton>
                    {items.length > least && (
                      <RemoveButton path={[...path, at]} label={say("item", { number: at + 1 })} />
                    )}
                  </>
                }
              />
            </div>
          ))}
          {items.length < most && (
            <Button
              variant="default"
              size="xs"
              leftSection={<IconPlus size={14} />}
              data-more
              onClick={() =>
                put(
                  path,
                  value === undefined && least > 0 ? createInitialValue(field) : [...items, createInitialValue(item)],
                )
              }
            >
              {say("addItem")}
            </Button>
          )}
        </div>
      )}
    </FieldFrame>
  );
}

interface ItemButtonProps {
  readonly label: string;
  readonly off: boolean;
  readonly run: () => void;
  readonly children: ReactNode;
}

function ItemButton({ label, off, run, children }: ItemButtonProps): ReactNode {
  return (
    <ActionIcon variant="subtle" color="gray" size="sm" aria-label={label} disabled={off} onClick={run}>
      {children}
    </ActionIcon>
  );
}

/** Formats the label of a variant from its constants and enumerations. */
function formatVariantLabel({ control, name }: Field): string {
  if (control.kind !== "object") return name;
  const words = control.members.flatMap((member) =>
    member.control.kind === "choice" ? [member.control.values.join(" / ")] : [],
  );
  return words.length > 0 ? words.join(": ") : name;
}

/** Object with several variants; the person chooses one first. */
export function VariantsField(props: ControlProps): ReactNode {
  const { field, path, value, label, tools } = props;
  const say = useWords("runner");
  const { put } = useForm();
  const variants = field.control.kind === "variants" ? field.control.variants : [];
  const [chosen, setChosen] = useState<number>();
  const current = chosen !== undefined ? variants[chosen] : undefined;
  const begun = isObject(value) && Object.keys(value).length > 0;
  // The chosen variant applies while the value does not contradict it.
  const at =
    current && begun && isCompatible(current, value) ? chosen : begun ? findVariant(variants, value) : undefined;
  const variant = at === undefined ? undefined : variants[at];
  return (
    <FieldFrame
      field={field}
      path={path}
      label={label}
      isGroup
      tools={
        <>
          {value !== undefined && !field.required && <RemoveButton path={path} label={label ?? field.name} />}
          {tools}
        </>
      }
    >
      {(framed) => (
        <div className={styles.inner}>
          <NativeSelect
            aria-label={say("shape")}
            id={`${framed.id}-shape`}
            data-variants
            value={at ?? ""}
            onChange={({ currentTarget }) => {
              const next = currentTarget.value === "" ? undefined : Number(currentTarget.value);
              setChosen(next);
              const shape = next === undefined ? undefined : variants[next];
              if (shape) put(path, createInitialValue(shape));
            }}
          >
            <option value="">{say("chooseShape")}</option>
            {variants.map((one, number) => (
              <option key={one.name} value={number} lang="en">
                {formatVariantLabel(one)}
              </option>
            ))}
          </NativeSelect>
          {variant && variant.control.kind === "object" && (
            <Members
              field={{
                ...variant,
                control: {
                  ...variant.control,
                  members: variant.control.members.filter((one) => !isHidden(one, value)),
                },
              }}
              path={path}
              value={listVisible(variant, value)}
            />
          )}
        </div>
      )}
    </FieldFrame>
  );
}

/** Returns true for a member with a single allowed word that is already set. */
function isHidden(member: Field, value: unknown): boolean {
  return isFixed(member) && member.required && getValueAt(value, [member.name]) !== undefined;
}

function listVisible({ control }: Field, value: unknown): unknown {
  if (control.kind !== "object" || !isObject(value)) return value;
  const hidden = new Set(control.members.filter((one) => isHidden(one, value)).map(({ name }) => name));
  return Object.fromEntries(Object.entries(value).filter(([name]) => !hidden.has(name)));
}
