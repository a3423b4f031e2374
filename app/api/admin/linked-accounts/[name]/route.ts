import { adminRoute } from "@/app/api/admin/admin-route";
import { requireLinker, requireOther } from "@/app/api/admin/linked-accounts/linker";
import { unlink } from "@/lib/calls/linked-accounts/end-link";
import { readLinkStatus } from "@/lib/calls/linked-accounts/link-status";
import { LINKED_ACCOUNT_OPERATIONS } from "@/lib/contracts/operations/linked-account-operations";
import { AppError } from "@/lib/errors";
import { outbound } from "@/lib/outbound/fetch";

export const GET = adminRoute(LINKED_ACCOUNT_OPERATIONS.read_linked_account, async ({ caller, params: { name } }) =>
  readLinkStatus(name, caller.userId, outbound, Date.now()),
);

export const DELETE = adminRoute(LINKED_ACCOUNT_OPERATIONS.end_link, async ({ caller, params, query, request }) => {
  const { name } = params;
  const { person } = query;
  const target = person === undefined ? await requireLinker(caller, request) : await requireOther(caller, person);
  const of = person === undefined ? {} : { name: person };
  const ended = await unlink(caller.actor, { ...of, personId: target.personId, source: name }, outbound, Date.now());
  const who = person === undefined ? "You have" : `${person} has`;
  if (ended === null) throw new AppError("not_found", `${who} no linked account of \`${name}\`.`);
  return ended;
});
