import { z } from "zod";
import { perResource } from "@/app/api/admin/[resource]/per-resource";
import { withETag } from "@/app/api/admin/[resource]/with-etag";
import { user } from "@/lib/auth/people/user";
import { requireVersion } from "@/lib/http/if-match";
import { route } from "@/lib/http/route";

const params = z.object({ id: z.string().min(1).max(400).transform(decoded) });

// GET /api/admin/{resource}/{id}
export const GET = perResource(({ read, store }) =>
  route({
    authenticate: user(read),
    params,
    respond: async ({ params: { id } }) => withETag(await store.get(id)),
  }),
);

// PUT /api/admin/{resource}/{id}: full replacement of the revision that `If-Match` names.
export const PUT = perResource(({ write, input, store }) =>
  route({
    authenticate: user(write),
    params,
    body: input,
    respond: async ({ caller, params: { id }, body, request }) =>
      withETag(await store.replace(caller.actor, id, body, requireVersion(request))),
  }),
);

// DELETE /api/admin/{resource}/{id}: refused while something uses it; `If-Match` may be left out.
export const DELETE = perResource(({ write, store }) =>
  route({
    authenticate: user(write),
    params,
    respond: async ({ caller, params: { id }, request }) =>
      store.remove(caller.actor, id, request.headers.has("if-match") ? requireVersion(request) : "*"),
  }),
);

/** Next hands a parameter over as it stands in the address: `pizzeria%3Alist_menu`. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
