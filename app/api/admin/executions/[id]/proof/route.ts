import { adminRoute } from "@/app/api/admin/admin-route";
import { proveExecution } from "@/lib/audit/verify/proof";
import { LOG_OPERATIONS } from "@/lib/contracts/operations/log-operations";
import { AppError } from "@/lib/errors";
import { droppedCall } from "@/lib/store/log/dropped-calls";

export const GET = adminRoute(LOG_OPERATIONS.prove_execution, async ({ params }) => {
  const proof = await proveExecution(params.id);
  if (proof === null)
    throw (
      (await droppedCall(params.id)) ??
      new AppError("not_found", "There is no such execution, or it is not sealed yet. Try again in a few seconds.")
    );
  return proof;
});
