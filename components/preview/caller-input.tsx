"use client";

import { ClaimsInput } from "@/components/preview/claims-input";
import type { CallerChoice, PreviewDraft } from "@/components/preview/draft";
import { useCatalogue } from "@/components/preview/use-catalogue";
import { Combobox } from "@/components/ui/combobox";
import { Field } from "@/components/ui/field";
import { Json } from "@/components/ui/json";
import { Select } from "@/components/ui/select";
import { TextLink } from "@/components/ui/text-link";

type Kind = CallerChoice["kind"];

const KINDS = [
  { value: "claims", label: "Free claims" },
  { value: "persona", label: "A persona" },
  { value: "agent", label: "A registered agent" },
] as const satisfies readonly { value: Kind; label: string }[];

interface CallerInputProps {
  draft: PreviewDraft;
  change: (part: Partial<PreviewDraft>, how?: "choose" | "type") => void;
  /** The claims that the last answer was made on. */
  resolved: Record<string, unknown> | undefined;
}

/** Whose tools: free claims, a persona's, a registered agent's, or the inputs of a logged call. */
export function CallerInput({ draft, change, resolved }: CallerInputProps) {
  const { caller } = draft;
  const kinds =
    caller.kind === "execution" ? [...KINDS, { value: "execution" as const, label: "A logged call" }] : KINDS;
  const choose = (kind: Kind) => {
    if (kind === "claims") {
      // What the persona or agent carried is the starting point for trying a variation.
      const carried =
        resolved === undefined || caller.kind === "claims" ? {} : { claimsText: JSON.stringify(resolved, null, 2) };
      return change({ caller: { kind }, ...carried });
    }
    if (kind !== "execution") change({ caller: { kind, name: "" } });
  };
  return (
    <>
      <Field label="Caller">
        <Select<Kind> value={caller.kind} onChange={choose} options={kinds} />
      </Field>
      {caller.kind === "claims" && (
        <ClaimsInput text={draft.claimsText} onChange={(claimsText) => change({ claimsText }, "type")} />
      )}
      {caller.kind === "persona" && <Named section="personas" label="Persona" caller={caller} change={change} />}
      {caller.kind === "agent" && <Named section="agents" label="Agent" caller={caller} change={change} />}
      {caller.kind === "execution" && (
        <p className="text-sm text-muted">
          The exact inputs of <TextLink href={`/admin/executions/${caller.id}`}>{caller.id.slice(0, 13)}…</TextLink>, at
          its revision.
        </p>
      )}
      {caller.kind !== "claims" && resolved !== undefined && (
        <Json value={resolved} label="claims" className="max-h-48 overflow-auto" />
      )}
    </>
  );
}

function Named({
  section,
  label,
  caller,
  change,
}: {
  section: "personas" | "agents";
  label: string;
  caller: { kind: "persona" | "agent"; name: string };
  change: CallerInputProps["change"];
}) {
  const { rows, isPending } = useCatalogue(section);
  return (
    <Field label={label}>
      <Combobox
        value={caller.name === "" ? null : caller.name}
        onChange={(name) => change({ caller: { kind: caller.kind, name: name ?? "" } })}
        options={rows.map((row) => ({ value: row.name, hint: row.description === "" ? undefined : row.description }))}
        placeholder={`Choose ${label === "Agent" ? "an agent" : "a persona"}…`}
        empty={isPending ? "Loading…" : `There is no ${label.toLowerCase()} yet.`}
      />
    </Field>
  );
}
