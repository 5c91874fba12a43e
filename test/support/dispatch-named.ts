import type { Answer } from "../../shared/actions/contract/call.ts";
import type { ActionCall, Service } from "../../shared/actions/pipeline/call-context.ts";
import { dispatch } from "../../shared/actions/pipeline/dispatch.ts";

export type NamedCall = Omit<ActionCall, "action"> & { readonly group: string; readonly name: string };

/** Finds the action of a call and runs it, as every transport does. */
export async function dispatchNamed({ group, name, ...call }: NamedCall, service: Service): Promise<Answer> {
  return dispatch({ ...call, action: await service.registry.find(group, name) }, service);
}
