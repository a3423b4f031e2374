import { z } from "zod";
import { answerSignIn } from "@/lib/auth/people/next-auth";
import { requireOwnOrigin } from "@/lib/auth/people/origin";
import { readBytes } from "@/lib/http/body";
import { route } from "@/lib/http/route";

const MAX_BYTES = 16 * 1024;

const handler = route({
  authenticate: async (request) => requireOwnOrigin(request),
  params: z.object({ nextauth: z.array(z.string()) }),
  respond: async ({ request, params }) =>
    answerSignIn(request, params.nextauth, new TextDecoder().decode(await readBytes(request, MAX_BYTES))),
});

// GET and POST /api/auth/*: next-auth's sign-in, sign-out, session and CSRF token.
export { handler as GET, handler as POST };
