import { z } from "zod";
import { perResource } from "@/app/api/admin/[resource]/per-resource";
import { savedAnswer, withETag } from "@/app/api/admin/[resource]/with-etag";
import { user } from "@/lib/auth/people/user";
import { requireVersion } from "@/lib/http/if-match";
import { route } from "@/lib/http/route";
import { decodeSegment } from "@/lib/resources/parts/name";
import { saveQuery } from "@/lib/contracts/changes/row-plan";
import { redAfterSave } from "@/lib/store/save/row-plan";

const params = z.object({ id: z.string().min(1).max(400).transform(decodeSegment) });

// GET /api/admin/{resource}/{id}
export const GET = perResource(({ read, store }) =>
  route({
    authenticate: user(read),
    params,
    respond: async ({ params: { id } }) => withETag(await store.get(id)),
  }),
);

// PUT /api/admin/{resource}/{id}: full replacement of the revision that `If-Match` names. `?dryRun=true` answers the plan.
export const PUT = perResource(({ name, write, input, store }) =>
  route({
    authenticate: user(write),
    params,
    query: saveQuery,
    body: input,
    respond: async ({ caller: { actor }, params: { id }, query, body, request }) => {
      const ifMatch = requireVersion(request);
      if (query.dryRun) return store.plan(actor, { action: "replace", id, input: body, ifMatch });
      return savedAnswer(name, await store.replace(actor, id, body, ifMatch));
    },
  }),
);

// DELETE /api/admin/{resource}/{id}: refused while something uses it; `If-Match` may be left out. `?dryRun=true`
// answers the plan. Nothing is answered, except for assertions that do not hold any more.
export const DELETE = perResource(({ name, write, store }) =>
  route({
    authenticate: user(write),
    params,
    query: saveQuery,
    respond: async ({ caller: { actor }, params: { id }, query, request }) => {
      const ifMatch = request.headers.has("if-match") ? requireVersion(request) : "*";
      if (query.dryRun) return store.plan(actor, { action: "remove", id, ifMatch });
      await store.remove(actor, id, ifMatch);
      const warnings = await redAfterSave(name);
      return warnings.length === 0 ? undefined : { warnings };
    },
  }),
);
