import { useState } from "react";
import { useApply } from "@/components/configuration/use-apply";
import { alsoBrings, callersOf } from "@/components/denials/grant-words";
import { Impact } from "@/components/impact/impact";
import { Sentences } from "@/components/resource/editor/review-dialog";
import { WithCode } from "@/components/ui/json/with-code";
import { ActionDialog } from "@/components/ui/overlays/action-dialog";
import type { GrantOutput } from "@/lib/contracts/decisions/grant";
import { API_VERSION } from "@/lib/resources/sections";

interface GrantDialogProps {
  grant: GrantOutput;
  /** The revision that the grant was computed for. The server refuses a later one, which may decide differently. */
  revision: number;
  /** Runs after a save with the name of the new policy, if the grant alone is enough. */
  onGranted?: ((policy: string) => Promise<unknown>) | undefined;
  /** What a person must know before the grant. */
  warnings: readonly string[];
  onClose: () => void;
}

/** What a grant creates and whom it affects. Saves the group and the policy together, as one revision. */
export function GrantDialog({ grant, revision, warnings, onGranted, onClose }: GrantDialogProps) {
  const { group, policy, brings, remaining } = grant;
  const save = useApply({
    note: "grant",
    done: { title: "Granted", description: `The policy ${policy.name} applies from the next call.` },
    onApplied: async () => {
      if (remaining.length === 0) await onGranted?.(policy.name);
      onClose();
    },
  });
  const document = { text: documentOf(grant), mode: "merge" } as const;
  const [isMeasured, setIsMeasured] = useState(false);
  return (
    <ActionDialog
      size="lg"
      title={policy.description.replace(/^Grants (.*)\.$/, "Grant $1")}
      action="Grant"
      pending={save.isPending}
      disabled={!isMeasured}
      error={save.error?.message}
      onAct={() => save.mutate({ ...document, basis: revision })}
      onClose={onClose}
    >
      <Sentences
        sentences={[
          ...(group === null
            ? []
            : [{ sign: "+" as const, text: `creates the group \`${group.name}\` with this tool alone` }]),
          {
            sign: "+",
            text: `creates the policy \`${policy.name}\`, which grants the group \`${policy.groups.join()}\` to ${callersOf(policy)}${group === null ? `; ${alsoBrings(brings)}` : ""}`,
          },
        ]}
      />
      {warnings.map((warning) => (
        <p key={warning} className="text-sm text-warn">
          {warning}
        </p>
      ))}
      {remaining.length > 0 && (
        <div className="text-sm">
          <p className="text-warn">This grant is not enough. Make these changes too:</p>
          <ul className="list-disc pl-5">
            {remaining.map((text) => (
              <WithCode as="li" key={text} text={text} />
            ))}
          </ul>
        </div>
      )}
      <Impact
        change={{ resource: "document", config: document.text, mode: document.mode }}
        label="Impact of the grant"
        onMeasured={setIsMeasured}
        className="sm:max-h-72"
      />
    </ActionDialog>
  );
}

/** A configuration document that adds the policy, and the group if it is new. JSON is YAML. */
function documentOf({ group, policy }: GrantOutput): string {
  const groups = group === null ? {} : { groups: [group] };
  return JSON.stringify({ apiVersion: API_VERSION, ...groups, policies: [policy] });
}
