import { CopyButton } from "@/components/ui/copy-button";

/** A command to copy. */
export function CodeBlock({ code, label }: { code: string; label: string }) {
  return (
    <div className="flex min-w-0 flex-row-reverse items-start rounded-md border border-line bg-sunken">
      <CopyButton text={code} label={`Copy ${label}`} className="m-1 shrink-0" />
      <pre
        role="region"
        aria-label={label}
        className="min-w-0 flex-1 p-3 pr-1 font-mono text-xs leading-5 break-words whitespace-pre-wrap"
      >
        {code}
      </pre>
    </div>
  );
}
