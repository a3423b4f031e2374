import {
  DEFAULT_GROUP,
  UNGROUPED,
  type Configuration,
  type Group,
  type Selector,
  type Tool,
} from "@/lib/access/model/configuration";
import type { MembershipVia } from "@/lib/access/decide/resolution";
import { selectorPatternMatches } from "@/test/access/oracle/patterns";

/** Whether a tool matches a selector: every stated part holds. */
export function selectorMatches(selector: Selector, tool: Tool): boolean {
  const fits = (pattern: string | null, fact: string | null) =>
    pattern === null || pattern === "" || selectorPatternMatches(pattern, fact) === true;
  return (
    fits(selector.source, tool.source) &&
    fits(selector.name, tool.operation) &&
    fits(selector.path, tool.path) &&
    fits(selector.method, tool.method) &&
    selector.requiredTags.every((tag) => tool.tags.includes(tag)) &&
    !selector.excludedTags.some((tag) => tool.tags.includes(tag)) &&
    selector.requiredLabels.every((label) => tool.labels.includes(label)) &&
    (selector.readOnly === null || (tool.annotations.readOnlyHint === true) === selector.readOnly) &&
    (selector.hasSideEffects === null || tool.hasSideEffects === selector.hasSideEffects) &&
    (selector.destructive === null ||
      (tool.annotations.destructiveHint ?? tool.hasSideEffects) === selector.destructive)
  );
}

/** Whether one of a selector's patterns does not compile. */
export function isBrokenSelector({ source, name, path, method }: Selector): boolean {
  return [source, name, path, method].some(
    (pattern) => pattern !== null && selectorPatternMatches(pattern, null) === "broken",
  );
}

/** Whether a pattern of the group does not compile: such a group is empty. */
export function isBrokenGroup(group: Group): boolean {
  return group.selectors.some(isBrokenSelector);
}

/** How a tool enters a group, ignoring exclusions; empty = it does not. */
export function howTaken(configuration: Configuration, groupName: string, tool: Tool): readonly MembershipVia[] {
  if (groupName === UNGROUPED) return isUngrouped(configuration, tool) ? ["ungrouped"] : [];
  if (groupName.startsWith("(access ")) return groupName === `(access ${tool.id})` ? ["granted"] : [];
  const declared = tool.groups?.includes(groupName) === true;
  if (groupName === DEFAULT_GROUP) return tool.groups === null ? ["default"] : declared ? ["declared"] : [];
  const group = configuration.groups.find(({ name }) => name === groupName);
  if (group === undefined || isBrokenGroup(group)) return [];
  const how: MembershipVia[] = [];
  if (group.selectors.length > 0 && group.selectors.every((selector) => selectorMatches(selector, tool)))
    how.push("selectors");
  if (group.include.some((inclusion) => inclusion.tool === tool.id)) how.push("included");
  if (declared) how.push("declared");
  return how;
}

/** Whether the group excludes the tool. */
export function isExcluded(configuration: Configuration, groupName: string, tool: Tool): boolean {
  const group = configuration.groups.find(({ name }) => name === groupName);
  return group?.exclude.some((exclusion) => exclusion.tool === tool.id) === true;
}

/** Whether the tool is in the group. */
export function isMember(configuration: Configuration, groupName: string, tool: Tool): boolean {
  return howTaken(configuration, groupName, tool).length > 0 && !isExcluded(configuration, groupName, tool);
}

/** In no group, active or not; false for every tool while a group cannot be read. */
function isUngrouped(configuration: Configuration, tool: Tool): boolean {
  if (configuration.groups.some(isBrokenGroup)) return false;
  return [DEFAULT_GROUP, ...configuration.groups.map(({ name }) => name)].every(
    (name) => !isMember(configuration, name, tool),
  );
}

/** Whether the group is active; `default` and `(ungrouped)` always are. */
export function isActive(configuration: Configuration, groupName: string): boolean {
  return configuration.groups.find(({ name }) => name === groupName)?.active ?? true;
}
