import { useMutation } from "@tanstack/react-query";
import { Cable } from "lucide-react";
import type { Route } from "next";
import { useRouter } from "next/navigation";
import { useState, type FormEvent } from "react";
import { bind } from "@/components/resource/editor/bind";
import { useDraft } from "@/components/resource/editor/draft";
import { Problem, request } from "@/components/resource/request";
import { Button } from "@/components/ui/button";
import { ErrorNote } from "@/components/ui/error-note";
import { Dialog, DialogActions } from "@/components/ui/overlays/dialog";
import { toast } from "@/components/ui/overlays/toast";
import { NameField } from "@/components/views/name-field";
import { BLANK_SOURCE } from "@/components/views/sources/blank-source";
import { ImportPlan } from "@/components/views/sources/import-plan";
import { McpServer } from "@/components/views/sources/mcp-server";
import { originsOf, SourceAuth } from "@/components/views/sources/source-auth";
import type { Input } from "@/lib/resources";

/** The source that was created, and the import that reads its tools. */
interface Connected {
  readonly source: string;
  readonly job: string;
}

/** Connects an MCP server: creates its source, reads its tools, and imports those that a person selects. */
export function ConnectMcpButton() {
  const router = useRouter();
  const [open, setOpen] = useState(false);
  const [connected, setConnected] = useState<Connected | null>(null);
  const change = (next: boolean) => {
    setOpen(next);
    if (!next) setConnected(null);
  };
  const again = useMutation({
    mutationFn: ({ source }: Connected) => readTools(source),
    onSuccess: setConnected,
    onError: (error) => toast({ title: "Could not read the server", description: error.message, tone: "failed" }),
  });
  // The source exists by then: its page is where its address can be corrected.
  const leave = ({ source }: Connected) => {
    change(false);
    router.push(`/admin/sources/${encodeURIComponent(source)}` as Route);
  };
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        <Cable aria-hidden /> Connect MCP server
      </Button>
      <Dialog
        open={open}
        onOpenChange={change}
        size="lg"
        title="Connect an MCP server"
        description={
          connected === null
            ? "Creates a source and lists the tools of the server. No caller sees a tool before you import it."
            : "Select the tools to import."
        }
      >
        {connected === null ? (
          <ConnectForm onConnected={setConnected} />
        ) : (
          <ImportPlan
            id={connected.job}
            noun="tool"
            onBack={() => leave(connected)}
            backLabel="Go to the source"
            onRetry={() => again.mutate(connected)}
            onDone={() => change(false)}
          />
        )}
      </Dialog>
    </>
  );
}

/** Begins an import that lists the tools of a source's server. */
async function readTools(source: string): Promise<Connected> {
  const { id } = await request<{ id: string }>("/api/admin/imports", { method: "POST", body: { source } });
  return { source, job: id };
}

function ConnectForm({ onConnected }: { onConnected: (connected: Connected) => void }) {
  const { draft, setProblems } = useDraft<Input<"sources">>(
    { ...BLANK_SOURCE, kind: "mcp" },
    { readOnly: false, isNew: true },
  );
  const { name, url, command } = draft.value;
  const connect = useMutation({
    mutationFn: async () => {
      await request("/api/admin/sources", { method: "POST", body: draft.value });
      return readTools(name);
    },
    onSuccess: onConnected,
    onError: (error) => setProblems(error instanceof Problem ? error.errors : []),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    connect.mutate();
  };
  const isNamed = connect.error instanceof Problem && connect.error.errors.length > 0;
  return (
    <form onSubmit={submit} className="flex flex-col gap-4">
      <NameField
        draft={draft}
        label="Name"
        hint="The first part of the tools’ ids, such as crm in crm:get_contact. Letters, digits, “.”, “_” and “-”. It cannot be changed later"
      />
      <McpServer draft={draft} />
      {command === null && (
        <SourceAuth label="Authentication" bound={bind(draft, "auth")} origins={originsOf([url ?? ""])} />
      )}
      {connect.error !== null && !isNamed && <ErrorNote text={connect.error.message} />}
      <DialogActions>
        <Button
          type="submit"
          variant="primary"
          pending={connect.isPending}
          disabled={name === "" || (url ?? command) === null}
        >
          Connect and list tools
        </Button>
      </DialogActions>
    </form>
  );
}
