export { readCall as GET } from "@/lib/agents/calls";
