import { toastFailure } from "@/components/resource/review/toast-failure";
import { useMutation } from "@tanstack/react-query";
import { toOptions } from "@/components/ui/forms/options";
import { Inputs } from "@/components/preview/inputs/inputs";
import { RevisionInput } from "@/components/preview/inputs/revision-input";
import type { Comparing, ComparingState } from "@/components/preview/use-comparing";
import type { DraftControl } from "@/components/preview/use-draft";
import { requestYaml } from "@/components/resource/request";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/forms/field";
import { Segmented } from "@/components/ui/forms/segmented";
import { Textarea } from "@/components/ui/forms/textarea";
import type { ComparisonOutput } from "@/lib/contracts/decisions/comparison";

interface CompareInputsProps {
  first: DraftControl;
  second: DraftControl;
  comparing: ComparingState & { compare: Comparing };
  answer: ComparisonOutput | undefined;
  /** Whether `answer` is for former inputs. */
  isOutdated: boolean;
}

/** The inputs of both callers, one at a time; or those of one caller, and the other rules. */
export function CompareInputs({ first, second, comparing, answer, isOutdated }: CompareInputsProps) {
  const { compare, than, document, side, show, type } = comparing;
  if (compare === "caller") {
    const control = side === "first" ? first : second;
    const resolved = side === "first" ? answer?.before : answer?.after;
    return (
      <div className="flex flex-col gap-3">
        <Segmented
          label="Inputs of"
          value={side}
          onChange={(next) => show({ side: next })}
          options={toOptions({ first: "First caller", second: "Second caller" })}
        />
        <Inputs key={side} {...control} resolved={resolved && { ...resolved, isOutdated }} />
      </div>
    );
  }
  return (
    <div className="flex flex-col gap-3">
      {compare === "revision" ? (
        <RevisionInput
          label="Compared with revision"
          value={than}
          onChange={(revision) => show({ than: revision })}
          placeholder="Choose a revision…"
        />
      ) : (
        <DraftDocument text={document} onText={type} />
      )}
      <hr className="border-line" />
      <Inputs {...first} resolved={answer && { ...answer.after, isOutdated }} rules={compare === "revision"} />
    </div>
  );
}

/** A whole configuration document: pasted, or the rules in force to begin with. */
function DraftDocument({ text, onText }: { text: string; onText: (text: string) => void }) {
  const inForce = useMutation({
    mutationFn: () => requestYaml("/api/admin/config"),
    onSuccess: onText,
    onError: (error) => toastFailure("The rules were not loaded", error),
  });
  return (
    <div className="flex flex-col items-start gap-1.5">
      <Field
        label="Draft of the rules"
        hint="A complete configuration document. It stays in this browser tab and is not saved."
        className="w-full"
      >
        <Textarea mono rows={9} value={text} onChange={(event) => onText(event.target.value)} className="max-h-80" />
      </Field>
      <Button size="sm" variant="ghost" pending={inForce.isPending} onClick={() => inForce.mutate()}>
        {text === "" ? "Start from the current rules" : "Start again from the current rules"}
      </Button>
    </div>
  );
}
