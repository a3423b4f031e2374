import type { Input } from "@/lib/resources";

/** A group that nothing is in yet. */
export const BLANK_GROUP: Input<"groups"> = {
  name: "",
  description: "",
  guidance: null,
  active: true,
  selectors: [],
  include: [],
  exclude: [],
};

/** A selector that checks nothing yet. */
export const BLANK_SELECTOR: Input<"groups">["selectors"][number] = {
  source: null,
  name: null,
  path: null,
  method: null,
  requiredTags: [],
  excludedTags: [],
  requiredLabels: [],
  readOnly: null,
  hasSideEffects: null,
  destructive: null,
};
