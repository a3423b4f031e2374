export { oauth as OPTIONS, oauth as POST } from "@/lib/agents/oauth/server";
