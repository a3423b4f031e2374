export { cancelCall as DELETE, readCall as GET } from "@/lib/agents/rest/calls";
