import { adminRoute } from "@/app/api/admin/admin-route";
import { perResource } from "@/app/api/admin/[resource]/per-resource";
import { saveAndAnswer, withETag } from "@/app/api/admin/[resource]/with-etag";
import { saveWithAssertions } from "@/lib/store/save/row-plan";

export const GET = perResource(({ contracts, store }) =>
  adminRoute(contracts.read, async ({ params: { id } }) => withETag(await store.get(id))),
);

export const PUT = perResource(({ name, contracts, store }) =>
  adminRoute(contracts.replace, async ({ caller: { actor }, params: { id }, query, body, ifMatch }) => {
    const version = ifMatch();
    const { dryRun, followRename } = query;
    if (dryRun) return store.plan(actor, { action: "replace", id, input: body, ifMatch: version, followRename });
    return saveAndAnswer(name, () => store.replace(actor, id, body, version, { followRename }));
  }),
);

export const DELETE = perResource(({ name, contracts, store }) =>
  adminRoute(contracts.delete, async ({ caller: { actor }, params: { id }, query, ifMatch }) => {
    const version = ifMatch() ?? "*";
    if (query.dryRun) return store.plan(actor, { action: "remove", id, ifMatch: version });
    const { warnings } = await saveWithAssertions(name, () => store.remove(actor, id, version));
    return warnings.length === 0 ? undefined : { warnings };
  }),
);
