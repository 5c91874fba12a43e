import { may, need, type RefAction } from "./action.ts";
import { Refusal } from "./problem.ts";

/** The histories make no jobs: what is too large for one call has suites of its own. So there is none to be found. */
const onNoJob: RefAction = {
  rule: "signed_in",
  writes: false,
  params: { jobRef: need("JobRef") },
  run: ({ input }) => {
    throw new Refusal("not_found", { mentions: [String(input.jobRef)] });
  },
};

/** The `job_*` actions. */
export const JOB_ACTIONS: Readonly<Record<string, RefAction>> = {
  "batch/job_get": onNoJob,
  "batch/job_cancel": onNoJob,
  "batch/job_list": {
    rule: "signed_in",
    writes: false,
    params: { limit: may("PageLimit"), cursor: may("Cursor") },
    run: () => ({ does: "read", body: { items: [] } }),
  },
};
