export { oauth as GET } from "@/lib/agents/oauth/server";
