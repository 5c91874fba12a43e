import { administration } from "./fr/administration.ts";
import { changes } from "./fr/changes.ts";
import { compare } from "./fr/compare.ts";
import { constraints } from "./fr/constraints.ts";
import { deleting } from "./fr/delete.ts";
import { diagram } from "./fr/diagram.ts";
import { frame } from "./fr/frame.ts";
import { grid } from "./fr/grid.ts";
import { history } from "./fr/history.ts";
import { jobs } from "./fr/jobs.ts";
import { model } from "./fr/model.ts";
import { models } from "./fr/models.ts";
import { ref } from "./fr/ref.ts";
import { runner } from "./fr/runner.ts";
import { search } from "./fr/search.ts";
import { signIn } from "./fr/sign-in.ts";
import { structure } from "./fr/structure.ts";
import { tag } from "./fr/tag.ts";
import { tags } from "./fr/tags.ts";

/** The French words of every screen and part, by the name of their space: one file, loaded where French is read. */
export const french = {
  administration,
  changes,
  compare,
  constraints,
  delete: deleting,
  diagram,
  frame,
  grid,
  history,
  jobs,
  model,
  models,
  ref,
  runner,
  search,
  "sign-in": signIn,
  structure,
  tag,
  tags,
} as const;
