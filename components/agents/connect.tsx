"use client";

import { useState } from "react";
import { snippetsFor, type SnippetKey } from "@/components/agents/snippets";
import { CodeBlock } from "@/components/docs/code-block";
import { Segmented } from "@/components/ui/forms/segmented";
import { TextLink } from "@/components/ui/text-link";

/** Code that connects an agent, for the client that the person chooses. */
export function Connect({ given }: { given: SnippetKey }) {
  const snippets = snippetsFor(window.location.origin, given);
  const [client, setClient] = useState("curl");
  const shown = snippets.find(({ value }) => value === client);
  return (
    <div className="flex min-w-0 flex-col gap-3">
      <Segmented
        label="Client"
        value={client}
        onChange={setClient}
        options={snippets.map(({ value, label }) => ({ value, label }))}
      />
      {shown !== undefined && <CodeBlock code={shown.code} label={`Code for ${shown.label}`} />}
      <p className="text-xs text-muted">
        {given.kind === "variable" && "Put the API key into the environment variable QUARTERMASTER_KEY. "}
        Complete examples: <TextLink href="/docs/guide/agent-developer">guide for developers of agents</TextLink>.
      </p>
    </div>
  );
}
