import type { ToolGroups } from "@/lib/contracts/decisions/tool-groups";

/** Why a tool is a member of a group, in words. */
export const MEMBERSHIP_WORDS: Readonly<Record<ToolGroups["items"][number]["how"][number], string>> = {
  selectors: "matches a selector",
  included: "included by the group",
  declared: "assigned to the tool",
  default: "the tool is assigned to no group",
  ungrouped: "the tool is in no group",
  granted: "granted for a time",
};
