import { readCheckpoints } from "@/lib/audit/seal/checkpoint";
import { announceFindings } from "@/lib/audit/seal/alarm";
import { verifyLog } from "@/lib/audit/verify/verify";
import { user } from "@/lib/auth/people/user";
import { route } from "@/lib/http/route";

// GET /api/admin/executions/verify: the whole log against its seals, and the seals against the second place.
export const GET = route({
  authenticate: user("executions:verify"),
  respond: async () => {
    const report = await verifyLog({ checkpoints: await readCheckpoints() });
    await announceFindings(report);
    return report;
  },
});
