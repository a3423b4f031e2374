// Next would answer a handler that reads no request from its build.
export const dynamic = "force-dynamic";

export { health as GET } from "@/lib/server/health";
