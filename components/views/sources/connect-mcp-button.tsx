import { useMutation } from "@tanstack/react-query";
import { Cable } from "lucide-react";
import { useState, type FormEvent } from "react";
import { bind } from "@/components/resource/editor/bind";
import { useDraft } from "@/components/resource/editor/draft";
import { useSave } from "@/components/resource/editor/use-save";
import { useGo } from "@/components/resource/go";
import { Problem, request } from "@/components/resource/request";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { ErrorNote } from "@/components/ui/error-note";
import { WithCode } from "@/components/ui/json/with-code";
import { Dialog, DialogActions } from "@/components/ui/overlays/dialog";
import { Skeleton } from "@/components/ui/skeleton";
import { NameField } from "@/components/views/name-field";
import { BLANK_SOURCE } from "@/components/views/sources/blank-source";
import { ImportPlan } from "@/components/views/sources/import-plan";
import { McpServer } from "@/components/views/sources/mcp-server";
import { originsOf, SourceAuth } from "@/components/views/sources/source-auth";
import type { Input, Row } from "@/lib/resources";

/** Connects an MCP server: creates its source, reads its tools, and imports those that a person selects. */
export function ConnectMcpButton() {
  const go = useGo();
  const [open, setOpen] = useState(false);
  const [source, setSource] = useState<string | null>(null);
  const [editing, setEditing] = useState(false);
  const read = useMutation({
    mutationFn: (name: string) =>
      request<{ id: string }>("/api/admin/imports", { method: "POST", body: { source: name } }),
  });
  const change = (next: boolean) => {
    setOpen(next);
    if (next) return;
    setSource(null);
    setEditing(false);
    read.reset();
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
        description="Creates a source and lists the tools of the server. No caller sees a tool before you import it."
      >
        {/* Hidden instead of removed: after a failure, a person changes what the form holds. */}
        <div hidden={source !== null && !editing}>
          <ConnectForm
            onConnected={(name) => {
              setSource(name);
              setEditing(false);
              read.mutate(name);
            }}
          />
        </div>
        {source !== null && !editing && (
          <Tools
            job={read.data?.id ?? null}
            error={read.error}
            // The source exists by then: its page is where its address can be corrected.
            onLeave={() => {
              change(false);
              go(`/admin/sources/${encodeURIComponent(source)}`);
            }}
            onRetry={() => read.mutate(source)}
            onEdit={() => setEditing(true)}
            onDone={() => change(false)}
          />
        )}
      </Dialog>
    </>
  );
}

interface ToolsProps {
  /** The import that reads the tools; `null` = it has not begun. */
  job: string | null;
  error: Error | null;
  onLeave: () => void;
  onRetry: () => void;
  /** Opens the form again, with the settings of the saved source. */
  onEdit: () => void;
  onDone: () => void;
}

/** The tools of a source that is saved. A retry reads them again, and does not create the source again. */
function Tools({ job, error, onLeave, onRetry, onEdit, onDone }: ToolsProps) {
  const leave = "Go to the source";
  if (error !== null)
    return (
      <div role="alert">
        <EmptyState
          title="The source is saved, but its tools could not be read"
          action={
            <>
              <Button onClick={onLeave}>{leave}</Button>
              <Button onClick={onEdit}>Change settings</Button>
              <Button variant="primary" onClick={onRetry}>
                Try again
              </Button>
            </>
          }
        >
          <WithCode text={error.message} />
        </EmptyState>
      </div>
    );
  if (job === null) return <Skeleton className="h-40" />;
  return (
    <ImportPlan
      id={job}
      noun="tool"
      onBack={onLeave}
      backLabel={leave}
      onRetry={onRetry}
      onEdit={onEdit}
      onDone={onDone}
    />
  );
}

function ConnectForm({ onConnected }: { onConnected: (source: string) => void }) {
  // The source, once it exists: a second "Connect" saves its changed settings.
  const [saved, setSaved] = useState<Row<"sources"> | null>(null);
  const { draft, setProblems } = useDraft<Input<"sources">>(
    { ...BLANK_SOURCE, kind: "mcp" },
    { readOnly: false, isNew: saved === null },
  );
  const { name, url, command } = draft.value;
  const connect = useSave("sources");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const replaces = saved === null ? {} : { replaces: { id: saved.name, revision: saved.revision } };
    connect.mutate(
      { input: draft.value, ...replaces },
      {
        // A person who closed the dialog meanwhile does not begin an import.
        onSuccess: (row) => {
          setSaved(row);
          onConnected(name);
        },
        onError: (error) => setProblems(error instanceof Problem ? error.errors : []),
      },
    );
  };
  const isNamed = connect.error instanceof Problem && connect.error.errors.length > 0;
  return (
    <form onSubmit={submit} className="flex flex-col gap-4">
      <NameField
        draft={draft}
        label="Name"
        hint="The first part of the tools’ ids, such as crm in crm:get_contact. Letters, digits, “.”, “_” and “-”. It cannot be changed later"
        fixed
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
