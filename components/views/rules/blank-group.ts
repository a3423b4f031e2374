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
