import { user } from "@/lib/auth/people/user";
import { contractRoutes } from "@/lib/http/contract-route";

/** Builds an admin route: the caller has the permission that the contract's `who` names. */
export const adminRoute = contractRoutes(user);
