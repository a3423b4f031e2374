export { listTools as GET } from "@/lib/agents/rest/tools";
