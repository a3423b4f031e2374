export { requestAccess as POST } from "@/lib/agents/rest/access-requests";
