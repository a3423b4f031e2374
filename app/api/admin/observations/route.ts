import { adminRoute } from "@/app/api/admin/admin-route";
import { OBSERVATION_OPERATIONS } from "@/lib/contracts/operations/observation-operations";
import { readObservations } from "@/lib/store/observed/read";

export const GET = adminRoute(OBSERVATION_OPERATIONS.read_observations, async ({ query: { kind, rule } }) =>
  readObservations({ kind, name: rule }),
);
