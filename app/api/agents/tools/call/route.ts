export { callTool as POST } from "@/lib/agents/rest/call";
