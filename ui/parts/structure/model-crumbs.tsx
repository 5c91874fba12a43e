import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useRead } from "../../api/reads.ts";
import { refOf } from "../../api/refs.ts";
import { useWords } from "../../words/words.ts";

/** The lists of a model that have a page of their own. */
export type ModelList = "entities" | "relationships" | "types";

/** The path to a model, and to one of its lists where one is given: links, outermost first. */
export function useModelCrumbs(modelRef: string, list?: ModelList): readonly ReactNode[] {
  const say = useWords("structure");
  const { data } = useRead("model/model_get", { modelRef: refOf(modelRef) });
  const model = data?.body;
  const crumbs = [
    <Link key="models" to="/models">
      {say("models")}
    </Link>,
    <Link key="model" to="/models/$modelRef" params={{ modelRef }}>
      <span lang="en" dir="auto">
        {model ? model.name || model.key : modelRef.replace(/^key:/, "")}
      </span>
    </Link>,
  ];
  if (list === undefined) return crumbs;
  return [
    ...crumbs,
    <Link key="list" to="/models/$modelRef" params={{ modelRef }} search={{ show: list }}>
      {say(list)}
    </Link>,
  ];
}
