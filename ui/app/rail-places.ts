import { IconDatabase, IconPlayerPlay, IconProgress, IconSearch, IconTags, IconUsers } from "@tabler/icons-react";
import type { ComponentType } from "react";
import type { WordName } from "../words/en/words.ts";

/** A place that the rail leads to, and the palette too. */
export interface Place {
  readonly to: string;
  /** The name of its word in the frame. */
  readonly word: WordName<"frame"> & `place${string}`;
  readonly icon: ComponentType<{ readonly size?: number; readonly stroke?: number }>;
  /** Two keys that lead there. */
  readonly keys: `g ${string}`;
  /** An action that the caller has to be allowed to run to see the place. */
  readonly needs?: string;
}

/** The places of the rail in their order; a screen that has one adds its line. */
export const PLACES: readonly Place[] = [
  { to: "/models", word: "placeModels", icon: IconDatabase, keys: "g m" },
  { to: "/tags", word: "placeTags", icon: IconTags, keys: "g t" },
  { to: "/search", word: "placeSearch", icon: IconSearch, keys: "g s" },
  { to: "/actions", word: "placeActions", icon: IconPlayerPlay, keys: "g a" },
  { to: "/jobs", word: "placeJobs", icon: IconProgress, keys: "g j" },
  { to: "/administration/people", word: "placeAdministration", icon: IconUsers, keys: "g u", needs: "auth/actor_list" },
];
