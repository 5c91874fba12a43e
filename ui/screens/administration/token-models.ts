import type { OutputOf } from "../../api/service.ts";
import { nameOfRef } from "./name-of-ref.ts";

type Token = OutputOf<"auth/token_list">["items"][number];

/** The models that a token is for, by the keys and patterns that people know, or that it is for all. */
export function modelsOf({ models, modelsByKey }: Pick<Token, "models" | "modelsByKey">, all: string): string {
  return (modelsByKey ?? models)?.map(nameOfRef).join(", ") ?? all;
}
