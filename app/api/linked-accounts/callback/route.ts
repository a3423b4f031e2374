import { readSession } from "@/lib/auth/people/session";
import { personOfSession } from "@/lib/auth/people/user";
import { finishLink, type Returning } from "@/lib/calls/linked-accounts/finish-link";
import { LINKED_ACCOUNT_OPERATIONS } from "@/lib/contracts/operations/linked-account-operations";
import type { LinkProblemCode } from "@/lib/contracts/people/linked-account";
import { env } from "@/lib/env";
import { openRoute } from "@/lib/http/contract-route";
import { outbound } from "@/lib/outbound/fetch";
import { log } from "@/lib/telemetry/log";

// The redirect keeps the address with the code out of the browser's history.
export const GET = openRoute(LINKED_ACCOUNT_OPERATIONS.finish_link, async ({ request, requestId }) => {
  const returned = new URL(request.url).searchParams;
  const person = await returning(request);
  const { source, problem } = await finishLink(returned, person, outbound, Date.now());
  if (problem !== null) log.warn({ requestId, source, code: problem.code }, "An account was not linked.");
  return new Response(null, {
    status: 303,
    headers: {
      location: pageOf(source, problem?.code ?? null),
      "cache-control": "no-store",
      "referrer-policy": "no-referrer",
    },
  });
});

async function returning(request: Request): Promise<Returning> {
  const cookies = request.headers.get("cookie");
  const [person, session] = [await personOfSession(cookies), await readSession(cookies)];
  if (person === null || person.userId === null || session === null) return null;
  return { personId: person.userId, session: session.startedAt, actor: person.actor };
}

function pageOf(source: string | null, problem: LinkProblemCode | null): string {
  const url = new URL(
    `/admin/linked-accounts${source === null ? "" : `/${encodeURIComponent(source)}`}`,
    env.NEXTAUTH_URL,
  );
  url.searchParams.set(problem === null ? "linked" : "problem", problem ?? "yes");
  return url.href;
}
