import { WithCode } from "@/components/ui/json/with-code";

/** A request that failed, where it was sent: the sentence of the server. */
export function ErrorNote({ text }: { text: string }) {
  return (
    <p role="alert" className="rounded-lg bg-deny-soft px-3 py-2 text-sm text-deny">
      <WithCode text={text} />
    </p>
  );
}
