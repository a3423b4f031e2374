import { useQuery } from "@tanstack/react-query";
import { Download } from "lucide-react";
import { requestYaml } from "@/components/resource/request";
import { WhenLoaded } from "@/components/resource/when-loaded";
import { Button } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";

/** Characters that are shown; copying and downloading take all of it. */
const MAX_SHOWN = 200_000;

/** The whole configuration as YAML, to copy or download. */
export function ExportPanel() {
  const text = useQuery({
    queryKey: ["config", "yaml"],
    queryFn: ({ signal }) => requestYaml("/api/admin/config", { signal }),
  });
  return (
    <WhenLoaded of={text} skeleton="h-96">
      {(yaml) => <Document yaml={yaml} />}
    </WhenLoaded>
  );
}

function Document({ yaml }: { yaml: string }) {
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center gap-2">
        <p className="max-w-prose text-sm text-pretty text-muted">
          Contains rules, sources, agents, issuers, assertions and settings. Does not contain secrets, users, keys,
          tokens, OAuth clients, webhooks, pauses and approved definitions.
        </p>
        <div className="ml-auto flex items-center gap-1">
          <CopyButton text={yaml} label="Copy YAML" showLabel />
          <Button onClick={() => download(yaml)}>
            <Download aria-hidden /> Download
          </Button>
        </div>
      </div>
      <pre
        tabIndex={0}
        role="region"
        aria-label="Configuration document"
        className="max-h-[calc(100dvh-10.5rem)] min-h-48 overflow-auto rounded-md border border-line bg-sunken p-3 font-mono text-xs leading-5"
      >
        {yaml.slice(0, MAX_SHOWN)}
      </pre>
      {yaml.length > MAX_SHOWN && (
        <p className="text-xs text-muted">The rest is not shown. Copy or download the document to see all of it.</p>
      )}
    </div>
  );
}

function download(text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: "application/yaml" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = "quartermaster.yaml";
  link.click();
  URL.revokeObjectURL(url);
}
