export { openSession as POST } from "@/lib/agents/rest/sessions";
