/** Passwords that are too weak to be given. */
export const WEAK: readonly string[] = ["short 1A", "only lower case here", "CORRECTHORSEBATTERY"];
