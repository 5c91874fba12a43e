import { Problem } from "../../domain/problems.ts";

/** The value of a look-up; undefined where it ends in `not_found`. */
export async function ifFound<T>(looking: Promise<T>): Promise<T | undefined> {
  try {
    return await looking;
  } catch (error) {
    if (error instanceof Problem && error.code === "not_found") return undefined;
    throw error;
  }
}
