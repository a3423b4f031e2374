export { listTools as GET } from "@/lib/agents/tools";
