import { OWN_ISSUER } from "@/lib/access/model/claims";
import { compileInParts, type Index } from "@/lib/access/compile/compile";
import type { Issuer, JsonObject } from "@/lib/access/model/configuration";
import { toRequest, type RequestAnswer, type RequestCaller } from "@/lib/access/model/request";
import type { ResolveRequest } from "@/lib/access/decide/resolution";
import { ownCaller, ownIssuer } from "@/lib/auth/agents/own-issuer";
import { draftOf, pathBelow } from "@/lib/config/draft";
import { publicOrigin } from "@/lib/env";
import { AppError } from "@/lib/errors";
import type { ExecutionDetail } from "@/lib/contracts/log/execution";
import type { RaisedLabelRow } from "@/lib/contracts/log/held-label";
import type { PreviewInput } from "@/lib/contracts/decisions/preview";
import { stopsAfter, stopsIn, toStops } from "@/lib/admin/impact/stops";
import { DRAFT_MS, parsedInThread } from "@/lib/admin/parsed-document";
import { droppedCall } from "@/lib/store/log/dropped-calls";
import { getExecution } from "@/lib/store/log/executions";
import { runInTurns } from "@/lib/store/db/in-turns";
import { findHeldLabels } from "@/lib/store/labels/held-labels";
import { toRaised } from "@/lib/store/labels/raised-by";
import { currentSnapshot, snapshotAt, snapshotOf, type Snapshot } from "@/lib/store/snapshot/snapshot";

/** The input of a preview's decision: all arguments of `resolve`. */
interface Preview {
  readonly index: Index;
  readonly request: ResolveRequest;
  /** Epoch milliseconds. */
  readonly now: number;
  /** Whether this is the configuration in force, whose resolutions may be cached. */
  readonly live: boolean;
  /** Whether calls of a tool (by id) wait for a person, by the tool or the settings of this configuration. */
  readonly needsApproval: (toolId: string) => boolean;
  /** For a logged call and a real caller: the calls that raised labels of the request. */
  readonly raisedBy: readonly RaisedLabelRow[];
}

/**
 * Loads the configuration and the caller of a preview. Configuration: the one in force, an older revision or a document.
 * Caller: free claims, a persona's sample claims, a registered agent, or the inputs of a logged call.
 *
 * @param signal ends the work when the caller has left
 * @throws AppError `invalid_request` naming the field; `not_found` for an unknown revision; `request_timeout`
 */
export async function loadPreview(input: PreviewInput, signal?: AbortSignal): Promise<Preview> {
  const snapshot = await snapshotFor(input, signal);
  const now = input.now === undefined ? Date.now() : Date.parse(input.now);
  const index = await withDraft(snapshot.index, input.draft, signal);
  const live = input.config === undefined && input.revision === undefined && input.draft === undefined;
  const stops = stopsIn(snapshot);
  const { needsApproval } = toStops(input.draft === undefined ? stops : stopsAfter(stops, input.draft, null));
  const loaded = { index, now, live, needsApproval };
  if (input.executionId !== undefined) return { ...loaded, ...(await loggedRequest(input)) };
  const answer = previewRequest(input, { ...snapshot, index });
  if (!answer.ok) throw refused(answer.path, answer.message);
  return { ...loaded, ...(await withHeldLabels(answer.request, input)) };
}

/** The labels that a registered agent, or the holder of a token with these claims, holds now without a session. */
async function withHeldLabels(
  request: ResolveRequest,
  { labels: stated, agent, claims }: Pick<PreviewInput, "labels" | "agent" | "claims">,
): Promise<Pick<Preview, "request" | "raisedBy">> {
  const { iss: issuer, sub: subject } = request.claims;
  if ((agent ?? claims) === undefined || typeof issuer !== "string" || typeof subject !== "string")
    return { request, raisedBy: [] };
  const held = toRaised(await findHeldLabels({ issuer, subject, sessionId: null }, new Date()));
  const labels = stated ?? held.map(({ label }) => label).toSorted();
  return { request: { ...request, labels }, raisedBy: held.filter(({ label }) => labels.includes(label)) };
}

/** What a preview reads of a snapshot. Without `signIn` there is no connection. */
type PreviewSnapshot = Pick<Snapshot, "index" | "agents" | "issuers" | "revision"> &
  Partial<Pick<Snapshot, "signIn" | "revocations">>;

/** The request of a preview's caller: free claims, a persona, or a registered agent as authentication sees it. */
export function previewRequest(input: Omit<PreviewInput, "executionId">, snapshot: PreviewSnapshot): RequestAnswer {
  const caller = callerOf(input, snapshot);
  if ("ok" in caller) return caller;
  const assigned = caller.agent?.machine ?? null;
  const machine = input.machine ?? machineOf(input.draft);
  if (assigned !== null && machine !== null && machine !== assigned)
    return {
      ok: false,
      path: "machine",
      message: `the agent is assigned the machine \`${assigned}\`: omit this field`,
    };
  return toRequest(snapshot.index, caller, {
    group: input.group,
    state: input.state,
    machine,
    profile: input.profile,
    persona: input.persona,
    capabilities: input.capabilities,
    intent: input.intent,
    confidence: input.confidence,
    escalated: input.escalated,
    ...(input.labels !== undefined && { labels: input.labels }),
    includeDisabled: input.includeDisabled,
    // A preview shows what a session would see, whose state the server holds.
    fromSession: true,
  });
}

async function snapshotFor({ config, revision }: PreviewInput, signal?: AbortSignal): Promise<Snapshot> {
  if (config === undefined) return revision === undefined ? currentSnapshot() : snapshotAt(revision);
  if (revision !== undefined) throw refused("revision", "state either `config` or `revision`");
  const parsed = await parsedInThread(config, { signal });
  if (parsed.ok) return snapshotOf(parsed.document, DRAFT_MS, signal);
  throw new AppError("invalid_request", "The configuration document is not valid.", {
    errors: parsed.errors.map(({ path, message }) => ({ path: pathBelow("config", path), message })),
  });
}

/** The configuration with an edited rule. All other rules stay as they are. */
async function withDraft(index: Index, draft: PreviewInput["draft"], signal?: AbortSignal): Promise<Index> {
  if (draft === undefined) return index;
  const drafted = draftOf(index.config, draft);
  if (drafted.ok) return runInTurns(compileInParts(drafted.configuration, index), DRAFT_MS, signal);
  throw new AppError("invalid_request", "The draft is not valid.", {
    errors: drafted.errors.map(({ path, message }) => ({ path: pathBelow("draft", path), message })),
  });
}

/** The name of the edited machine, if the draft is one. */
function machineOf(draft: PreviewInput["draft"]): string | null {
  const name = draft?.resource === "machines" ? draft.input?.["name"] : undefined;
  return typeof name === "string" ? name : null;
}

/** The caller as agent authentication would see it (docs/reference/http.md#authentication). */
function callerOf(
  input: Parameters<typeof previewRequest>[0],
  snapshot: Parameters<typeof previewRequest>[1],
): RequestCaller | Extract<RequestAnswer, { ok: false }> {
  const claims = (input.claims ?? sampleClaims(input, snapshot)) as JsonObject;
  if (input.agent === undefined && claims["iss"] === publicOrigin()) return connectionCaller(claims, snapshot);
  if (input.agent === undefined) return { claims, agent: null, issuer: issuerOf(claims, snapshot) };
  const agent = snapshot.agents.get(input.agent);
  if (agent === undefined) return { ok: false, path: "agent", message: `there is no agent \`${input.agent}\`` };
  const attributes = agent.attributes as JsonObject;
  const issuer = agent.issuer === null ? null : (snapshot.issuers.get(agent.issuer) ?? null);
  // With a token, the attributes are one of its claims. With a key, they are the claims.
  if (input.claims !== undefined || issuer !== null)
    return {
      claims: { iss: issuer?.issuer ?? "", sub: agent.subject ?? agent.name, ...claims, qm: { agent: attributes } },
      agent,
      issuer,
    };
  return { claims: { ...attributes, sub: agent.name, iss: OWN_ISSUER }, agent, issuer: null };
}

/** The caller behind claims of an access token of ours: the connection's agent, with the person's present attributes. */
function connectionCaller(
  claims: JsonObject,
  { revision, agents, issuers, signIn = null, revocations = new Map() }: PreviewSnapshot,
): RequestCaller | Extract<RequestAnswer, { ok: false }> {
  const registry = { revision, agents, issuers, signIn, revocations };
  try {
    return { ...ownCaller(claims, registry), issuer: ownIssuer(registry) };
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "unauthenticated") throw error;
    return { ok: false, path: "claims", message: error.message };
  }
}

function sampleClaims(input: Pick<PreviewInput, "persona" | "agent">, snapshot: Pick<Snapshot, "index">): unknown {
  if (input.persona === null || input.agent !== undefined) return {};
  return snapshot.index.config.personas.find(({ name }) => name === input.persona)?.sampleClaims ?? {};
}

/** The issuer that the `iss` of free claims names. Its capability claim then counts. */
function issuerOf(claims: JsonObject, snapshot: Pick<Snapshot, "issuers">): Issuer | null {
  return [...snapshot.issuers.values()].find(({ issuer }) => issuer === claims["iss"]) ?? null;
}

/** The inputs of a logged call, with its claims, exactly as they were resolved. */
async function loggedRequest(input: PreviewInput): Promise<Pick<Preview, "request" | "raisedBy">> {
  const callId = input.executionId ?? "";
  const free = ["claims", "agent"] as const;
  const stated = free.find((field) => input[field] !== undefined);
  if (stated !== undefined) throw refused(stated, "comes from the logged call: state either this or `executionId`");
  const logged = await getExecution(callId, { bodies: true });
  if (logged === null)
    throw (await droppedCall(callId)) ?? refused("executionId", `there is no execution \`${callId}\``);
  const replayed = loggedInputs(logged);
  if (typeof replayed === "string") throw refused("executionId", replayed);
  return { request: replayed, raisedBy: logged.raisedBy };
}

/** A logged call's request with its claims, as it was resolved; a sentence when it is not available. */
export function loggedInputs({ mode, claims, request }: ExecutionDetail): ResolveRequest | string {
  // This row holds the request as stated, before its resolution.
  if (mode === null) return "this call was refused before its caller's tools were resolved";
  if (claims === null) return "the claims of this call are no longer stored";
  return { ...(request as unknown as ResolveRequest), claims: claims as JsonObject };
}

function refused(path: string, message: string): AppError {
  return new AppError("invalid_request", `The preview cannot be computed: ${message}.`, {
    errors: [{ path, message }],
  });
}
