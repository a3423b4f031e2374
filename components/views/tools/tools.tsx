import { NOT_ON_PHONE, textColumn } from "@/components/resource/columns";
import { lazy } from "react";
import { toOptions } from "@/components/ui/forms/options";
import { FindingsNotice } from "@/components/findings/findings-notice";
import { FindingBadge, FINDINGS_HINT } from "@/components/findings/finding-badge";
import { storeDraft } from "@/components/resource/editor/stored-draft";
import { switchActions, switchColumn } from "@/components/resource/list/switch-column";
import type { View } from "@/components/resource/view";
import { Badge } from "@/components/ui/badge";
import { TextLink } from "@/components/ui/text-link";
import { VisibleText } from "@/components/ui/visible-text";
import { changedColumn, descriptionColumn } from "@/components/views/changed-column";
import { DisabledNote } from "@/components/views/disabled-note";
import { GroupFromFilter } from "@/components/views/rules/group-from-filter";
import { withoutMeta } from "@/components/views/row-input";
import { SideEffectsBadge } from "@/components/views/tools/side-effects-badge";
import { ToolAccess } from "@/components/views/tools/tool-access";
import { TOOL_PARTS, ToolFields } from "@/components/views/tools/tool-fields";
import { BLANK_GROUP } from "@/lib/access/model/blank-rows";
import type { Input, Row } from "@/lib/resources";
import { NO_FLOW } from "@/lib/resources/parts/no-flow";
import { NO_TOOL_LIMITS } from "@/lib/resources/parts/no-limits";

// Loaded with their tabs: neither the list nor a tool's first tab needs them.
const ToolTry = lazy(async () => ({ default: (await import("@/components/views/tools/tool-try")).ToolTry }));
const ToolActivity = lazy(async () => ({
  default: (await import("@/components/views/tools/tool-activity")).ToolActivity,
}));
const ToolHistory = lazy(async () => ({ default: (await import("@/components/changes/tool-history")).ToolHistory }));

function toInput({ definitionHash: _definitionHash, ...row }: Row<"tools">): Input<"tools"> {
  return withoutMeta(row);
}

/** Stores the draft of a group that includes these tools. Returns the address of its form. */
function draftGroup(ids: readonly string[]): string {
  return storeDraft("groups", { ...BLANK_GROUP, include: ids.map((tool) => ({ tool, who: null, when: null })) });
}

function Status({ row }: { row: Row<"tools"> }) {
  return (
    <span className="inline-flex gap-1">
      {row.status === "quarantined" && <Badge tone="deny">quarantined</Badge>}
      {row.status === "deprecated" && <Badge tone="warn">deprecated</Badge>}
      {row.requiresApproval && <Badge tone="outline">approval</Badge>}
      {row.hasSideEffects && <SideEffectsBadge />}
    </span>
  );
}

export const tools: View<"tools"> = {
  whenEmpty:
    "Tools come from sources. Import an OpenAPI document or connect an MCP server on the Sources page, or describe an HTTP call or a script here.",
  sort: "id",
  filters: [
    { key: "source", label: "Source", names: "sources" },
    { key: "group", label: "Assigned group", names: "groups" },
    {
      key: "status",
      label: "Status",
      options: toOptions({ active: "Active", deprecated: "Deprecated", quarantined: "Quarantined" }),
    },
    {
      key: "enabled",
      label: "Enabled",
      options: toOptions({ true: "Enabled", false: "Disabled" }),
    },
  ],
  columns: [
    {
      id: "id",
      header: "Tool",
      sorts: true,
      className: "whitespace-nowrap",
      cell: (row) => (
        <span className="font-mono text-xs">
          <span className="font-normal text-muted">{row.source}:</span>
          {row.operation}
        </span>
      ),
    },
    descriptionColumn(),
    textColumn(
      "groups",
      "Assigned groups",
      ({ groups }) => (groups === null ? "default" : groups.length === 0 ? "only if selected" : groups.join(", ")),
      {
        className: `max-w-48 ${NOT_ON_PHONE}`,
        hint: "The groups that the tool itself names. Groups can also select or include it: its page shows all of its groups.",
      },
    ),
    textColumn("tags", "Tags", (row) => <VisibleText text={row.tags.join(", ")} />, {
      className: "max-w-48 max-2xl:hidden",
    }),
    {
      id: "findings",
      header: "Findings",
      hint: FINDINGS_HINT,
      className: "whitespace-nowrap",
      cell: (row) => <FindingBadge about="tool" name={row.id} />,
    },
    { id: "status", header: "Status", sorts: true, cell: (row) => <Status row={row} /> },
    switchColumn("tools", "enabled", { toInput, sorts: true }),
    changedColumn(),
  ],
  chips: [
    { key: "tag", label: "Tag", example: "read" },
    { key: "label", label: "Label", example: "pii" },
    { key: "method", label: "Method", example: "GET" },
    { key: "category", label: "Category", example: "billing" },
    { key: "capability", label: "Capability", example: "files.read" },
  ],
  Actions: GroupFromFilter,
  bulk: [
    {
      label: "Add to groups",
      kind: "add",
      field: "groups",
      asks: "Groups",
      names: "groups",
      empty: "No such group. To create one, close this and select More › New group",
    },
    ...switchActions("enabled", { asksReason: true }).toReversed(),
    { label: "New group", addressFor: draftGroup },
    { label: "Remove from groups", kind: "remove", field: "groups", asks: "Groups", names: "groups" },
    { label: "Add labels", kind: "add", field: "labels", asks: "Labels" },
    { label: "Remove labels", kind: "remove", field: "labels", asks: "Labels" },
    { label: "Require approval", change: { kind: "set", field: "requiresApproval", value: true } },
    { label: "Do not require approval", change: { kind: "set", field: "requiresApproval", value: false } },
    { label: "Guess flow", change: { kind: "guess_flow" } },
  ],
  blank: {
    id: "",
    source: "",
    operation: "",
    name: "",
    displayName: null,
    description: "",
    guidance: null,
    category: null,
    version: null,
    inputSchema: { type: "object", properties: {} },
    outputSchema: null,
    annotations: {},
    path: null,
    method: null,
    tags: [],
    labels: [],
    groups: null,
    state: null,
    availableInStates: null,
    requiredCapabilities: [],
    hasSideEffects: false,
    flow: NO_FLOW,
    flowGuess: null,
    enabled: true,
    disabledReason: null,
    status: "active",
    run: null,
    limits: NO_TOOL_LIMITS,
    requiresApproval: false,
    longRunning: false,
    outputCheck: null,
    requiredScopes: [],
    idempotencyHeader: null,
    upstreamScopes: [],
    mcp: null,
  },
  toInput,
  Badges: ({ row }) => (
    <>
      {row.displayName !== null && (
        <span className="text-sm text-muted">
          <VisibleText text={row.displayName} />
        </span>
      )}
      {!row.enabled && <Badge tone="warn">disabled</Badge>}
      <Status row={row} />
    </>
  ),
  Notice: ({ row }) => (
    <>
      <DisabledNote row={row}>
        Agents do not see this tool. To offer it again, turn on Enabled below and save.
      </DisabledNote>
      {row.status === "quarantined" && (
        <p className="mx-5 mt-3 max-w-4xl rounded-md border border-line bg-panel px-3 py-1.5 text-sm">
          <span className="font-medium">Quarantined:</span> agents cannot see or call this tool until its definition is
          approved. <TextLink href={`/admin/drift?${new URLSearchParams({ q: row.id })}`}>Review the change</TextLink>
        </p>
      )}
      <FindingsNotice about="tool" name={row.id} />
    </>
  ),
  Detail: [
    { value: "try", label: "Try it", Panel: ToolTry, keeps: true },
    { value: "access", label: "Access", Panel: ToolAccess },
    { value: "activity", label: "Activity", Panel: ToolActivity },
    { value: "history", label: "History", Panel: ToolHistory },
  ],
  fillsPage: true,
  Fields: ToolFields,
  parts: TOOL_PARTS,
};
