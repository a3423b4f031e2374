import { useMutation } from "@tanstack/react-query";
import type { FormEvent } from "react";
import { toOptions } from "@/components/ui/forms/options";
import { bind } from "@/components/resource/editor/bind";
import { useDraft, type Draft } from "@/components/resource/editor/draft";
import { Problem, request } from "@/components/resource/request";
import { useTypedNames } from "@/components/resource/use-names";
import { Button } from "@/components/ui/button";
import { ErrorNote } from "@/components/ui/error-note";
import { Combobox } from "@/components/ui/forms/combobox";
import { DialogActions } from "@/components/ui/overlays/dialog";
import { ErrorText, Field } from "@/components/ui/forms/field";
import { Input } from "@/components/ui/forms/input";
import { Segmented } from "@/components/ui/forms/segmented";
import { Textarea } from "@/components/ui/forms/textarea";
import { originsOf, SourceAuth, type Auth } from "@/components/views/sources/source-auth";
import type { FieldProblem } from "@/lib/errors";

/** What a person enters. The document is at `url`, or is the text or the file `document`. */
interface Inputs {
  readonly source: string;
  readonly from: "url" | "document";
  readonly url: string;
  readonly document: string | File;
  readonly server: string;
  readonly auth: Auth;
}

const BLANK: Inputs = {
  source: "",
  from: "url",
  url: "",
  document: "",
  server: "",
  auth: { mode: "none" },
};

/** The address of the document, and the source of its operations. */
export function ImportStart({ onStarted }: { onStarted: (id: string) => void }) {
  const { picker, draft, isKnown, start, error } = useStart(onStarted);
  const { source, from, server, url } = draft.value;
  const isReady = source !== "" && hasDocument(draft.value);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    start.mutate();
  };

  return (
    <form onSubmit={submit} className="flex flex-col gap-4">
      <Field
        label="Name"
        hint="The name of the source: letters, digits, “.”, “_” and “-”. The name of an existing source updates it"
        error={draft.error("source")}
      >
        <Combobox
          {...picker}
          value={source === "" ? null : source}
          onChange={(next) => draft.set("source", next ?? "")}
          creatable
          clearable={false}
          placeholder="pizzeria"
          mono
        />
      </Field>
      <DocumentFields draft={draft} />
      <Field label="Server" hint="Optional. Overrides the first server of the document" error={draft.error("server")}>
        <Input
          mono
          inputMode="url"
          value={server}
          onChange={(event) => draft.set("server", event.target.value)}
          placeholder="https://api.example.com/v1"
        />
      </Field>
      {isKnown ? (
        <p className="text-xs text-muted">
          {from === "url"
            ? "Quartermaster requests the document with the authentication of the source."
            : "The source keeps its authentication."}
        </p>
      ) : (
        <SourceAuth label="Authentication" bound={bind(draft, "auth")} origins={originsOf([url, server])} />
      )}
      {error !== null && <ErrorNote text={error} />}
      <DialogActions>
        <Button type="submit" variant="primary" pending={start.isPending} disabled={!isReady}>
          Read document
        </Button>
      </DialogActions>
    </form>
  );
}

/** A person's inputs for an import, and the request that starts it. `error`: what no field can show. */
function useStart(onStarted: (id: string) => void) {
  const { picker } = useTypedNames("sources");
  const { draft, setProblems } = useDraft(BLANK, { readOnly: false, isNew: true });
  const isKnown = picker.options.some(({ value }) => value === draft.value.source);
  const start = useMutation({
    mutationFn: async () => {
      const { source, server, auth } = draft.value;
      const chosen = server.trim() === "" ? {} : { server: server.trim() };
      const body = { source, ...(await documentOf(draft.value)), ...chosen, ...(isKnown ? {} : { auth }) };
      return request<{ id: string }>("/api/admin/imports", { method: "POST", body });
    },
    onSuccess: ({ id }) => onStarted(id),
    onError: (error) => setProblems(problemsIn(error)),
  });
  const error = start.error === null || problemsIn(start.error).length > 0 ? null : start.error.message;
  return { picker, draft, isKnown, start, error };
}

function problemsIn(error: Error): readonly FieldProblem[] {
  return error instanceof Problem ? error.errors : [];
}

/** The ways to give a document. */
function DocumentFields({ draft }: { draft: Draft<Inputs> }) {
  const { from, url, document } = draft.value;
  const problem = draft.error("document");
  return (
    <>
      <Field label="Document" group>
        <Segmented
          label="Document"
          value={from}
          onChange={(next) => draft.set("from", next)}
          options={toOptions({ url: "From a URL", document: "From a file or text" })}
        />
      </Field>
      {from === "url" ? (
        <Field label="URL" error={draft.error("url")}>
          <Input
            mono
            inputMode="url"
            value={url}
            onChange={(event) => draft.set("url", event.target.value)}
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
            onChange={(event) => draft.set("document", event.target.files?.[0] ?? "")}
            className="text-sm text-muted file:mr-3 file:h-8 file:rounded-md file:border file:border-line file:bg-raised file:px-3 file:text-sm file:font-medium file:text-ink"
          />
          {typeof document === "string" ? (
            <Field label="Text" error={problem}>
              <Textarea
                mono
                rows={8}
                value={document}
                onChange={(event) => draft.set("document", event.target.value)}
                placeholder="openapi: 3.1.0"
                className="max-h-72"
              />
            </Field>
          ) : (
            <ErrorText role="alert" text={problem} />
          )}
        </>
      )}
    </>
  );
}

async function documentOf({ from, url, document }: Inputs): Promise<{ url: string } | { document: string }> {
  if (from === "url") return { url };
  return { document: typeof document === "string" ? document : await document.text() };
}

function hasDocument({ from, url, document }: Inputs): boolean {
  if (from === "url") return url.trim() !== "";
  return typeof document !== "string" || document.trim() !== "";
}
