import { crud } from "@/lib/store/config/crud";
import { flag, text } from "@/lib/store/db/filters";

/** Reads and writes issuers for the admin API. */
export const issuers = crud({
  resource: "issuers",
  search: ["name", "description", "issuer", "audience"],
  sort: { name: "text", issuer: "text", enabled: "flag", createdAt: "time", updatedAt: "time" },
  filters: { enabled: flag("enabled"), issuer: text("issuer") },
});
