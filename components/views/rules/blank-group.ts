import type { Input } from "@/lib/resources";

/** A new group without members. */
export const BLANK_GROUP: Input<"groups"> = {
  name: "",
  description: "",
  guidance: null,
  active: true,
  selectors: [],
  include: [],
  exclude: [],
};

/** A new selector without criteria. */
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
