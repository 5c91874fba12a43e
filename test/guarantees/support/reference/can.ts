import { may, need, type RefAction } from "./action.ts";
import { Refusal } from "./problem.ts";
import { named } from "./state.ts";

/** Permissions that are held on models, as contract section 5 names them; the others are held on the instance. */
const isOfModels = (rule: string): boolean => rule.startsWith("model_") || rule === "tag_local_manage";

/** `can`; `all` gives the whole table once it is there. */
export function canAction(all: () => Readonly<Record<string, RefAction>>): RefAction {
  return {
    rule: "signed_in",
    writes: false,
    params: { actions: need("List<ActionPath>"), models: may("List<ModelRef>") },
    run: ({ input, person, state }) => {
      const models = input.models as readonly string[] | undefined;
      const items = (input.actions as readonly string[]).flatMap((action): object[] => {
        const rule = all()[action.replace(/^(model|tag|database)s\//, "$1/")]?.rule;
        if (rule === undefined) throw new Refusal("unknown_action");
        const holds = rule === "public" || rule === "signed_in" || (person?.permissions.has(rule) ?? false);
        if (!models) return [{ action, allowed: holds }];
        return models.map((ref) => {
          // A key needs no model yet; an id that names none is no model to do anything on.
          const isModel = ref.startsWith("key:") || named(state.models.values(), ref) !== undefined;
          const model = ref.startsWith("id:") ? ref.toLowerCase() : ref;
          return { action, model, allowed: holds && (isModel || !isOfModels(rule)) };
        });
      });
      return { does: "read", body: { items } };
    },
  };
}
