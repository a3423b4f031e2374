import { NAME_COLUMN, textColumn } from "@/components/resource/columns";
import { X } from "lucide-react";
import { ErrorText } from "@/components/ui/forms/field";
import { toOptions } from "@/components/ui/forms/options";
import { findingsColumn } from "@/components/findings/finding-badge";
import { FindingsNotice } from "@/components/findings/findings-notice";
import { bind, item, within, type Bound } from "@/components/resource/editor/bind";
import { SwitchField } from "@/components/resource/fields/switch-field";
import { OptionalTextField, TextField } from "@/components/resource/fields/text-field";
import { switchActions, switchColumn } from "@/components/resource/list/switch-column";
import { Section } from "@/components/resource/section";
import { useMe } from "@/components/resource/use-me";
import type { FieldsProps, View } from "@/components/resource/view";
import { Badge } from "@/components/ui/badge";
import { IconButton } from "@/components/ui/button";
import { Time } from "@/components/ui/time";
import { BuiltInGroups } from "@/components/views/rules/built-in-groups";
import { BLANK_GROUP } from "@/lib/access/model/blank-rows";
import { changedColumn, descriptionColumn } from "@/components/views/changed-column";
import { OffNote } from "@/components/views/disabled-note";
import { GroupGrants } from "@/components/views/rules/group-grants";
import { GroupMatches } from "@/components/views/rules/group-matches";
import { GroupSize, useGroupSize } from "@/components/views/group-size";
import { NameAndDescription } from "@/components/views/name-field";
import { withoutMeta } from "@/components/views/row-input";
import { membersInWords, selectorInWords } from "@/components/views/rules/selector-words";
import { Selectors } from "@/components/views/rules/selectors";
import { ToolPicker } from "@/components/views/tools/tool-picker";
import type { Input } from "@/lib/resources";

type Group = Input<"groups">;

/** Includes or excludes a tool by hand, and records who did. */
function useByHand(draft: FieldsProps<"groups">["draft"]) {
  const { include, exclude } = draft.value;
  const who = useMe()?.name ?? null;
  return {
    include: (tool: string) => {
      if (!include.some((one) => one.tool === tool))
        draft.set("include", [...include, { tool, who, when: new Date().toISOString() }]);
    },
    exclude: (tool: string) => {
      if (!exclude.some((one) => one.tool === tool))
        draft.set("exclude", [...exclude, { tool, who, when: new Date().toISOString(), reason: "" }]);
    },
  };
}

function Fields({ draft }: FieldsProps<"groups">) {
  const { include, exclude } = useByHand(draft);
  return (
    <>
      <Section title="Group">
        <NameAndDescription draft={draft} />
        <OptionalTextField
          {...bind(draft, "guidance")}
          label="Guidance for models"
          hint="When to use these tools and when not. Agents get this text with each tool description"
          multiline
        />
        <SwitchField {...bind(draft, "active")} label="Active" hint="Inactive groups grant no tools" />
      </Section>
      <Section
        title="Selectors"
        description="Tools that match every selector join the group. In text fields, * matches any characters, ? matches one character, and regex: starts a regular expression."
      >
        <Selectors bound={bind(draft, "selectors")} />
      </Section>
      <Section title="Included tools" description="Included tools are members, whether a selector matches them or not.">
        <ByHand bound={bind(draft, "include")} label="Include a tool" onPick={include} />
      </Section>
      <Section
        title="Excluded tools"
        description="Excluded tools are never members, even if a selector matches them or the tool itself names this group."
      >
        <Excluded bound={bind(draft, "exclude")} onPick={exclude} />
      </Section>
    </>
  );
}

function Aside({ draft, row }: FieldsProps<"groups">) {
  const { include, exclude } = useByHand(draft);
  return (
    <GroupMatches
      group={draft.value}
      saved={row === null ? null : withoutMeta(row)}
      onInclude={include}
      onExclude={exclude}
      readOnly={draft.readOnly}
    />
  );
}

function ByHand({
  bound,
  label,
  onPick,
}: {
  bound: Bound<Group["include"]>;
  label: string;
  onPick: (tool: string) => void;
}) {
  return (
    <div className="flex flex-col gap-2" data-field={bound.path}>
      {bound.value.map((one, index) => (
        <HandRow
          key={one.tool}
          one={one}
          verb="Included"
          error={bound.of.errorBelow(`${bound.path}[${index}]`)}
          onRemove={bound.readOnly ? null : item(bound, index, one).remove}
        />
      ))}
      {!bound.readOnly && <ToolPicker label={label} onPick={onPick} disabled={false} />}
    </div>
  );
}

function Excluded({ bound, onPick }: { bound: Bound<Group["exclude"]>; onPick: (tool: string) => void }) {
  return (
    <div className="flex flex-col gap-2" data-field={bound.path}>
      {bound.value.map((one, index) => {
        const at = item(bound, index, one);
        return (
          <div key={one.tool} className="grid grid-cols-2 items-start gap-2">
            <HandRow
              one={one}
              verb="Excluded"
              error={at.of.error(`${at.path}.tool`)}
              onRemove={bound.readOnly ? null : at.remove}
            />
            <TextField
              {...within(at, "reason")}
              label={`Reason for ${one.tool}`}
              hideLabel
              placeholder="Why is it excluded?"
            />
          </div>
        );
      })}
      {!bound.readOnly && <ToolPicker label="Exclude a tool" onPick={onPick} disabled={false} />}
    </div>
  );
}

function HandRow({
  one: { tool, who, when },
  verb,
  error,
  onRemove,
}: {
  one: Group["include"][number];
  verb: string;
  error: string | undefined;
  onRemove: (() => void) | null;
}) {
  return (
    <div className="min-w-0">
      <div className="flex h-8 items-center gap-2 rounded-md border border-line bg-panel pr-1 pl-2">
        <span className="min-w-0 flex-1 truncate font-mono text-xs">{tool}</span>
        {(who !== null || when !== null) && (
          <span className="max-w-2/5 truncate text-xs text-faint">
            {who} {when !== null && <Time at={when} />}
          </span>
        )}
        {onRemove !== null && (
          <IconButton icon={X} label={`${verb} ${tool}: remove`} onClick={onRemove} className="size-6" />
        )}
      </div>
      <ErrorText text={error} />
    </div>
  );
}

export const groups: View<"groups"> = {
  sort: "name",
  filters: [
    {
      key: "active",
      label: "Active",
      options: toOptions({ true: "Active", false: "Inactive" }),
    },
  ],
  columns: [
    NAME_COLUMN,
    descriptionColumn(),
    {
      id: "tools",
      header: "Tools",
      cell: (row) => <GroupSize name={row.name} />,
      className: "text-right",
    },
    textColumn("selectors", "Members", (row) => <Members group={row} />, { className: "max-w-80" }),
    findingsColumn("group"),
    switchColumn("groups", "active", { toInput: withoutMeta, sorts: true }),
    changedColumn(),
  ],
  bulk: switchActions("active"),
  Above: BuiltInGroups,
  blank: BLANK_GROUP,
  toInput: withoutMeta,
  wording: { selectors: selectorInWords },
  Badges: ({ row }) => <>{!row.active && <Badge tone="warn">inactive</Badge>}</>,
  Notice: ({ row }) => (
    <>
      {row.active ? (
        <GroupGrants group={row.name} />
      ) : (
        <OffNote word="Inactive">
          This group grants no tools, whichever policy names it. To use it, turn on Active below and save.
        </OffNote>
      )}
      <FindingsNotice about="group" name={row.name} />
    </>
  ),
  Fields,
  Aside,
};

/** Where the tools of a group come from. */
function Members({ group }: { group: Group }) {
  const words = membersInWords(group, useGroupSize(group.name)?.assigned);
  return <span className="line-clamp-2 min-w-72 whitespace-normal">{words}</span>;
}
