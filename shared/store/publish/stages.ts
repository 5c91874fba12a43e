import type { Call } from "../../actions/contract/call.ts";
import type { StoreContext } from "../read/store-context.ts";
import { beginStage, type Stage } from "./stage.ts";

/** The generations that calls of a store are writing; all attempts of a call share one. */
export interface Stages {
  /** The stage of a call in a model, which is begun when there is none. */
  of(model: string, call: Call): Promise<Stage>;
  has(model: string, call: Call): boolean;
  /** Forgets a stage that is published, or has an unknown outcome. */
  forget(model: string, call: Call): void;
  /** Leaves a stage that cannot be published to the sweeper. */
  leave(model: string, call: Call): Promise<void>;
  /** Gives a stage up. */
  close(model: string, call: Call): Promise<void>;
  closeAll(): Promise<void>;
}

export function createStages(context: StoreContext): Stages {
  const stages = new Map<string, Stage>();
  const name = (model: string, { operationId }: Call): string => `${operationId} ${model}`;
  const taken = (which: string): Stage | undefined => {
    const stage = stages.get(which);
    stages.delete(which);
    return stage;
  };
  return {
    of: async (model, call) => {
      const which = name(model, call);
      const stage = stages.get(which) ?? (await beginStage(context, model));
      stages.set(which, stage);
      return stage;
    },
    has: (model, call) => stages.has(name(model, call)),
    forget: (model, call) => void taken(name(model, call)),
    leave: async (model, call) => taken(name(model, call))?.leave(),
    close: async (model, call) => taken(name(model, call))?.close(),
    closeAll: async () => {
      for (const which of [...stages.keys()]) await taken(which)?.close();
    },
  };
}
