import { useMutation } from "@tanstack/react-query";
import { useState, type FormEvent } from "react";
import { toOptions } from "@/components/ui/forms/options";
import { bind } from "@/components/resource/editor/bind";
import { useDraft } from "@/components/resource/editor/draft";
import { Problem, request } from "@/components/resource/request";
import { useNames } from "@/components/resource/use-names";
import { Button } from "@/components/ui/button";
import { ErrorNote } from "@/components/ui/error-note";
import { Combobox } from "@/components/ui/forms/combobox";
import { DialogActions } from "@/components/ui/overlays/dialog";
import { Field } from "@/components/ui/forms/field";
import { Input } from "@/components/ui/forms/input";
import { Segmented } from "@/components/ui/forms/segmented";
import { Textarea } from "@/components/ui/forms/textarea";
import { originsOf, SourceAuth, type Auth } from "@/components/views/sources/source-auth";

/** The document to read: an address, a file, or its text. */
interface Given {
  readonly from: "url" | "document";
  readonly url: string;
  readonly text: string;
  readonly file: File | null;
}

/** The address of the document, and the source of its operations. */
export function ImportStart({ onStarted }: { onStarted: (id: string) => void }) {
  const { sources, source, setSource, given, setGiven, server, setServer, draft, isKnown, start, problems } =
    useStart(onStarted);
  const errorAt = (path: string) => problems.find((problem) => problem.path === path)?.message;
  const isReady = source !== "" && hasDocument(given);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    start.mutate();
  };

  return (
    <form onSubmit={submit} className="flex flex-col gap-4">
      <Field
        label="Name"
        hint="A new name creates a source. The name of an existing source updates that source"
        error={errorAt("source")}
      >
        <Combobox
          value={source === "" ? null : source}
          onChange={(next) => setSource(next ?? "")}
          options={sources}
          creatable
          clearable={false}
          placeholder="pizzeria"
          mono
        />
      </Field>
      <DocumentFields given={given} onChange={setGiven} errorAt={errorAt} />
      <Field label="Server" hint="Optional. Overrides the first server of the document" error={errorAt("server")}>
        <Input
          mono
          inputMode="url"
          value={server}
          onChange={(event) => setServer(event.target.value)}
          placeholder="https://api.example.com/v1"
        />
      </Field>
      {isKnown ? (
        <p className="text-xs text-muted">Quartermaster requests the document with the authentication of the source.</p>
      ) : (
        <SourceAuth label="Authentication" bound={bind(draft, "auth")} origins={originsOf([given.url, server])} />
      )}
      {start.error !== null && problems.length === 0 && <ErrorNote text={start.error.message} />}
      <DialogActions>
        <Button type="submit" variant="primary" pending={start.isPending} disabled={!isReady}>
          Read document
        </Button>
      </DialogActions>
    </form>
  );
}

/** A person's inputs for an import, and the request that starts it. */
function useStart(onStarted: (id: string) => void) {
  const sources = useNames("sources");
  const [source, setSource] = useState("");
  const [given, setGiven] = useState<Given>({ from: "url", url: "", text: "", file: null });
  const [server, setServer] = useState("");
  const { draft, setProblems } = useDraft<{ auth: Auth }>({ auth: { mode: "none" } }, { readOnly: false, isNew: true });
  const isKnown = sources.some(({ value }) => value === source);
  const start = useMutation({
    mutationFn: async () => {
      const chosen = server.trim() === "" ? {} : { server: server.trim() };
      const auth = isKnown ? {} : draft.value;
      const body = { source, ...(await documentOf(given)), ...chosen, ...auth };
      return request<{ id: string }>("/api/admin/imports", { method: "POST", body });
    },
    onSuccess: ({ id }) => onStarted(id),
    onError: (error) => setProblems(error instanceof Problem ? error.errors : []),
  });
  const problems = start.error instanceof Problem ? start.error.errors : [];
  return { sources, source, setSource, given, setGiven, server, setServer, draft, isKnown, start, problems };
}

interface DocumentFieldsProps {
  given: Given;
  onChange: (given: Given) => void;
  errorAt: (path: string) => string | undefined;
}

/** The ways to give a document. */
function DocumentFields({ given, onChange, errorAt }: DocumentFieldsProps) {
  const { from, url, text, file } = given;
  return (
    <>
      <Field label="Document" group>
        <Segmented
          label="Document"
          value={from}
          onChange={(next) => onChange({ ...given, from: next })}
          options={toOptions({ url: "From a URL", document: "From a file or text" })}
        />
      </Field>
      {from === "url" ? (
        <Field label="URL" error={errorAt("url")}>
          <Input
            mono
            inputMode="url"
            value={url}
            onChange={(event) => onChange({ ...given, url: event.target.value })}
            placeholder="https://api.example.com/openapi.yaml"
          />
        </Field>
      ) : (
        <>
          {/* A file is not shown as text, because ten megabytes in a field block the page. */}
          <input
            type="file"
            aria-label="OpenAPI file"
            accept=".json,.yaml,.yml,application/json,application/yaml"
            onChange={(event) => onChange({ ...given, file: event.target.files?.[0] ?? null })}
            className="text-sm text-muted file:mr-3 file:h-8 file:rounded-md file:border file:border-line file:bg-raised file:px-3 file:text-sm file:font-medium file:text-ink"
          />
          {file !== null && errorAt("document") !== undefined && (
            <p role="alert" className="text-xs text-deny">
              {errorAt("document")}
            </p>
          )}
          {file === null && (
            <Field label="Text" error={errorAt("document")}>
              <Textarea
                mono
                rows={8}
                value={text}
                onChange={(event) => onChange({ ...given, text: event.target.value })}
                placeholder="openapi: 3.1.0"
                className="max-h-72"
              />
            </Field>
          )}
        </>
      )}
    </>
  );
}

async function documentOf({ from, url, text, file }: Given): Promise<{ url: string } | { document: string }> {
  return from === "url" ? { url } : { document: (await file?.text()) ?? text };
}

function hasDocument({ from, url, text, file }: Given): boolean {
  return from === "url" ? url.trim() !== "" : file !== null || text.trim() !== "";
}
