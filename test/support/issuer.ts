/** The issuer of the tokens of the tests' services: their own URL. */
export const ISSUER = "https://metaction.example/";
