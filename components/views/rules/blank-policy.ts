import type { Input } from "@/lib/resources";

/** A new policy. */
export const BLANK_POLICY: Input<"policies"> = {
  name: "",
  description: "",
  effect: "allow",
  priority: 0,
  active: true,
  mode: "enforce",
  validFrom: null,
  validUntil: null,
  matchers: [],
  everyone: false,
  arguments: [],
  groups: [],
  maxHours: null,
  approvers: null,
};
