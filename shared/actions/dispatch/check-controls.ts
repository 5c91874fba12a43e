import { Problem } from "../../domain/problems.ts";
import type { Action } from "../contract/action.ts";
import { isWrite } from "../contract/action.ts";
import type { Controls } from "../contract/controls.ts";

/** Refuses controls that cannot apply to the action; none is ever ignored. */
export function checkControls(action: Action, controls: Controls): void {
  const refuse = (header: string, why: string): never => {
    throw new Problem("bad_precondition", `${header} cannot apply to ${action.group}/${action.name}: ${why}`);
  };
  const addressesModel = [action.target, action.within, action.ledger].some((address) => address !== undefined);
  const many = action.manyModels === true;
  if (controls.ifMatch.length > 0 && !(isWrite(action) && (addressesModel || many))) {
    refuse("If-Match", "it is no write to an existing model");
  }
  if (controls.ifMatch.length > 1 && !many) refuse("If-Match", "the action concerns one model, so one tag is enough");
  if (controls.ifNoneMatch.length > 0 && (isWrite(action) || !addressesModel)) {
    refuse("If-None-Match", "it is no read of one model");
  }
  if (controls.dryRun && !isWrite(action)) refuse("Dry-Run", "it writes nothing");
  if (controls.idempotencyKey !== undefined && action.answersSecret) {
    refuse("Idempotency-Key", "it answers a secret, which is never kept to be answered again");
  }
  if (controls.idempotencyKey !== undefined && !isWrite(action)) refuse("Idempotency-Key", "it is no write");
  if (controls.idempotencyKey !== undefined && controls.dryRun) {
    refuse("Idempotency-Key", "a dry run writes nothing, so there is nothing to repeat");
  }
}
