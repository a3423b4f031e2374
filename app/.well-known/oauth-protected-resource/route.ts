export { mcpMetadata as GET } from "@/lib/agents/mcp/metadata";
