import { statusInWords } from "@/components/executions/status-badge";
import type { ReactNode } from "react";
import { useLatestCalls } from "@/components/executions/use-latest-calls";
import type { ChangeDraft } from "@/components/preview/draft";
import { Combobox } from "@/components/ui/forms/combobox";
import { Field } from "@/components/ui/forms/field";
import { TextLink } from "@/components/ui/text-link";
import { isRefusedAttempts } from "@/lib/contracts/log/refused-attempts";
import type { ResolvedRequest } from "@/lib/contracts/decisions/preview";

/** How many of the latest calls the field lists. */
const OFFERED = 20;

/** Selects a call of the log: one of the latest, or any call by its id. */
export function LoggedCall({ id, change }: { id: string; change: ChangeDraft }) {
  const latest = useLatestCalls({}, OFFERED);
  const calls = (latest.data?.items ?? []).filter((call) => !isRefusedAttempts(call));
  return (
    <Field
      label="Call"
      hint={
        id === "" ? (
          "Choose a recent call or enter a call id"
        ) : (
          <>
            The preview uses the exact inputs of{" "}
            <TextLink href={`/admin/executions/${encodeURIComponent(id)}`}>this call</TextLink>
          </>
        )
      }
    >
      <Combobox
        mono
        creatable
        value={id === "" ? null : id}
        onChange={(next) => change({ caller: { kind: "execution", id: next ?? "" }, revision: null })}
        options={calls.map(({ callId, agent, subject, toolId, asked, status }) => ({
          value: callId,
          hint: `${toolId ?? asked} · ${agent ?? subject} · ${statusInWords(status)}`,
        }))}
        placeholder="Choose a call…"
        empty={latest.isPending ? "Loading…" : "No calls yet."}
      />
    </Field>
  );
}

/** The request of a logged call, in words. */
export function ResolvedFacts({ request }: { request: ResolvedRequest }) {
  const { group, machine, state, profiles, capabilities, intent, confidence, escalated, labels } = request;
  return (
    <dl className="grid grid-cols-[auto_1fr] gap-x-3 gap-y-1 text-xs">
      <Line label="Groups">{group === null ? "all granted" : listed(group)}</Line>
      <Line label="Machine">{machine ?? "no state machine"}</Line>
      <Line label="State">{state ?? "initial"}</Line>
      <Line label="Profile">{profiles.join(" + ")}</Line>
      <Line label="Capabilities">{listed(capabilities)}</Line>
      <Line label="Intent">
        {intent === null ? "none" : `${intent}, ${confidence ?? 0}${escalated ? ", escalated" : ""}`}
      </Line>
      {labels.length > 0 && <Line label="Labels">{labels.join(", ")}</Line>}
    </dl>
  );
}

function Line({ label, children }: { label: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-faint">{label}</dt>
      <dd className="min-w-0 break-words">{children}</dd>
    </>
  );
}

function listed(names: readonly string[]): string {
  return names.length === 0 ? "none" : names.join(", ");
}
