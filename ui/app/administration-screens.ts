import { gridSearch } from "./grid-search.ts";
import { screen } from "./routes.tsx";
import { oneOf, searchOf, text } from "./search-params.ts";

/** The screens of the administration, and the jobs. */
export const ADMINISTRATION = [
  screen("/jobs", () => import("../screens/jobs/jobs-screen.tsx"), searchOf({ job: text })),
  screen(
    "/administration/people",
    () => import("../screens/administration/people-screen.tsx"),
    searchOf({ ...gridSearch, of: oneOf("services"), actor: text, do: oneOf("create", "create-service") }),
  ),
  screen(
    "/administration/roles",
    () => import("../screens/administration/roles-screen.tsx"),
    searchOf({ ...gridSearch, role: text, do: oneOf("create") }),
  ),
  screen(
    "/administration/tokens",
    () => import("../screens/administration/tokens-screen.tsx"),
    searchOf({ ...gridSearch, of: oneOf("all"), do: oneOf("create") }),
  ),
  screen(
    "/administration/properties",
    () => import("../screens/administration/properties-screen.tsx"),
    searchOf({ ...gridSearch, definition: text, do: oneOf("create") }),
  ),
  screen("/administration/issuers", () => import("../screens/administration/issuers-screen.tsx"), searchOf(gridSearch)),
  screen(
    "/administration/audit",
    () => import("../screens/administration/audit-screen.tsx"),
    searchOf({ act: text, outcome: oneOf("ok", "refused"), actor: text, from: text, until: text, entry: text }),
  ),
] as const;
