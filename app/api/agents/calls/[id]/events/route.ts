export { followCall as GET } from "@/lib/agents/rest/calls";
