export { readAccessRequest as GET } from "@/lib/agents/rest/access-requests";
