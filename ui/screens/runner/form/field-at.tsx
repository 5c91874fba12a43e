import { ActionIcon, Autocomplete, Loader, TextInput } from "@mantine/core";
import { IconCalendar } from "@tabler/icons-react";
import { type ComponentType, type ReactNode, useRef, useState } from "react";
import { useReadByName } from "../../../api/reads.ts";
import { formatRefusal } from "../../../parts/refusal.ts";
import { foldText, useFormats } from "../../../words/formats.ts";
import { useWords } from "../../../words/words.ts";
import type { Control } from "./field.ts";
import { FieldFrame } from "./field-frame.tsx";
import { canShow } from "./fit.ts";
import styles from "./form.module.css";
import { type ControlProps, isObject, useForm } from "./form-state.ts";
import { ChoicesField, ListField, ObjectField, VariantsField } from "./group-controls.tsx";
import { buildListRead, findParentRefs, listOffers, needsModelId, type Offer } from "./ref-lists.ts";
import { ChoiceField, FlagField, JsonField, NumberField, SecretField, TextField, useDraft } from "./text-controls.tsx";

/** Maximum number of visible choices. */
const MAX_CHOICES = 80;

/** Returns the choices that match the typed text by name or ref; all of them if the text is a choice. */
function findControl(offers: readonly Offer[], typed: string): readonly Offer[] {
  if (offers.some(({ value }) => value === typed)) return offers;
  const words = foldText(typed.replace(/^(?:key|id):/, "")).split(/\s+/);
  return offers.filter(({ value, name = "" }) => words.every((word) => foldText(`${value} ${name}`).includes(word)));
}

/** Reads the choices of a field while it has the focus; waits while a parent ref is malformed. */
function useOffers(type: string, props: ControlProps, isAsked: boolean) {
  const { form, payload } = useForm();
  const above = findParentRefs(form, payload, props.path);
  const asksModel = isAsked && needsModelId(type) && above.modelRef !== undefined;
  const models = useReadByName(asksModel ? { action: "model/model_list", input: {} } : undefined);
  const rows = Array.isArray(models.data?.body) ? models.data.body.filter(isObject) : [];
  const model = rows.find(({ id, key }) => above.modelRef === `id:${id}` || above.modelRef === `key:${key}`);
  const list = buildListRead(type, above, typeof model?.id === "string" ? model.id : undefined);
  const read = useReadByName(isAsked && !(asksModel && models.isLoading) ? list : undefined);
  return { offers: listOffers(type, read.data?.body), isLoading: read.isLoading, error: read.error };
}

/** Field for a ref: typing searches names and keys, and any ref can be entered. */
function RefField(props: ControlProps): ReactNode {
  const { field, path, value, ...shown } = props;
  const say = useWords("runner");
  const { put } = useForm();
  const [isAsked, setAsked] = useState(false);
  const type = field.control.kind === "ref" ? field.control.of : "";
  const { offers, isLoading, error } = useOffers(type, props, isAsked);
  const text = typeof value === "string" ? value : "";
  const names = new Map(offers.map((offer) => [offer.value, offer.name]));
  const shownOffers = findControl(offers, text).slice(0, MAX_CHOICES);
  return (
    <FieldFrame
      field={field}
      path={path}
      {...shown}
      {...(error &&
        error.status !== 404 && {
          tools: (
            <span className={styles.aside} lang="en">
              {formatRefusal(error)}
            </span>
          ),
        })}
    >
      {(framed) => (
        <Autocomplete
          {...framed}
          value={text}
          onChange={(next) => put(path, next === "" && typeof path.at(-1) !== "number" ? undefined : next)}
          onFocus={() => setAsked(true)}
          onBlur={() => setAsked(false)}
          data={[...new Set(shownOffers.map((offer) => offer.value))]}
          filter={({ options }) => options}
          renderOption={({ option }) => <OfferRow value={option.value} name={names.get(option.value)} />}
          maxDropdownHeight={320}
          spellCheck={false}
          autoComplete="off"
          rightSection={isLoading ? <Loader size={14} /> : undefined}
          placeholder={say(/Ref$/.test(type) ? "refHint" : "searchHint")}
          styles={{ input: { fontFamily: text ? "var(--mantine-font-family-monospace)" : undefined } }}
        />
      )}
    </FieldFrame>
  );
}

function OfferRow({ value, name }: Offer): ReactNode {
  return (
    <span className={styles.offer} lang="en">
      {name && <span dir="auto">{name}</span>}
      <span className={styles.offerKey}>{value}</span>
    </span>
  );
}

const CONTROLS: Readonly<Record<Control["kind"], ComponentType<ControlProps>>> = {
  text: TextField,
  secret: SecretField,
  ref: RefField,
  moment: MomentField,
  number: NumberField,
  flag: FlagField,
  choice: ChoiceField,
  choices: ChoicesField,
  list: ListField,
  object: ObjectField,
  variants: VariantsField,
  json: JsonField,
};

/** Control of one value of a payload; a value that it cannot show is edited as JSON. */
export function FieldAt(props: ControlProps): ReactNode {
  const say = useWords("runner");
  const { control } = props.field;
  if (canShow(control, props.value)) {
    const Shown = CONTROLS[control.kind];
    return <Shown {...props} />;
  }
  const field = { ...props.field, control: { kind: "json", shape: "any" } as const };
  return (
    <JsonField
      {...props}
      field={field}
      tools={
        <>
          <span className={styles.aside}>{say("asJson")}</span>
          {props.tools}
        </>
      }
    />
  );
}

/** Point in time as ISO 8601: typed, or picked from the browser's calendar in the local time zone. */
function MomentField({ field, path, value, ...shown }: ControlProps): ReactNode {
  const say = useWords("runner");
  const { formatMoment } = useFormats();
  const calendar = useRef<HTMLInputElement>(null);
  const { text, type } = useDraft({ kind: "text", lines: "one" }, path, value);
  const at = /^\d{4}-\d\d-\d\d/.test(text) ? new Date(text) : undefined;
  const isMoment = at !== undefined && !Number.isNaN(at.getTime());
  return (
    <FieldFrame
      field={field}
      path={path}
      {...shown}
      tools={
        isMoment ? (
          <span className={styles.aside}>{say("here", { moment: formatMoment(at.getTime()) })}</span>
        ) : (
          shown.tools
        )
      }
    >
      {(framed) => (
        <TextInput
          {...framed}
          value={text}
          placeholder="2026-11-22T09:30:00Z"
          autoComplete="off"
          maw={320}
          onChange={(event) => type(event.currentTarget.value)}
          rightSection={
            <>
              <ActionIcon
                variant="subtle"
                color="gray"
                aria-label={say("calendar")}
                onClick={() => calendar.current?.showPicker()}
              >
                <IconCalendar size={16} />
              </ActionIcon>
              <input
                ref={calendar}
                type="datetime-local"
                className={styles.calendar}
                tabIndex={-1}
                aria-hidden
                onChange={({ currentTarget }) => {
                  const chosen = new Date(currentTarget.value);
                  if (!Number.isNaN(chosen.getTime())) type(chosen.toISOString().replace(/\.000Z$/, "Z"));
                }}
              />
            </>
          }
        />
      )}
    </FieldFrame>
  );
}
