/** English words of signing in and of the first run. */
export const signIn = {
  title: "Sign in to Metaction",
  callback: "Signing in",
  refused: "The provider did not sign you in",
  firstHint: "This instance is new and has no administrator.",
  firstLink: "Make one",
  firstTitle: "Make the first administrator",
  firstText: "This instance is new. The account you make here may do everything; it can give rights to others.",
  firstNoSecret: "The service printed it when it started, and has it in its settings",
  secret: "Bootstrap secret",
  fullname: "Full name",
  fullnameText: "Shown to others beside what you change",
  usernameText: "The name to sign in with",
  passwordText: "At least 14 characters of three sorts: lower case, upper case, digits, others",
  create: "Make administrator",
} as const;
