import { reasonInWords } from "@/components/executions/reason-words";

/** The reason for a call's decision in words, with the code that finds it in the log. */
export function LoggedReason({ reason }: { reason: string }) {
  const words = reasonInWords(reason);
  return (
    <>
      {words}
      {words.toLowerCase() !== reason && /^\w+$/.test(reason) && (
        <>
          {" "}
          <span className="inline-block font-mono text-xs text-faint">{reason}</span>
        </>
      )}
    </>
  );
}
