import { adminRoute } from "@/app/api/admin/admin-route";
import { processKeys } from "@/lib/auth/agents/agent";
import { testToken } from "@/lib/auth/agents/test-token";
import { CLIENT_OPERATIONS } from "@/lib/contracts/operations/client-operations";
import { currentSnapshot, newestSnapshot } from "@/lib/store/snapshot/snapshot";

export const POST = adminRoute(CLIENT_OPERATIONS.test_connection_token, async ({ body: { token } }) => {
  const snapshot = await currentSnapshot();
  return testToken(
    token,
    snapshot,
    { keys: processKeys(), now: Date.now, newestRegistry: newestSnapshot },
    snapshot.settings.redact,
  );
});
