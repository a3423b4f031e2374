export { oauth as GET, oauth as OPTIONS } from "@/lib/agents/oauth/server";
