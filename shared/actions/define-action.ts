import type * as z from "zod/mini";
import type { Kind } from "../domain/kinds.ts";
import type { AnyObject, Entity, KindName, ObjectByKind } from "../domain/objects.ts";
import type { ProblemCode } from "../domain/problems.ts";
import type { Call } from "./call.ts";
import type { Params, Values } from "./params.ts";
import type { Ports } from "./ports.ts";
import type { Rule } from "./rules.ts";
import type { Commit, View } from "./store.ts";

export type Group = "model" | "auth" | "config" | "batch";
export type Intent = "create" | "read" | "update" | "delete" | "other";

/** What an action answers: its media type and the schema of its body. */
export interface Output {
  readonly mediaType: "application/json" | "text/plain";
  readonly description: string;
  readonly schema: () => z.ZodMiniType;
}

/** What a write decided: whom it concerns, what to write, and what to add to the standard answer. */
export interface Decision extends Commit {
  /** The object addressed or made. */
  readonly subject: { readonly id: string; readonly key: string };
  /** The model to write to where that is not the model addressed: one that begins with this call. */
  readonly begins?: View;
  /** Members of the answer beside `status`, `id`, `key`, `revision` and `changed`. */
  readonly extra?: Readonly<Record<string, unknown>>;
}

/** What a read answers; `next` is the key after which the list goes on. */
export interface Reading {
  readonly body: unknown;
  readonly next?: string;
}

/** The object above: for an attribute its entity, for what lives directly in the model nothing more than the view. */
type Within<N extends KindName> = N extends "attribute" ? Entity : undefined;

/** What `run` is given. `view` is the addressed model at one revision; `prepared` is what `prepare` answered. */
export interface RunContext<P extends Params, Target, Inside, Prepared> {
  readonly input: Values<P>;
  readonly target: Target;
  readonly within: Inside;
  readonly view: View;
  readonly prepared: Prepared;
  readonly call: Call;
  readonly ports: Ports;
}

interface Base<P extends Params> {
  readonly group: Group;
  /** The wire name. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly rule: Rule;
  readonly input: P;
  readonly output: Output;
  /** The problems it may raise of its own, beside those of every action. */
  readonly errors: readonly ProblemCode[];
  /** A payload that works on the example model of the documentation. */
  readonly example: Readonly<Record<string, unknown>>;
}

interface Steps<P extends Params, Target, Inside, Prepared> {
  /** Slow work done once per call, before the first attempt: hashing, fetching. */
  readonly prepare?: (context: Free<P>) => Promise<Prepared>;
  readonly run: (context: RunContext<P, Target, Inside, Prepared>) => Promise<Decision>;
}

interface FreeSteps<P extends Params, Prepared> {
  readonly prepare?: (context: Free<P>) => Promise<Prepared>;
  readonly run: (context: Free<P> & { readonly prepared: Prepared }) => Promise<Decision>;
}

interface ReadSteps<P extends Params, Target, Inside> {
  readonly run: (context: RunContext<P, Target, Inside, undefined>) => Promise<Reading>;
}

/** What an action that addresses no model is given. */
export type Free<P extends Params> = Pick<RunContext<P, undefined, undefined, undefined>, "input" | "call" | "ports">;

type Writes = { readonly intent: "create" | "update" | "delete" };
/** `other`: neither reads a model nor writes one, like `auth/login`. */
type Answers = { readonly intent: "read" | "other" };

/** Addresses an object and hands it to `run`. */
type OnTarget<N extends KindName> = { readonly target: Kind<N> };
/** Addresses the object a new one is made in or listed from. */
type OnParent<N extends KindName> = { readonly within: Kind<N> };

type ParentName = "model" | "entity";
/** A parent entity is handed over; a parent model is the view itself. */
type Parent<N extends ParentName> = N extends "entity" ? Entity : undefined;

/** An action as everything but its definition sees it. */
export interface Action {
  readonly group: Group;
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly intent: Intent;
  readonly rule: Rule;
  readonly target?: Kind;
  readonly within?: Kind;
  readonly input: Params;
  readonly output: Output;
  readonly errors: readonly ProblemCode[];
  readonly example: Readonly<Record<string, unknown>>;
  readonly prepare?: (context: Free<Params>) => Promise<unknown>;
  readonly run: (
    context: RunContext<Params, AnyObject | undefined, AnyObject | undefined, unknown>,
  ) => Promise<Decision | Reading>;
}

type AnyDefinition = Omit<Action, "run" | "prepare"> & { readonly run: unknown; readonly prepare?: unknown };

/** One action: plain data and one function that decides. Leaving out a rule, an output, the errors or a text does not compile. */
export function defineAction<P extends Params, N extends KindName>(
  definition: Base<P> & Answers & OnTarget<N> & ReadSteps<P, ObjectByKind[N], Within<N>>,
): Action;
export function defineAction<P extends Params, N extends ParentName>(
  definition: Base<P> & Answers & OnParent<N> & ReadSteps<P, undefined, Parent<N>>,
): Action;
export function defineAction<P extends Params>(
  definition: Base<P> & Answers & { readonly run: (context: Free<P>) => Promise<Reading> },
): Action;
export function defineAction<P extends Params, N extends KindName, Prepared = undefined>(
  definition: Base<P> & Writes & OnTarget<N> & Steps<P, ObjectByKind[N], Within<N>, Prepared>,
): Action;
export function defineAction<P extends Params, N extends ParentName, Prepared = undefined>(
  definition: Base<P> & Writes & OnParent<N> & Steps<P, undefined, Parent<N>, Prepared>,
): Action;
export function defineAction<P extends Params, Prepared = undefined>(
  definition: Base<P> & Writes & FreeSteps<P, Prepared>,
): Action;
export function defineAction(definition: AnyDefinition): Action {
  // The overloads bind each `run` to what its own declarations make dispatch hand over; a list of actions forgets that.
  return definition as Action;
}
