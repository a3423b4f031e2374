"use client";

import { useEffect, useRef, useState, type ReactNode } from "react";
import { request } from "@/components/resource/request";
import { Button } from "@/components/ui/button";
import { ErrorNote } from "@/components/ui/error-note";
import { Combobox } from "@/components/ui/forms/combobox";
import { Field } from "@/components/ui/forms/field";
import type { RequestView } from "@/lib/admin/connection-requests";

interface ConnectFormProps {
  id: string;
  view: RequestView;
  userName: string;
}

/**
 * Names the client, its host, the scopes and the agent. A remembered answer is repeated without a click only for an https
 * address: any program of the computer can receive what a loopback address or a custom scheme gets (RFC 8252, 8.6).
 */
export function ConnectForm({ id, view, userName }: ConnectFormProps) {
  const { agents, remembered, connectedAs, redirectUri } = view;
  const [agent, setAgent] = useState(
    remembered ?? connectedAs ?? (agents.length === 1 ? (agents[0]?.name ?? null) : null),
  );
  const { answer, pending, error, isSent } = useAnswer(id);
  const isRepeated = useRef(false);
  const mayRepeat = remembered !== null && redirectUri.startsWith("https://");
  useEffect(() => {
    if (!mayRepeat || isRepeated.current) return;
    isRepeated.current = true;
    void answer(remembered);
  });

  // The browser gives an address of another scheme to a program, and stays on this page.
  if (isSent && !/^https?:/.test(redirectUri))
    return (
      <p role="status" className="text-sm">
        Your answer was given to {placeOf(redirectUri)}. You can close this tab.
      </p>
    );
  if (agents.length === 0)
    return (
      <div className="flex flex-col gap-4 text-sm">
        <p>
          <ClientName view={view} /> asks to use tools for you, but you own no agent. Ask an admin to add you as an
          owner of an agent.
        </p>
        <Button pending={pending === "decline"} onClick={() => void answer(null)}>
          Return to the client
        </Button>
      </div>
    );
  return (
    <div className="flex flex-col gap-4">
      <Consent view={view} userName={userName} mayRepeat={mayRepeat} />
      {agents.length > 1 && <AgentField agents={agents} value={agent} onChange={setAgent} />}
      {error !== null && <ErrorNote text={error} />}
      <div className="flex justify-end gap-2">
        <Button disabled={pending === "connect"} pending={pending === "decline"} onClick={() => void answer(null)}>
          Decline
        </Button>
        <Button
          variant="primary"
          disabled={agent === null || pending === "decline"}
          pending={pending === "connect"}
          onClick={() => void answer(agent)}
        >
          Connect client
        </Button>
      </div>
    </div>
  );
}

interface AgentFieldProps extends Pick<RequestView, "agents"> {
  value: string | null;
  onChange: (agent: string | null) => void;
}

/** The choice of an agent. An admin may have thousands, so it is found by typing. */
function AgentField({ agents, value, onChange }: AgentFieldProps) {
  const options = agents.map(({ name, description }) => ({
    value: name,
    hint: description === "" ? undefined : description,
  }));
  return (
    <Field label="Acts as the agent" hint="The client gets exactly the tools of this agent">
      <Combobox value={value} onChange={onChange} options={options} placeholder="Choose an agent" clearable={false} />
    </Field>
  );
}

/** Sends the person's answer, and returns to the client. */
function useAnswer(id: string) {
  const [pending, setPending] = useState<"connect" | "decline" | null>(null);
  const [error, setError] = useState<string | null>(null);
  const [isSent, setSent] = useState(false);

  const answer = async (chosen: string | null) => {
    setPending(chosen === null ? "decline" : "connect");
    setError(null);
    try {
      const path = `/api/admin/connection-requests/${encodeURIComponent(id)}` as const;
      const { location } = await request<{ location: string }>(path, { method: "POST", body: { agent: chosen } });
      // A navigation instead of a form: the browser applies `form-action` to every redirect of a form.
      window.location.assign(location);
      setSent(true);
    } catch (cause) {
      setError(cause instanceof Error ? cause.message : "The request failed. Start again in your client.");
      setPending(null);
    }
  };
  return { answer, pending, error, isSent };
}

interface ConsentProps extends Omit<ConnectFormProps, "id"> {
  mayRepeat: boolean;
}

/** The facts on which the person decides. */
function Consent({ view, userName, mayRepeat }: ConsentProps) {
  const { agents, remembered, redirectUri, scopes, newScopes } = view;
  const publisher = publisherOf(view);
  const [onlyAgent] = agents.length === 1 ? agents : [];
  return (
    <>
      <p className="text-sm">
        <ClientName view={view} /> asks to use tools for {userName}.
        {remembered !== null && !mayRepeat && (
          <>
            {" "}
            You connected it before. Any program on this computer could make this request, so confirm that you started
            it.
          </>
        )}
      </p>
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 text-sm">
        {publisher === null ? (
          <Fact term="Registered by">an admin of this installation</Fact>
        ) : (
          <Fact term="Published by">{publisher}</Fact>
        )}
        {onlyAgent !== undefined && <Fact term="Acts as the agent">{onlyAgent.name}</Fact>}
        <Fact term="Returns to">{placeOf(redirectUri)}</Fact>
        <Fact term="Scopes">{scopes.map(scopeInWords).join(", ")}</Fact>
        {newScopes.length > 0 && (
          <Fact term="New">
            <strong>{newScopes.join(", ")}</strong>: this client is connected without{" "}
            {newScopes.length === 1 ? "it" : "them"} so far
          </Fact>
        )}
      </dl>
    </>
  );
}

function ClientName({ view: { clientName, client } }: Pick<ConnectFormProps, "view">) {
  return <strong className="break-words">{clientName === "" ? client : clientName}</strong>;
}

function Fact({ term, children }: { term: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-muted">{term}</dt>
      <dd className="min-w-0 break-words">{children}</dd>
    </>
  );
}

/** A scope for people: the base scope by what it allows, the others by the names that the tools require. */
function scopeInWords(scope: string): string {
  return scope === "tools" ? "tools (to list and call the agent’s tools)" : scope;
}

/** Who vouches for the client's name; `null` = an admin registered the client. */
function publisherOf({ clientHost, isSelfRegistered }: RequestView): string | null {
  if (isSelfRegistered) return "nobody: the client registered itself, and its name is unchecked";
  return clientHost;
}

/** Where the code goes, for people: a host, this computer, or another program. */
function placeOf(address: string): string {
  const { protocol, host, hostname } = new URL(address);
  if (protocol === "https:") return host;
  if (protocol === "http:") return `a program on this computer (${hostname})`;
  return `the program that opens ${protocol} links`;
}
