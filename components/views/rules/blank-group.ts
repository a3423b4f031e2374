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
