import type { z } from "zod";
import { measuredDatabase } from "@/bench/support/servers/measured-database";
import { callersOf, configurationOf, STATED, type Size } from "@/bench/support/workload";
import type { JsonObject } from "@/lib/access/model/configuration";
import type { clientInput } from "@/lib/resources/client";

/** A database with the stated workload, and a server's environment for it. */
export interface MeasuredInstallation {
  readonly env: Readonly<Record<string, string>>;
  /** The API key of an agent that the workload's policies give some of the tools. */
  readonly apiKey: string;
  /** The API key of an agent without attributes, which sees only the tools that everyone may use. */
  readonly plainApiKey: string;
  /** The token of a person who may change everything. */
  readonly token: string;
  readonly stop: () => Promise<void>;
}

/** Changes of the workload, and additions to it. */
export interface Beside {
  /** The workload's size; `STATED` by default. */
  readonly size?: Size;
  /** Sources and their tools in the document's format; everyone may use them. */
  readonly sources?: readonly { readonly name: string; readonly kind: string; readonly [field: string]: unknown }[];
  readonly tools?: readonly object[];
  /** Registered OAuth clients: no part of the document. */
  readonly clients?: readonly z.output<typeof clientInput>[];
  readonly env?: Readonly<Record<string, string>>;
  /** The agent's attributes that policies read; by default those of the workload's first caller. */
  readonly attributes?: JsonObject;
}

/** Saves 10,000 tools in 100 groups under 1,000 policies, and the tools in code, which everyone may use. */
export async function measuredInstallation(beside: Beside = {}): Promise<MeasuredInstallation> {
  const { env, stop } = await measuredDatabase(beside.env);
  // Imported after the environment is set.
  const { parseDocument } = await import("@/lib/config/document");
  const { builtinSources, builtinTools } = await import("@/lib/calls/builtin/index");
  const { SHIPPED_LABELS } = await import("@/lib/resources/shipped-flow");
  const { applyDocument } = await import("@/lib/store/save/config-document");
  const { clients } = await import("@/lib/store/config/clients");
  const { apiKeys } = await import("@/lib/store/config/api-keys");
  const { tokens } = await import("@/lib/store/people/tokens");
  const { closeDatabase } = await import("@/lib/store/db/database");
  const { tools, groups, policies } = configurationOf(beside.size ?? STATED);
  const [claims] = callersOf(1);
  const parsed = parseDocument({
    apiVersion: "quartermaster/v1",
    sources: [...builtinSources(), { name: "shop", kind: "http" }, ...(beside.sources ?? [])],
    labels: SHIPPED_LABELS,
    tools: [...builtinTools(), ...tools.map(({ definitionHash: _hash, ...tool }) => tool), ...(beside.tools ?? [])],
    groups: [
      ...groups,
      {
        name: "helpers",
        selectors: [{ source: "builtin" }, ...(beside.sources ?? []).map(({ name }) => ({ source: name }))],
      },
    ],
    policies: [...policies, { name: "everyone-calculates", everyone: true, groups: ["helpers"] }],
    agents: [
      {
        name: "caller",
        attributes: beside.attributes ?? { department: claims?.["department"], realm_access: claims?.["realm_access"] },
      },
      { name: "plain" },
    ],
  });
  if (!parsed.ok) throw new Error(`The workload is no document: ${JSON.stringify(parsed.errors.slice(0, 3))}`);
  const actor = { kind: "system", name: "bench", role: "admin" } as const;
  await applyDocument(actor, parsed.document);
  for (const client of beside.clients ?? []) await clients.create(actor, client);
  const keyOf = async (agent: string) =>
    (await apiKeys.create(actor, { name: agent, agent, expiresAt: null, enabled: true })).key;
  const [apiKey, plainApiKey] = [await keyOf("caller"), await keyOf("plain")];
  const { token } = await tokens.create(actor, { name: "bench", role: "admin", expiresAt: null, enabled: true });
  await closeDatabase();
  return { env, apiKey, plainApiKey, token, stop };
}
