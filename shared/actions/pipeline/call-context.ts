import type { Principal } from "../../domain/accounts/principal.ts";
import type { Channel } from "../../domain/channels.ts";
import { LIMITS } from "../../domain/limits.ts";
import type { Action, Decision, Ports, Registry } from "../contract/action.ts";
import type { CallBudget } from "../contract/budget.ts";
import type {
  Answer,
  Call,
  CallSource,
  Controls,
  IdempotencyRequest,
  Payload,
  Runtime,
  UnreadPayload,
} from "../contract/call.ts";
import type { ServiceInfo } from "../contract/ports.ts";
import type { CommitOutcome, JobLease, Store } from "../contract/store.ts";
import { type ReadView, TAGS_LEDGER } from "../contract/view.ts";
import type { Scoping, UnscopedCallers } from "./caller-rights.ts";
import type { QueueSlot, WriteQueue } from "./write-queue.ts";

/** One call as a transport hands it over. */
export interface ActionCall {
  readonly action: Action;
  readonly token: string | undefined;
  readonly payload: UnreadPayload;
  readonly controls: Controls;
  readonly channel: Channel;
  readonly requestId: string;
  readonly sourceAddress?: string | undefined;
  readonly source?: CallSource | undefined;
  /** Milliseconds since the epoch. */
  readonly deadline: number;
  /** Called with the caller as soon as it is known. May throw `throttled`. */
  readonly noteCaller?: (caller: Principal) => void;
  readonly noteDeprecation?: Call["noteDeprecation"];
  /** Rejects undeliverable answers with `result_too_large`. Absent if the transport delivers all. */
  readonly checkAnswer?: (answer: Answer) => Promise<void>;
  /** True if the transport continues a long call in another thread: `dispatch` then throws `LongCall`. */
  readonly canMove?: boolean;
}

/** The parts of the service. They are made once per process. */
export interface Service {
  readonly registry: Registry;
  readonly facts: ServiceInfo;
  readonly verification: {
    readonly configuration: () => Promise<object>;
    readonly keySet: () => Promise<object>;
  };
  readonly runtime: Runtime;
  /** Hint for prefetching: the callers without rights on single models. */
  readonly unscopedCallers: UnscopedCallers;
  readonly writeQueue: WriteQueue;
  /** Returns the ports for a call with this deadline; its budget is charged with the models read whole. */
  readonly ports: (deadline: number, budget?: CallBudget) => Ports;
}

/** The job that a worker runs. */
export interface RunningJob {
  readonly lease: JobLease;
  readonly prepared: unknown;
  readonly claim: IdempotencyRequest | undefined;
  /** Throws a problem if the rights of the caller have changed since the decision. */
  readonly checkRights: () => Promise<void>;
}

/** A commit that was sent and not answered. It may have been applied, or may still be. */
export interface PendingCommit {
  readonly view: ReadView;
  readonly decision: Decision;
  /** True if a model was only read: the commit may succeed after that model has changed. */
  readonly readsOthers: boolean;
}

type CallParts = Pick<CallContext, "service" | "action" | "payload" | "controls" | "call" | "ports"> &
  Partial<Pick<CallContext, "scoping" | "job" | "checkAnswer">>;

/** One authorized call, with the models of the current attempt. */
export class CallContext {
  readonly service: Service;
  readonly action: Action;
  readonly payload: Payload;
  readonly controls: Controls;
  readonly call: Call;
  readonly ports: Ports;
  /** Visible models, for rights on some only. */
  readonly scoping: Scoping | undefined;
  readonly job: RunningJob | undefined;
  /** The check of the transport for large answers; undefined in a job. */
  readonly checkAnswer: ActionCall["checkAnswer"] | undefined;

  prepared: unknown;
  idempotency: IdempotencyRequest | undefined;
  queueSlot: QueueSlot | undefined;
  /** When the call stops to try again, in milliseconds since the epoch. */
  giveUpAt = 0;
  models: OpenedModels;
  readonly pendingCommits: PendingCommit[] = [];
  isCommitting = false;
  lastOutcome: CommitOutcome | undefined;
  /** True once most of a generation is written. The call then tries until its deadline. */
  hasStaged = false;

  constructor({ service, action, payload, controls, call, ports, scoping, job, checkAnswer }: CallParts) {
    this.service = service;
    this.action = action;
    this.payload = payload;
    this.controls = controls;
    this.call = call;
    this.ports = scoping ? { ...ports, store: scoping.store(ports.store) } : ports;
    this.scoping = scoping;
    this.job = job;
    this.checkAnswer = checkAnswer;
    this.models = new OpenedModels(this.ports.store, undefined);
  }

  /** Prepares the action, once per call, and starts the time within which the call tries. */
  async prepare(): Promise<void> {
    const { action, payload, ports, call, job, service } = this;
    this.prepared = job ? job.prepared : await action.prepare?.({ input: payload.input, ports, call });
    // Nobody waits for a job, so it tries as long as its worker lives.
    const patience = job ? Number.POSITIVE_INFINITY : LIMITS.contentionMs;
    this.giveUpAt = Math.min(call.deadline, service.runtime.now() + patience);
  }

  async backOff(repeats: number): Promise<void> {
    const { runtime } = this.service;
    await runtime.sleep(runtime.random() * Math.min(1_000, 20 * 2 ** repeats));
  }
}

/** The ledgers that one attempt has opened, each at one revision. */
export class OpenedModels {
  /** The ledger that the call addresses; undefined when it addresses none. */
  readonly view: ReadView | undefined;
  readonly #store: Store;
  readonly #views: ReadView[];
  #tags: Promise<ReadView> | undefined;
  #showsTags: boolean;

  constructor(store: Store, view: ReadView | undefined) {
    this.view = view;
    this.#store = store;
    this.#views = view ? [view] : [];
    this.#showsTags = false;
  }

  /** Opens the ledger of tag groups and global tags, whose tags the answer then shows. */
  async openTags(): Promise<ReadView> {
    if (this.view?.ledgerId === TAGS_LEDGER) return this.view;
    this.#showsTags = true;
    return this.openOtherTags();
  }

  /** Opens tag groups and global tags for a comparison only; the answer does not show them. */
  openOtherTags(): Promise<ReadView> {
    this.#tags ??= this.#store.openTags();
    return this.#tags;
  }

  /** Returns the ledger of tags if the answer shows its tags and the call does not address it. */
  getShownTags(): Promise<ReadView> | undefined {
    return this.#showsTags ? this.#tags : undefined;
  }

  async open(...parameters: Parameters<Store["open"]>): Promise<ReadView> {
    const view = await this.#store.open(...parameters);
    this.#views.push(view);
    return view;
  }

  /** Returns the ledgers opened so far, without tags that the answer does not show. */
  async all(): Promise<readonly ReadView[]> {
    const tags = await this.getShownTags();
    return tags ? [...this.#views, tags] : this.#views;
  }

  /** Tests whether everything read in these ledgers still held; skips those of `exclusions`. */
  async confirm(exclusions: readonly ReadView[] = []): Promise<boolean> {
    for (const view of await this.all()) {
      if (!exclusions.includes(view) && !(await this.#store.confirm(view))) return false;
    }
    return true;
  }
}
