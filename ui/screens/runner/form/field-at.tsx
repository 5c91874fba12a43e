import {
  Group,
  NativeSelect,
  PasswordInput,
  Stack,
  Text,
  Textarea,
  TextInput,
  Tooltip,
  VisuallyHidden,
} from "@mantine/core";
import { IconArrowDown, IconArrowUp, IconTrash } from "@tabler/icons-react";
import { type ReactNode, useState } from "react";
import { AddButton, IconButton } from "../../../parts/icon-button.tsx";
import { useFormats } from "../../../words/formats.ts";
import { useWords } from "../../../words/words.ts";
import { ANY_JSON, type Control, type ControlOf, type Field, listMembers } from "./field.ts";
import { canShow, createInitialValue, findVariant, isCompatible, isFixed, listUnknownMembers } from "./fit.ts";
import styles from "./form.module.css";
import { getValueAt, isObject, type Path, toPointer } from "./form-state.ts";
import { ChoicesInput, DraftInput, FlagInput, RefInput, TimeInput, useTextProps } from "./inputs.tsx";
import { useForm } from "./use-payload.ts";

interface FieldAtProps {
  readonly field: Field;
  readonly path: Path;
  readonly value: unknown;
  readonly label?: string;
  readonly tools?: ReactNode;
}

/** Controls that are groups of elements, which a label element cannot name. */
const GROUPS: ReadonlySet<Control["kind"]> = new Set(["flag", "choices", "list", "object", "variants"]);

function splitSentences(text: string): readonly [string, string] {
  const end = /[.:](?=\s)/.exec(text);
  if (!end) return [text, ""];
  return [text.slice(0, end.index + 1).replace(/:$/, "."), text.slice(end.index + 1).trim()];
}

/** Payload field; a value that its control cannot show is edited as JSON. */
export function FieldAt({ field, path, value, label = field.name, tools }: FieldAtProps): ReactNode {
  const say = useWords("runner");
  const { faults, drafts, prefix } = useForm();
  const isShown = canShow(field.control, value);
  const control = isShown ? field.control : ANY_JSON;
  const { kind } = control;
  const pointer = toPointer(path);
  const id = `${prefix}${pointer}`;
  const isGroup = GROUPS.has(kind);
  const Label = isGroup ? "span" : "label";
  const draft = drafts.get(pointer);
  const texts = faults.get(pointer) ?? [];
  const [first, rest] = splitSentences(field.description);
  const canRemove = kind === "object" || kind === "variants" || (Array.isArray(value) && value.length === 0);
  const frame = { id, "aria-describedby": `${id}-about`, error: draft !== undefined || texts.length > 0 };
  return (
    <Stack
      gap={4}
      miw={0}
      data-pointer={pointer}
      data-control={kind}
      {...(isGroup && { role: "group", "aria-labelledby": `${id}-name`, "aria-describedby": `${id}-about` })}
    >
      <Group gap="2px 8px" mih={22}>
        <Label id={`${id}-name`} className={styles.label} {...(!isGroup && { htmlFor: id })}>
          <span lang="en">{label}</span>
          {field.required && field.name !== "" && (
            <Text span size="xs" c="dimmed" ms={6}>
              <VisuallyHidden> </VisuallyHidden>
              {say("required")}
            </Text>
          )}
        </Label>
        {field.type && (
          <Tooltip label={<span lang="en">{field.description}</span>} multiline maw={360} disabled={rest === ""}>
            <Text ff="monospace" fz="xs" c="dimmed" ms="auto" lang="en">
              {field.type}
            </Text>
          </Tooltip>
        )}
        {!isShown && <Aside>{say("asJson")}</Aside>}
        {kind === "time" && <LocalTime text={String(value)} />}
        {canRemove && isGroup && value !== undefined && !field.required && <RemoveButton path={path} label={label} />}
        {tools}
      </Group>
      <Content field={field} control={control} path={path} value={value} label={label} frame={frame} />
      <div id={`${id}-about`}>
        {draft !== undefined && <div className={styles.fault}>{draft}</div>}
        {texts.map((text) => (
          <div key={text} className={styles.fault} lang="en">
            {text}
          </div>
        ))}
        {first && (
          <p className="hint" lang="en">
            {first}
            {rest && <VisuallyHidden> {rest}</VisuallyHidden>}
          </p>
        )}
      </div>
    </Stack>
  );
}

function Aside({ children }: { readonly children: ReactNode }) {
  return (
    <Text span size="xs" c="dimmed">
      {children}
    </Text>
  );
}

function LocalTime({ text }: { readonly text: string }) {
  const say = useWords("runner");
  const { formatTime } = useFormats();
  const time = /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(text) : Number.NaN;
  return !Number.isNaN(time) && <Aside>{say("here", { time: formatTime(time) })}</Aside>;
}

function RemoveButton({ path, label }: { readonly path: Path; readonly label: string }) {
  const say = useWords("runner");
  const { put } = useForm();
  const name = say("remove", { what: label });
  return <IconButton size="sm" iconSize={14} label={name} icon={IconTrash} run={() => put(path, undefined)} />;
}

interface ContentProps<C extends Control> extends Required<Omit<FieldAtProps, "tools">> {
  readonly control: C;
  readonly frame: Parameters<typeof useTextProps>[2];
}

function Content(props: ContentProps<Control>) {
  const { field, control, path, value, label, frame } = props;
  const say = useWords("runner");
  const { put, secrets, setSecret } = useForm();
  const { put: _, ...text } = useTextProps(path, value, frame);
  const input = { path, value, frame };
  switch (control.kind) {
    case "text":
      if (control.lines === "many") return <Textarea {...text} autosize minRows={2} maxRows={12} />;
      return <TextInput {...text} autoComplete="off" />;
    case "secret":
      return (
        <PasswordInput
          {...frame}
          autoComplete="off"
          value={secrets[field.name] ?? ""}
          onChange={(event) => setSecret(field.name, event.currentTarget.value)}
          visibilityToggleButtonProps={{ "aria-label": say("showSecret"), tabIndex: 0 }}
        />
      );
    case "ref":
      return <RefInput control={control} {...input} />;
    case "time":
      return <TimeInput {...input} />;
    case "number":
    case "json":
      return <DraftInput control={control} {...input} />;
    case "flag":
      return <FlagInput {...input} />;
    case "choice":
      return (
        <NativeSelect {...text}>
          <option value="">{say(field.required ? "choose" : "notGiven")}</option>
          {control.values.map((one) => (
            <option key={one} value={one} lang="en">
              {one}
            </option>
          ))}
        </NativeSelect>
      );
    case "choices":
      return <ChoicesInput field={field} control={control} path={path} value={value} />;
    case "list":
      return <Items {...props} control={control} />;
    case "variants":
      return <Variants {...props} control={control} />;
    case "object":
      if (value !== undefined)
        return (
          <div className={styles.inner}>
            <Members members={control.members} path={path} value={value} />
          </div>
        );
      return (
        <AddButton
          variant="default"
          size="xs"
          data-give
          style={{ alignSelf: "start" }}
          label={say("add", { what: label })}
          run={() => put(path, createInitialValue(field))}
        />
      );
  }
}

interface MembersProps {
  readonly members: readonly Field[];
  readonly path: Path;
  readonly value: unknown;
  /** True to hide the members with a single allowed word that is already set. */
  readonly isVariant?: boolean;
}

/** Fields of the members of an object; unknown members are edited as JSON. */
export function Members({ members, path, value, isVariant = false }: MembersProps): ReactNode {
  const say = useWords("runner");
  const object = isObject(value) ? value : {};
  const isHidden = (member: Field) =>
    isVariant && isFixed(member) && member.required && getValueAt(object, [member.name]) !== undefined;
  const extras = listUnknownMembers(members, object).map((name) => ({ ...UNKNOWN, name }));
  return [...members.filter((member) => !isHidden(member)), ...extras].map((field) => {
    const { name } = field;
    const own = [...path, name];
    const tools = members.includes(field) ? undefined : (
      <>
        <Aside>{say("undeclared")}</Aside>
        <RemoveButton path={own} label={name} />
      </>
    );
    return <FieldAt key={name} field={field} path={own} value={getValueAt(object, [name])} tools={tools} />;
  });
}

const UNKNOWN = { description: "", required: false, type: undefined, control: ANY_JSON } as const;

function Items({ field, control, path, value }: ContentProps<ControlOf<"list">>) {
  const say = useWords("runner");
  const { put } = useForm();
  const { item, least, most } = control;
  const items: readonly unknown[] = Array.isArray(value) ? value : [];
  const moveItem = (from: number, to: number) => put(path, items.with(from, items[to]).with(to, items[from]));
  const addItem = () => {
    const isNew = value === undefined && least > 0;
    put(path, isNew ? createInitialValue(field) : [...items, createInitialValue(item)]);
  };
  const props = { size: "sm", iconSize: 14 } as const;
  return (
    <Stack gap={10} align="stretch">
      {items.map((one, at) => {
        const number = at + 1;
        const up = { label: say("up", { number }), disabled: at === 0, run: () => moveItem(at, at - 1) };
        const isLast = number === items.length;
        const down = { label: say("down", { number }), disabled: isLast, run: () => moveItem(at, at + 1) };
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: an item has no name and is identified by its position
          <div key={at} className={styles.item}>
            <FieldAt
              field={item}
              path={[...path, at]}
              value={one}
              label={say("item", { number })}
              tools={
                <>
                  <IconButton {...props} {...up} icon={IconArrowUp} />
                  <IconButton {...props} {...down} icon={IconArrowDown} />
                  {items.length > least && <RemoveButton path={[...path, at]} label={say("item", { number })} />}
                </>
              }
            />
          </div>
        );
      })}
      {items.length < most && (
        <AddButton
          variant="default"
          size="xs"
          data-more
          style={{ alignSelf: "start" }}
          label={say("addItem")}
          run={addItem}
        />
      )}
    </Stack>
  );
}

function formatVariantLabel(variant: Field) {
  const words = listMembers(variant).flatMap(({ control }) =>
    control.kind === "choice" ? [control.values.join(" / ")] : [],
  );
  return words.join(": ") || variant.name;
}

function Variants({ control: { variants }, path, value, frame }: ContentProps<ControlOf<"variants">>) {
  const say = useWords("runner");
  const { put } = useForm();
  const [chosenIndex, setChosenIndex] = useState<number>();
  const current = chosenIndex === undefined ? undefined : variants[chosenIndex];
  const isBegun = isObject(value) && Object.keys(value).length > 0;
  // The chosen variant applies while the value does not contradict it.
  const isValid = current !== undefined && isCompatible(current, value);
  const at = !isBegun ? undefined : isValid ? chosenIndex : findVariant(variants, value);
  const variant = at === undefined ? undefined : variants[at];
  return (
    <div className={styles.inner}>
      <NativeSelect
        aria-label={say("shape")}
        id={`${frame.id}-shape`}
        data-variants
        value={at ?? ""}
        onChange={({ currentTarget }) => {
          const next = currentTarget.value === "" ? undefined : Number(currentTarget.value);
          setChosenIndex(next);
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
      {variant && <Members members={listMembers(variant)} path={path} value={value} isVariant />}
    </div>
  );
}
