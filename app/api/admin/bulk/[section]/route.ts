import { VOLATILE } from "@/lib/audit/record/claims";
import { REDACTED } from "@/lib/audit/record/redact";
import { user } from "@/lib/auth/people/user";
import { requireVersion } from "@/lib/http/if-match";
import { route } from "@/lib/http/route";
import { bulkInput, bulkSection } from "@/lib/contracts/changes/bulk";
import { saveQuery } from "@/lib/contracts/changes/row-plan";
import { planBulk, writeBulk } from "@/lib/admin/bulk";

// POST /api/admin/bulk/{section}: one change of many rows, all or none, as one revision. `?dryRun=true` answers what it
// would do; with that answer's revision as `If-Match` a change in between is a 409.
export const POST = route({
  authenticate: user("configuration:write"),
  params: bulkSection,
  query: saveQuery,
  body: bulkInput,
  respond: async ({ caller: { actor }, params: { section }, query, body, request }) => {
    if (query.dryRun) return planBulk(actor, section, body, { unkept: VOLATILE, mask: REDACTED });
    return writeBulk(actor, section, body, request.headers.has("if-match") ? requireVersion(request) : undefined);
  },
});
