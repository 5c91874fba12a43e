import { conditionsIn } from "../parts/search/conditions.ts";
import { bareScreen, home, noSearch, screen } from "./routes.tsx";
import { gridSearch, number, object, oneOf, searchOf, text, texts } from "./search-params.ts";

const loadAdministration = () => import("../screens/administration/administration-lists.tsx");

/** The screens of the administration, and the jobs. */
const ADMINISTRATION = [
  screen("/jobs", async () => (await import("../screens/jobs/jobs-screen.tsx")).JobsScreen, searchOf({ job: text })),
  screen(
    "/administration/people",
    async () => (await import("../screens/administration/people-screen.tsx")).PeopleScreen,
    searchOf({ ...gridSearch, of: oneOf("services"), actor: text, do: oneOf("create", "create-service") }),
  ),
  screen(
    "/administration/roles",
    async () => (await loadAdministration()).RolesScreen,
    searchOf({ ...gridSearch, role: text, do: oneOf("create") }),
  ),
  screen(
    "/administration/tokens",
    async () => (await loadAdministration()).TokensScreen,
    searchOf({ ...gridSearch, of: oneOf("all"), do: oneOf("create") }),
  ),
  screen(
    "/administration/properties",
    async () => (await loadAdministration()).PropertiesScreen,
    searchOf({ ...gridSearch, definition: text, do: oneOf("create") }),
  ),
  screen("/administration/issuers", async () => (await loadAdministration()).IssuersScreen, searchOf(gridSearch)),
  screen(
    "/administration/audit",
    async () => (await import("../screens/administration/audit-screen.tsx")).AuditScreen,
    searchOf({ act: text, outcome: oneOf("ok", "refused"), actor: text, from: text, until: text, entry: text }),
  ),
] as const;

const loadAttributes = () => import("../screens/objects/attribute-screens.tsx");
const loadObjects = () => import("../screens/objects/object-screens.tsx");
const loadTags = () => import("../screens/tags/tags-screen.tsx");
const loadRunner = () => import("../screens/runner/action-screen.tsx");
const loadSignIn = () => import("../screens/sign-in/sign-in-screen.tsx");

/** The screens without the rail: their address, their module, and what may stand after `?`. */
export const BARE_SCREENS = [
  home("/models"),
  bareScreen(
    "/sign-in",
    async () => (await loadSignIn()).SignInScreen,
    searchOf({ to: text, at: text, channel: text, code: text, error: text }),
  ),
  bareScreen("/first-run", async () => (await loadSignIn()).FirstRunScreen, noSearch),
] as const;

/** The screens beside the rail, one line each: address, module, and what may stand after `?`. */
export const SCREENS = [
  screen("/actions", async () => (await loadRunner()).ActionsScreen, searchOf({ q: text })),
  screen(
    "/actions/$group/$action",
    async () => (await loadRunner()).ActionScreen,
    searchOf({ q: text, payload: object, run: number, as: oneOf("table", "json") }),
  ),
  screen(
    "/batch",
    async () => (await import("../screens/runner/batch-screen.tsx")).BatchScreen,
    searchOf({ as: oneOf("table", "json") }),
  ),
  ...ADMINISTRATION,
  screen(
    "/models",
    async () => (await import("../screens/models/models-screen.tsx")).ModelsScreen,
    searchOf({ ...gridSearch, do: oneOf("create", "import") }),
  ),
  screen(
    "/models/$modelRef",
    async () => (await import("../screens/model/model-screen.tsx")).ModelScreen,
    searchOf({ ...gridSearch, show: oneOf("entities", "relationships", "types"), do: oneOf("create"), of: text }),
  ),
  screen(
    "/models/$modelRef/entities/$entityRef",
    async () => (await loadObjects()).EntityScreen,
    searchOf({ ...gridSearch, tab: oneOf("keys", "relationships", "properties"), attribute: text }),
  ),
  screen(
    "/models/$modelRef/entities/$entityRef/attributes/$attributeRef",
    async () => (await loadAttributes()).EntityAttributeScreen,
    noSearch,
  ),
  screen(
    "/models/$modelRef/relationships/$relationshipRef",
    async () => (await loadObjects()).RelationshipScreen,
    searchOf({ ...gridSearch, tab: oneOf("attributes", "properties"), attribute: text }),
  ),
  screen(
    "/models/$modelRef/relationships/$relationshipRef/attributes/$attributeRef",
    async () => (await loadAttributes()).RelationshipAttributeScreen,
    noSearch,
  ),
  screen(
    "/models/$modelRef/tags",
    async () => (await loadTags()).ModelTagsScreen,
    searchOf({ ...gridSearch, tag: text, do: oneOf("create") }),
  ),
  screen(
    "/tags",
    async () => (await loadTags()).TagsScreen,
    searchOf({ ...gridSearch, show: oneOf("groups"), open: text, do: oneOf("create") }),
  ),
  screen("/models/$modelRef/types/$typeRef", async () => (await loadObjects()).TypeScreen, searchOf(gridSearch)),
  screen(
    "/models/$modelRef/diagram",
    async () => (await import("../screens/diagram/diagram-screen.tsx")).DiagramScreen,
    searchOf({ entity: text, relationship: text, focus: text, distance: number, tags: texts, view: oneOf("list") }),
  ),
  screen(
    "/models/$modelRef/history",
    async () => (await import("../screens/history/history-screen.tsx")).HistoryScreen,
    searchOf({ version: text, change: text, q: text, kind: text, object: text, do: oneOf("release"), restore: text }),
  ),
  screen(
    "/search",
    async () => (await import("../screens/search/search-screen.tsx")).SearchScreen,
    searchOf({ q: text, op: oneOf("or"), where: conditionsIn, kind: texts, model: texts }),
  ),
  screen(
    "/compare",
    async () => (await import("../screens/compare/compare-screen.tsx")).CompareScreen,
    searchOf({
      left: text,
      leftAt: text,
      right: text,
      rightAt: text,
      scope: oneOf("structural"),
      class: texts,
      kind: texts,
      q: text,
      open: text,
      view: oneOf("diagram"),
    }),
  ),
] as const;
