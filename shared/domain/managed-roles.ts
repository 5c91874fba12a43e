import { ALL_PERMISSIONS, type Permission } from "./permissions.ts";

/** A role that the service itself keeps: it cannot be changed or deleted. */
export interface ManagedRole {
  readonly key: string;
  readonly name: string;
  readonly description: string;
  readonly permissions: readonly Permission[];
  /** False for every managed role: nobody has rights before somebody gives them. */
  readonly autoAssign: false;
}

/** The three managed roles. A fresh instance gives none of them to new actors. */
export const MANAGED_ROLES: readonly ManagedRole[] = [
  {
    key: "admin",
    name: "Administrator",
    description: "Everything.",
    permissions: ["admin"],
    autoAssign: false,
  },
  {
    key: "manager",
    name: "Manager",
    description: "Everything but administration.",
    permissions: ALL_PERMISSIONS.filter((p) => p !== "admin"),
    autoAssign: false,
  },
  { key: "reader", name: "Reader", description: "Reads models.", permissions: ["model_read"], autoAssign: false },
];
