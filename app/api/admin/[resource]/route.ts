import { perResource } from "@/app/api/admin/[resource]/per-resource";
import { withETag } from "@/app/api/admin/[resource]/with-etag";
import { user } from "@/lib/auth/people/user";
import { route } from "@/lib/http/route";
import { listQuery } from "@/lib/resources/list";

// GET /api/admin/{resource}: a page of rows, searched, filtered and sorted.
export const GET = perResource(({ read, store }) =>
  route({
    authenticate: user(read),
    query: listQuery,
    respond: async ({ query }) => store.list(query),
  }),
);

// POST /api/admin/{resource}: a new row; a key or a token answers its secret, this once.
export const POST = perResource(({ write, input, store }) =>
  route({
    authenticate: user(write),
    body: input,
    respond: async ({ caller, body }) => withETag(await store.create(caller.actor, body), 201),
  }),
);
