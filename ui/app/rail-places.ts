import { IconDatabase, IconPlayerPlay, IconProgress, IconSearch, IconTags, IconUsers } from "@tabler/icons-react";
import type { ComponentType } from "react";
import type { WordName } from "../words/en/words.ts";

/** A place that the rail and the palette link to. */
export interface Place {
  readonly to: string;
  readonly word: WordName<"common">;
  readonly icon: ComponentType<{ readonly size?: number; readonly stroke?: number }>;
  readonly keys: `g ${string}`;
  /** Action that the caller must be permitted to run to see the place. */
  readonly needs?: string;
}

/** Places of the rail in their order. Add a line for a screen that belongs in the rail. */
export const PLACES: readonly Place[] = [
  { to: "/models", word: "models", icon: IconDatabase, keys: "g m" },
  { to: "/tags", word: "tags", icon: IconTags, keys: "g t" },
  { to: "/search", word: "search", icon: IconSearch, keys: "g s" },
  { to: "/actions", word: "actions", icon: IconPlayerPlay, keys: "g a" },
  { to: "/jobs", word: "jobs", icon: IconProgress, keys: "g j" },
  { to: "/administration/people", word: "administration", icon: IconUsers, keys: "g u", needs: "auth/actor_list" },
];
