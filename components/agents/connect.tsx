import { useState } from "react";
import { useAgentTools } from "@/components/agents/use-agent-tools";
import { useExampleCall } from "@/components/agents/use-example-call";
import { PausedTools } from "@/components/agents/no-tools";
import { useStopOfAgent } from "@/components/pause/use-pauses";
import { snippetsFor, type SnippetKey } from "@/components/agents/snippets";
import { CodeBlock } from "@/components/docs/code-block";
import { useRow } from "@/components/resource/use-row";
import { Segmented } from "@/components/ui/forms/segmented";
import { Skeleton } from "@/components/ui/skeleton";
import { TextLink } from "@/components/ui/text-link";
import { isStateHeld } from "@/lib/access/model/request";

/** How a client connects without a key, by signing a person in. */
function WithoutKey({ address, inDialog }: { address: string; inDialog: boolean }) {
  return (
    <p className="text-sm text-muted">
      Without a key: add <code className="font-mono text-xs text-ink select-all">{address}</code> to a client that can
      open a browser. It sends you here to sign in and to choose the agent. If the client must register first, switch on{" "}
      <TextLink href="/admin/settings" target={inDialog ? "_blank" : undefined}>
        Let clients register themselves
      </TextLink>
      .
    </p>
  );
}

/** Where the clients that most people use read the entry. */
function ConfigFiles() {
  return (
    <p className="text-sm text-muted">
      Claude Code reads it from <Code>.mcp.json</Code>, Cursor from <Code>.cursor/mcp.json</Code>, and VS Code from{" "}
      <Code>.vscode/mcp.json</Code>, where the key is <Code>servers</Code>.
    </p>
  );
}

function Code({ children }: { children: string }) {
  return <code className="font-mono text-xs text-ink">{children}</code>;
}

/** Code that connects an agent, for the client that the person chooses. Its call is of a tool that the agent sees now. */
export function Connect({ agent, given }: { agent: string; given: SnippetKey }) {
  const seen = useAgentTools(agent, null);
  const example = useExampleCall(seen.data?.tools);
  const pause = useStopOfAgent(agent);
  const { data: row } = useRow("agents", agent);
  const inSession = row !== undefined && isStateHeld(row, row.machine);
  const snippets = snippetsFor({ origin: window.location.origin, given, example: example ?? null, inSession });
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
      {example === undefined || row === undefined ? (
        <Skeleton className="h-40" />
      ) : (
        shown !== undefined && <CodeBlock code={shown.code} label={`Code for ${shown.label}`} />
      )}
      {client === "mcp" && <ConfigFiles />}
      {client === "mcp" && <WithoutKey address={`${window.location.origin}/mcp`} inDialog={given.kind === "key"} />}
      {inSession && (
        <p className="text-sm text-pretty text-muted">
          The state of this agent is in a session, so each list and each call must name a session. Create one with{" "}
          <Code>{'"group": ["*"]'}</Code>, as the code for curl does: without <Code>group</Code>, it has only the tools
          of the group <Code>default</Code>.{client === "mcp" && " Put its id in place of ses_…."}
        </p>
      )}
      {example === null && pause !== null && <PausedTools pause={pause} />}
      {example === null && pause === null && (
        <p className="text-sm">
          This agent sees no tools yet.{given.kind === "key" && " Its page offers an access policy for it."}
        </p>
      )}
      <p className="text-xs text-muted">
        {given.kind === "variable" && "Put the API key into the environment variable QUARTERMASTER_KEY. "}
        How to call, and what the answers mean:{" "}
        <TextLink href="/docs/guide/agent-developer" target="_blank">
          guide for agent developers
        </TextLink>
        .
      </p>
    </div>
  );
}
