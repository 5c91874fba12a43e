import { type Answer, type Controls, NO_CONTROLS, toUnreadPayload } from "../../../shared/actions/contract/call.ts";
import type { Service } from "../../../shared/actions/pipeline/call-context.ts";
import { createWriteQueue } from "../../../shared/actions/pipeline/write-queue.ts";
import { LIMITS } from "../../../shared/domain/limits.ts";
import { Problem } from "../../../shared/domain/problems.ts";
import { createStore } from "../../../shared/store/model-store.ts";
import type { Table } from "../../../shared/store/table/table.ts";
import { dispatchNamed } from "../../support/dispatch-named.ts";
import type { World } from "../../support/world.ts";

/** The outcome of a call for its caller: an answer, or the code of a problem. */
export interface Outcome {
  readonly answer?: Answer;
  readonly problem?: Problem;
  /** The request's id, which its log item carries. */
  readonly request: string;
}

export interface Caller {
  readonly service: Service;
  /** Runs an action, of the group `model` unless its name says another, as the administrator; anything but a problem is thrown on. */
  call(action: string, payload?: object, controls?: Partial<Controls>): Promise<Outcome>;
}

/** Creates another process on a world's table, with another clock and the actions that `extended` adds. */
export function serviceOver(
  world: World,
  table: Table,
  runtime: Service["runtime"],
  extended: (service: Service) => Service = (service) => service,
): Caller {
  const service = extended({
    ...world.service,
    runtime,
    writeQueue: createWriteQueue(),
    // The world's own clock is the real one.
    ports: () => ({ ...world.service.ports(Date.now() + LIMITS.callMs), store: createStore(table, runtime) }),
  });
  return {
    service,
    call: async (action, payload = {}, controls = {}) => {
      const [name = "", group = "model"] = action.split("/").toReversed();
      const request = runtime.newId();
      const deadline = runtime.now() + LIMITS.callMs;
      const asked = { ...NO_CONTROLS, ...controls };
      const call = { group, name, token: world.people.admin, payload: toUnreadPayload(payload), controls: asked };
      try {
        const answer = await dispatchNamed({ ...call, channel: "http", requestId: request, deadline }, service);
        return { answer, request };
      } catch (error) {
        if (error instanceof Problem) return { problem: error, request };
        throw error;
      }
    },
  };
}

export interface WrittenBody {
  readonly id: string;
  readonly key: string;
  readonly revision: number;
  readonly changed: boolean;
}

export function writtenBody({ answer, problem }: Outcome): WrittenBody {
  if (!answer) throw problem ?? new Error("no answer");
  return answer.body as WrittenBody;
}
