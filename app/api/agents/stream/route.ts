export { streamTools as GET } from "@/lib/agents/streams/stream";
