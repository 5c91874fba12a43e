import { ALL_PERMISSIONS, type Permission } from "./permissions.ts";

/** A role that the service itself keeps: it cannot be changed or deleted. */
export interface ManagedRole {
  readonly key: string;
  readonly name: string;
  readonly description: string;
  readonly permissions: readonly Permission[];
  /** New actors get the one role that has this. */
  readonly autoAssign: boolean;
}

/** The three managed roles. */
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
  { key: "reader", name: "Reader", description: "Reads models.", permissions: ["model_read"], autoAssign: true },
];
