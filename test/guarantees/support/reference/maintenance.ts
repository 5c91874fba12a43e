import { may, needNamed, type RefAction } from "./action.ts";
import { PAGING, page } from "./lists.ts";

/** Nothing is ever found in a table that only the service has written to. */
const NOTHING_WRONG = { found: 0, findings: [] };

const checks = (params: RefAction["params"], run: RefAction["run"]): RefAction => ({
  rule: "admin",
  writes: false,
  params,
  run,
});

/** The `maintenance_rebuild_caches` actions. */
export const MAINTENANCE_ACTIONS: Readonly<Record<string, RefAction>> = {
  "model/maintenance_rebuild_caches": checks(
    { modelRef: may("ModelRef"), mend: may("Boolean"), ...PAGING },
    (asked) => {
      const { state, input } = asked;
      const { modelRef } = input;
      if (modelRef === undefined) {
        const answer = page(asked, state.models.values(), (rows) => ({ checked: rows.length, ...NOTHING_WRONG }));
        return { ...answer, body: { ...Object(answer.body), complete: answer.next === undefined } };
      }
      // A deleted model has a log that can be checked.
      const isKept = state.past.has(String(modelRef).toLowerCase().replace(/^id:/, ""));
      if (!isKept) needNamed(state.models.values(), modelRef);
      return { does: "read", body: { checked: 1, complete: true, ...NOTHING_WRONG } };
    },
  ),
  "tag/maintenance_rebuild_caches": checks({ mend: may("Boolean") }, () => ({ does: "read", body: NOTHING_WRONG })),
};
