import { KeyRound } from "lucide-react";
import { lazy } from "react";
import { AgentBadge, AgentNote, EnabledCell } from "@/components/agents/agent-status";
import { ConnectLink } from "@/components/agents/connect-link";
import { StopAgent } from "@/components/agents/stop-agent";
import { WHEN_DISABLED } from "@/components/agents/when-disabled";
import { FindingsNotice } from "@/components/findings/findings-notice";
import { NAME_COLUMN, NOT_ON_PHONE, textColumn } from "@/components/resource/columns";
import { bind } from "@/components/resource/editor/bind";
import { ChipsField } from "@/components/resource/fields/chips-field";
import { ReferenceField } from "@/components/resource/fields/choice-field";
import { JsonField } from "@/components/resource/fields/json-field";
import { SwitchField } from "@/components/resource/fields/switch-field";
import { OptionalTextField } from "@/components/resource/fields/text-field";
import { switchActions, switchColumn } from "@/components/resource/list/switch-column";
import { Section } from "@/components/resource/section";
import { useNamesWithStaged, useTypedNames } from "@/components/resource/use-names";
import type { FieldsProps, View } from "@/components/resource/view";
import { useCan } from "@/components/resource/who";
import { LinkButton } from "@/components/ui/link-button";
import { changedColumn, descriptionColumn } from "@/components/views/changed-column";
import { TOOLS_COLUMN } from "@/components/views/identity/agent-size";
import { AttributeSuggestions } from "@/components/views/identity/attribute-suggestions";
import { EnabledFields } from "@/components/views/enabled-fields";
import { STATE_FROM_AGENT, STATE_FROM_SESSION } from "@/components/machines/state-words";
import { LimitsFields } from "@/components/views/tools/limits";
import { NameAndDescription } from "@/components/views/name-field";
import { withoutMeta } from "@/components/views/row-input";
import { BLANK_AGENT } from "@/lib/access/model/blank-rows";
import { UNLIMITED } from "@/lib/resources/parts/no-limits";

const AgentHome = lazy(async () => ({ default: (await import("@/components/agents/agent-home")).AgentHome }));

function Fields({ draft }: FieldsProps<"agents">) {
  const users = useTypedNames("users").picker;
  return (
    <>
      <Section title="Agent" description="A registered program that calls tools.">
        <NameAndDescription draft={draft} />
        <EnabledFields
          enabled={bind(draft, "enabled")}
          reason={bind(draft, "disabledReason")}
          hint="Quartermaster refuses every request of a disabled agent"
          reasonHint="The agent gets this text when it connects"
        />
      </Section>
      <Identity draft={draft} />
      <Section
        title="Owners"
        description="Owners sign in from MCP clients, such as Claude or an editor, and connect them as this agent. Admins can connect clients as any agent."
      >
        <ChipsField
          {...bind(draft, "owners")}
          {...users}
          label="People"
          hint="Names of users, after their first sign-in"
          mono
        />
        <ChipsField {...bind(draft, "ownerGroups")} label="Groups" hint="Groups of the OpenID provider" mono />
      </Section>
      <Visibility draft={draft} />
      <Section title="Call limits">
        <LimitsFields bound={bind(draft, "limits")} of="All calls of this agent" />
      </Section>
      <Section
        title="Callbacks"
        description="When a call with a callback_url ends, Quartermaster posts the result to that address."
      >
        <ChipsField
          {...bind(draft, "callbackOrigins")}
          label="Allowed origins"
          hint="Scheme, host and port. Without an origin, callbacks are refused"
          placeholder="https://agent.example.com"
          mono
        />
      </Section>
    </>
  );
}

function Identity({ draft }: Pick<FieldsProps<"agents">, "draft">) {
  const issuers = useNamesWithStaged("issuers").picker;
  return (
    <Section
      title="Identity"
      description="With an API key, policies read the attributes as claims. With tokens of an issuer, they read the claims of the token, and the attributes as qm.agent."
    >
      <JsonField {...bind(draft, "attributes")} label="Attributes" hint='For example: `{ "team": "support" }`' />
      <AttributeSuggestions attributes={bind(draft, "attributes")} />
      <div className="grid grid-cols-2 gap-3">
        <ReferenceField {...bind(draft, "issuer")} label="Issuer" {...issuers} placeholder="Not bound to tokens" />
        <OptionalTextField {...bind(draft, "subject")} label="Subject" hint="The sub claim of its tokens" mono />
      </div>
    </Section>
  );
}

function Visibility({ draft }: Pick<FieldsProps<"agents">, "draft">) {
  const personas = useNamesWithStaged("personas").picker;
  const profiles = useTypedNames("profiles").picker;
  const machines = useNamesWithStaged("machines").picker;
  return (
    <Section
      title="Limits on visible tools"
      description="Optional. A persona gives capabilities, a profile restricts the kinds of tools, and a state machine allows tools step by step."
    >
      <div className="grid grid-cols-2 gap-3">
        <ReferenceField {...bind(draft, "persona")} label="Persona" {...personas} placeholder="None" />
        <ReferenceField {...bind(draft, "profile")} label="Profile" {...profiles} placeholder="main" />
        <ReferenceField {...bind(draft, "machine")} label="State machine" {...machines} placeholder="None" />
      </div>
      <SwitchField
        {...bind(draft, "stateHeldByServer")}
        label="The server keeps the state"
        hint={draft.value.stateHeldByServer ? STATE_FROM_SESSION : STATE_FROM_AGENT}
      />
    </Section>
  );
}

/** A link to the API keys, for people who may read them. */
function KeysLink() {
  if (!useCan("keys:read")) return null;
  return (
    <LinkButton href="/admin/api-keys">
      <KeyRound aria-hidden /> API keys
    </LinkButton>
  );
}

const ENABLED = switchColumn("agents", "enabled", {
  toInput: withoutMeta,
  whenDisabled: `${WHEN_DISABLED} To let it sign in but refuse its calls, pause it: Stop… on its page.`,
});

export const agents: View<"agents"> = {
  sort: "name",
  columns: [
    NAME_COLUMN,
    descriptionColumn(),
    TOOLS_COLUMN,
    textColumn("persona", "Persona", (row) => row.persona ?? "none", {
      hint: "A persona gives the agent its capabilities: tools that need others are hidden.",
      className: `whitespace-nowrap ${NOT_ON_PHONE}`,
    }),
    textColumn("profile", "Profile", (row) => row.profile ?? "main", {
      hint: "A profile is a fixed ceiling for one role, such as a scheduled run: it hides the tools that the role must never have.",
      className: `whitespace-nowrap ${NOT_ON_PHONE}`,
    }),
    textColumn("machine", "State machine", (row) => row.machine ?? "none", {
      hint: "A state machine allows tools step by step: successful calls move the run from state to state.",
      className: `whitespace-nowrap ${NOT_ON_PHONE}`,
    }),
    {
      ...ENABLED,
      cell: (row, canWrite) => <EnabledCell row={row}>{ENABLED.cell(row, canWrite)}</EnabledCell>,
    },
    changedColumn(),
  ],
  bulk: switchActions("enabled", { asksReason: true }),
  blank: {
    ...BLANK_AGENT,
    description: "",
    disabledReason: null,
    limits: UNLIMITED,
    callbackOrigins: [],
    owners: [],
    ownerGroups: [],
  },
  toInput: withoutMeta,
  Notice: ({ row }) => (
    <>
      <AgentNote row={row} />
      <FindingsNotice about="agent" name={row.name} />
    </>
  ),
  Badges: AgentBadge,
  Home: AgentHome,
  RowActions: ({ row }) => (
    <>
      <ConnectLink agent={row.name} />
      <StopAgent row={row} />
    </>
  ),
  Actions: KeysLink,
  Fields,
};
