import type { Floors, RoomEdge } from "./import-edges.ts";

const REASONS: Readonly<Record<string, string>> = {
  "shared/actions -> shared/domain": "actions decide by the rules of the domain",
  "shared/store -> shared/domain": "it stores the domain's objects and raises its problems",
  "shared/store -> types of shared/actions": "it implements the Store that actions own",
  "shared/store -> types of shared/identity": "it implements the AccountStore of identity",
  "shared/identity -> shared/domain": "principals, permissions and problems are the domain's",
  "shared/identity -> types of shared/actions": "it implements the Identity port",
  "shared/formats -> shared/domain": "every format is read into the domain's document",
  "shared/formats -> types of shared/actions": "it implements the Importer port",
  "shared/formats -> shared/diagram": "a diagram in a file is laid out as the web application does it",
  "shared/diagram -> types of shared/domain": "a diagram is made of the document of a model",
  "shared/search -> shared/domain": "the domain defines what a search finds",
  "shared/search -> shared/actions": "it implements the Searches port",
  "shared/http -> shared/domain": "it turns problems and limits into HTTP",
  "shared/http -> shared/actions": "it turns requests into calls of dispatch",
  "shared/service -> shared/domain": "the chain keeps the limits and answers problems",
  "shared/service -> shared/actions": "it joins the catalogue with its ports",
  "shared/service -> shared/store": "it joins the service with its table",
  "shared/service -> shared/identity": "it joins the service with its keys",
  "shared/service -> shared/formats": "it joins the service with its importer",
  "shared/service -> shared/search": "it joins the service with its searches",
  "shared/service -> shared/http": "the chain answers requests through the HTTP layer",
  "functions -> shared/service": "it runs the service behind Lambda events",
  "local -> shared/service": "it runs the service behind node:http",
  "functions -> shared/domain": "the chain keeps the limits and answers problems",
  "functions -> shared/actions": "it joins the catalogue with its ports",
  "functions -> shared/store": "it joins the service with its table",
  "functions -> shared/identity": "it joins the service with its keys",
  "functions -> shared/http": "it converts Lambda events to plain requests",
  "local -> packaging": "it builds the web application and serves it",
  "local -> shared/domain": "it keeps the limits before the chain does",
  "local -> shared/actions": "it runs jobs next to the server",
  "local -> shared/store": "its SQLite table implements the table interface",
  "local -> shared/search": "the search index is in its SQLite file",
  "local -> shared/identity": "it keeps signing keys in a file",
  "local -> shared/http": "it answers what never becomes a request",
  "infra -> shared/store": "the table is declared once, for the code and the stack",
  "infra -> shared/identity": "the issuer configuration is checked before it is deployed",
  "infra -> shared/domain": "the limits define what can be set",
  "infra -> functions": "it deploys the bundles that functions make",
  "docs -> shared/actions": "pages are generated from descriptors",
  "docs -> shared/domain": "pages are generated from limits and problems",
  "client -> types of shared/actions": "its types follow from the definitions of the actions",
  "client -> types of shared/domain": "its problems have the codes of the problem table",
  "ui -> shared/diagram": "it shows the diagrams that exports have",
  "ui -> client": "it calls the service as every program does",
  "ui -> shared/domain":
    "a diagram is drawn from the document of a model, and the keywords of constraints are defined there",
  "cli -> client": "it calls the service as every program does",
  "cli -> shared/domain": "exit codes are in the problem table, and it suggests names like the service",
  "cli -> local": "metaction start runs the service of npm start in its own process",
  "packaging -> functions": "the modules that a start loads are found as in the bundles of the functions",
  "packaging -> shared/actions": "the OpenAPI document of a release describes all actions",
  "packaging -> shared/http": "the OpenAPI document of a release is kept",
  "bench -> types of shared/search": "it waits for the index of the service it fills",
  "bench -> test": "it starts services and the engine as the tests do",
};

const EDGES = Object.entries(REASONS).map(([edge, because]): RoomEdge => {
  const [from = "", to = ""] = edge.split(/ -> (?:types of )?/);
  return { from, to, ...(edge.includes("types of") && { types: true }), because };
});
const ROOMS = [...new Set(EDGES.flatMap(({ from, to }) => [from, to]))].filter((room) => room !== "test");
const NOT_MEASURED = ["bench", "cli", "client", "docs", "infra", "shared/http", "shared/search"];

/** The allowed imports between folders: those above, those of benchmarks and those of tests. */
export const ALLOWED: readonly RoomEdge[] = [
  ...EDGES,
  ...ROOMS.filter((room) => !NOT_MEASURED.includes(room)).map((to) => ({
    ...{ from: "bench", to, because: "it measures the whole service, from outside" },
  })),
  ...ROOMS.map((to) => ({ from: "test", to, because: "tests look into every room" })),
];

/** The rooms of the store and of the actions: a higher room knows the lower ones, and not the other way round. */
export const STORE: Floors = [
  ["table"],
  ["log"],
  ["read"],
  ["commit"],
  ["publish"],
  ["accounts", "jobs", "sweep"],
  ["fsck"],
];
/** The rooms of the web application; its screens and the frame around them are above these. */
export const UI: Floors = [["words", "layout"], ["api"], ["parts"]];
export const ACTIONS: Floors = [["contract"], ["pipeline", "building", "describe"]];
