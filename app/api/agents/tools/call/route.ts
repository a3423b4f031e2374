export { callTool as POST } from "@/lib/agents/call";
