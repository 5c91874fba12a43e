import { useQuery } from "@tanstack/react-query";
import type { Answer, ApiProblem } from "../../../client/create-client.ts";
import type { Read } from "../../api/reads.ts";
import { refOf } from "../../api/refs.ts";
import { call, type InputOf, type OutputOf } from "../../api/service.ts";
import { momentOf } from "../../parts/moment.ts";
import { type DroppedFile, fileNameOf, useDroppedFile } from "./dropped-file.ts";

type Comparison = OutputOf<"model/model_compare">;
type Input = InputOf<"model/model_compare">;

/** One side as an address names it: a ref or a file, and the state of a model. */
export interface SideText {
  readonly of: string | undefined;
  readonly at: string | undefined;
}

/** A side with the file that it names. */
export interface ReadySide extends SideText {
  readonly file: DroppedFile | undefined;
  /** True where it can be compared. */
  readonly isReady: boolean;
}

/** What a side lacks of a comparison, if anything. */
export function useSide({ of, at }: SideText): ReadySide {
  const fileName = fileNameOf(of);
  const file = useDroppedFile(fileName);
  return { of, at, file, isReady: fileName === undefined ? of !== undefined : file?.content !== undefined };
}

/** Compares two sides; `isAsked` is false until both are there. */
export function useComparison(left: ReadySide, right: ReadySide, scope: "structural" | "complete") {
  const isAsked = left.isReady && right.isReady;
  const named = ({ of, at, file }: ReadySide): readonly (string | undefined)[] => [of, at, file?.stamp];
  const read: Read<Comparison> = useQuery<Answer<Comparison>, ApiProblem>({
    queryKey: ["model/model_compare", { left: named(left), right: named(right), scope }],
    queryFn: ({ signal }) => call("model/model_compare", inputOf(left, right, scope), { signal }),
    enabled: isAsked,
    placeholderData: (before) => before,
  });
  return { read, isAsked };
}

function inputOf(left: ReadySide, right: ReadySide, scope: "structural" | "complete"): Input {
  const [before, after] = [momentOf(left.at), momentOf(right.at)];
  return {
    scope,
    expand: "keys",
    ...(left.file?.content
      ? { leftContent: left.file.content }
      : {
          leftModelRef: refOf(left.of ?? ""),
          ...(before.version !== undefined && { leftModelVersion: before.version }),
          ...(before.revision !== undefined && { leftRevision: before.revision }),
        }),
    ...(right.file?.content
      ? { rightContent: right.file.content }
      : {
          rightModelRef: refOf(right.of ?? ""),
          ...(after.version !== undefined && { rightModelVersion: after.version }),
          ...(after.revision !== undefined && { rightRevision: after.revision }),
        }),
  };
}
