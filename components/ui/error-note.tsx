import { WithCode } from "@/components/ui/json/with-code";

/** The server's sentence about a failed request, next to the control that sent it. */
export function ErrorNote({ text }: { text: string }) {
  return <WithCode as="p" role="alert" className="rounded-lg bg-deny-soft px-3 py-2 text-sm text-deny" text={text} />;
}
