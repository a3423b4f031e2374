import { randomUUID } from "node:crypto";
import type { z } from "zod";
import { DEFAULT_GROUP, type Json, type JsonObject } from "@/lib/access/model/configuration";
import { resolve } from "@/lib/access/decide/resolve";
import { agentRoute } from "@/lib/agents/rest/agent-route";
import type { Parts } from "@/lib/access/model/parts";
import { callContextOf } from "@/lib/agents/rest/list";
import { encodeList, type ListText } from "@/lib/agents/rest/list-text";
import { redactInParts, redactText, storedName } from "@/lib/audit/record/redact";
import { AppError } from "@/lib/errors";
import { Reply } from "@/lib/http/reply";
import { entriesInParts } from "@/lib/manifest/entries";
import { manifestTexts } from "@/lib/manifest/index";
import { withRequestAccess } from "@/lib/manifest/request-access";
import type { sessionOutput } from "@/lib/contracts/agents/agent-api";
import { AGENT_OPERATIONS } from "@/lib/contracts/operations/agent-operations";
import { runInTurns } from "@/lib/store/db/in-turns";
import { createSession, patchSession, touchSession, type SessionRow } from "@/lib/store/calls/sessions";
import { expiryOf } from "@/lib/calls/record/record";
import { SESSION_NOT_FOUND, type CallContext } from "@/lib/calls/pipeline/call-context";

/** Without this note, a caller whose tools are in other groups would not know why the session has none. */
const DEFAULT_GROUP_ONLY =
  '`group` is not stated, so the session has the tools of `default` only: state `["*"]` for all groups';

/** POST /api/agents/sessions: opens an agent's session. Without `group` it is `["default"]` (docs/reference/http.md#agent-api). */
export const openSession = agentRoute(AGENT_OPERATIONS.open_session, async ({ caller, body, requestId }) => {
  const now = Date.now();
  const stated = { ...body, group: body.group ?? [DEFAULT_GROUP] };
  const context = await callContextOf(caller, stated, null, { requestId, now, opensSession: true });
  const { request, resolution, snapshot } = context;
  const id = `ses_${randomUUID()}`;
  const expiresAt = expiryOf(snapshot, now);
  const { redact: secretFields } = snapshot.settings;
  await createSession(
    {
      id,
      principal: context.caller.principal,
      // A group name that looks like a secret is masked. No group has such a name, so the result is the same.
      group: stated.group.map(storedName),
      state: typeof body.state === "string" ? storedName(resolution.state) : resolution.state,
      machine: request.machine,
      profile: body.profile ?? null,
      intent: request.intent === null ? null : storedName(request.intent),
      confidence: request.confidence,
      expiresAt,
      // For auditors, like the log's bodies: secrets are masked before anything is stored.
      question: body.question === undefined ? null : redactText(body.question, secretFields),
      history: await runInTurns(redactInParts((body.history?.steps ?? []) as unknown as Json, secretFields)),
      metadata: (await runInTurns(redactInParts((body.metadata ?? {}) as JsonObject, secretFields))) as JsonObject,
    },
    new Date(now),
  );
  const ignored = (body.history?.ignored ?? []).map((field) => `\`${field}\` of a step of \`history\` is not stored`);
  const notes = body.group === undefined || body.group === null ? [DEFAULT_GROUP_ONLY, ...ignored] : ignored;
  return toReply({ id, expiresAt, escalated: false, context, notes, status: 201 });
});

/** GET /api/agents/sessions/{id}: the session as it is now. */
export const readSession = agentRoute(AGENT_OPERATIONS.read_session, async ({ caller, params: { id }, requestId }) => {
  const now = Date.now();
  const context = await callContextOf(caller, {}, id, { requestId, now });
  const session = requireSession(context.session);
  const expiresAt = expiryOf(context.snapshot, now);
  await touchSession(session, expiresAt, new Date(now));
  return toReply({ id, expiresAt, escalated: session.escalated, context });
});

/** PATCH /api/agents/sessions/{id}: changes intent or confidence, or reports that there is no progress. */
export const changeSession = agentRoute(
  AGENT_OPERATIONS.change_session,
  async ({ caller, params: { id }, body, requestId }) => {
    const now = Date.now();
    const { snapshot, request } = await callContextOf(caller, {}, id, { requestId, now });
    const patched = await patchSession(id, caller.principal, new Date(now), (session) => {
      const stated = body.intent === undefined ? session.intent : (body.intent ?? null);
      const intent = stated === null ? null : storedName(stated);
      const confidence = body.confidence === undefined ? session.confidence : body.confidence;
      // Only the narrowing of step 8 can be escalated, once per session (docs/reference/decision.md#tier).
      const narrowed =
        resolve(snapshot.index, { ...request, intent, confidence, escalated: false }, now).mode !== "full";
      const escalates = body.no_progress === true && !session.escalated && narrowed;
      return {
        intent,
        confidence,
        expiresAt: expiryOf(snapshot, now),
        ...(escalates ? { escalated: true, recent: [] } : {}),
      };
    });
    const session = requireSession(patched);
    const context = await callContextOf(caller, {}, id, { requestId, now });
    return toReply({ id, expiresAt: session.expiresAt, escalated: session.escalated, context });
  },
);

function requireSession(session: SessionRow | null): SessionRow {
  if (session === null) throw new AppError("session_not_found", SESSION_NOT_FOUND);
  return session;
}

type Facts = Omit<z.output<typeof sessionOutput>, "tools">;

interface Answered extends Pick<Facts, "escalated"> {
  readonly id: string;
  readonly expiresAt: Date;
  readonly context: CallContext;
  readonly status?: number;
  readonly notes?: readonly string[];
}

/** The session with its tools (`sessionOutput`), written in turns with other work. */
async function toReply({ id, expiresAt, escalated, context, status = 200, notes = [] }: Answered): Promise<Reply> {
  const { resolution } = context;
  const facts: Facts = {
    session_id: id,
    state: resolution.state,
    mode: resolution.mode,
    tier: resolution.tier === null ? null : [...resolution.tier],
    escalated,
    revision: resolution.revision,
    expires_at: expiresAt.toISOString(),
    ...(notes.length > 0 && { notes: [...notes] }),
  };
  const text = await runInTurns(withTools(facts, context));
  return new Reply(text, status, { "content-type": "application/json" });
}

function* withTools(facts: Facts, { resolution, request, snapshot, now }: CallContext): Parts<ListText> {
  const listed = yield* entriesInParts({ index: snapshot.index, request, resolution, now });
  const entries = withRequestAccess(listed, resolution);
  const { texts } = yield* manifestTexts("native", entries);
  return yield* encodeList('{"tools":', texts, `,${JSON.stringify(facts).slice(1)}`);
}
