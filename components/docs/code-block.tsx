import { CopyButton } from "@/components/ui/copy-button";

/** A command to copy. */
export function CodeBlock({ code, label }: { code: string; label: string }) {
  return (
    <div className="relative min-w-0 rounded-md border border-line bg-sunken">
      <CopyButton text={code} label={`Copy ${label}`} className="absolute top-1 right-1 bg-sunken" />
      {/* A region that scrolls must be reachable by keyboard. */}
      <pre
        tabIndex={0}
        role="region"
        aria-label={label}
        className="overflow-x-auto p-3 pr-10 font-mono text-xs leading-5"
      >
        {code}
      </pre>
    </div>
  );
}
