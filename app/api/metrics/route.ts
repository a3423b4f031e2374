export { readMetrics as GET } from "@/lib/server/metrics";
