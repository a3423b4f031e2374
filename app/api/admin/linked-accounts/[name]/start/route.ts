import { adminRoute } from "@/app/api/admin/admin-route";
import { requireLinker } from "@/app/api/admin/linked-accounts/linker";
import { LinkProblem } from "@/lib/calls/linked-accounts/link-problem";
import { findLinkable } from "@/lib/calls/linked-accounts/linkable";
import { startLink } from "@/lib/calls/linked-accounts/start-link";
import { LINKED_ACCOUNT_OPERATIONS } from "@/lib/contracts/operations/linked-account-operations";
import { AppError } from "@/lib/errors";
import { outbound } from "@/lib/outbound/fetch";

export const POST = adminRoute(LINKED_ACCOUNT_OPERATIONS.start_link, async ({ caller, params, request }) => {
  const person = await requireLinker(caller, request);
  const source = await findLinkable(params.name);
  if (source === null)
    throw new AppError("not_found", `There is no enabled source \`${params.name}\` that accounts are linked for.`);
  try {
    return { url: await startLink(source, person, outbound, Date.now()) };
  } catch (error) {
    if (error instanceof LinkProblem) throw new AppError("upstream_auth_failed", error.message, { cause: error });
    throw error;
  }
});
