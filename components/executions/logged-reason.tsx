import { reasonInWords, ruledReasonOf, type RefusedRow } from "@/components/executions/reason-words";
import { ruleHref } from "@/components/preview/results/rule-link";
import { TextLink } from "@/components/ui/text-link";

interface LoggedReasonProps {
  reason: string;
  /** The call that was refused for it: then the rule behind the reason stands beside it. */
  call?: RefusedRow;
}

/** The reason for a call's decision in words, with the code that finds it in the log. */
export function LoggedReason({ reason, call }: LoggedReasonProps) {
  const words = reasonInWords(reason);
  return (
    <>
      {call === undefined ? words : <RuledReason call={call} />}
      {words.toLowerCase() !== reason && /^\w+$/.test(reason) && (
        <>
          {" "}
          <span className="inline-block font-mono text-xs text-faint">{reason}</span>
        </>
      )}
    </>
  );
}

/** The reason of a call in words, with a link to the first rule that refused it and the number of further rules. */
export function RuledReason({ call }: { call: RefusedRow }) {
  const { words, kind, names } = ruledReasonOf(call);
  const [first, ...others] = names;
  if (first === undefined) return words;
  const href = ruleHref({ kind, name: first });
  return (
    <>
      {words}
      {href === null ? (
        first
      ) : (
        // Above the link of the whole row in a list.
        <TextLink href={href} className="relative z-1">
          {first}
        </TextLink>
      )}
      {others.length > 0 && <span title={others.join(", ")}> +{others.length}</span>}
    </>
  );
}
