export { openSession as POST } from "@/lib/agents/sessions";
