import { adminRoute } from "@/app/api/admin/admin-route";
import { processKeys } from "@/lib/auth/agents/agent";
import { testToken } from "@/lib/auth/agents/test-token";
import { IDENTITY_OPERATIONS } from "@/lib/contracts/operations/identity-operations";
import { AppError } from "@/lib/errors";
import { currentSnapshot, newestSnapshot } from "@/lib/store/snapshot/snapshot";

export const POST = adminRoute(IDENTITY_OPERATIONS.test_token, async ({ params: { name }, body: { token } }) => {
  const snapshot = await currentSnapshot();
  if (!snapshot.issuers.has(name)) throw new AppError("not_found", `There is no issuer \`${name}\`.`);
  return testToken(
    token,
    snapshot,
    { keys: processKeys(), now: Date.now, newestRegistry: newestSnapshot },
    snapshot.settings.redact,
  );
});
