import type { UnitStep } from "./unit-step.ts";

type Payload = UnitStep["payload"];
type Extra = Partial<Pick<UnitStep, "headers" | "refused" | "keep">>;

const step = (
  action: string,
  variant: string,
  payload: Payload,
  [write, read, sequence]: readonly [write: number, read: number, sequence: number],
  extra: Extra = {},
): UnitStep => ({ action: `auth/${action}`, variant, payload, write, read, sequence, ...extra });

const A = { roleRef: "key:auditor" };
const G = { username: "grace" };
const [OLD, NEW] = ["Compiler and moth 1947", "Nanosecond of wire 30"];

/** The budget of every action on users, actors and roles; whoever writes is looked at once more, at the revision decided on. */
export const AUTH_STEPS: readonly UnitStep[] = [
  step("role_create", "", { key: "auditor", name: "Auditor" }, [8, 5, 6]),
  step("role_get", "", A, [0, 2, 2]),
  step("role_list", "", {}, [0, 4, 3]),
  step("role_update_name", "", { ...A, value: "A" }, [6, 5, 6]),
  step("role_update_name", "unchanged", { ...A, value: "A" }, [0, 6, 5]),
  step("role_update_description", "", { ...A, value: "A" }, [6, 5, 6]),
  step("role_update_key", "", { ...A, value: "auditors" }, [10, 5, 6]),
  step("role_update_key", "back", { roleRef: "key:auditors", value: "auditor" }, [10, 6, 7]),
  step("role_add_permission", "", { ...A, permissionKey: "model_read" }, [6, 6, 7]),
  step("role_delete_permission", "", { ...A, permissionKey: "model_read" }, [6, 6, 7]),
  step("role_update_autoassign", "", { ...A, value: true }, [8, 7, 8]),
  step("user_create", "", { ...G, fullname: "Grace", password: OLD, admin: false }, [12, 5, 6], { keep: "grace" }),
  step("user_create", "taken", { ...G, fullname: "Grace", password: OLD, admin: false }, [0, 5, 6], {
    refused: "key_taken",
  }),
  step("login", "", { ...G, password: OLD }, [2, 4, 5]),
  step("login", "wrong password", { ...G, password: NEW }, [1, 4, 4], { refused: "not_signed_in" }),
  step("whoami", "", {}, [0, 0, 1]),
  step("user_list", "", {}, [0, 7, 5]),
  step("actor_list", "", {}, [0, 4, 3]),
  step("user_change_fullname", "", { ...G, fullname: "Grace Hopper" }, [6, 6, 7]),
  step("user_change_password", "", { ...G, password: NEW }, [8, 6, 7]),
  step("user_disable", "", G, [6, 7, 8]),
  step("user_enable", "", { username: "id:$grace" }, [6, 7, 8]),
  step("role_delete", "", A, [8, 6, 7]),
  step("user_delete", "", G, [12, 6, 7]),
];
