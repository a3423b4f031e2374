import { ArrowRight } from "lucide-react";
import { toOptions } from "@/components/ui/forms/options";
import { findingsColumn } from "@/components/findings/finding-badge";
import { FindingsNotice } from "@/components/findings/findings-notice";
import { Impact } from "@/components/impact/impact";
import type { ImpactChange } from "@/components/impact/use-impact";
import { useMatcherCounts } from "@/components/impact/use-matcher-counts";
import { NAME_COLUMN } from "@/components/resource/columns";
import { bind } from "@/components/resource/editor/bind";
import { same } from "@/components/resource/editor/changes";
import { ChipsField } from "@/components/resource/fields/chips-field";
import { NumberField } from "@/components/resource/fields/number-field";
import { SwitchField } from "@/components/resource/fields/switch-field";
import { TextField } from "@/components/resource/fields/text-field";
import { TimeField } from "@/components/resource/fields/time-field";
import { switchActions, switchColumn } from "@/components/resource/list/switch-column";
import { ObservedNote } from "@/components/views/observed-note";
import { PolicyUseNote } from "@/components/rightsizing/use-note";
import { Section } from "@/components/resource/section";
import { useNamesWithStaged, withDefaultGroup } from "@/components/resource/use-names";
import type { FieldsProps, View } from "@/components/resource/view";
import { Badge } from "@/components/ui/badge";
import { Field } from "@/components/ui/forms/field";
import { Segmented } from "@/components/ui/forms/segmented";
import { changedColumn } from "@/components/views/changed-column";
import { OffNote } from "@/components/views/disabled-note";
import { BLANK_POLICY } from "@/lib/access/model/blank-rows";
import { ModeField, MODE_OPTIONS, ObservedBadge } from "@/components/views/mode-field";
import { EffectBadge } from "@/components/views/rules/effect-badge";
import { EFFECTS, EffectFields } from "@/components/views/rules/effect-fields";
import { useClaimPaths } from "@/components/views/rules/claim-paths";
import { matcherInWords, Matchers } from "@/components/views/rules/matchers";
import { EffectAndPeriod, PolicyPeriod } from "@/components/views/rules/policy-period";
import { PolicySentence } from "@/components/views/rules/policy-sentence";
import { NameField } from "@/components/views/name-field";
import { withoutMeta } from "@/components/views/row-input";
import { ALL } from "@/lib/access/model/configuration";
import type { MatcherCounts } from "@/lib/contracts/decisions/impact";
import type { Input, Row } from "@/lib/resources";

/** What a policy does with its tools, in a word. */
const DOES = { allow: "grants", deny: "denies", request: "offers" } as const;

function Summary({ policy }: { policy: Row<"policies"> }) {
  const conditions = policy.everyone ? ["everyone"] : policy.matchers.map(matcherInWords);
  return (
    <span className="flex min-w-0 items-center gap-1.5 text-muted">
      <span className="max-w-96 truncate">{conditions.join(" and ")}</span>
      <ArrowRight aria-label={DOES[policy.effect]} className="size-3 shrink-0 text-faint" />
      <span className="truncate text-ink">
        {policy.groups.map((group) => (group === "*" ? "every group" : group)).join(", ")}
      </span>
    </span>
  );
}

/** The change to measure: none before the first edit. A new policy may still lack a name. */
function changeOf(value: Input<"policies">, row: Row<"policies"> | null): ImpactChange | null {
  if (row === null)
    return { resource: "policies", id: null, input: value.name === "" ? { ...value, name: UNNAMED } : value };
  return same(value, withoutMeta(row)) ? null : { resource: "policies", id: row.name, input: value };
}

/** A placeholder name for a draft without one. */
const UNNAMED = "unnamed-draft";

/** The sentence stands beside the form: it grows while a person writes, and must not move the field that they write in. */
function Aside({ draft, row }: FieldsProps<"policies">) {
  const counts = useMatcherCounts(draft.value.effect, draft.value.matchers);
  return (
    <>
      <PolicySentence policy={draft.value} counts={counts} />
      {!draft.readOnly && (
        <Impact
          className="max-h-[65dvh] shrink-0"
          change={changeOf(draft.value, row)}
          unchanged="Edit the policy to see which callers gain or lose tools and which recent calls would be refused."
        />
      )}
    </>
  );
}

function Fields({ draft }: FieldsProps<"policies">) {
  const { effect, matchers } = draft.value;
  const counts = useMatcherCounts(effect, matchers);
  return (
    <>
      <Basics draft={draft} />
      <Callers draft={draft} counts={counts} />
      <Section title="Which tools">
        <GroupsField draft={draft} />
      </Section>
      <Section
        title="Argument conditions"
        description="Checked when a tool is called. They do not hide tools from the list."
      >
        <Matchers
          bound={bind(draft, "arguments")}
          what="Argument"
          paths={[]}
          pathPlaceholder="such as amount, or order.amount"
          addLabel="Add argument condition"
        />
      </Section>
      <Section title="When" description="One period. Weekdays and hours of the day cannot be set.">
        <div className="grid gap-3 sm:grid-cols-2">
          <TimeField {...bind(draft, "validFrom")} label="Valid from" />
          <TimeField {...bind(draft, "validUntil")} label="Valid until" hint="The policy stops applying at this time" />
        </div>
      </Section>
      <Section title="Explanations" description="Which of several policies an explanation names first.">
        <NumberField
          {...bind(draft, "priority")}
          label="Priority"
          hint="Higher ones come first. It never changes a decision"
          className="[&_input]:max-w-64"
        />
      </Section>
    </>
  );
}

interface PartProps extends Pick<FieldsProps<"policies">, "draft"> {
  counts: MatcherCounts | undefined;
}

function Basics({ draft }: Pick<PartProps, "draft">) {
  return (
    <Section title="Policy" description="Grants, denies or offers the tools of groups to callers that match.">
      <NameField draft={draft} />
      <TextField
        {...bind(draft, "description")}
        label="Description"
        hint="Agents read it when this policy refuses their arguments or offers them access"
        multiline
      />
      <EffectFields draft={draft} />
      <ModeField draft={draft} />
      <SwitchField {...bind(draft, "active")} label="Active" />
    </Section>
  );
}

function Callers({ draft, counts }: PartProps) {
  const paths = useClaimPaths();
  const { everyone, effect } = draft.value;
  const uncertain = effect === "deny" ? " A condition that cannot be evaluated counts as met." : "";
  return (
    <Section
      title="Who"
      description={`Claims say who a caller is. They are those of its token, or the attributes of its agent if it uses an API key. All conditions must hold.${uncertain}`}
    >
      <Field label="Callers" path="everyone" error={draft.error("everyone")} group>
        <Segmented
          label="Callers"
          value={everyone ? "everyone" : "matching"}
          onChange={(who) => {
            draft.set("everyone", who === "everyone");
            if (who === "everyone") draft.set("matchers", []);
          }}
          disabled={draft.readOnly}
          options={toOptions({ matching: "With matching claims", everyone: "Everyone" })}
        />
      </Field>
      {!everyone && (
        <Matchers
          bound={bind(draft, "matchers")}
          what="Claim"
          paths={paths}
          pathPlaceholder="such as team"
          addLabel="Add condition"
          counts={counts}
          holdsWithoutClaim={effect === "deny"}
        />
      )}
    </Section>
  );
}

function GroupsField({ draft }: Pick<FieldsProps<"policies">, "draft">) {
  const { options: groups, ...search } = useNamesWithStaged("groups").picker;
  return (
    <ChipsField
      {...bind(draft, "groups")}
      {...search}
      label="Groups"
      hint={draft.value.groups.includes(ALL) ? "“Every group” includes tools that are in no group" : undefined}
      options={[{ value: ALL, label: "Every group (*)" }, ...withDefaultGroup(groups)]}
      strict
    />
  );
}

/** Access policies: claims → groups. */
export const policies: View<"policies"> = {
  sort: "-priority",
  filters: [
    {
      key: "effect",
      label: "Effect",
      options: EFFECTS,
    },
    { key: "mode", label: "Mode", options: MODE_OPTIONS },
    { key: "group", label: "Group", names: "groups" },
  ],
  columns: [
    {
      ...NAME_COLUMN,
      cell: (row) => (
        <span className="inline-flex items-center gap-2">
          {row.name}
          <ObservedBadge mode={row.mode} />
        </span>
      ),
    },
    {
      id: "effect",
      header: "Effect",
      fields: ["effect", "validFrom", "validUntil"],
      sorts: true,
      className: "whitespace-nowrap",
      cell: (row) => <EffectAndPeriod policy={row} />,
    },
    {
      id: "rule",
      header: "Rule",
      fields: ["everyone", "matchers", "groups"],
      cell: (row) => <Summary policy={row} />,
      className: "w-full max-w-0 min-w-56",
    },
    findingsColumn("policy"),
    {
      id: "priority",
      header: "Priority",
      sorts: true,
      cell: (row) => <span className="tabular-nums">{row.priority}</span>,
      className: "text-right",
    },
    switchColumn("policies", "active", { toInput: withoutMeta }),
    changedColumn(),
  ],
  bulk: switchActions("active"),
  blank: BLANK_POLICY,
  toInput: withoutMeta,
  showsImpact: true,
  wording: { matchers: matcherInWords, arguments: matcherInWords },
  Badges: ({ row }) => (
    <>
      <EffectBadge effect={row.effect} />
      <ObservedBadge mode={row.mode} />
      <PolicyPeriod policy={row} />
      {!row.active && <Badge tone="warn">inactive</Badge>}
    </>
  ),
  Notice: ({ row }) => (
    <>
      {!row.active && (
        <OffNote word="Inactive">
          This policy {DOES[row.effect]} nothing. To apply it, turn on Active below and save.
        </OffNote>
      )}
      {row.mode === "observe" && <ObservedNote kind="policy" rule={row.name} />}
      {row.effect === "allow" && <PolicyUseNote policy={row.name} />}
      <FindingsNotice about="policy" name={row.name} />
    </>
  ),
  Fields,
  Aside,
};
