// Without `dynamic`, Next would prerender the answer of a handler that does not read the request.
export const dynamic = "force-dynamic";

export { ready as GET } from "@/lib/server/health";
