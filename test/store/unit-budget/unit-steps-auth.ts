import { createStep, KEYS, type UnitStep } from "./unit-step.ts";

const step = createStep("auth/");
const A = { roleRef: "key:auditor" };
const G = { username: "grace" };
const S = { serviceAccountRef: "key:nightly" };
const [OLD, NEW] = ["Moth in the relay 1947", "Nanosecond of wire 30"];
const GRACE = { ...G, fullname: "Grace", password: OLD, admin: false };

/** The budget of every action on users, actors and roles; whoever writes is looked at once more, at the revision decided on, and each commit leaves its audit entry, 2 of the write units. */
export const AUTH_STEPS: readonly UnitStep[] = [
  step("role_create", "", { key: "auditor", name: "Auditor" }, [10, 4, 5]),
  step("role_get", "", A, [0, 2, 2]),
  step("role_list", "", {}, [0, 4, 3]),
  step("role_update_name", "", { ...A, value: "A" }, [8, 5, 6]),
  step("role_update_name", "unchanged", { ...A, value: "A" }, [0, 6, 5]),
  step("role_update_description", "", { ...A, value: "A" }, [8, 5, 6]),
  step("role_update_key", "", { ...A, value: "auditors" }, [12, 5, 6]),
  step("role_update_key", "back", { roleRef: "key:auditors", value: "auditor" }, [12, 6, 7]),
  step("role_add_permission", "", { ...A, permissionKey: "model_read" }, [8, 6, 7]),
  step("role_delete_permission", "", { ...A, permissionKey: "model_read" }, [8, 6, 7]),
  step("role_update_autoassign", "", { ...A, value: true }, [8, 6, 7]),
  step("user_create", "", GRACE, [14, 4, 5], { keep: "grace" }),
  step("user_create", "taken", GRACE, [0, 4, 5], { refused: "key_taken" }),
  step("login", "from a new address", { ...G, password: OLD }, [6, 7, 6]),
  step("login", "", { ...G, password: OLD }, [3, 7, 5]),
  step("login", "wrong password", { ...G, password: NEW }, [2, 8, 6], { refused: "not_signed_in" }),
  step("session_list", "", {}, [0, 5, 4]),
  step("session_end", "unknown", { sessionId: "WxTDRMlKdYEzqm_YImBkLg" }, [0, 9, 7], { refused: "not_found" }),
  createStep("config/")("sign_in_options", "", {}, [0, 1, 2]),
  step("audit_list", "", { limit: 1 }, [0, 1, 2]),
  step("whoami", "", {}, [0, 0, 1]),
  step("audit_list", "with names", { limit: 1, ...KEYS }, [0, 3, 4]),
  step("user_list", "", {}, [0, 7, 5]),
  step("user_list", "with names", KEYS, [0, 8, 6]),
  step("actor_list", "", {}, [0, 6, 4]),
  step("user_change_fullname", "", { ...G, fullname: "Grace Hopper" }, [8, 6, 7]),
  step("user_change_password", "", { ...G, password: NEW }, [10, 6, 7]),
  step("user_disable", "", G, [10, 9, 10]),
  step("user_enable", "", { username: "id:$grace" }, [8, 7, 8]),
  step("role_delete", "", A, [10, 6, 7]),
  step("token_create", "", { name: "Nightly" }, [8, 5, 6], { keep: "token" }),
  step("token_list", "", {}, [0, 5, 4]),
  step("token_list", "of all", { all: true }, [0, 5, 4]),
  step("token_revoke", "", { tokenId: "$token" }, [8, 5, 6]),
  step("service_account_create", "", { key: "nightly", name: "Nightly" }, [8, 5, 6]),
  step("service_account_list", "", {}, [0, 6, 4]),
  step("service_account_update", "", { ...S, name: "Every night" }, [6, 5, 6]),
  step("service_account_disable", "", S, [6, 7, 8]),
  step("service_account_delete", "", S, [8, 6, 7]),
  step("user_delete", "", G, [14, 7, 8]),
];
