import { type Answer, ApiProblem } from "../client/create-client.ts";
import { nearest } from "../shared/domain/nearest.ts";
import { callAction, checkControls } from "./call-action.ts";
import { usage } from "./failure.ts";
import { commonForms, type OwnFlag, readArguments, switchOf } from "./flags.ts";
import { type Common, takeCommon } from "./general-flags.ts";
import { knowService } from "./known-service.ts";
import { findAction, settingsOf, signedIn } from "./run-action.ts";
import type { Settings } from "./settings.ts";
import type { Terminal } from "./terminal.ts";

/** The words and flags of a command of its own, and the actions that it may call. */
export interface OwnCalls {
  readonly common: Common;
  readonly settings: Settings;
  readonly words: readonly string[];
  /** The text of a flag of the command's own. */
  text(flag: string): string | undefined;
  /** Whether a switch of the command's own is on. */
  on(flag: string): boolean;
  /** Calls an action of the group `model`, under other common flags where they are given; undefined where `--curl` showed it. */
  call(action: string, payload: object, common?: Common): Promise<Answer<unknown> | undefined>;
}

/** Reads the arguments of a command of its own; a flag that it does not have ends it with the nearest that it has. */
export async function ownCalls(
  place: Terminal,
  command: string,
  own: Readonly<Record<string, OwnFlag>>,
  given: readonly string[],
): Promise<OwnCalls> {
  const forms = new Map([...commonForms(), ...Object.entries(own).map(([name, { form }]) => [name, form] as const)]);
  const { words, flags } = readArguments(given, forms);
  const { common, rest } = takeCommon(flags, (name) => Object.hasOwn(own, name));
  for (const flag of rest) {
    if (Object.hasOwn(own, flag.name)) continue;
    const close = nearest(flag.name, forms.keys());
    throw usage(
      `${command} knows no --${flag.name}${close ? `; did you mean --${close}?` : `; see: metaction help ${command}`}`,
    );
  }
  const twice = rest.find(({ name }, i) => rest.findIndex((one) => one.name === name) !== i);
  if (twice) throw usage(`--${twice.name} is given twice`);
  const settings = await signedIn(place, await settingsOf(place, given));
  const find = (name: string): unknown => rest.find((flag) => flag.name === name)?.value;
  return {
    common,
    settings,
    words,
    text: (name) => find(name) as string | undefined,
    on: (name) => rest.some((flag) => flag.name === name && switchOf(flag)),
    call: async (name, payload, instead = common) => {
      const action = await actionNamed(place, settings.url.value, name);
      checkControls(action, instead);
      return callAction({ place, common: instead, settings }, action, payload);
    },
  };
}

/** An action of the group `model`; before one is called unknown, the service itself is asked. */
async function actionNamed(place: Terminal, url: string, name: string) {
  let found = findAction((await knowService(place, url)).description, "model", name);
  if (typeof found === "string") {
    found = findAction((await knowService(place, url, { current: true })).description, "model", name);
  }
  if (typeof found === "string") throw usage(`${url} is too old for this command: ${found}`);
  return found;
}

/** A sentence of a problem with another one behind it. */
export function withAdvice(problem: ApiProblem, advice: string): ApiProblem {
  return new ApiProblem(problem.code, `${problem.message}; ${advice}`, problem, { cause: problem.cause });
}
