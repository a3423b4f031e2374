import { reasonInWords } from "@/components/executions/reason-words";

/** Why a call was decided as it was, in words; beside them the code that finds it in the log. */
export function LoggedReason({ reason }: { reason: string }) {
  const words = reasonInWords(reason);
  return (
    <>
      {words}
      {words !== reason && /^\w+$/.test(reason) && (
        <>
          {" "}
          <span className="inline-block font-mono text-2xs text-faint">{reason}</span>
        </>
      )}
    </>
  );
}
