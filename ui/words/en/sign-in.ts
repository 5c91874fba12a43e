/** English words of signing in and of the first run. */
export const signIn = {
  title: "Sign in to Metaction",
  keep: "Stay signed in until this tab is closed",
  or: "or",
  with: "Sign in with {{provider}}",
  callback: "Signing in",
  back: "Back to sign in",
  refused: "The provider did not sign you in",
  firstTitle: "Make the first administrator",
  firstText: "This instance is new. The account you make here may do everything; it can give rights to others.",
  firstUsed: "This instance has its administrator already.",
  firstNoSecret: "The link has no secret in it. Use the link that the service printed when it started.",
  fullname: "Full name",
  fullnameText: "Shown to others beside what you change",
  usernameText: "The name to sign in with",
  passwordText: "At least 14 characters of three sorts: lower case, upper case, digits, others",
  create: "Make administrator",
} as const;
