import { Autocomplete, Loader } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { useReadByName } from "../../../api/reads.ts";
import { refusalOf } from "../../../parts/refusal.ts";
import { useRunnerWords } from "../../../words/runner.ts";
import { FieldFrame } from "./field-frame.tsx";
import styles from "./form.module.css";
import { type ControlProps, useForm } from "./form-state.ts";
import { isObject } from "./pointer.ts";
import { aboveOf, listFor, needsModelId, type Offer, offersOf } from "./ref-lists.ts";

/** Offers that are drawn at a time. */
const DRAWN = 80;

const folded = (text: string): string => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

/** The offers that fit what is typed, by name or ref; all of them where it is one of them as it stands. */
function fitting(offers: readonly Offer[], typed: string): readonly Offer[] {
  if (offers.some(({ value }) => value === typed)) return offers;
  const words = folded(typed.replace(/^(?:key|id):/, "")).split(/\s+/);
  return offers.filter(({ value, name = "" }) => words.every((word) => folded(`${value} ${name}`).includes(word)));
}

/** Reads what a field can name while somebody is there, and not while a ref above it is typed. */
function useOffers(type: string, props: ControlProps, isAsked: boolean) {
  const { form, payload } = useForm();
  const above = aboveOf(form, payload, props.path);
  const asksModel = isAsked && needsModelId(type) && above.modelRef !== undefined;
  const models = useReadByName(asksModel ? { action: "model/model_list", input: {} } : undefined);
  const rows = Array.isArray(models.data?.body) ? models.data.body.filter(isObject) : [];
  const model = rows.find(({ id, key }) => above.modelRef === `id:${id}` || above.modelRef === `key:${key}`);
  const list = listFor(type, above, typeof model?.id === "string" ? model.id : undefined);
  const read = useReadByName(isAsked && !(asksModel && models.isLoading) ? list : undefined);
  return { offers: offersOf(type, read.data?.body), isLoading: read.isLoading, error: read.error };
}

/** A field for a ref: what is typed searches names and keys of what is there, and any ref can be typed as it is. */
export function RefField(props: ControlProps): ReactNode {
  const { field, path, value, ...shown } = props;
  const say = useRunnerWords();
  const { put } = useForm();
  const [isAsked, setAsked] = useState(false);
  const type = field.control.kind === "ref" ? field.control.of : "";
  const { offers, isLoading, error } = useOffers(type, props, isAsked);
  const text = typeof value === "string" ? value : "";
  const names = new Map(offers.map((offer) => [offer.value, offer.name]));
  const shownOffers = fitting(offers, text).slice(0, DRAWN);
  return (
    <FieldFrame
      field={field}
      path={path}
      {...shown}
      {...(error &&
        error.status !== 404 && {
          tools: (
            <span className={styles.aside} lang="en">
              {refusalOf(error)}
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
