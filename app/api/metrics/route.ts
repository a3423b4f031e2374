export { readMetrics as GET } from "@/lib/agents/metrics";
