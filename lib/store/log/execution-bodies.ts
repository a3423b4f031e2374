import { append } from "@/lib/access/model/lists";
import type { ExecutionDetail, ExecutionRow } from "@/lib/contracts/log/execution";
import { db, rowsOf } from "@/lib/store/db/database";
import { Prisma } from "@/lib/store/generated/client";
import { commitmentOf } from "@/lib/store/log/executions-rows";

/** A call's arguments and result as stored: redacted, and possibly cut or erased. */
export type CallBodies = Pick<ExecutionDetail, "arguments" | "result" | "truncated" | "erased">;

interface ReadBody {
  readonly callId: string;
  readonly part: string;
  readonly text: string;
  readonly digest: string;
  readonly sha256: string | null;
  readonly bytes: number | null;
  readonly key: Uint8Array | null;
  readonly commitment: string | null;
}

/** The bodies of one call. @param at when it began @throws AppError `config_unavailable` */
export async function loadBodies(callId: string, at: Date): Promise<Omit<CallBodies, "erased">> {
  return toBodies(await readBodies([callId], [at.toISOString()]));
}

/** When a call's bodies were first erased, and by whom; `null` when they were not. @throws AppError `config_unavailable` */
export async function loadErased(callId: string): Promise<ExecutionDetail["erased"]> {
  return (await erasedOf([callId])).get(callId) ?? null;
}

/** Adds bodies to rows of the log. For few rows, because each may have 64 KiB twice. @throws AppError `config_unavailable` */
export async function withBodies(rows: readonly ExecutionRow[]): Promise<(ExecutionRow & CallBodies)[]> {
  const ids = rows.map(({ callId }) => callId);
  const times = rows.map(({ at }) => at);
  const [stored, erased] = await Promise.all([readBodies(ids, times), erasedOf(ids)]);
  const byCall = new Map<string, ReadBody[]>();
  for (const body of stored) append(byCall, body.callId, body);
  return rows.map((row) => ({
    ...row,
    ...toBodies(byCall.get(row.callId) ?? []),
    erased: erased.get(row.callId) ?? null,
  }));
}

async function erasedOf(ids: readonly string[]): Promise<ReadonlyMap<string, ExecutionDetail["erased"]>> {
  const events = await db().auditEvent.findMany({
    where: { target: { in: [...ids] }, action: "executions.erased" },
    orderBy: { id: "desc" },
  });
  return new Map(events.map(({ target, at, actor }) => [target, { at: at.toISOString(), by: actor }]));
}

/**
 * The bodies to which the rows of these calls commit. The app's role can add a body to a running call or to an erased one;
 * no row commits to it, so no page and no export shows it.
 */
async function readBodies(ids: readonly string[], times: readonly string[]): Promise<ReadBody[]> {
  const stored = await rowsOf<ReadBody>(Prisma.sql`
    SELECT body."callId", part, text, digest, sha256, bytes, key, CASE part
      WHEN 'arguments' THEN (SELECT "argumentsCommitment" FROM execution
        WHERE "callId" = body."callId" AND at = body."callAt" LIMIT 1)
      ELSE (SELECT "resultCommitment" FROM execution_outcome
        WHERE "callId" = body."callId" AND "callAt" = body."callAt" LIMIT 1) END AS commitment
    FROM unnest(${[...ids]}::text[], ${[...times]}::timestamptz[]) AS call (id, at)
    JOIN execution_body body ON body."callId" = call.id AND body."callAt" = call.at`);
  return stored.filter((body) => isCommitted(body, body.commitment));
}

/** Whether the commitment of a call's row proves a stored body. */
export function isCommitted(
  { text, digest, sha256, bytes, key }: Omit<ReadBody, "callId" | "part" | "commitment">,
  commitment: string | null,
): boolean {
  const cut = sha256 === null && bytes === null ? null : { sha256: sha256 ?? "", bytes: bytes ?? -1 };
  return key !== null && commitment === commitmentOf({ text, digest, cut }, key);
}

function toBodies(stored: readonly ReadBody[]): Omit<CallBodies, "erased"> {
  const parts = new Map(stored.map((body) => [body.part, body]));
  const result = parts.get("result");
  return {
    arguments: toValue(parts.get("arguments")),
    result: toValue(result),
    truncated: result?.sha256 && result.bytes !== null ? { sha256: result.sha256, bytes: result.bytes } : null,
  };
}

/** The value of a stored body; the beginning of its text when it was cut. */
function toValue(body: ReadBody | undefined): ExecutionDetail["result"] {
  if (body === undefined) return null;
  return body.sha256 === null ? (JSON.parse(body.text) as ExecutionDetail["result"]) : body.text;
}
