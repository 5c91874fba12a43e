import type { Consumers, Effect, Location, ObjectType, Snapshot } from "../differences.ts";
import type { AttributeType } from "../types/find-logical-type.ts";

/** Beginning of the names of members that are properties. */
export const PROPERTY = "properties.";

/** Document object in a comparable form. */
export interface ComparedObject {
  readonly objectType: ObjectType;
  /** Text that identifies the object; equal on both sides for the same object. */
  readonly identity: string;
  readonly location: Location;
  readonly snapshot: Snapshot;
  /** Values of the members in a normalized form: refs are replaced by identities. */
  readonly members: Readonly<Record<string, unknown>>;
  readonly sequences: Readonly<Record<string, readonly SequenceItem[]>>;
  readonly owner: string | undefined;
  /** Consumers of the object, if they either only read or only write it. */
  readonly consumers: Consumers | undefined;
  readonly getRule: (member: string) => ChangeRule;
  /** Returns the type of an attribute; absent for other objects. */
  readonly getType?: () => AttributeType;
  /** Tests whether constraints of the attributes of an entity state everything that a check of it states. */
  readonly statesCheck?: (check: string) => boolean;
  /** True for a role of a relationship that is joined by the values of attributes. */
  readonly isJoined?: true;
  /** True for a type that its dialect defines, and about which the model says nothing more. */
  readonly isBuiltIn?: true;
}

/** Object of a list whose order has a meaning. */
export interface SequenceItem {
  readonly identity: string;
  readonly ref: string;
}

/** Object on both sides of a comparison. */
export interface ComparedSides {
  readonly before: ComparedObject;
  readonly after: ComparedObject;
}

/** Assesses a change of one member from both values; returns at least one effect. */
export type ChangeRule = (before: unknown, after: unknown, sides: ComparedSides) => readonly Effect[];
