export { followCall as GET } from "@/lib/agents/calls";
