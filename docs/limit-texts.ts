import type { LIMITS, SWEEP } from "../shared/domain/limits.ts";

/** One sentence per limit, for `docs/limits.md`; a limit without one does not compile. */
export const LIMIT_TEXTS: { readonly [L in keyof typeof LIMITS]: string } = {
  bodyBytes: "Longest request body, after base64 decoding; Lambda itself refuses 6 MB.",
  jsonDepth: "Deepest nesting of lists and objects in a request body or an import source.",
  queryBytes: "Longest query string; API Gateway refuses a request line and headers of 10,240 bytes together.",
  tokenBytes: "Longest access token.",
  responseBytes: "Largest response body as it is sent; Lambda refuses more than 6 MB.",
  inflatedResponseBytes: "Largest response body before compression, where the caller accepts it compressed.",
  compressAboveBytes: "Smallest response body that is compressed.",
  keyCharacters: "Longest key.",
  nameCharacters: "Longest name.",
  descriptionBytes: "Longest description, in UTF-8.",
  urlCharacters: "Longest URL of a link or an import source.",
  versionCharacters: "Longest version label.",
  primaryKeyAttributes: "Most attributes in one primary key.",
  objectsPerCall: "Most objects (model, types, entities, attributes) one call may write as a whole.",
  objectBytes: "Largest stored object; DynamoDB refuses items over 400 kB.",
  transactionItems: "Most items of one DynamoDB transaction.",
  transactionBytes: "Largest DynamoDB transaction; DynamoDB refuses 4 MB.",
  blobChunkBytes: "Largest piece in which a long record is stored.",
  pageRows: "Most rows a page of a list may ask for.",
  idempotencyKeyCharacters: "Longest idempotency key.",
  idempotencyHours: "How long an idempotency key is remembered.",
  contentionMs: "How long a write keeps trying against concurrent writers before it answers `contention`.",
  callMs: "How long one call may take in all; API Gateway cuts off at 30 s.",
  usernameCharacters: "Longest username.",
  passwordCharacters: "Shortest password.",
  passwordBytes: "Longest password, in UTF-8.",
  fullnameCharacters: "Longest full name.",
  bootstrapSecretCharacters: "Shortest bootstrap secret.",
  tokenSeconds: "Lifetime of a token made by `auth/login`.",
  tokenSkewSeconds: "How far ahead of the service's clock a token may say it was issued.",
  subjectCharacters: "Longest subject (`sub`) of a token.",
  sourceBytes: "Largest fetched import source, on the wire and decompressed.",
  sourceRedirects: "Most redirects followed for one import source.",
  sourceConnectMs: "How long connecting to an import source may take.",
  sourceTotalMs: "How long fetching an import source may take in all.",
  sourceFiles: "Most schema files one data package may name.",
  importProblems: "Most problems an import lists.",
};

/** The same for the waiting times of the sweeper. */
export const SWEEP_TEXTS: { readonly [S in keyof typeof SWEEP]: string } = {
  generationMs: "How long a replaced or deleted generation is kept, for readers that began before.",
  secondLookMs: "How long after a sweep the same place is swept once more, for a write that arrived late.",
  stagingMs: "After what time an unpublished generation counts as abandoned.",
};
