export { streamTools as GET } from "@/lib/agents/stream";
