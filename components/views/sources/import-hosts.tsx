import { counted } from "@/components/ui/counted";
import { Checkbox } from "@/components/ui/forms/checkbox";
import type { ImportHost } from "@/lib/contracts/sources/import-job";

interface ImportHostsProps {
  hosts: readonly ImportHost[];
  /** The foreign hosts that the picked operations call. */
  needed: ReadonlySet<string>;
  accepted: ReadonlySet<string>;
  onAccept: (accepted: ReadonlySet<string>) => void;
}

/** Every host that calls of the import would go to; foreign ones are accepted one by one. */
export function ImportHosts({ hosts, needed, accepted, onAccept }: ImportHostsProps) {
  if (hosts.length === 0) return null;
  const toggle = (host: string, isAccepted: boolean) =>
    onAccept(new Set(isAccepted ? [...accepted, host] : [...accepted].filter((one) => one !== host)));
  return (
    <section aria-label="Hosts that calls go to" className="flex flex-col gap-1 text-sm">
      <p>Calls go to</p>
      <ul className="flex max-h-40 flex-col gap-1 overflow-y-auto">
        {hosts.map(({ host, bases = [], tools, foreign }) => {
          const words = (
            <>
              <code className="font-mono break-all">{bases.join(", ") || host}</code>
              <span className="text-muted tabular-nums"> · {counted(tools, "operation")}</span>
            </>
          );
          if (!foreign) return <li key={host}>{words}</li>;
          return (
            <li key={host}>
              <Checkbox
                checked={accepted.has(host)}
                disabled={!needed.has(host)}
                onChange={(isAccepted) => toggle(host, isAccepted)}
                label={words}
                hint="No tool of the source calls it yet. Select it to allow calls to this host."
              />
            </li>
          );
        })}
      </ul>
    </section>
  );
}
