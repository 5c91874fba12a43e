/** Part of the production code, with the folders of `test/` that are expected to notice a defect in it. */
export interface Room {
  /** Globs of production files. */
  readonly mutate: readonly string[];
  /** Globs of test files, from the folder `test`. */
  readonly tests: readonly string[];
}

/** Parts of the production code that `npm run test:mutation` measures. */
export const ROOMS: Readonly<Record<string, Room>> = {
  cli: { mutate: ["cli/**/*.ts"], tests: ["cli"] },
  client: { mutate: ["client/**/*.ts"], tests: ["client", "cli"] },
  domain: { mutate: ["shared/domain/**/*.ts"], tests: ["domain", "actions", "every-action"] },
  formats: { mutate: ["shared/formats/**/*.ts"], tests: ["formats", "actions/export*", "actions/import*"] },
  http: { mutate: ["shared/http/**/*.ts"], tests: ["http", "every-action"] },
  identity: { mutate: ["shared/identity/**/*.ts"], tests: ["identity", "http", "actions/*user*", "actions/*token*"] },
  search: { mutate: ["shared/search/**/*.ts"], tests: ["actions/search*", "search"] },
  service: { mutate: ["shared/service/**/*.ts"], tests: ["http", "identity", "store"] },
};
