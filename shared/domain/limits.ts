/** Every limit of the service, in one place; `docs/limits.md` states them and `test/shape/limits.test.ts` tests their edges. */
export const LIMITS = {
  /**
   * Longest request in bytes, as API Gateway hands it to Lambda: JSON in which body, headers and query are escaped strings.
   * Lambda refuses 6,291,556; the rest is for what API Gateway adds.
   */
  requestBytes: 6_200_000,
  /** Longest request body in bytes where anybody may call, and longest one that is read while it is looked up who calls. */
  shortBodyBytes: 4_000,
  /** Deepest nesting of lists and objects in a request body, and of a fetched or inline import source. */
  jsonDepth: 32,
  /** Members of all objects in such a text, and items of all its lists; an empty one counts as one. */
  jsonMembers: 250_000,
  /** Longest query string in bytes; API Gateway refuses a request line and headers of 10,240 bytes together. */
  queryBytes: 8_000,
  /** Longest access token in bytes. */
  tokenBytes: 8_192,
  /** Largest response body in bytes, uncompressed; Lambda refuses more than 6 MB. */
  responseBytes: 6_000_000,
  /** Largest response body in bytes that may be sent compressed (the compressed form has to fit `responseBytes` too). */
  inflatedResponseBytes: 40_000_000,
  /**
   * Bytes of a whole answer in the form Lambda hands to API Gateway, JSON with an escaped or base64 body; Lambda refuses
   * 6,291,556.
   */
  lambdaAnswerBytes: 6_200_000,
  /** Bytes of request line and headers the local server reads; API Gateway stops at 10,240. */
  headerBytes: 20_000,
  /** Connections the local server keeps at a time; more are closed as they come. */
  connections: 1_000,
  /** How long the headers of a request may take to arrive at the local server, in milliseconds. */
  headersMs: 10_000,
  /** How long a whole request may take to arrive at the local server, in milliseconds. */
  requestMs: 30_000,
  /** How long a connection that is being closed is kept for data its caller still sends, in milliseconds. */
  lingerMs: 1_000,
  /** How long a caller may take to receive an answer, in milliseconds. */
  deliveryMs: 60_000,
  /** Bytes of all bodies that the local server holds at a time, those of `shortBodyBytes` not counted. */
  bodiesBytes: 64_000_000,
  /** Responses below this many bytes are not worth compressing. */
  compressAboveBytes: 4_096,
  keyCharacters: 128,
  nameCharacters: 200,
  descriptionBytes: 100_000,
  urlCharacters: 2_048,
  /** Bytes of the constraints of one attribute, as JSON. */
  constraintBytes: 32_000,
  /** Lists and objects inside one another in constraints, which an export shows six levels deep in its own. */
  constraintDepth: 16,
  /** Characters of a pattern in constraints. */
  patternCharacters: 1_000,
  /** Characters of a semantic version label. */
  versionCharacters: 128,
  /** Attributes in one primary key. */
  primaryKeyAttributes: 100,
  /** Attributes in one business key. */
  businessKeyParticipants: 100,
  /** Roles of one relationship. */
  relationshipRoles: 100,
  /** Pairs of attributes that the join of one relationship follows. */
  keyPairs: 100,
  /** Tags that may mark one object. */
  tagsPerObject: 50,
  /** Items in the filters of one search. */
  searchFilters: 100,
  /** Tag groups and global tags one import may make with its model, in the transaction that publishes it. */
  importedGlobalTags: 40,
  removedRows: 1_000,
  listedChanges: 1_000,
  /** Steps of a plan that an answer lists. */
  plannedSteps: 2_000,
  /** Bytes of a plan or a report of differences in Markdown; GitHub refuses comments of more than 65,536 characters. */
  commentBytes: 65_536,
  /** Boxes, and lines, of a written diagram that is laid out by its lines: more would hold up whoever waits for it. */
  diagramBoxes: 400,
  diagramLines: 800,
  /** Conflicts of an import into a model that an answer lists. */
  conflictRows: 100,
  /** Characters of a value in such a conflict, as JSON. */
  conflictCharacters: 1_000,
  /** Labels of sources under which documents were imported into one model. */
  modelSources: 50,
  /** Objects one batch may change. */
  objectsPerCall: 20_000,
  /** Objects one job may write. */
  objectsPerJob: 200_000,
  /**
   * Longest predicted time of writing a whole model within a call, in milliseconds; see
   * `shared/store/publish/staging-time.ts`.
   */
  callStagingMs: 20_000,
  /** The time of a call that has to be left then, to publish the model or to hand it over to a worker, in milliseconds. */
  handOverMs: 5_000,
  /** Entries of one batch. */
  batchEntries: 20_000,
  /** Entries of one batch that read the past of a model: its log is read anew for each. */
  batchPastReads: 100,
  /** How long a worker keeps a job without a sign of life, in milliseconds. */
  jobLeaseMs: 60_000,
  /** Workers that may begin one job before it counts as failed. */
  jobWorkers: 5,
  /** How long an ended job is remembered. */
  jobDays: 7,
  /** Bytes of one stored object; DynamoDB refuses items over 400 kB. */
  objectBytes: 350_000,
  /**
   * Bytes of the changes, before and after, that a log entry holds itself; larger ones lie in a blob beside it, so that
   * the newest entries, which every call reads, stay small.
   */
  logBytes: 1_500,
  /** Items of one DynamoDB transaction, all included. */
  transactionItems: 100,
  /** Bytes of one DynamoDB transaction; DynamoDB refuses 4 MB. */
  transactionBytes: 3_500_000,
  /** Write units that one partition of DynamoDB takes a second; all objects of a generation lie in one. */
  partitionUnits: 1_000,
  /** Bytes of one chunk of a blob. */
  blobChunkBytes: 380_000,
  /** Commits of a model after which a snapshot is kept, so that no past state is further from one. */
  snapshotCommits: 1_000,
  /** Objects of models that a process of 512 MB keeps of what it read; one with a long text counts as several. */
  cachedObjects: 50_000,
  /** How long it keeps what it read of a model, whether or not that changes, in milliseconds. */
  cachedMs: 600_000,
  /**
   * How old a commit is taken to show to every reader, in milliseconds after the beginning of its call: longer than a call
   * may take to send it.
   */
  settledMs: 60_000,
  /** Rows one page of a list may ask for. */
  pageRows: 1_000,
  /** Characters of an idempotency key. */
  idempotencyKeyCharacters: 255,
  idempotencyHours: 48,
  /** How long a write keeps trying against concurrent writers before it answers `contention`, in milliseconds. */
  contentionMs: 5_000,
  /** Repeats of throttled requests to the table that a process may begin while nothing succeeds. */
  retryTokens: 100,
  /** How many requests have to succeed at once for one such repeat more. */
  successesPerRetryToken: 10,
  /** How long one call may take in all, in milliseconds; API Gateway cuts off at 30 s. */
  callMs: 29_000,
  usernameCharacters: 32,
  /** Characters of the name `auth/login` takes; Amazon Cognito allows 128. */
  loginNameCharacters: 128,
  passwordCharacters: 14,
  passwordBytes: 512,
  fullnameCharacters: 200,
  bootstrapSecretCharacters: 20,
  /** Roles of the instance, which every call reads together. */
  roles: 100,
  /** Roles one actor may have for some models only. */
  scopedRoles: 50,
  /** Characters of a pattern of model keys. */
  keyPatternCharacters: 256,
  /** Actions, and models, that one call of `auth/can` may ask about. */
  askedActions: 200,
  askedModels: 100,
  /** API tokens that an actor has at once. All of them go in one transaction with the actor, so it is that many at most. */
  apiTokens: 40,
  /** Patterns of the models that one API token is for. */
  apiTokenModels: 50,
  /** Longest lifetime of an API token, and that of one made without another. */
  apiTokenDays: 366,
  apiTokenDefaultDays: 90,
  /** Minutes between two notes of a process that the same actor called. */
  seenMinutes: 60,
  /** How long an actor's last call is remembered. */
  seenDays: 400,
  /** How long a call waits for that note when its own work is done, in milliseconds. */
  seenMs: 1_000,
  /** Wrong passwords for one name from one network before the next attempt from there has to wait. */
  freeLoginFailures: 5,
  /** Longest wait after wrong passwords, in seconds; it begins at one and doubles. */
  loginWaitSeconds: 900,
  /** How long wrong passwords are remembered after the last one. */
  loginFailureHours: 24,
  /** Wrong passwords for one name in an hour from all networks together, but for those known by a right one. */
  loginFailuresPerHour: 100,
  /** How long it is remembered that somebody signed in with a name from a network. */
  knownNetworkDays: 30,
  /** How long a Cognito user pool may take to answer a sign-in, with the functions it calls itself. */
  cognitoMs: 8_000,
  /** Bytes of an answer of a Cognito user pool. */
  cognitoBytes: 100_000,
  /** How long an entry of the audit log is kept. */
  auditDays: 400,
  /** Entries of the audit log that one call looks at. */
  auditScanned: 10_000,
  /** How long the secret of a reopened bootstrap is good. */
  reopenedHours: 24,
  /** Lifetime of a token made by `auth/login` where no setting says otherwise, in seconds. */
  tokenSeconds: 3_600,
  /** Shortest and longest lifetime that a setting may give it, in minutes. */
  leastTokenMinutes: 5,
  mostTokenMinutes: 1_440,
  /** Longest time for which a setting may have a process keep who calls and their rights, in seconds. */
  mostCallerSeconds: 300,
  /** Callers that a process keeps then. */
  keptCallers: 1_000,
  /** How far ahead of this machine's clock a token may say it was issued, in seconds. */
  tokenSkewSeconds: 60,
  /** Characters of a token's `sub` (RFC 7519; OpenID Connect Core section 2 allows 255). */
  subjectCharacters: 255,
  /** Longest lifetime of a token of another issuer, in seconds, where its entry in the configuration names none. */
  externalTokenSeconds: 86_400,
  /** Age at which the keys of another issuer are fetched anew, in seconds: a withdrawn key works no longer than this. */
  keySetSeconds: 300,
  /** Age at which the keys of another issuer are no longer used, however long it has been away, in seconds. */
  keySetMaxSeconds: 3_600,
  /** Seconds between two fetches after a failure, and between two for a key that is not in the set. */
  keySetRetrySeconds: 10,
  /** How long one fetch of a key set or a discovery document may take, in milliseconds. */
  keySetMs: 1_500,
  /** Bytes of a key set or a discovery document. */
  keySetBytes: 150_000,
  /** Bytes of a fetched import source, on the wire and decompressed. */
  sourceBytes: 25_000_000,
  /** Bytes of a source in YAML, and how often one of its anchors may be used. */
  yamlBytes: 500_000,
  yamlAliases: 1_000,
  /** Anchors and aliases of one YAML source; each alias is looked for among all that stand before it. */
  yamlAnchors: 5_000,
  /** Bytes of a source in DBML, of which its parser reads few a second. */
  dbmlBytes: 100_000,
  /** Words, names and signs of one statement in SQL that is read. */
  sqlTokens: 100_000,
  /** Columns that a table in SQL may have from others, or a view from its query; no database has more. */
  sqlColumns: 10_000,
  /** Columns and keys that all changes of tables in one text in SQL look through that find nothing by its name. */
  sqlWalked: 20_000_000,
  /**
   * Characters of the descriptions, constraints and properties of all parts of one model that is read from tables or schemas, as JSON:
   * refs, enums and types let a small source say one of them in thousands of places.
   */
  madeCharacters: 60_000_000,
  sourceRedirects: 3,
  sourceConnectMs: 2_000,
  sourceTotalMs: 20_000,
  /** Schema files one data package may name. */
  sourceFiles: 200,
  /** Commits a failed precondition tells of, and objects of each. */
  notedChanges: 20,
  /** Calls a process works on at once; more are refused with 503 before anything is read. */
  callsAtOnce: 256,
  /** Faults a `bad_parameters` problem lists. */
  listedFaults: 100,
  /** Problems an import lists at most. */
  importProblems: 100,
  /** Bytes of all warnings of one import or export, so that the answer can be kept; places are left out beyond it. */
  importWarningBytes: 300_000,
  /** Places that one row of equal warnings names. */
  warningPointers: 5,
  /** Rows of warnings with the same code; the others share one more row. */
  warningDetails: 20,
  /** Tags one condition of a search may name, and characters of its text. */
  searchTags: 100,
  searchCharacters: 200,
  /** Models that one search may name. */
  searchedModels: 100,
  /** Objects that a process has room for to search in; one counts again for every 500 characters of its text after the first 500. */
  searchObjects: 150_000,
  /** How many times larger than on the wire a compressed import source may become, once it passes 1 MB. */
  sourceRatio: 100,
} as const;

/** Limits of properties, apart because the code that a start loads needs none of them. */
export const PROPERTY_LIMITS = {
  /** Properties of one object, and bytes of all of them together as JSON in UTF-8. */
  propertiesPerObject: 100,
  propertiesBytes: 64_000,
  /** Deepest nesting of lists and objects in the value of a property. */
  propertyDepth: 16,
  /** Definitions of properties, all of which an apply may read; bytes of the schema of one, and its levels of `items`. */
  propertyDefinitions: 200,
  propertySchemaBytes: 8_000,
  propertySchemaDepth: 4,
  /** Steps of a pattern with its repetitions written out, and levels of its groups. */
  patternSteps: 1_000,
  patternDepth: 20,
} as const;

/** Waiting times of the sweeper, in milliseconds. */
export const SWEEP = {
  /** A replaced or deleted generation is kept this long, for readers that began before. */
  generationMs: 24 * 3_600_000,
  /** After a sweep the same place is swept once more, for a write that arrived late. */
  secondLookMs: 20 * 60_000,
  /** An unpublished generation counts as abandoned after this time. */
  stagingMs: 15 * 60_000,
} as const;

/** The lifetimes that a setting may give a token, in words. */
export const TOKEN_MINUTES = `a number from ${LIMITS.leastTokenMinutes} to ${LIMITS.mostTokenMinutes}`;

/** Tests whether a setting is a lifetime that a token may have, in minutes. */
export function isTokenMinutes(text: string): boolean {
  const minutes = Number(text);
  return /^\d{1,5}$/.test(text) && minutes >= LIMITS.leastTokenMinutes && minutes <= LIMITS.mostTokenMinutes;
}

/** The seconds for which a setting may have callers kept, in words. */
export const CALLER_SECONDS = `a number from 0 to ${LIMITS.mostCallerSeconds}`;

/** Tests whether a setting is a number of seconds for which callers may be kept. */
export function isCallerSeconds(text: string): boolean {
  return /^\d{1,5}$/.test(text) && Number(text) <= LIMITS.mostCallerSeconds;
}

/** The memory of a process, in megabytes, that the limits of what processes keep are made for. */
export const REFERENCE_MEGABYTES = 512;

/**
 * A limit of what a process keeps, such as `LIMITS.cachedObjects`, for one with so much memory: in proportion to it. The limit
 * itself where the memory is not known.
 */
export function scaleLimit(limit: number, megabytes: number | undefined): number {
  return megabytes === undefined ? limit : Math.floor((limit * megabytes) / REFERENCE_MEGABYTES);
}
