import { readSealStatus } from "@/lib/audit/seal/status";
import { user } from "@/lib/auth/people/user";
import { route } from "@/lib/http/route";

// GET /api/admin/executions/seals: how the log stands: the last seal, what waits for one, the last checkpoint.
export const GET = route({
  authenticate: user("executions:verify"),
  respond: () => readSealStatus(),
});
