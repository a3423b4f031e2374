import { z } from "zod";
import { proveExecution } from "@/lib/audit/verify/proof";
import { user } from "@/lib/auth/people/user";
import { AppError } from "@/lib/errors";
import { route } from "@/lib/http/route";
import { droppedCall } from "@/lib/store/log/dropped-calls";

// GET /api/admin/executions/{id}/proof: what proves one execution to somebody who has nothing but our public key.
export const GET = route({
  authenticate: user("executions:verify"),
  params: z.object({ id: z.string().max(64) }),
  respond: async ({ params }) => {
    const proof = await proveExecution(params.id);
    if (proof === null)
      throw (
        (await droppedCall(params.id)) ??
        new AppError("not_found", "There is no such execution, or it is not sealed yet: that takes seconds.")
      );
    return proof;
  },
});
