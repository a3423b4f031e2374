import { crud } from "@/lib/store/crud";
import { flag, text } from "@/lib/store/filters";

/** Issuers in the admin API. */
export const issuers = crud({
  resource: "issuers",
  search: ["name", "description", "issuer", "audience"],
  sort: { name: "text", issuer: "text", enabled: "flag", createdAt: "time", updatedAt: "time" },
  filters: { enabled: flag("enabled"), issuer: text("issuer") },
});
