import { z } from "zod";
import { processKeys } from "@/lib/auth/agents/agent";
import { testToken } from "@/lib/auth/agents/test-token";
import { user } from "@/lib/auth/people/user";
import { AppError } from "@/lib/errors";
import { route } from "@/lib/http/route";
import { slug } from "@/lib/resources/parts/name";
import { tokenTestInput } from "@/lib/contracts/people/token-test";
import { currentSnapshot } from "@/lib/store/snapshot/snapshot";

// POST /api/admin/issuers/{name}/test: what the agents' door would say to a token, check by check. Nothing changes.
export const POST = route({
  authenticate: user("configuration:read"),
  params: z.object({ name: slug }),
  body: tokenTestInput,
  respond: async ({ params: { name }, body: { token } }) => {
    const snapshot = await currentSnapshot();
    if (!snapshot.issuers.has(name)) throw new AppError("not_found", `There is no issuer \`${name}\`.`);
    return testToken(token, snapshot, { keys: processKeys(), now: Date.now }, snapshot.settings.redact);
  },
});
