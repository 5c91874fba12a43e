import { skipToken, useQuery } from "@tanstack/react-query";
import type { Answer, ApiProblem } from "../../../client/create-client.ts";
import type { Read } from "../../api/reads.ts";
import { type RefText, toRef } from "../../api/refs.ts";
import { call, type InputOf, type OutputOf } from "../../api/service.ts";
import { type ModelState, parseState } from "../../parts/object-path.ts";
import { type DroppedFile, getFileName, useDroppedFile } from "./dropped-file.ts";

type Comparison = OutputOf<"model/model_compare">;
type Input = InputOf<"model/model_compare">;

/** A side in an address: a ref or a file, and the state of a model. */
export interface SideText {
  readonly of: string | undefined;
  readonly at: string | undefined;
}

type Operand =
  | { readonly content: NonNullable<DroppedFile["content"]> }
  | { readonly modelRef: RefText; readonly state: ModelState };

/** A side with its file. */
export interface ReadySide extends SideText {
  readonly file: DroppedFile | undefined;
  /** Undefined until it can be compared. */
  readonly operand: Operand | undefined;
}

/** Reads the file of a side, if it has one. */
export function useSide({ of, at }: SideText): ReadySide {
  const fileName = getFileName(of);
  const file = useDroppedFile(fileName);
  return { of, at, file, operand: toOperand(fileName === undefined ? of : undefined, at, file) };
}

function toOperand(ref: string | undefined, at: string | undefined, file: DroppedFile | undefined) {
  if (file) return file.content === undefined ? undefined : { content: file.content };
  return ref === undefined ? undefined : { modelRef: toRef(ref), state: parseState(at) };
}

/** Compares two sides; `sides` is undefined until both are available. */
export function useComparison(left: ReadySide, right: ReadySide, scope: "structural" | "complete") {
  const sides = left.operand && right.operand && toSideInputs(left.operand, right.operand);
  const input: Input | undefined = sides && { ...sides, scope, expand: "keys" };
  const listSideParts = ({ of, at, file }: ReadySide): readonly (string | undefined)[] => [of, at, file?.stamp];
  const read: Read<Comparison> = useQuery<Answer<Comparison>, ApiProblem>({
    queryKey: ["model/model_compare", { left: listSideParts(left), right: listSideParts(right), scope }],
    queryFn: input === undefined ? skipToken : ({ signal }) => call("model/model_compare", input, { signal }),
    placeholderData: (before) => before,
  });
  return { read, sides };
}

function toSideInputs(left: Operand, right: Operand): Omit<Input, "scope" | "expand"> {
  return {
    ...("content" in left
      ? { leftContent: left.content }
      : {
          leftModelRef: left.modelRef,
          ...(left.state.version !== undefined && { leftModelVersion: left.state.version }),
          ...(left.state.revision !== undefined && { leftRevision: left.state.revision }),
        }),
    ...("content" in right
      ? { rightContent: right.content }
      : {
          rightModelRef: right.modelRef,
          ...(right.state.version !== undefined && { rightModelVersion: right.state.version }),
          ...(right.state.revision !== undefined && { rightRevision: right.state.revision }),
        }),
  };
}
