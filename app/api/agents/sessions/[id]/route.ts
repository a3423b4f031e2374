export { changeSession as PATCH, readSession as GET } from "@/lib/agents/rest/sessions";
